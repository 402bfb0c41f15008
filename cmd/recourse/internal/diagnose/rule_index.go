package diagnose

import "strings"

// Classes of words have numbers in the vocabulary, too. No word of a text is
// written like that.
const (
	numberClass = "<n>"
	envClass    = "<env>"

	numberWord = 1
	envWord    = 2
)

// index lists the wordings by the words that they can begin with, and by two sets
// of words of which one each has to be in a sentence for a wording to be. The
// latter spares most of the work: many begin with "is", but few go on with what
// is there.
func (t *table) index() {
	common := t.common()
	n := len(t.words) + 1
	t.starts = make([]bitSet, n)
	for i := range t.keys {
		t.keys[i], t.keyless[i] = make([]bitSet, n), newBitSet(len(t.phrases))
	}
	put := func(to []bitSet, word int, i int) {
		if to[word] == nil {
			to[word] = newBitSet(len(t.phrases))
		}
		to[word].set(i)
	}
	for i, p := range t.phrases {
		t.firsts(p.pc, func(o *op) { o.words(func(w int) { put(t.starts, w, i) }) })
		for j, keys := range t.drafts[i].keys(common) {
			if keys == nil {
				t.keyless[j].set(i)
			}
			for _, w := range keys {
				put(t.keys[j], w, i)
			}
		}
	}
}

// words shows see the words that a step accepts.
func (o *op) words(see func(int)) {
	switch o.kind {
	case stepNumber, stepStatus:
		see(numberWord)
	case stepEnv:
		see(envWord)
	case stepWord:
		see(o.word)
	case stepSet:
		for i, bits := range o.set {
			for w := i << 6; bits != 0; w, bits = w+1, bits>>1 {
				if bits&1 != 0 {
					see(w)
				}
			}
		}
	}
}

// firsts shows see the steps that a wording can begin with.
func (t *table) firsts(pc int, see func(*op)) {
	switch o := &t.ops[pc]; o.kind {
	case stepFork:
		t.firsts(o.next, see)
		t.firsts(o.other, see)
	case stepStart, stepGuard:
		t.firsts(o.next, see)
	default:
		see(o)
	}
}

// commonWords are in so many sentences that they tell nothing of what may be
// there.
const commonWords = `a an the is are was were be been being has have had not no isnt to of for in on by with from at as and or but it its this
	that these those there you your we our i they their them can may must should will do does did any all one if so than then only more most
	error errors failed request requests code status s x y <n> cannot could unable use used using file name value user key type tool id server
	data list time message api service data call calls set get found`

func (t *table) common() map[int]bool {
	m := map[int]bool{}
	for w := range strings.FieldsSeq(commonWords) {
		m[t.words.learn(w)] = true
	}
	return m
}

// keys returns two sets of words, of each of which one is in every sentence that
// matches, and as seldom as possible in others. A set that is empty asks for
// nothing.
func (c choice) keys(common map[int]bool) (all [2][]int) {
	open := [2]bool{}
	for _, seq := range c {
		first, second := asked(seq, common)
		for i, k := range []demand{first, second} {
			all[i] = append(all[i], k.words...)
			open[i] = open[i] || k.words == nil
		}
	}
	for i := range all {
		if open[i] {
			all[i] = nil
		}
	}
	return all
}

// A demand is a set of words, one of which must be there, and how little it
// tells that one is.
type demand struct {
	words []int
	cost  int
}

// asked returns the two demands of a sequence that tell most.
func asked(seq []item, common map[int]bool) (first, second demand) {
	for _, it := range seq {
		var d demand
		switch {
		case it.choice != nil:
			d.words = it.choice.keys(common)[0]
		case it.words != nil:
			d.words = it.words
		case it.op.kind == stepWord:
			d.words = []int{it.op.word}
		case it.op.kind != stepAny && it.op.kind != stepGap && it.op.kind != stepStart && it.op.kind != stepEnd:
			it.op.words(func(w int) { d.words = append(d.words, w) })
		}
		if d.words == nil {
			continue
		}
		for _, w := range d.words {
			if d.cost++; common[w] {
				d.cost += 200
			}
		}
		switch {
		case first.words == nil || d.cost < first.cost:
			first, second = d, first
		case second.words == nil || d.cost < second.cost:
			second = d
		}
	}
	return first, second
}
