package diagnose

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// A grammar writes values that are JSON, and nearly results: a fuzzer that
// changes bytes seldom gets past the first brace.
type grammar struct{ *rand.Rand }

func (g grammar) one(of ...string) string { return of[g.IntN(len(of))] }

func (g grammar) space() string { return g.one("", "", "", " ", "\n\t") }

// object writes each name with a chance of two in three, with a value of its own
// or with any.
func (g grammar) object(members ...func() (string, string)) string {
	var parts []string
	for _, i := range g.Perm(len(members)) {
		if g.IntN(3) == 0 {
			continue
		}
		name, value := members[i]()
		if g.IntN(12) == 0 {
			name = strings.ReplaceAll(name, "e", `\u0065`)
		}
		if g.IntN(5) == 0 {
			value = g.value(2)
		}
		parts = append(parts, g.space()+`"`+name+`"`+g.space()+":"+g.space()+value+g.space())
		if g.IntN(20) == 0 {
			parts = append(parts, `"`+name+`":`+g.value(1))
		}
	}
	return "{" + strings.Join(parts, ",") + "}"
}

func (g grammar) is(name string, values ...string) func() (string, string) {
	return func() (string, string) { return name, g.one(values...) }
}

func (g grammar) value(depth int) string {
	scalars := []string{`null`, `true`, `false`, `0`, `-1.50e3`, `""`, `" "`, `"\u200b"`, `"a"`, `"\"é\ud83d\ude00\n"`, `{}`, `[]`, `"true"`, `"false"`, `"line\nline\nline\n"`}
	kind := g.IntN(4)
	switch {
	case depth > 0 && kind == 0:
		return g.list(func() string { return g.value(depth - 1) })
	case depth > 0 && kind == 1:
		return g.object(func() (string, string) { return "text", g.value(depth - 1) }, func() (string, string) { return "x", g.value(depth - 1) })
	}
	return g.one(scalars...)
}

func (g grammar) list(element func() string) string {
	var parts []string
	for range g.IntN(4) {
		parts = append(parts, g.space()+element()+g.space())
	}
	return "[" + strings.Join(parts, ",") + "]"
}

func (g grammar) block() string {
	if g.IntN(6) == 0 {
		return g.value(3)
	}
	media := g.is("mimeType", `"image/png"`, `"image/jpeg"`, `"image\/webp"`, `"audio/wav"`, `"text/plain"`, `"image/"`, `""`, `"image/svg+xml"`)
	blob := []string{`"iVBORw0KGgo="`, `"iVBORw0KGgo"`, `"\/9j\/4AAQ"`, `"/9j_4AAQ"`, `"R0lGODlh"`, `"UklGRgAAAABXRUJQVlA4"`, `"UklGRgAAAABXQVZF"`, `"AA=="`, `"A"`, `"A==="`, `"AAAA="`, `"\u0041AAA"`, `"data:image/gif;base64,R0lGODlh"`, `"data:,x"`, `"no"`, `"\n"`}
	in := func() (string, string) {
		return "resource", g.object(g.is("uri", `"a:b"`, `""`), g.is("text", `"a"`, `""`), g.is("blob", blob...), media, g.is("_meta", `{}`))
	}
	return g.object(
		g.is("type", `"text"`, `"text"`, `"text"`, `"image"`, `"audio"`, `"resource"`, `"resource_link"`, `"chart"`, `"Text"`),
		g.is("text", `"a"`, `"line\nline\n"`, `" "`, `"[1,2,3]"`, `"{\"a\":[1,[2],{}],\"b\":2}"`), g.is("data", blob...), media, in,
		g.is("uri", `"a:b"`), g.is("name", `"n"`), g.is("annotations", `{}`, `null`), g.is("_meta", `{"a":1}`, `null`),
		g.is("title", `"t"`), g.is("size", `5`), g.is("icons", `[]`),
	)
}

func (g grammar) result() string {
	return g.object(
		func() (string, string) { return "content", g.list(g.block) },
		func() (string, string) { return "content", g.list(g.block) },
		g.is("structuredContent", `{"a":1}`, `[1,2]`, `null`, `{"rows":["a","b","c","d","e","f"]}`),
		g.is("isError", `true`, `false`, `"true"`, `null`, `0`),
		g.is("_meta", `{}`, `{"dev.recourse/warnings":["a"]}`, `{"dev.recourse/warnings":{"_warnings":["a"]}}`, `{"dev.recourse/warnings":"a"}`),
		g.is("resultType", `"complete"`, `"complete"`, `"input_required"`),
		g.is("x", `1`),
	)
}

func (g grammar) refusal() string {
	if g.IntN(4) == 0 {
		return g.value(3)
	}
	return g.object(
		g.is("code", `-32602`, `"-32602"`, `-32602.0`, `1e3`, `1.5`, `99999999999`, `"E_FAIL"`, `2147483648`, `-2147483648`),
		g.is("message", `"broken"`, `""`, `null`, `{"text":"broken"}`, `["broken"]`),
		g.is("data", `"why"`, `{"why":"broken"}`, `{"error":{"message":"m"}}`),
		g.is("detail", `"d"`),
	)
}

// TestGrammar tries more than a person would think of. A failure names the seed.
func TestGrammar(t *testing.T) {
	for seed := range uint64(500) {
		g := grammar{rand.New(rand.NewPCG(seed, 0))}
		result, member, most, times := g.result(), g.refusal(), uint16(1)<<g.IntN(15), uint16(g.IntN(40))
		examined(t, []byte(result))
		legible(t, []byte(member))
		wellCut(t, []byte(result), most, times)
		if t.Failed() {
			t.Fatalf("seed %d: %s %s %d %d", seed, result, member, most, times)
		}
	}
}
