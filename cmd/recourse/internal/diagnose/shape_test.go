package diagnose

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/recourse-dev/recourse"
)

// TestExamine reads testdata/shapes.txt.
func TestExamine(t *testing.T) {
	for _, c := range shapes(t) {
		t.Run(c.name, func(t *testing.T) {
			s := Examine([]byte(c.result), "find")
			switch {
			case s.Broken != "":
				if "broken: "+s.Broken != c.want || s.Result != nil || s.Blank || s.Notes != nil {
					t.Errorf("%+v", s)
				}
				return
			case c.want == "same":
				if s.Result != nil || s.Blank || s.Notes != nil {
					t.Errorf("changed to %s: %q", s.Result, s.Notes)
				}
				return
			}
			if err := strict(s.Result); err != nil {
				t.Fatalf("%v: %s", err, s.Result)
			}
			if s.Blank != strings.Contains(c.want, "returned no content") {
				t.Errorf("blank is %v", s.Blank)
			}
			bare, said := unwarned(s.Result)
			if bare != c.want {
				t.Errorf("\ngot  %s\nwant %s", bare, c.want)
			}
			if len(s.Notes) == 0 || !slices.Equal(said, s.Notes) {
				t.Errorf("notes %q, in _meta %q", s.Notes, said)
			}
			if again := Examine(s.Result, "find"); again.Result != nil || again.Broken != "" {
				t.Errorf("a second look makes %s of it: %q", again.Result, again.Notes)
			}
		})
	}
}

type shapeCase struct{ name, result, want string }

// shapes reads cases of three lines.
func shapes(t testing.TB) []shapeCase {
	b, err := os.ReadFile(filepath.Join("testdata", "shapes.txt"))
	if err != nil {
		t.Fatal(err)
	}
	spell := strings.NewReplacer(
		"BLANK", string(text(quote(nothing("find", false)))),
		"FAILED", string(text(quote(nothing("find", true)))),
	)
	var cases []shapeCase
	for c := range strings.SplitSeq(strings.TrimSpace(string(b)), "\n\n") {
		lines := strings.Split(c, "\n")
		lines = slices.DeleteFunc(lines, func(l string) bool { return strings.HasPrefix(l, "# ") })
		if len(lines) == 3 {
			result, _ := strings.CutPrefix(lines[1], "  ")
			cases = append(cases, shapeCase{lines[0], strings.TrimSpace(result), spell.Replace(strings.TrimSpace(lines[2]))})
		} else if len(lines) > 0 {
			t.Fatalf("%q", lines)
		}
	}
	return cases
}

// unwarned takes our warnings, which stand last, out of a result.
func unwarned(result []byte) (bare string, said []string) {
	var r struct {
		Meta map[string]json.RawMessage `json:"_meta"`
	}
	json.Unmarshal(result, &r)
	json.Unmarshal(r.Meta[recourse.MetaWarnings], &said)
	own := `"` + recourse.MetaWarnings + `":` + string(r.Meta[recourse.MetaWarnings])
	bare = string(result)
	for _, with := range []string{`,"_meta":{` + own + `}`, `,` + own, own} {
		if strings.Contains(bare, with) {
			return strings.Replace(bare, with, "", 1), said
		}
	}
	return bare, said
}

// A model reads what the words for nothing say.
func TestNothing(t *testing.T) {
	for _, failed := range []bool{false, true} {
		for _, tool := range []string{"search", `a"b\`, strings.Repeat("é", 10_000), "\xff\n"} {
			s := Examine([]byte(`{"content":[],"isError":`+map[bool]string{false: "false", true: "true"}[failed]+`}`), tool)
			if !s.Blank || strict(s.Result) != nil || len(s.Result) > 2000 {
				t.Errorf("%.20q: %d bytes, %v", tool, len(s.Result), strict(s.Result))
			}
			for _, word := range map[bool][]string{
				false: {"no content", "nothing was found", "failure", "To tell which", "before you call it again"},
				true:  {"failed without saying why", "before you call it again"},
			}[failed] {
				if !bytes.Contains(s.Result, []byte(word)) {
					t.Errorf("%q is not in %s", word, s.Result)
				}
			}
		}
	}
	s := Examine([]byte(`null`), "search")
	if !bytes.Contains(s.Result, []byte(`The tool \"search\"`)) || !strings.HasPrefix(s.Notes[0], "EMPTY_RESULT: the result was null") {
		t.Errorf("%s %q", s.Result, s.Notes)
	}
}

func TestManyFaults(t *testing.T) {
	s := Examine([]byte(`{"content":[`+strings.Repeat(`"a",null,{"type":"x"},`, 5000)+`"b"]}`), "find")
	if err := strict(s.Result); err != nil || len(s.Notes) != 3 || !strings.HasSuffix(s.Notes[1], ", 5000 times.") {
		t.Errorf("%v, %q", err, s.Notes)
	}
}

func FuzzExamine(f *testing.F) {
	for _, c := range shapes(f) {
		f.Add([]byte(c.result))
	}
	for _, row := range visibles {
		f.Add([]byte(`{"content":[{"type":"text","text":` + row.lit + `}]}`))
	}
	f.Fuzz(examined)
}

// examined checks what holds of every value.
func examined(t *testing.T, result []byte) {
	if !json.Valid(result) {
		return
	}
	result = bytes.TrimSpace(result)
	before := bytes.Clone(result)
	s := Examine(result, "find")
	if !bytes.Equal(result, before) {
		t.Fatal("the bytes that came were changed")
	}
	r, err := read(result)
	if s.Broken != "" {
		if err == nil {
			t.Errorf("broken: %s", s.Broken)
		}
		return
	}
	out := result
	if s.Result != nil {
		out = s.Result
	}
	if kind, ok := r["resultType"].(string); ok && kind != "complete" {
		if s.Result != nil {
			t.Errorf("changed to %s", out)
		}
		return
	}
	if err := strict(out); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	if s.Result != nil && strict(result) == nil {
		t.Errorf("good, but changed to %s", out)
	}
	if (s.Result == nil) != (len(s.Notes) == 0) || s.Blank && s.Result == nil {
		t.Errorf("%+v", s)
	}
	if again := Examine(out, "find"); again.Result != nil || again.Broken != "" {
		t.Errorf("%s\nbecomes %s", out, again.Result)
	}
}
