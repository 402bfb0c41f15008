package schema

import (
	"errors"
	"io"
	"strings"
	"time"

	"github.com/recourse-dev/recourse/schema/internal/draft"
)

// Limits of one Check: about 100 ms, and a stack of about 1 MB. Real calls need
// some dozens of steps, each of about 0.3 µs.
const (
	maxSteps  = 300_000 // to find what is wrong; also how many values the arguments may have
	maxGuess  = 100_000 // further ones to find out what was meant, and as many to word it
	maxDepth  = 1000
	maxFaults = 1000
	maxSlow   = 100 * time.Millisecond // on patterns, whose steps can't be told beforehand

	// The clock is the last resort, where the steps tell too little: on a slow
	// machine, or of costs that nobody thought of.
	maxTime  = 250 * time.Millisecond
	interval = 2000 // steps between two looks at the clock

	maxArguments = 4 << 20 // bytes
)

// grant allows n more steps, and d of time for them.
func (c *check) grant(n int, d time.Duration) {
	c.limit, c.look = c.steps+n, c.steps+interval
	c.allowed, c.until = d, time.Time{}
	c.out = false
}

// spent takes n steps and reports whether that was too much.
func (c *check) spent(n int) bool {
	c.steps += n
	if c.steps >= c.look {
		c.look = c.steps + interval
		now := time.Now()
		if c.until.IsZero() { // small calls never come here
			c.until = now.Add(c.allowed)
		}
		c.out = c.out || now.After(c.until)
	}
	c.out = c.out || c.steps > c.limit
	return c.out
}

// maxWork is how many states times bytes a pattern may have to be matched without
// a look at the clock: some milliseconds at worst.
const maxWork = 1 << 16

// matches reports whether re matches s, or that can't be decided.
func (c *check) matches(re draft.Regexp, s string) bool {
	p, ok := re.(*pattern)
	if !ok {
		return true
	}
	// At worst every state of a linear pattern is alive at every byte.
	work := (1 + len(s)) * p.states
	if c.spent(1 + len(s)/64 + min(work, maxWork)/32) {
		return true
	}
	if p.linear != nil && work <= maxWork {
		return p.linear.MatchString(s)
	}
	if c.slow > maxSlow {
		c.out = true
		return true
	}
	start := time.Now()
	matched, decided := p.within(s, start.Add(maxSlow-c.slow))
	c.slow += time.Since(start)
	c.out = c.out || !decided
	return matched
}

// within is match, given up at a time.
func (p *pattern) within(s string, end time.Time) (matched, decided bool) {
	if p.linear == nil {
		return p.match(s)
	}
	text := &timed{text: strings.NewReader(s), end: end, every: 1 + maxWork/16/p.states}
	matched = p.linear.MatchReader(text)
	return matched, !text.over
}

// timed is a text that ends when its time is over: Go's engine itself can't be
// stopped.
type timed struct {
	text  *strings.Reader
	end   time.Time
	n     int // characters read
	every int // of them, between two looks at the clock
	over  bool
}

func (t *timed) ReadRune() (r rune, size int, err error) {
	t.n++
	if t.over = t.over || t.n%t.every == 0 && time.Now().After(t.end); t.over {
		return 0, 0, io.EOF
	}
	return t.text.ReadRune()
}

// decode reads a text that may hold arguments.
func (c *check) decode(raw []byte) (any, error) {
	if c.spent(values(raw) + len(raw)/256) {
		return nil, errUndecided
	}
	return decode(raw)
}

var errUndecided = errors.New("too much to read")

// values returns about how many values there are in a JSON text. They are what
// takes time to read: a MB of the smallest some tenths of a second, of text some
// milliseconds.
func values(raw []byte) int {
	n, text := 1, false
	for i := 0; i < len(raw); i++ {
		switch raw[i] {
		case '"':
			text = !text
		case '\\':
			i++
		case ',', '[', '{':
			if !text {
				n++
			}
		}
	}
	return n
}
