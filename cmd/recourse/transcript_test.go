package main

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"

	"github.com/recourse-dev/recourse/cmd/recourse/internal/faulty"
)

// A step is one line of a transcript.
//
//	# prose
//	C> LINE        the client says
//	C< PATTERN     the client hears next
//	C~ PATTERN     the same, in any order with the C~ beside it
//	C! WORD PATTERN  like C<, and WORD is not in it
//	C^ N PATTERN   like C<, and the line has at most N bytes
//	C eof          the client says no more; C deaf: it does not listen any more;
//	               C leave: both
//	C hold         the client does not read; C resume 1s: until 1 s from now
//	C" TEXT        the client writes this, with Go's escapes and no line end of
//	               its own; C drip TEXT: one byte at a time
//	C<" PATTERN    like C<, with Go's escapes; so are C~" and S<"
//	S> LINE        the server says
//	S< PATTERN     the server hears next
//	S! LINE        the server writes to its standard error
//	S" TEXT        the server writes this, as C" does; S drip TEXT
//	S part TEXT    and every other order of [faulty.Actor.Do]
//	S eof          the server hears the end of its input
//	S signal NAME  the server, told to resist, is asked to end
//	S start        another process of the server begins
//	S gone         the server's process has ended; S gone 4s: within 4 s;
//	               S killed: without being asked
//	E< PATTERN     on standard error, now or later
//	sh LINE        a shell runs the line meanwhile; $PID is that of recourse
//	O< PATTERN     the next line that it printed
//	signal NAME    recourse gets a signal
//	exit STATUS    recourse has ended; exit STATUS 4s: after 4 s at most
//	hello          the handshake of testdata/hello.transcript
//	again, list    what recourse says to a new process: again.transcript, then
//	               list.transcript; alive: what it asks a silent one
//	repeat N … end the steps between, N times; $i counts from 1, $i+9 from 10
//
// In a PATTERN … stands for anything. In a LINE or PATTERN %{TEXT*N} stands for
// TEXT, N times; in a LINE of the server @id is the id that it heard last.
//
// Nobody may hear anything that the transcript does not name. At its end the
// client stops, if it has not, recourse has to exit with status 0, and every
// process of the server has to be gone.
type step struct {
	at   int // line of the transcript
	verb string
	rest string
	any  []string // what C~ may match
}

// parse reads a transcript and writes its loops out.
func parse(text string) ([]step, error) {
	var steps []step
	loop, times := -1, 0
	for i, line := range strings.Split(text, "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		s := step{at: i + 1}
		s.verb, s.rest, _ = strings.Cut(line, " ")
		var err error
		if s.verb, s.rest, err = unescape(s.verb, s.rest); err != nil {
			return nil, fmt.Errorf("%d: %w", s.at, err)
		}
		switch s.verb {
		case "hello", "again", "list", "alive":
			text, err := os.ReadFile("testdata/" + s.verb + ".transcript")
			if err != nil {
				return nil, err
			}
			inner, err := parse(string(text))
			if err != nil {
				return nil, err
			}
			steps = append(steps, inner...)
			continue
		case "repeat":
			n, err := strconv.Atoi(s.rest)
			if err != nil {
				return nil, fmt.Errorf("%d: repeat wants a number", s.at)
			}
			loop, times = len(steps), n
			continue
		case "end":
			body := append([]step{}, steps[loop:]...)
			steps = steps[:loop]
			for n := range times {
				for _, s := range body {
					s.rest = count(s.rest, n+1)
					steps = append(steps, s)
				}
			}
			continue
		case "C~":
			if last := len(steps) - 1; last >= 0 && steps[last].verb == "C~" {
				steps[last].any = append(steps[last].any, s.rest)
				continue
			}
			s.any = []string{s.rest}
		}
		steps = append(steps, s)
	}
	return steps, nil
}

// unescape writes the escapes of a pattern out. What is written is sent first.
func unescape(verb, rest string) (string, string, error) {
	plain, found := strings.CutSuffix(verb, `"`)
	if !found || !strings.ContainsAny(plain, "<~") {
		return verb, rest, nil
	}
	rest, err := faulty.Unescape(rest)
	return plain, rest, err
}

var counter = regexp.MustCompile(`\$i(\+\d+)?`)

func count(text string, i int) string {
	return counter.ReplaceAllStringFunc(text, func(s string) string {
		n, _ := strconv.Atoi(strings.TrimPrefix(s, "$i"))
		return strconv.Itoa(i + n)
	})
}

var repeated = regexp.MustCompile(`%\{(.+?)\*(\d+)\}`)

// expand writes the repetitions of a line out.
func expand(text string) string {
	return repeated.ReplaceAllStringFunc(text, func(s string) string {
		m := repeated.FindStringSubmatch(s)
		n, _ := strconv.Atoi(m[2])
		return strings.Repeat(m[1], n)
	})
}

// fits reports whether a line is what a pattern says.
func fits(pattern, line string) bool {
	parts := strings.Split(expand(pattern), "…")
	head, tail := parts[0], parts[len(parts)-1]
	if len(parts) == 1 {
		return line == head
	}
	rest, ok := strings.CutPrefix(line, head)
	if !ok {
		return false
	}
	for _, part := range parts[1 : len(parts)-1] {
		if _, rest, ok = strings.Cut(rest, part); !ok {
			return false
		}
	}
	return strings.HasSuffix(rest, tail)
}

// short keeps a failure readable.
func short(line string) string {
	if len(line) <= 2000 {
		return line
	}
	return fmt.Sprintf("%s … %s (%d bytes)", line[:500], line[len(line)-200:], len(line))
}
