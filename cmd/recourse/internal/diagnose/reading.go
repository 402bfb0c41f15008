package diagnose

import (
	"math/bits"
	"strings"
	"time"

	"github.com/recourse-dev/recourse"
)

// A Reading is what the words of a failure mean.
type Reading struct {
	Code       recourse.Code   // UNKNOWN_ERROR if they don't tell
	Retryable  bool            // the identical call may succeed later, by the words or else by the code's default
	RetryAfter time.Duration   // in whole seconds, rounded up; 0 if not said
	Reason     string          // which rule told, for the log; "" if none did
	Field      string          // the argument that is at fault, as a JSON Pointer; "" if the text names none
	Partial    bool            // a part of what was asked has been done: the call is not retryable, whatever else is said
	Envelope   *recourse.Error // the text is one itself: of a second recourse
	Structured bool            // a structure made for machines said so, and no words
}

// Read reads the text of an error, of which it looks at the first 4 KiB and the
// last 1 KiB. A timeout counts as retryable here: whether the call may have run
// is nothing that the words of a failure tell.
//
// A point in time is never made a time to wait: the text may be old, and clocks
// differ.
func Read(text string) Reading {
	text, rpc := unwrap(text)
	s := sign{rpc: rpc}
	if r, ok := readStructure(text, s); ok {
		return r
	}
	return readWords(innermost(ends(text)), s)
}

// innermost returns what a traceback ends with: the exception, which Python puts
// last and at the start of a line.
func innermost(text string) string {
	i := strings.LastIndex(text, "Traceback (most recent call last)")
	if i < 0 {
		return text
	}
	last := strings.LastIndex(strings.TrimRight(text, " \n"), "\n ")
	if last < i {
		return text
	}
	_, exception, _ := strings.Cut(text[last+1:], "\n")
	return exception
}

const (
	maxFront = 4 << 10
	maxTail  = 1 << 10
)

// ends returns the beginning and the end of a long text. What is between them
// is most often a trace or a page.
func ends(text string) string {
	if len(text) <= maxFront+maxTail {
		return text
	}
	return text[:maxFront] + "\n" + text[len(text)-maxTail:]
}

// hits are the rules that a text matches.
type hits struct {
	first   [sections]int // rule of each section, -1 if none
	advised int           // of section said, in a sentence that only gives advice
	named   int           // of section said, in the name of an exception
	status  int           // the number in a wording, 0 if there is none
	pause   time.Duration
	vain    bool // said to be in vain to repeat
	part    bool // said to be done in part
	again   bool // said to be worth repeating
	effort  int  // steps
}

// scratch is memory that readings use again.
type scratch struct {
	tokens      []token
	hit, spared bitSet    // rules
	armed       [2]bitSet // wordings that may be in the sentence
	parts       []int     // of armed[0] that are not zero
}

func readWords(text string, s sign) Reading {
	t := rules()
	h := t.scan(text)
	if s.status == 0 {
		s.status = h.status
	}
	r := t.decide(text, h, s)
	if blaming(r.Code) {
		r.Field = fieldIn(text)
	}
	if h.pause > 0 && waits(r.Code) {
		r.RetryAfter = h.pause
	}
	r.Partial = h.part
	switch {
	case h.vain:
		r.Retryable = false
	case h.again && !r.Retryable && patient(r.Code):
		r.Retryable = true
	}
	return r
}

// scan finds the rules that match.
func (t *table) scan(text string) hits {
	b, ok := t.scratch.Get().(*scratch)
	if !ok {
		b = &scratch{
			hit: newBitSet(len(t.rules)), spared: newBitSet(len(t.rules)),
			armed: [2]bitSet{newBitSet(len(t.phrases)), newBitSet(len(t.phrases))},
		}
	}
	defer t.scratch.Put(b)
	b.tokens = t.tokens(b.tokens[:0], text)
	h := hits{advised: -1, named: -1}
	for i := range h.first {
		h.first[i] = -1
	}
	for sentence := range func(yield func([]token) bool) { sentences(b.tokens, yield) } {
		if frame(text[sentence[0].start:]) {
			continue
		}
		clear(b.hit)
		clear(b.spared)
		if t.try(text, sentence, b, &h) {
			t.collect(text, sentence, b, &h)
		}
	}
	return h
}

// frame reports a line of a stack trace, which says where and not what.
func frame(line string) bool {
	return strings.HasPrefix(line, "at ") && strings.ContainsAny(line[:min(len(line), 200)], "(:/") || strings.HasPrefix(line, `File "`)
}

const (
	maxSteps  = 400       // for one wording at one word
	maxEffort = 1_000_000 // for a text: some milliseconds, which no text of people needs
)

// try matches all wordings in a sentence.
func (t *table) try(text string, sentence []token, b *scratch, h *hits) (found bool) {
	b.parts = t.arm(sentence, &b.armed, b.parts)
	if len(b.parts) == 0 {
		return false
	}
	for at := range sentence {
		k := &sentence[at]
		if k.number >= 0 {
			found = t.tryFrom(text, sentence, at, t.starts[numberWord], b, h) || found
		}
		if k.env {
			found = t.tryFrom(text, sentence, at, t.starts[envWord], b, h) || found
		}
		if k.word != 0 {
			found = t.tryFrom(text, sentence, at, t.starts[k.word], b, h) || found
		}
	}
	return found
}

// arm finds the wordings whose demands the sentence meets, and the parts of the
// set in which they are.
func (t *table) arm(sentence []token, armed *[2]bitSet, parts []int) []int {
	for j := range armed {
		set, keys := armed[j], t.keys[j]
		copy(set, t.keyless[j])
		for i := range sentence {
			k := &sentence[i]
			set.add(keys[k.word])
			if k.number >= 0 {
				set.add(keys[numberWord])
			}
			if k.env {
				set.add(keys[envWord])
			}
		}
	}
	parts = parts[:0]
	for i, word := range armed[1] {
		if armed[0][i] &= word; armed[0][i] != 0 {
			parts = append(parts, i)
		}
	}
	return parts
}

// tryFrom tries those wordings of a set at a token that are armed.
func (t *table) tryFrom(text string, sentence []token, at int, set bitSet, b *scratch, h *hits) (found bool) {
	if set == nil {
		return false
	}
	for _, i := range b.parts {
		for word := set[i] & b.armed[0][i]; word != 0; word &= word - 1 {
			p := &t.phrases[i<<6+bits.TrailingZeros64(word)]
			steps := min(maxSteps, maxEffort-h.effort)
			h.effort += steps
			to := t.match(p.pc, sentence, at, &steps)
			if h.effort -= max(steps, 0); to < 0 {
				continue
			}
			found = true
			t.count(text, sentence, at, to, p, b, h)
		}
	}
	return found
}

// count notes a wording that was found.
func (t *table) count(text string, sentence []token, at, to int, p *wording, b *scratch, h *hits) {
	r := &t.rules[p.rule]
	switch {
	case p.spare:
		b.spared.set(p.rule)
	case r.status:
		if n := statusIn(sentence[at:to]); n != 0 && h.status == 0 {
			h.status = n
		}
	case p.rule >= t.bounds[inWait] && r.code == "" && !r.final && !r.again:
		if d := pause(text, sentence, to); d > h.pause {
			h.pause = d
		}
	default:
		b.hit.set(p.rule)
	}
}

func statusIn(list []token) int {
	for i := range list {
		if (&op{kind: stepStatus}).accepts(&list[i]) {
			return list[i].number
		}
	}
	return 0
}

// collect adds what a sentence matched to what those before it did.
func (t *table) collect(text string, sentence []token, b *scratch, h *hits) {
	for i := range b.hit {
		b.hit[i] &^= b.spared[i]
	}
	for section := range sections {
		n := b.hit.first(t.bounds[section], t.bounds[section+1])
		switch {
		case n < 0:
		case section == inWait:
			h.vain = h.vain || t.rules[n].final
			h.part = h.part || t.rules[n].part
			h.again = h.again || t.rules[n].again
		case section == inSaid && names(text, sentence):
			if h.named < 0 {
				h.named = n
			}
		case section == inSaid && t.advises(sentence):
			if h.advised < 0 {
				h.advised = n
			}
		case section == inSaid:
			if h.first[section] < 0 {
				h.first[section] = n // the first sentence says what happened
			}
		case h.first[section] < 0 || n < h.first[section]:
			h.first[section] = n
		}
	}
}

// decide weighs the sections against each other and against what else is known.
func (t *table) decide(text string, h hits, s sign) Reading {
	if h.first[inSaid] < 0 {
		h.first[inSaid] = h.advised
	}
	if h.first[inSaid] < 0 {
		h.first[inSaid] = h.named
	}
	for section := range inWait {
		if n := h.first[section]; n >= 0 && (section <= inSpecial || s.allows(t.rules[n].code)) {
			return reading(t.rules[n])
		}
		switch {
		case section == inSpecial:
			if code := sqlState(text); code != "" {
				return reading(rule{name: "sqlstate", code: code})
			}
		case section == inSaid && s.status != 0:
			return reading(rule{name: "status", code: byStatus(s.status)})
		case section == inSaid && s.rpc != 0 && (s.rpc != internalError || h.first[inHint] < 0):
			if code, ok := byCode[s.rpc]; ok {
				return reading(rule{name: "rpc", code: code})
			}
		}
	}
	return Reading{Code: recourse.UnknownError}
}

func reading(r rule) Reading {
	return Reading{
		Code:      r.code,
		Retryable: !r.final && (r.again || r.code == recourse.Timeout || (&recourse.Error{Code: r.code}).Retryable()),
		Reason:    r.name,
	}
}

// waits reports codes for which a text's time to wait is one.
func waits(c recourse.Code) bool {
	return c == recourse.QuotaExceeded || patient(c)
}

// patient reports codes of what passes by itself.
func patient(c recourse.Code) bool {
	switch c {
	case recourse.RateLimited, recourse.ServiceUnavailable, recourse.ResourceBusy, recourse.UpstreamError,
		recourse.BadUpstreamResponse, recourse.Timeout, recourse.Conflict, recourse.ResourceExhausted,
		recourse.InternalError, recourse.UnknownError, recourse.PreconditionFailed:
		return true
	}
	return false
}

// names reports that a sentence is the name of an exception.
func names(text string, sentence []token) bool {
	last := sentence[len(sentence)-1].end
	return last < len(text) && text[last] == ':' && className(text[:last])
}

// advises reports that a sentence only says what to do.
func (t *table) advises(sentence []token) bool {
	steps := maxSteps
	return t.match(t.advice, sentence, 0, &steps) >= 0
}
