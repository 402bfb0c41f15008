package relay

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/recourse-dev/recourse/cmd/recourse/internal/calllog"
	"github.com/recourse-dev/recourse/cmd/recourse/internal/upstream"
)

// A loop is a Conn whose server echoes, in this process, over real pipes.
type loop struct {
	*memory
	r, w *os.File
}

func (l *loop) Read(b []byte) (int, error)  { return l.r.Read(b) }
func (l *loop) Write(b []byte) (int, error) { return l.w.Write(b) }
func (l *loop) Pipe() *upstream.Pipe        { return upstream.OpenFile(l.w) }

func pipe(b *testing.B) (r, w *os.File) {
	r, w, err := os.Pipe()
	if err != nil {
		b.Fatal(err)
	}
	return r, w
}

// echo answers every request, the id last as the TypeScript SDK writes it.
func echo(r, w *os.File) {
	in := bufio.NewReaderSize(r, 64<<10)
	var out []byte
	for {
		line, err := in.ReadSlice('\n')
		if err != nil {
			w.Close()
			return
		}
		_, rest, _ := bytes.Cut(line, []byte(`"id":`))
		id, _, _ := bytes.Cut(rest, []byte(`,`))
		out = append(out, `{"result":{"content":[{"type":"text","text":"`...)
		out = append(out, text...)
		out = append(append(append(out, `"}]},"jsonrpc":"2.0","id":`...), id...), "}\n"...)
		if in.Buffered() == 0 {
			w.Write(out)
			out = out[:0]
		}
	}
}

var text = strings.Repeat("x", 100)

// BenchmarkCall is a call there and back, with a client and a server that cost
// little, over four real pipes in one process. bench/stdio measures the same
// between processes.
func BenchmarkCall(b *testing.B) {
	for _, logged := range []bool{false, true} {
		for _, flight := range []int{1, 16, 64} {
			b.Run(fmt.Sprintf("log=%v/flight=%d", logged, flight), func(b *testing.B) {
				inR, inW := pipe(b)
				outR, outW := pipe(b)
				serverIn, toServer := pipe(b)
				fromServer, serverOut := pipe(b)
				go echo(serverIn, serverOut)
				r := &Relay{In: inR, Out: upstream.OpenFile(outW), Server: "echo"}
				if logged {
					r.Log = &calllog.Log{Dir: b.TempDir()}
				}
				r.Start = func() (upstream.Conn, error) { return &loop{newMemory(), fromServer, toServer}, nil }
				done := make(chan int)
				go func() { done <- r.Run(nil) }()
				fmt.Fprintln(inW, `{"jsonrpc":"2.0","id":0,"method":"tools/call","params":{"name":"echo","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`)
				answers := bufio.NewReaderSize(outR, 64<<10)
				if _, err := answers.ReadSlice('\n'); err != nil {
					b.Fatal(err)
				}
				request := []byte(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo","arguments":{"text":"` + text + `"}}}` + "\n")
				b.ReportAllocs()
				for n := 0; b.Loop(); n++ {
					if n%flight == 0 {
						inW.Write(bytes.Repeat(request, flight))
						for range flight {
							if _, err := answers.ReadSlice('\n'); err != nil {
								b.Fatal(err)
							}
						}
					}
				}
				inW.Close()
				<-done
			})
		}
	}
}
