//go:build linux

package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"syscall"
)

const (
	helloAnswer = `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"echo","version":"1.0.0"}}`
	listAnswer  = `{"tools":[{"name":"echo","description":"Returns the text it is given.","inputSchema":{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}}]}`
)

// echo is a server with one tool that returns its argument. It decodes nothing
// and writes its members in the order of the TypeScript SDK, id last; its cost
// is small beside that of any hop in front of it.
func echo(in io.Reader, out io.Writer) error {
	r, w := lines(in), bufio.NewWriterSize(out, 64<<10)
	for {
		line, err := r.ReadSlice('\n')
		if err == io.EOF {
			return w.Flush()
		}
		if err != nil {
			return err
		}
		f, err := dissect(line)
		if err != nil {
			return err
		}
		reply(w, f)
		if r.Buffered() == 0 {
			if err := w.Flush(); err != nil {
				return err
			}
		}
	}
}

func reply(w *bufio.Writer, f frame) {
	if f.id == nil {
		return
	}
	switch string(f.method) {
	case "tools/call":
		w.WriteString(`{"result":{"content":[{"type":"text","text":"`)
		w.Write(f.text)
		w.WriteString(`"}]}`)
	case "initialize":
		w.WriteString(`{"result":` + helloAnswer)
	case "tools/list":
		w.WriteString(`{"result":` + listAnswer)
	case "ping":
		w.WriteString(`{"result":{}`)
	case "":
		return
	default:
		fmt.Fprintf(w, `{"error":{"code":-32601,"message":"no method %s here"}`, f.method)
	}
	w.WriteString(`,"jsonrpc":"2.0","id":`)
	w.Write(f.id)
	w.WriteString("}\n")
}

// pollable returns an inherited descriptor as a file whose reads and writes
// wait in the runtime's poller: with blocking ones each wait occupies a
// thread, which on one CPU costs a multiple of the hop itself.
func pollable(fd int) *os.File {
	syscall.SetNonblock(fd, true)
	return os.NewFile(uintptr(fd), "")
}
