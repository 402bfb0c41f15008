package wire

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// answerOf is an answer whose text is between quotes as given.
func answerOf(text string) string {
	return `{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"` + text + `"}]}}`
}

func TestMend(t *testing.T) {
	for _, c := range []struct{ name, line, want string }{
		{"byte order mark", "\ufeff" + ping, ping},
		{"two of them", "\ufeff \ufeff" + ping, ping},
		{"NULs", "\x00\x00" + ping + "\x00", ping},
		{"colours around it", "\x1b[32m" + ping + "\x1b[0m", ping},
		{"a title before it", "\x1b]0;server\x07" + ping, ping},
		{"line erased before it", "\r\x1b[2K" + ping, ping},
		{"colours in it", "{\x1b[34;1m\"id\"\x1b[0m:1,\x1b[34;1m\"method\"\x1b[0m:\"ping\"}", `{"id":1,"method":"ping"}`},
		{"no UTF-8", answerOf("\xb0\xa1 abc \xff"), answerOf("\ufffd\ufffd abc \ufffd")},
		{"overlong slash", answerOf("\xc0\xaf"), answerOf("\ufffd\ufffd")},
		{"surrogates in UTF-8", answerOf("\xed\xa0\xbd"), answerOf("\ufffd\ufffd\ufffd")},
		{"Latin-1 key", "{\"m\xe9thode\":1,\"id\":2,\"method\":\"x\"}", "{\"m\ufffdthode\":1,\"id\":2,\"method\":\"x\"}"},
		{"first half", answerOf(`a\ud83d`), answerOf(`a\ufffd`)},
		{"second half", answerOf(`\uDE00b`), answerOf(`\ufffdb`)},
		{"halves reversed", answerOf(`\ude00\ud83d`), answerOf(`\ufffd\ufffd`)},
		{"half and something else", answerOf(`\ud83d\u0041`), answerOf(`\ufffd\u0041`)},
		{"half and a pair", answerOf(`\ud83d\ud83d\ude00`), answerOf(`\ufffd\ud83d\ude00`)},
		{"half in a key", `{"id":2,"method":"x","\ud83d":1}`, `{"id":2,"method":"x","\ufffd":1}`},
		{"escaped backslash before u", answerOf(`\\ud83d` + "\xff"), answerOf(`\\ud83d` + "\ufffd")},
		{"raw control characters", answerOf("a\x00b\x01c\td\x1b[1m"), answerOf(`a\u0000b\u0001c\td\u001b[1m`)},
		{"backslash before a raw tab", answerOf("a\\\tb"), answerOf(`a\tb`)},
		{"numbers keep their spelling", "{\"id\":2,\"result\":[1E+2,-0.0,10000000000000000000001,\"\xff\"]}", "{\"id\":2,\"result\":[1E+2,-0.0,10000000000000000000001,\"\ufffd\"]}"},
		{"no numbers", `{"id":2,"result":{"a":NaN,"b":[Infinity,-Infinity],"c":-1}}`, `{"id":2,"result":{"a":null,"b":[null,null],"c":-1}}`},
		{"NaN in a text", "\ufeff" + answerOf("NaN"), answerOf("NaN")},
		{"good", answerOf(`\ud83d\ude00 é \u0000`), answerOf(`\ud83d\ude00 é \u0000`)},
		{"a control character in a number", "{\"id\":7\x7f7,\"method\":\"x\"}", "{\"id\":7\x7f7,\"method\":\"x\"}"},
		{"colours in a word", "{\"id\":7,\"result\":tr\x1b[0mue}", "{\"id\":7,\"result\":tr\x1b[0mue}"},
		{"colours around everything", "{\x1b[0m\x1b[34;1m\"id\"\x1b[0m\x1b[1;39m:\x1b[0m\x1b[0;39m3\x1b[0m\x1b[1;39m,\x1b[0m\"result\":\x1b[0;39mtrue\x1b[0m}", `{"id":3,"result":true}`},
		{"colours around a word", "{\"id\":\x1b[1m7\x1b[0m,\"result\":\x1b[1mtrue\x1b[0m}", `{"id":7,"result":true}`},
		{"nothing that can be mended", `{"id":2,`, `{"id":2,`},
		{"text before it", "x" + ping, "x" + ping},
		{"text after it", ping + "x", ping + "x"},
		{"nothing but colours", "\x1b[0m", "\x1b[0m"},
	} {
		if got := string(Mend(Scan([]byte(c.line)), false).Bytes); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestMendTells(t *testing.T) {
	f := Mend(Scan([]byte(answerOf("\xff\\ud800\x01\x02")+" ")), false)
	want := []string{"2 bytes or escapes that are no Unicode text were replaced by U+FFFD", "2 raw control characters in texts were escaped"}
	if !slices.Equal(f.Notes, want) {
		t.Errorf("%q", f.Notes)
	}
	if f := Mend(Scan([]byte("\ufeff"+ping)), false); f.Notes != nil {
		t.Errorf("%q about what nobody sees", f.Notes)
	}
	nan := Scan([]byte(`{"id":2,"method":"x","params":{"a":NaN}}`))
	if f := Mend(nan, true); f != nan {
		t.Errorf("strict: %q", f.Bytes)
	}
	if f := Mend(nan, false); len(f.Notes) != 1 || !strings.Contains(f.Notes[0], "1 numbers that JSON can't express") {
		t.Errorf("%q", f.Notes)
	}
}

// A peer recognises its id only as it has spelled it.
func TestMendKeepsID(t *testing.T) {
	f := Mend(Scan([]byte(`{"id":"\ud800","method":"x"}`)), false)
	if string(f.ID) != `"\ud800"` || string(f.Bytes) != `{"id":"\ufffd","method":"x"}` {
		t.Errorf("%q in %q", f.ID, f.Bytes)
	}
}

func TestClean(t *testing.T) {
	for line, want := range map[string]bool{
		answerOf("plain"):              true,
		answerOf("é\u2028\u0085"):      true,
		answerOf(`\ud83d\ude00\u00e9`): true,
		answerOf(`\\ud83d`):            true,
		answerOf("\xe9"):               false,
		answerOf(`\ud83d`):             false,
		answerOf(`\ud83d\\ude00`):      false,
		answerOf(`\uD83D\uDE00\uDE00`): false,
	} {
		if got := Scan([]byte(line)).Clean(); got != want {
			t.Errorf("%s: %v", line, got)
		}
	}
}

func TestPieces(t *testing.T) {
	a, b := answerOf("a"), answerOf("b")
	for _, c := range []struct {
		name, line string
		want       []string
	}{
		{"text before", "Loading..." + a, []string{a}},
		{"text after", a + " done", []string{a}},
		{"two messages", a + b, []string{a, b}},
		{"two with a blank", a + " \r" + b, []string{a, b}},
		{"half a message before", a[:60] + b, []string{b}},
		{"half of it in a key", a[:5] + b, []string{b}},
		{"other JSON before", `{"level":"info","msg":"x"} ` + a, []string{`{"level":"info","msg":"x"}`, a}},
		{"a message in other JSON", `{"sent":` + a + `}`, []string{`{"sent":` + a + `}`}},
		{"a message in a text", `log "` + strings.ReplaceAll(a, `"`, `\"`) + `"`, nil},
		{"an array", "x [" + a + "," + b + "]", []string{"[" + a + "," + b + "]"}},
		{"braces that begin nothing", "{x} {" + a, []string{a}},
		{"blanks inside", `sent { "id" : 3, "result": {} }`, []string{`{ "id" : 3, "result": {} }`}},
		{"mended", "x" + answerOf("\xff"), []string{answerOf("\ufffd")}},
		{"nothing", "listening on 8080", nil},
	} {
		var got []string
		for p := range Pieces([]byte(c.line), false) {
			got = append(got, string(p.Frame.Bytes))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// A line can be made so that every candidate has to be read to the end.
func TestPiecesAreBounded(t *testing.T) {
	line := []byte(strings.Repeat(`{"id":`, 200) + answerOf("x"))
	for p := range Pieces(line, false) {
		t.Errorf("found after %d candidates: %s", maxCandidates, p.Frame.Bytes)
	}
	for p := range Pieces(line[len(line)-len(answerOf("x"))-60*len(`{"id":`):], false) {
		if string(p.Frame.Bytes) == answerOf("x") {
			return
		}
	}
	t.Error("not found among the first candidates")
}

// Messages that were found are no vain candidates.
func TestPiecesOfALongLine(t *testing.T) {
	n := 0
	for p := range Pieces([]byte("x"+strings.Repeat(ping, 10_000)), false) {
		if n++; string(p.Frame.Bytes) != ping {
			t.Fatalf("%s", p.Frame.Bytes)
		}
	}
	if n != 10_000 {
		t.Errorf("%d were found", n)
	}
}

func TestFragment(t *testing.T) {
	for _, c := range []struct{ name, lines, want string }{
		{"pretty", "{\n  \"id\": 3,\n  \"result\": {\n  }\n}", `{   "id": 3,   "result": {   } }`},
		{"line feed in a text", "{\"id\":3,\"result\":{\"text\":\"a\nb\n\nc\"}}", `{"id":3,"result":{"text":"a\nb\n\nc"}}`},
		{"backslash at a line's end", "{\"id\":3,\"result\":\"a\\\nb\"}", `{"id":3,"result":"a\nb"}`},
		{"text after it", "{\"id\":3,\n\"result\":1} done", `{"id":3, "result":1}`},
	} {
		var g Fragment
		r := NewReader(strings.NewReader(c.lines), 0)
		for line, err := r.Next(); err == nil; line, err = r.Next() {
			if g.Whole() || !g.Add(&line) {
				t.Errorf("%s: %q is refused", c.name, line.Bytes)
			}
		}
		if f := g.Take(); string(f.Bytes) != c.want || f.Err != nil || f.Msg.Kind != Result || string(f.ID) != "3" || g.Size() != 0 {
			t.Errorf("%s: %q %v, want %q", c.name, f.Bytes, f.Err, c.want)
		}
	}
	var g Fragment
	if !g.Add(Scan([]byte("{"))) || g.Add(Scan([]byte("message: 'x'"))) || string(g.Take().Bytes) != "{" {
		t.Error("no JSON, and taken")
	}
}

func FuzzMend(f *testing.F) {
	for _, row := range table(f) {
		f.Add(row.frame)
	}
	f.Add([]byte("\ufeff\x1b[1m" + answerOf("\xff\\ud800\x01NaN") + "\x1b]0;\x07 x" + answerOf("y") + "["))
	f.Add([]byte(`{"id":2,"result":{"a":NaN,"b":[Infinity,-Infinity]}} {"id":3,"resu{"id":4,"result":null}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		line = bytes.ReplaceAll(line, []byte("\n"), nil) // it is one line
		before := string(line)
		whole := Scan(line)
		check := func(got *Frame) {
			if got.Err == nil && (!utf8.Valid(got.Bytes) || !got.Clean() || !json.Valid(got.Bytes)) {
				t.Errorf("not mended: %q", got.Bytes)
			}
		}
		mended := Mend(whole, false)
		if whole.Err != nil || !whole.Clean() {
			check(mended)
		} else if string(Undecorate(mended.Bytes)) != string(Undecorate(line)) {
			t.Errorf("good, and changed to %q", mended.Bytes)
		}
		end := 0
		for p := range Pieces(line, false) {
			check(&p.Frame)
			if p.At.Start < end || p.At.End > len(line) || p.Frame.Err != nil {
				t.Errorf("%v after %d: %v", p.At, end, p.Frame.Err)
			}
			end = p.At.End
		}
		var g Fragment
		for part := range strings.SplitSeq(before, "\r") {
			if !g.Add(Scan([]byte(part))) || g.Whole() {
				break
			}
		}
		check(g.Take())
		if string(line) != before {
			t.Error("the line itself was changed")
		}
	})
}

// What was corrected on the way is told, whichever way that was; what is strict
// takes no NaN.
func TestNotesOfPieces(t *testing.T) {
	for p := range Pieces([]byte("x "+answerOf("\xff")), false) {
		if len(p.Frame.Notes) != 1 {
			t.Errorf("a piece: %q", p.Frame.Notes)
		}
	}
	for p := range Pieces([]byte(`x {"id":1,"method":"x","params":{"a":NaN}}`), true) {
		t.Errorf("taken: %s", p.Frame.Bytes)
	}
	var g Fragment
	g.Add(Scan([]byte(`{"id":3,"result":"`)))
	if !g.Add(Scan([]byte("\xff\"} done"))) || !g.Whole() || !g.Mixed {
		t.Errorf("whole %v, mixed %v", g.Whole(), g.Mixed)
	}
	if f := g.Take(); len(f.Notes) != 2 || g.Mixed {
		t.Errorf("a fragment: %q", f.Notes)
	}
	if f := Mend(Scan([]byte("\x1b[1m"+answerOf(`\ud800`))), false); string(f.Bytes) != answerOf(`\ufffd`) {
		t.Errorf("decorated: %s", f.Bytes)
	}
	var blank Fragment
	blank.Add(Scan([]byte(`{"id":3,"result":"`)))
	f := Scan([]byte(`"}`))
	f.After = 1 << 20
	if blank.Add(f); blank.Size() > 4*maxBlank {
		t.Errorf("%d bytes of blank lines", blank.Size())
	}
}
