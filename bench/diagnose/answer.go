package main

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/recourse-dev/recourse"
)

// An answer is what the client gets for a call.
type answer struct {
	result   json.RawMessage // nil if it is a JSON-RPC error
	failed   bool            // told as a failure
	content  []json.RawMessage
	texts    []string  // of content, "" for another block
	envelope *envelope // what recourse says; nil if nothing
}

// An envelope is as much of an error as is judged.
type envelope struct {
	Code       string       `json:"code"`
	Retryable  bool         `json:"retryable"`
	RetryAfter *json.Number `json:"retry_after_seconds"`
	Field      string       `json:"field"`
	Suggestion string       `json:"suggestion"`
	Violations []struct {
		Field      string `json:"field"`
		Suggestion string `json:"suggestion"`
	} `json:"violations"`
	Proposed json.RawMessage `json:"proposed_arguments"`
	Outcome  string          `json:"outcome"`
}

// wrapped is an envelope as a text block and a JSON-RPC error's data hold it.
type wrapped struct {
	Error *envelope `json:"error"`
}

func read(line []byte) (a answer, err error) {
	var m struct {
		Result json.RawMessage
		Error  *struct{ Data wrapped }
	}
	if err := json.Unmarshal(line, &m); err != nil {
		return a, fmt.Errorf("%.300q: %w", line, err)
	}
	if m.Error != nil {
		a.failed, a.envelope = true, m.Error.Data.Error
		return a, nil
	}
	a.result = m.Result
	var result struct {
		Content []json.RawMessage
		IsError bool
		Meta    map[string]json.RawMessage `json:"_meta"`
	}
	if err := json.Unmarshal(m.Result, &result); err != nil {
		return a, fmt.Errorf("%.300q: %w", m.Result, err)
	}
	a.failed, a.content = result.IsError, result.Content
	// A validator's dump that is told in other words is kept for programs.
	var aside []json.RawMessage
	if json.Unmarshal(result.Meta["dev.recourse/content"], &aside) == nil {
		a.content = append(a.content, aside...)
	}
	for _, block := range result.Content {
		var b struct{ Text string }
		if err := json.Unmarshal(block, &b); err != nil {
			return a, fmt.Errorf("%.300q: %w", block, err)
		}
		a.texts = append(a.texts, b.Text)
	}
	if a.failed {
		a.envelope = spoken(result.Meta[recourse.MetaError], a.texts)
	}
	return a, nil
}

// spoken finds the envelope in _meta or else in the first text. A server's own
// error may look similar; one with a suggestion in it is as good as ours.
func spoken(meta json.RawMessage, texts []string) *envelope {
	var e envelope
	if meta != nil && json.Unmarshal(meta, &e) == nil {
		return &e
	}
	var w wrapped
	if len(texts) == 0 || json.Unmarshal([]byte(texts[0]), &w) != nil || w.Error == nil || w.Error.Suggestion == "" {
		return nil
	}
	return w.Error
}

// code returns what the answer says has failed, "" if nothing. An error that passes
// as the server has written it is one that nothing is known of.
func (a answer) code() string {
	switch {
	case a.envelope != nil:
		return a.envelope.Code
	case a.failed:
		return string(recourse.UnknownError)
	}
	return ""
}

// wait returns the seconds that the answer names, "" if none.
func (a answer) wait() string {
	if a.envelope == nil || a.envelope.RetryAfter == nil {
		return ""
	}
	return string(*a.envelope.RetryAfter)
}

// defaultWait is what a retryable error of this code says if nobody names a time.
func defaultWait(code string) string {
	b, err := json.Marshal(&recourse.Error{Code: recourse.Code(code), MaxRetries: 1})
	var e envelope
	if err != nil || json.Unmarshal(b, &e) != nil || e.RetryAfter == nil {
		return ""
	}
	return string(*e.RetryAfter)
}

// keeps reports whether all blocks of the server's result are there, one after
// the other and byte for byte.
func (a answer) keeps(result json.RawMessage) bool {
	var r struct{ Content []json.RawMessage }
	if json.Unmarshal(result, &r) != nil {
		return false
	}
	for from := range a.content {
		if slices.EqualFunc(r.Content, a.content[from:min(from+len(r.Content), len(a.content))], func(x, y json.RawMessage) bool { return bytes.Equal(x, y) }) {
			return true
		}
	}
	return len(r.Content) == 0
}

// arguments returns what reached the server; ok is false if nothing did.
func (a answer) arguments() (b []byte, ok bool) {
	for _, text := range a.texts {
		if digits, found := strings.CutPrefix(text, received); found {
			b, err := hex.DecodeString(digits)
			return b, err == nil
		}
	}
	return nil, false
}

// names reports whether the error points at a place.
func (a answer) names(path string) bool {
	e := a.envelope
	switch {
	case e == nil:
		return false
	case e.Field == path && (path != "" || len(e.Violations) == 0), renamed(e.Suggestion, path):
		return true
	}
	for _, v := range e.Violations {
		if v.Field == path || renamed(v.Suggestion, path) {
			return true
		}
	}
	return false
}

// renamed reports whether a suggestion says that the argument at a place is there
// under another name: then its lack is told with that.
func renamed(suggestion, path string) bool {
	return path != "" && strings.Contains(suggestion, "Use "+path[strings.LastIndex(path, "/")+1:]+" instead of ")
}

// places lists what the error points at, to be read.
func (a answer) places() string {
	e := a.envelope
	if e == nil {
		return "no error"
	}
	places := []string{e.Field}
	for _, v := range e.Violations {
		places = append(places, v.Field)
	}
	return strings.Join(slices.Compact(places), " ")
}
