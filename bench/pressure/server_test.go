//go:build faults && linux

package pressure

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	helloResult = `{"protocolVersion":%s,"capabilities":{"tools":{},"resources":{},"logging":{}},"serverInfo":{"name":"press","version":"1"}}`
	listResult  = `{"tools":[{"name":"text","inputSchema":{"type":"object"}}]}`
)

// A server does at once, and one after the other, what it is told by the
// arguments of its tools.
type server struct {
	in    *bufio.Reader
	early int

	mu  sync.Mutex
	out *bufio.Writer

	kept      []kept
	cancelled [][]byte // ids
	answered  int      // questions of its own
	refused   int      // of these
	notices   int      // that it did not know
	scream    *scream
}

// A kept call is answered when the client says so.
type kept struct {
	id []byte
	n  int
}

// A request is what the server reads of a line from its client.
type request struct {
	ID     json.RawMessage
	Method string
	Params struct {
		Name            string
		ProtocolVersion json.RawMessage
		RequestID       json.RawMessage
		Arguments       order
	}
	Error json.RawMessage
}

// serve is a server: LINES, the number of notifications that come before its
// answer to initialize.
func serve(args []string, in io.Reader, out io.Writer) error {
	early, err := strconv.Atoi(args[0])
	if err != nil {
		return err
	}
	s := &server{early: early, in: bufio.NewReaderSize(in, 64<<10), out: bufio.NewWriterSize(out, 64<<10)}
	var long []byte
	for {
		if s.in.Buffered() == 0 {
			if err := s.flush(); err != nil {
				return err
			}
		}
		line, err := s.in.ReadSlice('\n')
		if err == bufio.ErrBufferFull {
			long = append(long, line...)
			continue
		}
		if err == io.EOF {
			return s.flush()
		}
		if err != nil {
			return err
		}
		if len(long) > 0 {
			line = append(long, line...)
			long = line[:0]
		}
		if err := s.receive(line); err != nil {
			return err
		}
	}
}

func (s *server) flush() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.out.Flush()
}

// Long arguments are not for encoding/json: it is slow, and finds some too deep.
var longArguments = regexp.MustCompile(`^.{0,300}?"arguments":\{"N":(\d+)[^[]*?(,"Text":"|,"a":\[)`)

// decode decodes a line, and has the length of its text instead of the text.
func (r *request) decode(line []byte) error {
	if len(line) < 1<<10 {
		return json.Unmarshal(line, r)
	}
	at := longArguments.FindSubmatchIndex(line[:512])
	if at == nil {
		return json.Unmarshal(line, r)
	}
	if err := json.Unmarshal(append(bytes.Clone(line[:at[4]]), "}}}"...), r); err != nil {
		return err
	}
	text := bytes.TrimSuffix(line[at[5]:], []byte("\"}}}\n"))
	o := &r.Params.Arguments
	if line[at[5]-1] == '"' && !bytes.Equal(text, appendFill(nil, o.N, int64(len(text)))) {
		return errors.New("that is not what the client has sent")
	}
	o.length = int64(len(text))
	return nil
}

func (s *server) receive(line []byte) error {
	var r request
	if err := r.decode(line); err != nil {
		return fmt.Errorf("%.200q: %w", line, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch r.Method {
	case "initialize":
		for i := range s.early {
			s.out.Write(appendFlood(s.out.AvailableBuffer(), "notifications", i, nil))
		}
		fmt.Fprintf(s.out, "%s%s,\"result\":"+helloResult+"}\n", idFirst, r.ID, r.Params.ProtocolVersion)
	case "tools/list":
		s.result(r.ID, listResult)
	case "tools/call":
		return s.call(r)
	case "notifications/initialized":
	case "notifications/cancelled":
		s.cancelled = append(s.cancelled, r.Params.RequestID)
	case "notifications/release":
		for _, k := range slices.Backward(s.kept) {
			s.answer(k.id, k.n, 0)
		}
		s.kept = nil
	case "":
		s.answered++
		if r.Error != nil {
			s.refused++
		}
	default:
		if r.ID != nil { // ping
			s.result(r.ID, "{}")
		} else {
			s.notices++
		}
	}
	return nil
}

func (s *server) result(id []byte, result string) {
	fmt.Fprintf(s.out, "%s%s,\"result\":%s}\n", idFirst, id, result)
}

func (s *server) answer(id []byte, n int, size int64) {
	s.out.Write(appendAnswer(s.out.AvailableBuffer(), id, n, size))
}

// tell answers with some text, in which the client looks for what it needs.
func (s *server) tell(id []byte, v any) {
	text, _ := json.Marshal(v)
	quoted, _ := json.Marshal(string(text))
	s.result(id, `{"content":[{"type":"text","text":`+string(quoted)+`}]}`)
}

// A report is what a server tells of itself.
type report struct {
	Cancelled int // calls of which it was told that
	Answered  int // questions of its own
	Refused   int // of these
	Kept      int
	Notices   int // of a kind that it does not know
}

func (s *server) call(r request) error {
	o := r.Params.Arguments
	switch r.Params.Name {
	case "text":
		s.answer(r.ID, o.N, o.Size)
	case "echo":
		s.answer(r.ID, o.N, o.length)
	case "keep":
		s.kept = append(s.kept, kept{bytes.Clone(r.ID), o.N})
	case "report":
		s.tell(r.ID, report{len(s.cancelled), s.answered, s.refused, len(s.kept), s.notices})
	case "deaf":
		s.answer(r.ID, o.N, 0)
		return s.deaf(o)
	case "flood":
		s.flood(r.ID, o)
		s.answer(r.ID, o.N, 0)
	case "huge":
		s.huge(r.ID, o)
	case "endless":
		s.endless(o)
		s.answer(r.ID, o.N, 0)
	case "nested":
		s.out.Write(appendNested(nil, r.ID, o.Count))
	case "scream":
		s.scream = s.newScream(o)
		s.answer(r.ID, o.N, 0)
	case "hush":
		s.mu.Unlock() // the scream may wait for it
		how := s.scream.hush()
		s.mu.Lock()
		s.tell(r.ID, how)
	default:
		return fmt.Errorf("no tool %s", r.Params.Name)
	}
	return s.out.Flush()
}

// deaf reads nothing until the gate is opened. With Kind "alive" the server says
// meanwhile that it lives.
func (s *server) deaf(o order) error {
	s.out.Flush()
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		tick := time.NewTicker(100 * time.Millisecond)
		defer tick.Stop()
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			case <-tick.C:
			}
			if o.Kind == "alive" {
				s.out.Write(appendFlood(nil, "log messages", i, nil))
				s.out.Flush()
			}
		}
	}()
	gate, err := os.Open(o.Gate) // until somebody opens it for writing
	if err == nil {
		gate.Close()
	}
	close(stop)
	<-stopped
	return err
}

func (s *server) flood(id []byte, o order) {
	for i := range o.Count {
		of := id
		if n := len(s.cancelled); n > 0 && o.Kind == "answers to ended calls" {
			of = s.cancelled[i%n]
		}
		s.out.Write(appendFlood(s.out.AvailableBuffer(), o.Kind, i, of))
	}
}

// huge answers with Size bytes of text; Kind says where the id stands. In what
// the TypeScript SDK sends, it is the last member.
func (s *server) huge(id []byte, o order) {
	head, tail := idFirst+string(id)+`,"result":{"content":[{"type":"text","text":"`, `"}]}}`
	if o.Kind == "last" {
		head, tail = `{"result":{"content":[{"type":"text","text":"`, `"}]},"jsonrpc":"2.0","id":`+string(id)+"}"
	}
	s.out.WriteString(head)
	s.fill(o.Size)
	s.out.WriteString(tail + "\n")
}

// endless writes lines that have no end for Size bytes.
func (s *server) endless(o order) {
	part := phrases
	switch o.Kind {
	case "message":
		s.out.WriteString(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"`)
	case "braces":
		part = strings.Repeat("{", len(phrases))
	case "answers":
		part = strings.Repeat(idFirst+`1,"result":{`, 1<<10)
	}
	for range o.Count {
		for size := o.Size; size > 0; {
			n, err := s.out.WriteString(part[:min(int64(len(part)), size)])
			if err != nil {
				return
			}
			size -= int64(n)
		}
		s.out.WriteString("\n")
	}
}

func (s *server) fill(size int64) {
	for size > 0 {
		n, _ := s.out.WriteString(phrases[:min(int64(len(phrases)), size)])
		if n == 0 {
			return
		}
		size -= int64(n)
	}
}

// appendNested appends an answer with arrays in arrays.
func appendNested(dst, id []byte, depth int) []byte {
	dst = append(append(dst, idFirst...), id...)
	dst = append(dst, `,"result":{"content":[{"type":"text","text":"deep"}],"structuredContent":{"a":`...)
	dst = appendArrays(dst, depth)
	return append(dst, "}}}\n"...)
}

func appendArrays(dst []byte, depth int) []byte {
	dst = append(dst, bytes.Repeat([]byte("["), depth)...)
	return append(dst, bytes.Repeat([]byte("]"), depth)...)
}
