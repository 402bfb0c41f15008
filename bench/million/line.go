package main

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// A kind is what a line from the server is.
type kind string

const (
	answer   kind = "the answer"
	notice   kind = "a notification"
	question kind = "a question"
)

// read says what a line is, with the id of an answer or question, and the
// number of the call that a notification or question belongs to.
func read(line []byte) (id string, n int, _ kind) {
	head := line[:min(len(line), 300)]
	for _, m := range []struct {
		method, number string
		kind           kind
	}{
		{`"method":"notifications/progress"`, `"message":"n `, notice},
		{`"method":"notifications/message"`, `"n":`, notice},
		{`"method":"sampling/createMessage"`, `"n":`, question},
	} {
		if !bytes.Contains(head, []byte(m.method)) {
			continue
		}
		_, digits, _ := strings.Cut(string(head), m.number)
		if _, err := fmt.Sscan(digits, &n); err != nil {
			n = -1
		}
		return idIn(head[:bytes.Index(head, []byte(m.method))]), n, m.kind
	}
	for _, first := range []string{idFirst, `{ "jsonrpc" : "2.0" , "id" : `, `{"jsonrpc":"2.0","\u0069d":`} {
		if bytes.HasPrefix(line, []byte(first)) {
			return scalar(line[len(first):]), 0, answer
		}
	}
	end, _, _ := bytes.Cut(line[max(0, len(line)-100):], []byte(`,"x-extra"`))
	return idIn(end), 0, answer
}

// idIn returns the literal of the last member "id" in part of a message that
// has no such member at another level.
func idIn(part []byte) string {
	for _, key := range []string{`"id"`, `"\u0069d"`} {
		for i := len(part); ; {
			if i = bytes.LastIndex(part[:i], []byte(key)); i < 0 {
				break
			}
			value := bytes.TrimLeft(part[i+len(key):], " ")
			if len(value) > 0 && value[0] == ':' {
				return scalar(bytes.TrimLeft(value[1:], " "))
			}
		}
	}
	return ""
}

// scalar returns the number or string at the start of b, as it stands there.
func scalar(b []byte) string {
	if len(b) > 0 && b[0] == '"' {
		for i := 1; i < len(b); i++ {
			switch b[i] {
			case '\\':
				i++
			case '"':
				return string(b[:i+1])
			}
		}
	}
	if end := bytes.IndexAny(b, ",} \n"); end >= 0 {
		b = b[:end]
	}
	return string(b)
}

// compare returns an error that shows the first byte in which a line is not
// as it should be.
func compare(what string, got, want []byte) error {
	if bytes.Equal(got, want) {
		return nil
	}
	at := 0
	for at < min(len(got), len(want)) && got[at] == want[at] {
		at++
	}
	around := func(b []byte) string {
		return strconv.Quote(string(b[max(0, min(at, len(b))-60):min(len(b), at+200)]))
	}
	return fmt.Errorf("%s differs at byte %d of %d (got %d):\n got …%s…\nwant …%s…", what, at, len(want), len(got), around(got), around(want))
}
