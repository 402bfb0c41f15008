package diagnose

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/recourse-dev/recourse"
)

const most = 100_000

// A cutResult is one that was cut.
type cutResult struct {
	Content []struct {
		Type, Text, Data string
		Resource         struct{ Text string }
	}
	IsError           *bool
	StructuredContent json.RawMessage
	Meta              map[string]json.RawMessage `json:"_meta"`
}

// cutShort cuts and checks what holds of every cut.
func cutShort(t *testing.T, result []byte, params ...string) (r cutResult, raw []byte) {
	t.Helper()
	before := bytes.Clone(result)
	raw, cut := Cut(result, most, params)
	if !cut || !bytes.Equal(result, before) {
		t.Fatalf("cut is %v", cut)
	}
	if err := strict(raw); err != nil || !utf8.Valid(raw) || len(raw) > most+4096 {
		t.Fatalf("%d bytes, %v: %.2000s", len(raw), err, raw)
	}
	json.Unmarshal(raw, &r)
	var last struct {
		Completeness string   `json:"_completeness"`
		Warnings     []string `json:"_warnings"`
	}
	json.Unmarshal([]byte(r.Content[len(r.Content)-1].Text), &last)
	var said []string
	json.Unmarshal(r.Meta[recourse.MetaWarnings], &said)
	if last.Completeness != "partial" || len(last.Warnings) == 0 || !slices.Equal(last.Warnings, said[max(0, len(said)-len(last.Warnings)):]) {
		t.Errorf("last block %q, _meta %q", r.Content[len(r.Content)-1].Text, said)
	}
	return r, raw
}

func ask(t *testing.T, texts string, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(texts, want) {
			t.Errorf("%q is not in %.600q", want, texts)
		}
	}
}

func TestCutText(t *testing.T) {
	var b strings.Builder
	for i := 0; b.Len() < 3<<20; i++ {
		fmt.Fprintf(&b, "line %d 😀\n", i)
	}
	long := b.String()[:3<<20-len("😀\n")] + "😀\n"
	for _, isError := range []string{"", `,"isError":true`} {
		r, _ := cutShort(t, []byte(`{"content":[`+string(text(quote(long)))+`]`+isError+`}`), "limit", "cursor", "filter")
		if len(r.Content) != 2 || (r.IsError != nil) != (isError != "") {
			t.Fatalf("%d blocks, isError %v", len(r.Content), r.IsError)
		}
		got := r.Content[0].Text
		mark, rest, _ := strings.Cut(got, "\n")
		ask(t, mark, "Showing ", " of 3145728 bytes", "limit, cursor or filter")
		head, tail, found := strings.Cut(rest, "[")
		left, tail, _ := strings.Cut(tail, "]\n")
		var lost int
		fmt.Sscanf(left, "%d of 3145728 bytes of this text are left out here", &lost)
		if !found || !strings.HasPrefix(long, head) || !strings.HasSuffix(long, tail) || !strings.HasSuffix(head, "\n") || !strings.HasPrefix(tail, "line ") {
			t.Errorf("head ends %q, tail begins %.20q", head[len(head)-20:], tail)
		}
		if lost != len(long)-len(head)-len(tail) || !strings.Contains(mark, fmt.Sprintf("Showing %d of", len(long)-lost)) {
			t.Errorf("%d of %d bytes are missing, it says %q and %q", len(long)-len(head)-len(tail), len(long), mark, left)
		}
		if len(head)+len(tail) < most*8/10 || len(head) < len(tail) {
			t.Errorf("a head of %d bytes and a tail of %d", len(head), len(tail))
		}
	}
}

// One line, all of characters that take two escapes: no half of one is left.
func TestCutSurrogates(t *testing.T) {
	for shift := range 14 {
		lit := `"` + strings.Repeat("x", shift) + strings.Repeat(`\ud83d\ude00`, 50_000) + `"`
		r, raw := cutShort(t, []byte(`{"content":[{"type":"text","text":`+lit+`}]}`))
		ask(t, r.Content[0].Text, fmt.Sprintf("of %d bytes", 200_000+shift), "ask for a smaller part")
		if strings.ContainsRune(r.Content[0].Text, utf8.RuneError) || !bytes.Contains(raw, []byte(`\ud83d\ude00`)) {
			t.Errorf("%.200s", raw)
		}
	}
}

func TestCutBlocks(t *testing.T) {
	entry := func(i int) string { return fmt.Sprintf("entry %d of very many of the same length", i) }
	var blocks [][]byte
	for i := range 5000 {
		blocks = append(blocks, text(quote(entry(i))))
	}
	r, _ := cutShort(t, put([]byte(`{}`), "content", list(blocks...)), "page")
	n := len(r.Content) - 1
	ask(t, r.Content[0].Text, entry(0), fmt.Sprintf("Showing %d of 5000 blocks", n), "page")
	if n < 1000 || r.Content[n-1].Text != entry(n-1) {
		t.Errorf("%d blocks, the last %q", n, r.Content[n-1].Text)
	}
	// A long text among them leaves room for others, wherever it stands.
	for _, at := range []int{0, 10, 4999} {
		some := slices.Insert(slices.Clone(blocks), at, text(quote(strings.Repeat("a long line\n", 20_000))))
		r, _ := cutShort(t, put([]byte(`{}`), "content", list(some...)))
		if n := len(r.Content); n < 700 || n > 5000 {
			t.Errorf("with a long text at %d: %d blocks", at, n)
		}
	}
}

// A few long texts and a short one: all are shown in part, the short one whole.
func TestCutShares(t *testing.T) {
	long := string(text(quote(strings.Repeat("some line\n", 50_000))))
	r, _ := cutShort(t, []byte(`{"content":[`+long+`,{"type":"text","text":"short"},`+long+`]}`))
	if len(r.Content) != 4 || r.Content[1].Text != "short" || len(r.Content[0].Text) < 40_000 || len(r.Content[2].Text) < 40_000 {
		t.Errorf("%d blocks", len(r.Content))
	}
}

func TestCutJSON(t *testing.T) {
	rows := "[" + strings.Repeat(`{"id":1234567,"text":"a \"b\""}, `, 100_000) + `{"id":0}]`
	for _, c := range []struct{ before, array, after string }{
		{"", rows, ""},
		{" \n", strings.ReplaceAll(rows, ", ", ",\n  "), "\n"},
		{`{"tags":["a"],"rows": `, rows, `,"total":100001}`},
	} {
		original := c.before + c.array + c.after
		r, _ := cutShort(t, []byte(`{"content":[`+string(text(quote(original)))+`]}`), "limit")
		got := r.Content[0].Text
		var v any
		if err := json.Unmarshal([]byte(got), &v); err != nil || len(r.Content) != 3 {
			t.Fatalf("%v, %d blocks", err, len(r.Content))
		}
		n := strings.Count(got, `"id"`)
		note := r.Content[1].Text
		ask(t, note, fmt.Sprintf("first %d of 100001 elements", n), fmt.Sprintf("of %d bytes", len(original)), "limit")
		if n < 2000 || !strings.HasSuffix(got, "]"+c.after) || !strings.HasPrefix(original, strings.TrimSuffix(got, "]"+c.after)) {
			t.Errorf("%d elements, %.100s", n, got)
		}
	}
	// No element fits: then it is a text as any other.
	r, _ := cutShort(t, []byte(`{"content":[`+string(text(quote(`["`+strings.Repeat("x", 3*most)+`"]`)))+`]}`))
	ask(t, r.Content[0].Text, "Showing ", `["xxx`, `xxx"]`)
}

func TestCutStructured(t *testing.T) {
	rows := `{"rows":[` + strings.Repeat(`"0123456789",`, 200_000) + `"last"],"total":200001}`
	size := fmt.Sprintf("structuredContent of %d bytes", len(rows))

	// The text does not have the data: a text gets a part of it.
	r, _ := cutShort(t, []byte(`{"content":[{"type":"text","text":"many rows"}],"structuredContent":`+rows+`}`))
	ask(t, r.Content[0].Text, "many rows", size, "a text shows a part")
	if r.StructuredContent != nil || len(r.Content) != 3 || !json.Valid([]byte(r.Content[1].Text)) || len(r.Content[1].Text) < most/2 || !strings.HasSuffix(r.Content[1].Text, `],"total":200001}`) {
		t.Errorf("%d blocks", len(r.Content))
	}

	// The text is the data: only it is kept.
	r, _ = cutShort(t, []byte(`{"structuredContent":`+rows+`,"content":[`+string(text(quote(rows)))+`]}`))
	ask(t, r.Content[1].Text, size, "see the text")
	if r.StructuredContent != nil || len(r.Content) != 3 || !json.Valid([]byte(r.Content[0].Text)) {
		t.Errorf("%d blocks", len(r.Content))
	}

	// Small data beside a long text stays.
	r, _ = cutShort(t, []byte(`{"structuredContent":{"a": 1.0},"content":[`+string(text(quote(rows)))+`]}`))
	if string(r.StructuredContent) != `{"a": 1.0}` {
		t.Errorf("structuredContent is %s", r.StructuredContent)
	}
}

func TestCutImage(t *testing.T) {
	image := func(n int) string {
		return `{"type":"image","data":"` + base64.StdEncoding.EncodeToString(bytes.Repeat([]byte("abc"), n/4)) + `","mimeType":"image/png"}`
	}
	r, _ := cutShort(t, []byte(`{"content":[`+image(3<<20)+`]}`))
	ask(t, r.Content[1].Text, "An image (image/png) of 2359296 bytes, 3145728 as base64")
	if len(r.Content) != 3 || r.Content[0].Text == "" {
		t.Errorf("%d blocks", len(r.Content))
	}
	// One that fits stays, beside a text that is cut.
	r, _ = cutShort(t, []byte(`{"content":[`+string(text(quote(strings.Repeat("line\n", 100_000))))+`,`+image(20_000)+`,`+image(3<<20)+`]}`))
	if len(r.Content[1].Data) != 20_000 || r.Content[2].Type != "text" || len(r.Content[0].Text) < 50_000 {
		t.Errorf("an image of %d bytes, a text of %d", len(r.Content[1].Data), len(r.Content[0].Text))
	}
	// A thousand do not become a thousand notes.
	r, _ = cutShort(t, []byte(`{"content":[`+strings.Repeat(image(20_000)+",", 1000)+image(20_000)+`]}`))
	ask(t, r.Content[len(r.Content)-1].Text, "images, sounds or files of")
}

func TestCutResource(t *testing.T) {
	r, _ := cutShort(t, []byte(`{"content":[{"type":"resource","resource":{"uri":"a:b","text":`+string(quote(strings.Repeat("line\n", 100_000)))+`,"mimeType":"text/plain"}}]}`))
	ask(t, r.Content[0].Text, "Showing ", " of 500000 bytes")
	if n := len(r.Content[1].Resource.Text); n < most/2 || len(r.Content) != 3 {
		t.Errorf("%d bytes in %d blocks", n, len(r.Content))
	}
}

func TestCutKeeps(t *testing.T) {
	_, raw := cutShort(t, []byte(`{"resultType":"complete", "x":[1.0],"content":[`+string(text(quote(strings.Repeat("line\n", 100_000))))+`],"_meta":{"dev.recourse/warnings":["earlier"],"y":2}}`))
	if !bytes.HasPrefix(raw, []byte(`{"resultType":"complete", "x":[1.0],"content":[`)) || !bytes.Contains(raw, []byte(`"dev.recourse/warnings":["earlier","Showing `)) || !bytes.HasSuffix(raw, []byte(`],"y":2}}`)) {
		t.Errorf("%.100s … %s", raw, raw[len(raw)-400:])
	}
	for _, c := range []string{
		`{"content":[{"type":"text","text":"a"}]}`,
		`{"content":[` + string(text(quote(strings.Repeat("\"", most)))) + `]}`, // 2 bytes each as escapes
		`{"content":[{"type":"text","text":"a"}],"x":"` + strings.Repeat("x", most) + `"}`,
		`{"resultType":"input_required","x":"` + strings.Repeat("x", most) + `"}`,
		`null`, ``,
	} {
		if raw, cut := Cut([]byte(c), most, nil); cut || string(raw) != c {
			t.Errorf("%.60s was cut to %.60s", c, raw)
		}
	}
}

func FuzzCut(f *testing.F) {
	for _, c := range shapes(f) {
		f.Add([]byte(c.result), uint16(50), uint16(1))
	}
	f.Add([]byte(`{"content":[{"type":"text","text":"[1,2,3,\"`+strings.Repeat("x", 200)+`\"]"}],"structuredContent":[1]}`), uint16(90), uint16(1))
	f.Fuzz(wellCut)
}

// wellCut checks what holds of every good result. A short content is repeated.
func wellCut(t *testing.T, result []byte, most, times uint16) {
	if !json.Valid(result) {
		return
	}
	result = bytes.TrimSpace(result)
	if s := Examine(result, "find"); s.Result != nil {
		result = s.Result
	} else if s.Broken != "" {
		return
	}
	if content := member(result, "content"); !unfinished(result) && len(content) < 2000 {
		more := bytes.Repeat(append(content[1:len(content)-1:len(content)-1], ','), int(times)%500)
		result = put(result, "content", slices.Concat([]byte("["), more, content[1:]))
	}
	before := bytes.Clone(result)
	raw, cut := Cut(result, int(most), []string{"limit", "cursor"})
	if !bytes.Equal(result, before) {
		t.Fatal("the bytes that came were changed")
	}
	if !cut {
		if !bytes.Equal(raw, result) {
			t.Errorf("%s became %s", result, raw)
		}
		return
	}
	if err := strict(raw); err != nil {
		t.Fatalf("%v: %s", err, raw)
	}
	if s := Examine(raw, "find"); s.Result != nil {
		t.Errorf("%s is not good: %q", raw, s.Notes)
	}
	others := len(keep(result, func(name string, _ []byte) bool { return name != "content" && name != "structuredContent" }))
	if len(raw) > int(most)+4096+others {
		t.Errorf("%d bytes, %d allowed and %d others", len(raw), most, others)
	}
	if again, cut := Cut(raw, int(most), []string{"limit", "cursor"}); cut && most > 9000 && others < 100 {
		t.Errorf("%s was cut again to %s", raw, again)
	}
}
