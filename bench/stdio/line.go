//go:build linux

package main

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// maxLine is the longest line that the driver and the echo server read, bytes.
const maxLine = 16 << 20

func lines(r io.Reader) *bufio.Reader { return bufio.NewReaderSize(r, maxLine) }

// A frame is the little that this benchmark needs of a JSON-RPC message.
type frame struct {
	id     []byte // literal; nil if there is none
	method []byte
	text   []byte // the first member "text" if it is a string; it holds no escapes here
}

var errFrame = errors.New("a line is not a message of this benchmark")

// dissect finds a frame's parts without decoding it, wherever a proxy has
// moved them and however it has spaced them. No text here has a quote in it,
// so everything outside the text can be searched for quoted keys.
func dissect(line []byte) (frame, error) {
	head, tail := line, []byte(nil)
	var f frame
	if v := after(line, `"text":`); v != nil && v[0] == '"' {
		end := bytes.IndexByte(v[1:], '"')
		if end < 0 {
			return f, errFrame
		}
		f.text = v[1 : 1+end]
		head, tail = line[:len(line)-len(v)], v[2+end:]
	}
	for _, part := range [][]byte{head, tail} {
		if v := after(part, `"id":`); v != nil && f.id == nil {
			f.id = scalar(v)
		}
		if v := after(part, `"method":`); v != nil && f.method == nil {
			f.method = bytes.Trim(scalar(v), `"`)
		}
	}
	return f, nil
}

// after returns what follows the key and its blanks, or nil.
func after(b []byte, key string) []byte {
	_, v, ok := bytes.Cut(b, []byte(key))
	if v = bytes.TrimLeft(v, " "); !ok || len(v) == 0 {
		return nil
	}
	return v
}

// scalar returns the number or string at the start of b.
func scalar(b []byte) []byte {
	if end := bytes.IndexAny(b, ",} \n"); end >= 0 {
		return b[:end]
	}
	return b
}
