// Package redact hides secrets in tool arguments, error messages and the
// standard error of servers, before any of them reaches a log, a report or a
// model.
//
// A secret is known
//
//   - by the name it stands under ([SecretName]): as a member of JSON, also of JSON
//     in a string; in a query, a form, a header, an environment, a file of settings,
//     XML, a command line; or beside it, as in {"name":"API_KEY","value":"…"},
//     [["Authorization","…"]] and {"element":"Password field","text":"…"};
//   - by its own look: tokens of some sixty issuers, JSON web tokens, private keys,
//     Bearer and Basic credentials, the userinfo of a URL, the addresses of webhooks,
//     signatures of signed URLs, passwords in SQL and after the flags of mysql, curl,
//     docker login and their like;
//   - because the schema of the tool declares it ([DeclaredIn]);
//   - because the caller lists it ([Redactor.Secrets], usually filled by [Environ]).
//
// What says where and how a call failed stays readable: hosts, ports, exit states.
// Not covered: a password without a name or a look, such as one in prose; what is
// encoded as a whole, as base64 or twice as a URL; keys that look like any other
// 32 hexadecimal digits, under a name that says nothing.
//
// Every function takes time linear in its input and never panics.
package redact

import (
	"cmp"
	"slices"
	"sync"
	"unicode/utf8"
)

// A Redactor hides secrets. The zero value and a nil pointer work. Its methods
// may be called by several goroutines at once. It must not be copied after first
// use.
type Redactor struct {
	// Secrets are hidden wherever they stand, such as the values of the
	// child's environment. Those under 4 bytes are passed over. They must be set
	// before first use.
	Secrets []string

	once    sync.Once
	needles []needle // of Secrets
}

// What stands in place of a secret.
const (
	mark    = "[redacted]"
	keyMark = "[redacted:key]" // of a whole JSON value, known by its key
)

// A span is a part of a text to be replaced by mark.
type span struct{ start, end int }

// Text returns s with every secret replaced by "[redacted]". Cut a text only
// after this: half a secret has no look any more.
func (r *Redactor) Text(s string) string {
	found := r.spans(s)
	if found == nil {
		return s
	}
	return string(splice(nil, s, found))
}

// AppendString appends Text(s) to dst as a JSON string of valid UTF-8.
func (r *Redactor) AppendString(dst []byte, s string) []byte {
	return quote(dst, r.Text(legible(s)))
}

// legible returns s with U+FFFD for each byte that is no UTF-8. That comes before
// the search, so that a second pass reads the same text as the first.
func legible(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return string([]rune(s))
}

// spans returns the secrets of s in order, without overlap.
func (r *Redactor) spans(s string) []span {
	found, listed := scan(s), r.listed(s)
	if listed == nil {
		return found
	}
	return merge(append(found, listed...))
}

// merge sorts spans and joins those that overlap.
func merge(spans []span) []span {
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.start, b.start) })
	kept := spans[:1]
	for _, s := range spans[1:] {
		if last := &kept[len(kept)-1]; s.start < last.end {
			last.end = max(last.end, s.end)
		} else {
			kept = append(kept, s)
		}
	}
	return kept
}

// splice appends s to dst with the spans replaced.
func splice(dst []byte, s string, spans []span) []byte {
	done := 0
	for _, sp := range spans {
		dst = append(dst, s[done:sp.start]...)
		dst = append(dst, mark...)
		done = sp.end
	}
	return append(dst, s[done:]...)
}
