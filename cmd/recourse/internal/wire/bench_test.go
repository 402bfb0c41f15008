package wire

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// A rawMessage is what a proxy without a scanner decodes.
type rawMessage struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
	Result  json.RawMessage `json:"result"`
	Error   json.RawMessage `json:"error"`
}

func load() map[string][]byte {
	call := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"hi"}}}`
	answer := func(result string) []byte {
		return []byte(`{"result":{"content":[` + result + `]},"jsonrpc":"2.0","id":7}`)
	}
	image := func(n int) []byte {
		data := base64.StdEncoding.EncodeToString(bytes.Repeat([]byte("recourse."), n/12))
		return answer(`{"type":"image","mimeType":"image/png","data":"` + data + `"}`)
	}
	rows := func(n int) string {
		var b strings.Builder
		b.WriteString("[")
		for i := 0; b.Len() < n; i++ {
			fmt.Fprintf(&b, `{"id":%d,"name":"row %d","score":%d.5,"active":true,"tags":["a","b"]},`, i, i, i%100)
		}
		return strings.TrimSuffix(b.String(), ",") + "]"
	}
	text := func(n int) []byte {
		quoted, _ := json.Marshal(rows(n * 3 / 4))
		return answer(`{"type":"text","text":` + string(quoted) + `}`)
	}
	return map[string][]byte{
		"call/100B":    []byte(call),
		"base64/10KiB": image(10 << 10),
		"base64/1MiB":  image(1 << 20),
		"text/10KiB":   text(10 << 10),
		"text/1MiB":    text(1 << 20),
		"rows/10KiB":   answer(rows(10 << 10)),
		"rows/1MiB":    answer(rows(1 << 20)),
	}
}

// endless returns the same line again and again, as much as is asked for.
type endless struct {
	line []byte
	at   int
}

func (e *endless) Read(p []byte) (int, error) {
	n := copy(p, e.line[e.at:])
	e.at = (e.at + n) % len(e.line)
	return n, nil
}

var sink []byte

func Benchmark(b *testing.B) {
	for name, frame := range load() {
		run := func(what string, once func()) {
			b.Run(name+"/"+what, func(b *testing.B) {
				b.SetBytes(int64(len(frame)))
				b.ReportAllocs()
				for b.Loop() {
					once()
				}
			})
		}
		var s Scanner
		run("scan", func() {
			s.Reset()
			s.Feed(frame)
			if _, err := s.End(); err != nil {
				b.Fatal(err)
			}
		})
		r := NewReader(&endless{line: append(bytes.Clone(frame), '\n')}, 0)
		run("read", func() {
			if f, err := r.Next(); err != nil || f.Err != nil {
				b.Fatal(f.Err, err)
			}
		})
		run("read+splice", func() {
			f, _ := r.Next()
			sink = AppendSplice(sink[:0], f.Bytes, Edit{f.Msg.ID, []byte("123456")})
		})
		run("copy", func() { sink = append(sink[:0], frame...) })
		run("json.Valid", func() { json.Valid(frame) })
		run("json.Unmarshal", func() {
			var m rawMessage
			json.Unmarshal(frame, &m)
		})
	}
}

// What a line costs that is no message, however it was made.
func BenchmarkPieces(b *testing.B) {
	for name, part := range map[string]string{
		"braces":   "{",
		"answers":  `{"jsonrpc":"2.0","id":1,"result":{`,
		"escapes":  `{"id":1,"result":"\ud800`,
		"text":     "a line of a log, ",
		"messages": ping,
	} {
		line := bytes.Repeat([]byte(part), 1<<20/len(part))
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(line)))
			for b.Loop() {
				for range Pieces(line, false) {
				}
			}
		})
	}
}
