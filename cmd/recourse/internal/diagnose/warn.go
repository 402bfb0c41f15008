package diagnose

import (
	"slices"

	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/cmd/recourse/internal/wire"
)

// Warn returns result with the sentences in an array under
// [recourse.MetaWarnings] in its _meta, behind those that are there. A _meta
// that is no object is replaced: no client could have read it. A result that is
// no object is returned as it is.
func Warn(result []byte, sentences ...string) []byte {
	if len(sentences) == 0 || len(result) == 0 || result[0] != '{' {
		return result
	}
	meta := member(result, "_meta")
	if Kind(meta) != "an object" {
		meta = []byte("{}")
	}
	said := member(meta, recourse.MetaWarnings)
	if Kind(said) == "an object" {
		// The library's own form, from a server that uses it.
		inner := put(said, "_warnings", warnings(member(said, "_warnings"), sentences))
		return put(result, "_meta", put(meta, recourse.MetaWarnings, inner))
	}
	return put(result, "_meta", put(meta, recourse.MetaWarnings, warnings(said, sentences)))
}

// warnings returns the array with those of the sentences that it lacks. What is
// no array becomes the first element of one.
func warnings(said []byte, sentences []string) []byte {
	var all [][]byte
	switch Kind(said) {
	case "missing", "null":
	case "an array":
		for at := range wire.Elements(said) {
			all = append(all, at.Of(said))
		}
	default:
		all = append(all, said)
	}
	for _, s := range sentences {
		q := quote(s)
		if !slices.ContainsFunc(all, func(w []byte) bool { return string(w) == string(q) }) {
			all = append(all, q)
		}
	}
	return list(all...)
}

// Unstructured returns a result without its structuredContent, which becomes a text
// unless one says the same: before revision 2026-07-28 clients refuse a whole result
// over one that is no object.
func Unstructured(result []byte) []byte {
	data, content := member(result, "structuredContent"), member(result, "content")
	told := false
	for at := range wire.Elements(content) {
		told = told || wire.Unquote(member(at.Of(content), "text")) == string(data)
	}
	if !told {
		var all [][]byte
		for at := range wire.Elements(content) {
			all = append(all, at.Of(content))
		}
		result = put(result, "content", list(append(all, text(quote(string(data))))...))
	}
	kept := keep(result, func(name string, _ []byte) bool { return name != "structuredContent" })
	return Warn(kept, "structuredContent, which was no object, was left out; its data are in the text.")
}
