package wire

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`

// drain reads all frames and says what they were.
func drain(r *Reader) (frames []string, err error) {
	for {
		f, err := r.Next()
		if err != nil {
			return frames, err
		}
		frames = append(frames, fmt.Sprintf("%q %s %d %q %v", f.Bytes, f.Msg.Kind, f.Size, f.ID, f.Err))
	}
}

func TestReaderLines(t *testing.T) {
	for _, c := range []struct {
		name, stream string
		want         []string
	}{
		{"empty", "", nil},
		{"blank lines", "\n \r\n\t\n\n", nil},
		{"two", ping + "\n" + ping + "\n", []string{ping, ping}},
		{"blank between", "\n\n" + ping + "\n\r\n  \n" + ping + "\n \n", []string{ping, ping}},
		{"CRLF", ping + "\r\n", []string{ping}},
		{"no line end", ping, []string{ping}},
		{"half a line at the end", ping + "\n" + ping[:20], []string{ping, ping[:20]}},
		{"noise", "listening on 8080\n" + ping + "\n", []string{"listening on 8080", ping}},
		{"next line is no line end", ping + "\u0085\u2028\n", []string{ping + "\u0085\u2028"}},
	} {
		for name, src := range map[string]io.Reader{
			"whole":   strings.NewReader(c.stream),
			"bytes":   iotest.OneByteReader(strings.NewReader(c.stream)),
			"halves":  iotest.HalfReader(strings.NewReader(c.stream)),
			"err now": iotest.DataErrReader(strings.NewReader(c.stream)),
		} {
			var want []string
			for _, line := range c.want {
				m, err := scan([]byte(line))
				want = append(want, fmt.Sprintf("%q %s %d %q %v", line, m.Kind, len(line), m.ID.Of([]byte(line)), err))
			}
			got, err := drain(NewReader(src, 0))
			if err != io.EOF || strings.Join(got, "\n") != strings.Join(want, "\n") {
				t.Errorf("%s, %s: %v\ngot  %s\nwant %s", c.name, name, err, got, want)
			}
		}
	}
}

func TestReaderOverMax(t *testing.T) {
	const limit = 100 << 10
	filler := strings.Repeat("x", 3*limit)
	for _, c := range []struct {
		name, frame, id string
		kind            Kind
	}{
		{"id first", `{"id":7,"result":{"a":"` + filler + `"}}`, `7`, Result},
		{"id last", `{"result":{"a":"` + filler + `"},"jsonrpc":"2.0","id":"last one"}`, `"last one"`, Result},
		{"id at the very end", `{"result":{"a":"` + filler + `"},"id":12345}`, `12345`, Result},
		{"id in the middle", `{"result":"` + filler + `","id":null,"error":"` + filler + `"}`, `null`, Failure},
		{"key escaped", `{"result":"` + filler + `","\u0069d" : "\u0031" }`, `"\u0031"`, Result},
		{"request", `{"params":"` + filler + `","id":1,"method":"m"}`, `1`, Request},
		{"notification", `{"method":"m","params":"` + filler + `"}`, ``, Notification},
		{"huge id", `{"method":"m","id":"` + filler + `"}`, ``, Request},
		{"unfinished", `{"id":3,"result":"` + filler, `3`, Invalid},
		{"noise", filler, ``, Invalid},
	} {
		for _, size := range []int{61, 1000, piece, 1 << 20} {
			r := NewReader(&pieces{strings.NewReader(c.frame + "\n" + ping + "\n"), size}, limit)
			f, err := r.Next()
			if err != nil || f.Bytes != nil || f.Size != len(c.frame) || string(f.ID) != c.id || f.Msg.Kind != c.kind || (f.Err != nil) != (c.kind == Invalid) {
				t.Errorf("%s in pieces of %d: %v %q %s %d %v", c.name, size, err, f.ID, f.Msg.Kind, f.Size, f.Err)
			}
			if cap(r.buf) > 4*limit {
				t.Errorf("%s in pieces of %d: a buffer of %d bytes", c.name, size, cap(r.buf))
			}
			if f, err = r.Next(); err != nil || string(f.Bytes) != ping || f.Err != nil {
				t.Errorf("%s in pieces of %d: the next frame is %q, %v", c.name, size, f.Bytes, err)
			}
		}
	}
}

// White space alone is no frame, however much there is.
func TestReaderSkipsWhiteSpace(t *testing.T) {
	const limit = 1000
	space := strings.Repeat(" \t\r", limit)
	for _, size := range []int{61, 1000, piece} {
		r := NewReader(&pieces{strings.NewReader(space + "\n" + space + ping + "\n" + ping + "\n" + space), size}, limit)
		for _, want := range []int{len(space) + len(ping), len(ping)} {
			if f, err := r.Next(); err != nil || f.Size != want || f.Msg.Kind != Request {
				t.Errorf("in pieces of %d: %d bytes of %s, %v", size, f.Size, f.Msg.Kind, err)
			}
		}
		if f, err := r.Next(); err != io.EOF {
			t.Errorf("in pieces of %d: at the end %q, %v", size, f.Bytes, err)
		}
	}
}

// pieces reads at most size bytes at a time.
type pieces struct {
	io.Reader
	size int
}

func (p *pieces) Read(b []byte) (int, error) {
	return p.Reader.Read(b[:min(len(b), p.size)])
}

func TestReaderMax(t *testing.T) {
	for limit, fits := range map[int]bool{len(ping): true, len(ping) - 1: false, 0: true} {
		f, err := NewReader(strings.NewReader(ping+"\n"), limit).Next()
		if err != nil || (f.Bytes != nil) != fits || string(f.ID) != "1" {
			t.Errorf("max %d: %q %q %v", limit, f.Bytes, f.ID, err)
		}
	}
}

func TestReaderGivesBuffersBack(t *testing.T) {
	long := `{"id":1,"result":"` + strings.Repeat("x", 5<<20) + `"}`
	r := NewReader(strings.NewReader(long+"\n"+ping+"\n"), 0)
	if f, err := r.Next(); err != nil || string(f.Bytes) != long {
		t.Fatalf("%d bytes, %v", len(f.Bytes), err)
	}
	if f, err := r.Next(); err != nil || string(f.Bytes) != ping || cap(r.buf) > piece {
		t.Errorf("%q, %v, a buffer of %d bytes", f.Bytes, err, cap(r.buf))
	}
}

func TestReaderError(t *testing.T) {
	broken := errors.New("broken pipe")
	r := NewReader(io.MultiReader(strings.NewReader(ping+"\n"+ping[:9]), iotest.ErrReader(broken)), 0)
	frames, err := drain(r)
	if len(frames) != 2 || err != broken {
		t.Errorf("%q, %v", frames, err)
	}
	if _, err := r.Next(); err != broken {
		t.Errorf("again: %v", err)
	}
	if _, err := NewReader(idle{}, 0).Next(); err != io.ErrNoProgress {
		t.Errorf("a reader without data or error: %v", err)
	}
}

type idle struct{}

func (idle) Read([]byte) (int, error) { return 0, nil }

func TestReady(t *testing.T) {
	in, out := io.Pipe()
	defer in.Close()
	r := NewReader(in, 0)
	if r.Ready() {
		t.Error("ready before anything was read")
	}
	go func() {
		io.WriteString(out, ping+"\n\n"+ping+"\n \r\n"+ping[:5])
		io.WriteString(out, ping[5:]+"\n")
		out.Close()
	}()
	for i, want := range []bool{true, false, false} {
		if _, err := r.Next(); err != nil || r.Ready() != want {
			t.Errorf("after frame %d: ready is %v, error %v", i, r.Ready(), err)
		}
	}
	if _, err := r.Next(); err != io.EOF || !r.Ready() {
		t.Errorf("at the end: ready is %v, error %v", r.Ready(), err)
	}
}

func TestFrameBytesCannotGrow(t *testing.T) {
	r := NewReader(strings.NewReader(ping+"\n"+ping+"\n"), 0)
	f, _ := r.Next()
	_ = append(f.Bytes, "scribble"...)
	_ = append(f.ID, "scribble"...)
	if f, err := r.Next(); err != nil || !bytes.Equal(f.Bytes, []byte(ping)) || f.Err != nil {
		t.Errorf("%q %v %v", f.Bytes, f.Err, err)
	}
}

func TestReaderExact(t *testing.T) {
	r := NewReader(strings.NewReader("\r"+ping+"\r\n\n \r\n"+ping+"\n"), 0)
	r.Exact = true
	for _, want := range []string{"\r" + ping + "\r", "", " \r", ping} {
		if f, err := r.Next(); err != nil || string(f.Bytes) != want {
			t.Errorf("%q %v, want %q", f.Bytes, err, want)
		}
	}
}

// A message is taken when it is complete: some servers write the line end before
// their next message, or never.
func TestReaderEager(t *testing.T) {
	in, out := io.Pipe()
	r := NewReader(in, 0)
	r.Eager = true
	next := func(want string) {
		t.Helper()
		if f, err := r.Next(); err != nil || f.Err != nil || string(f.Bytes) != want {
			t.Fatalf("%q %v %v, want %q", f.Bytes, f.Err, err, want)
		}
	}
	write := func(parts ...string) {
		for _, part := range parts {
			_, _ = out.Write([]byte(part))
		}
	}
	go write(ping)
	next(ping)
	go write("\r", "\n", " \n", ping[:9], ping[9:]+"\r\n", "\n"+ping)
	next(ping)
	next(ping)
	go write(" late\n" + ping + "\n")
	if f, err := r.Next(); err != nil || f.Err == nil || string(f.Bytes) != " late" {
		t.Errorf("%q %v", f.Bytes, err)
	}
	next(ping)
}

// What is complete is taken without its line end only if nothing to be seen stands
// behind it; text before it makes that a guess, which is made a few times a line.
func TestReaderEagerGuesses(t *testing.T) {
	log := `{"level":"info"}`
	for _, c := range []struct {
		name   string
		writes []string // as they come; nothing comes after them until a frame was taken
		want   string   // the first frame; empty: there is none yet
	}{
		{"a NUL behind", []string{ping + "\x00"}, ping + "\x00"},
		{"colours around", []string{"\x1b[1m" + ping + "\x1b[0m"}, "\x1b[1m" + ping + "\x1b[0m"},
		{"text before", []string{"Loading..." + ping}, "Loading..." + ping},
		{"text behind", []string{"Loading..." + ping + " done"}, ""},
		{"no message", []string{"Loading..." + log}, ""},
		{"half a message", []string{"Loading..." + ping[:20] + "}"}, ""},
		{"one look too many", strings.SplitAfter(strings.Repeat("x}", maxLooks)+ping, "}"), ""},
	} {
		in, out := io.Pipe()
		r := NewReader(in, 0)
		r.Eager = true
		go func() {
			for _, w := range c.writes {
				_, _ = out.Write([]byte(w))
			}
			if c.want == "" {
				_, _ = out.Write([]byte("END\n" + ping))
			}
		}()
		want := c.want
		if want == "" {
			want = strings.Join(c.writes, "") + "END"
		}
		if f, err := r.Next(); err != nil || string(f.Bytes) != want {
			t.Errorf("%s: %q %v, want %q", c.name, f.Bytes, err, want)
		}
		if c.want == "" {
			// The next line is looked at anew.
			if f, err := r.Next(); err != nil || string(f.Bytes) != ping {
				t.Errorf("%s: then %q %v", c.name, f.Bytes, err)
			}
		}
		out.Close()
	}
}

func TestReaderBlanksAndEnds(t *testing.T) {
	r := NewReader(strings.NewReader("\n\n"+ping+" \t\r\n"+ping[:10]), 0)
	if f, err := r.Next(); err != nil || string(f.Bytes) != ping || f.After != 2 || f.Torn {
		t.Errorf("%q %v, %d blank lines before, torn %v", f.Bytes, err, f.After, f.Torn)
	}
	if f, err := r.Next(); err != nil || string(f.Bytes) != ping[:10] || !f.Torn {
		t.Errorf("%q %v, torn %v", f.Bytes, err, f.Torn)
	}
	exact := NewReader(strings.NewReader(ping+"\n"+ping+"x\n"), len(ping))
	if f, _ := exact.Next(); f.Bytes == nil {
		t.Error("a line of the maximum was thrown away")
	}
	if f, _ := exact.Next(); f.Bytes != nil || f.Size != len(ping)+1 || string(f.ID) != "1" || string(f.Method) != `"ping"` {
		t.Errorf("%q of %d bytes, id %s, method %s", f.Bytes, f.Size, f.ID, f.Method)
	}
}
