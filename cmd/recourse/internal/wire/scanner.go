package wire

import "fmt"

// A Scanner reads one frame in pieces, cut anywhere. It allocates nothing but
// one bit per level of nesting past the 64th. The zero value is ready; it must
// not be copied after first use.
type Scanner struct {
	state state
	place place // of the innermost open container
	stack stack
	base  int // offset in the frame of the chunk being read

	open   [4]slot  // by depth: the value being read, if somebody asks for it
	places [4]place // by depth: what the open container is

	naming bool   // the string being read is a key
	bent   bool   // that key has an escape
	raw    []byte // that key, if it was cut or is bent
	rest   string // what must follow of true, false or null
	hex    int    // digits still to come of a \u escape
	half   bool   // its first one is a D
	wide   uint64 // all bytes of all strings, or-ed

	id, method, result, fail byte // first bytes of these values
	err                      SyntaxError
	msg                      Message
}

// A slot is a value being read and the field that gets its span.
type slot struct {
	span  *Span
	start int
}

// A SyntaxError says why a frame is not one JSON-RPC message.
type SyntaxError struct {
	Offset int // in the frame, in bytes
	What   string
	Open   bool // the frame is only the beginning of a value
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%s at byte %d", e.What, e.Offset)
}

// surplus is the fault of a frame that holds more than its value.
const surplus = "something after the message"

// A state is what may come next.
type state uint8

const (
	wantTop    state = iota // the value that is the frame
	wantValue               // a value
	wantFirst               // a value or ]
	wantKey                 // a key
	wantMember              // a key or }
	wantColon
	wantNext // a comma or a closing bracket
	wantNone // nothing, the frame's value is complete
	inText
	inEscape // after a backslash
	inHex    // in a \u escape
	inWord   // in true, false or null
	inMinus  // in a number, after its sign
	inZero
	inDigits
	inPoint // after the point
	inFraction
	inExponent // after the e
	inSign     // after the exponent's sign
	inPower
	broken
)

// Reset makes s ready for another frame.
func (s *Scanner) Reset() {
	s.stack.reset()
	s.state, s.place, s.base = wantTop, elsewhere, 0
	s.open, s.wide = [len(s.open)]slot{}, 0
	s.id, s.method, s.result, s.fail = 0, 0, 0, 0
	s.err, s.msg = SyntaxError{}, Message{}
}

// Feed reads the next bytes of the frame.
func (s *Scanner) Feed(chunk []byte) {
	for i := 0; i < len(chunk); {
		if s.state <= wantNext {
			i = s.run(chunk, i)
		}
		if i == len(chunk) {
			break
		}
		switch s.state {
		case wantNext:
			i = s.next(chunk[i], i)
		case wantTop, wantValue, wantFirst:
			i = s.value(chunk, i)
		case wantKey, wantMember:
			i = s.member(chunk, i)
		case wantColon:
			i = s.colon(chunk[i], i)
		case inText, inEscape, inHex:
			i = s.text(chunk, i)
		case inWord:
			i = s.letters(chunk, i)
		case wantNone:
			i = s.skip(chunk[i], i, surplus)
		case broken:
			i = len(chunk)
		default:
			i = s.number(chunk, i)
		}
	}
	s.base += len(chunk)
}

// End returns what was found; with an error, what was complete before it. The
// message is valid until Reset.
func (s *Scanner) End() (*Message, error) {
	if s.state != wantNone && s.state != broken {
		whole := s.err.What == ""
		s.stop(0, "unexpected end")
		s.err.Open = whole
	}
	s.msg.Depth = s.stack.deepest
	s.msg.Wide = s.wide&high != 0
	s.msg.NullID = s.msg.ID.Ok() && s.id == 'n'
	if s.err.What != "" {
		s.msg.Kind = Invalid
		err := s.err
		return &s.msg, &err
	}
	s.msg.Kind = s.kind()
	return &s.msg, nil
}

// complete reports whether the frame's value has ended, and nothing is wrong
// with it.
func (s *Scanner) complete() bool { return s.state == wantNone && s.err.What == "" }

// openID returns where in the frame an id starts that is not yet complete.
func (s *Scanner) openID() (int, bool) {
	before := s.stack.depth == 1 && (s.state == wantColon || s.state == wantValue)
	return s.open[1].start, s.open[1].span == &s.msg.ID && !before && s.state != broken
}

func (s *Scanner) kind() Kind {
	m := &s.msg
	// Some write all members, and null in those that do not belong to the kind;
	// others repeat the method in an answer.
	asks := s.method == '"' && absent(s.result) && absent(s.fail)
	switch {
	case m.Kind == Batch:
		return Batch
	case s.id == '{', s.id == '[':
		return Invalid
	case s.method != '"' && !absent(s.method):
		return Invalid
	case asks && m.ID.Ok():
		return Request
	case asks:
		return Notification
	case s.method == '"' && !m.ID.Ok():
		return Invalid
	case !absent(s.fail):
		return Failure
	case m.Result.Ok() && m.ID.Ok():
		return Result
	}
	return Invalid
}

// absent reports whether a value that begins with c is none.
func absent(c byte) bool { return c == 0 || c == 'n' }

// stop notes a fault at byte i of the chunk and ends the scan.
func (s *Scanner) stop(i int, what string) int {
	s.blame(i, what)
	s.state = broken
	return i
}

// blame notes the first fault. The scan may go on: the id can still come.
func (s *Scanner) blame(i int, what string) {
	if s.err.What == "" {
		s.err = SyntaxError{Offset: s.base + i, What: what}
	}
}

// skip passes white space and stops at anything else.
func (s *Scanner) skip(c byte, i int, what string) int {
	if c == ' ' || c == '\t' || c == '\r' || c == '\n' {
		return i + 1
	}
	return s.stop(i, what)
}
