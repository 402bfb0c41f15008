package diagnose

import "math/bits"

// An op is one step of a wording.
type op struct {
	kind  uint8
	word  int // of stepWord
	set   wordSet
	next  int
	other int // of stepFork
	most  int // words in a gap
}

// The kinds of steps.
const (
	stepWord = iota
	stepSet
	stepAny
	stepNumber
	stepStatus // a number from 400 to 599
	stepEnv    // the last part of a name such as API_KEY
	stepGuard  // looks at the next word, and leaves it
	stepGap
	stepFork
	stepStart // of the sentence
	stepEnd
	stepDone
)

type wordSet []uint64

func (s wordSet) has(word int) bool {
	return word>>6 < len(s) && s[word>>6]>>(word&63)&1 != 0
}

// admits is has for the classes of words as well.
func (s wordSet) admits(k *token) bool {
	return s.has(k.word) || k.number >= 0 && s.has(numberWord) || k.env && s.has(envWord)
}

func (s *wordSet) add(word int) {
	if n := word>>6 + 1; n > len(*s) {
		*s = append(*s, make(wordSet, n-len(*s))...)
	}
	(*s)[word>>6] |= 1 << (word & 63)
}

// match tries a wording at a token of a sentence and returns where it ends, or -1.
// Steps bounds how often it may turn back.
func (t *table) match(pc int, sentence []token, at int, steps *int) int {
	for *steps > 0 {
		*steps--
		o := &t.ops[pc]
		switch o.kind {
		case stepDone:
			return at
		case stepStart:
			if at != 0 {
				return -1
			}
			pc = o.next
			continue
		case stepEnd:
			if at != len(sentence) {
				return -1
			}
			pc = o.next
			continue
		case stepFork:
			if to := t.match(o.next, sentence, at, steps); to >= 0 {
				return to
			}
			pc = o.other
			continue
		case stepGuard:
			if at == len(sentence) || !o.set.admits(&sentence[at]) {
				return -1
			}
			pc = o.next
			continue
		case stepGap:
			for n := 0; n <= o.most && at+n <= len(sentence); n++ {
				if to := t.match(o.next, sentence, at+n, steps); to >= 0 {
					return to
				}
			}
			return -1
		}
		if at == len(sentence) || !o.accepts(&sentence[at]) {
			return -1
		}
		at++
		pc = o.next
	}
	return -1
}

func (o *op) accepts(k *token) bool {
	switch o.kind {
	case stepWord:
		return k.word == o.word
	case stepSet:
		return o.set.has(k.word)
	case stepNumber:
		return k.number >= 0
	case stepEnv:
		return k.env
	case stepStatus:
		return 400 <= k.number && k.number < 600 && k.end-k.start == 3
	}
	return true
}

// A bitSet has a bit for each rule, or each wording.
type bitSet []uint64

func newBitSet(n int) bitSet { return make(bitSet, n>>6+1) }

func (s bitSet) set(i int) { s[i>>6] |= 1 << (i & 63) }

// first returns the first bit from one up to another that is set, or -1.
func (s bitSet) first(from, to int) int {
	for i := from >> 6; i<<6 < to; i++ {
		w := s[i]
		if i == from>>6 {
			w &= ^uint64(0) << (from & 63)
		}
		if w != 0 {
			if n := i<<6 + bits.TrailingZeros64(w); n < to {
				return n
			}
			return -1
		}
	}
	return -1
}

// add sets the bits that are in other, which may be nil.
func (s bitSet) add(other bitSet) {
	for i, w := range other {
		s[i] |= w
	}
}
