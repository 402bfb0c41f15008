package diagnose

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/cmd/recourse/internal/wire"
)

// Members of a result's _meta that keep what was taken out of its sight.
const (
	MetaRepaired   = "dev.recourse/repaired"          // what was changed in the arguments, a sentence each
	metaStructured = "dev.recourse/structuredContent" // data beside an error
	metaContent    = "dev.recourse/content"           // blocks whose whole sense is in the error
)

// Flip returns a result as the error e: with e's envelope as its first block and in
// its _meta, and all blocks that it had behind. With told, those are in the _meta
// alone. If the tool has promised data of a certain form, data beside the error go
// there too: the TypeScript SDK's client would check them, and throw the error away.
func Flip(result []byte, e *recourse.Error, told, promised bool) []byte {
	envelope := e.Envelope()
	content := member(result, "content")
	blocks := [][]byte{text(quote(envelope))}
	if !told {
		for at := range wire.Elements(content) {
			blocks = append(blocks, at.Of(content))
		}
	}
	flipped := put(put(result, "content", list(blocks...)), "isError", []byte("true"))
	if told {
		flipped = putMeta(flipped, metaContent, content)
	}
	if data := member(result, "structuredContent"); promised && data != nil {
		flipped = keep(flipped, func(name string, _ []byte) bool { return name != "structuredContent" })
		flipped = putMeta(flipped, metaStructured, data)
	}
	return Mark(flipped, e)
}

// Tell returns a result with one more block that holds the sentences as the warnings
// of an answer that stands, and with them in its _meta.
func Tell(result []byte, completeness string, sentences ...string) []byte {
	content := member(result, "content")
	var blocks [][]byte
	for at := range wire.Elements(content) {
		blocks = append(blocks, at.Of(content))
	}
	said := make([][]byte, 0, len(sentences))
	for _, s := range sentences {
		said = append(said, quote(s))
	}
	notice := `{"_completeness":"` + completeness + `","_warnings":` + string(list(said...)) + `}`
	return Warn(put(result, "content", list(append(blocks, text(quote(notice)))...)), sentences...)
}

// Note returns a result with sentences under a name of its _meta.
func Note(result []byte, name string, sentences []string) []byte {
	said := make([][]byte, 0, len(sentences))
	for _, s := range sentences {
		said = append(said, quote(s))
	}
	return putMeta(result, name, list(said...))
}

// putMeta sets a member of a result's _meta.
func putMeta(result []byte, name string, value []byte) []byte {
	meta := member(result, "_meta")
	if Kind(meta) != "an object" {
		meta = []byte("{}")
	}
	return put(result, "_meta", put(meta, name, value))
}

// Said returns the words of a result: its text blocks, a line each, and its data if
// there are none.
func Said(result []byte) string {
	const most = 16 << 10
	content := member(result, "content")
	var b strings.Builder
	for at := range wire.Elements(content) {
		block := at.Of(content)
		if lit := member(block, "text"); Kind(lit) == "a string" && b.Len() < most {
			if b.Len() > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(wire.Unquote(lit))
		}
	}
	if data := member(result, "structuredContent"); b.Len() == 0 && len(data) < most {
		b.Write(data)
	}
	return b.String()
}

// Structured reports whether an error result is one that a program can read already: an
// envelope of a recourse before this one, a toolFailure, google.rpc's Status or RFC
// 9457's problem; and whether its _meta says so.
func Structured(result []byte) (structured, marked bool) {
	meta := member(result, "_meta")
	if Kind(member(meta, recourse.MetaError)) == "an object" || Kind(member(meta, toolFailure)) == "an object" {
		return true, true
	}
	object := Data(result)
	e := member(object, "error")
	code, status := member(e, "code"), member(e, "status")
	switch {
	case Kind(code) == "a string" && Kind(member(e, "suggestion")) == "a string" && Kind(member(e, "retryable")) == "a boolean",
		Kind(code) == "a number" && Kind(status) == "a string" && strings.ToUpper(string(status)) == string(status),
		Kind(member(object, "title")) == "a string" && Kind(member(object, "status")) == "a number" && Kind(member(object, "type")) == "a string":
		return true, false
	}
	return false, false
}

// Mark returns a result with e for programs, in its _meta alone.
func Mark(result []byte, e *recourse.Error) []byte {
	object := strings.TrimSuffix(strings.TrimPrefix(e.Envelope(), `{"error":`), "}")
	return putMeta(result, recourse.MetaError, []byte(object))
}

// Declared reads the toolFailure of a result, if it has one.
func Declared(result []byte, now time.Time) (Reading, bool) {
	value := member(member(result, "_meta"), toolFailure)
	if value == nil {
		return Reading{}, false
	}
	return ToolFailure(value, now)
}

// toolFailure is proposed for the protocol itself:
// https://github.com/modelcontextprotocol/modelcontextprotocol/pull/3313.
const toolFailure = "io.modelcontextprotocol/toolFailure"

// Data returns the object that a result's only text is, nil if it is none.
func Data(result []byte) []byte {
	var only []byte
	for at := range wire.Elements(member(result, "content")) {
		lit := member(at.Of(member(result, "content")), "text")
		if only != nil || Kind(lit) != "a string" {
			return nil
		}
		only = []byte(strings.TrimSpace(wire.Unquote(lit)))
	}
	if Kind(only) != "an object" || !json.Valid(only) {
		return nil
	}
	return only
}

// Promised returns a result with its data where its tool has promised them.
func Promised(result, data []byte) []byte { return put(result, "structuredContent", data) }

// Listless reports whether a result of tools/list has no tools.
func Listless(result []byte) bool {
	tools := member(result, "tools")
	for range wire.Elements(tools) {
		return false
	}
	return Kind(tools) == "an array"
}

// Compilable returns the result of tools/list without the outputSchemas that are not
// fine.
func Compilable(result []byte, fine func(tool string, schema []byte) bool) []byte {
	if !bytes.Contains(result, []byte(`"outputSchema"`)) {
		return result
	}
	tools := member(result, "tools")
	p, changed := patchOf(tools), false
	for at := range wire.Elements(tools) {
		item := at.Of(tools)
		if raw := member(item, "outputSchema"); raw != nil && !fine(wire.Unquote(member(item, "name")), raw) {
			item = keep(item, func(name string, _ []byte) bool { return name != "outputSchema" })
			changed = true
		}
		p.part(at.Start, at, item)
	}
	if !changed {
		return result
	}
	return put(result, "tools", p.whole())
}

// Lifetime returns how long a list holds, as it says itself since revision 2026-07-28;
// zero if it does not.
func Lifetime(result []byte) time.Duration {
	ms, err := strconv.ParseFloat(string(member(result, "ttlMs")), 64)
	if err != nil || !(ms > 0) {
		return 0
	}
	return time.Duration(min(ms, 1e9)) * time.Millisecond
}
