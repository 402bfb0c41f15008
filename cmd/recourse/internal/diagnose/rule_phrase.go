package diagnose

import (
	"fmt"
	"slices"
	"strings"
)

// parse reads a wording.
//
// A wording is words that follow one another in a sentence. (a|b c) is a choice,
// in which nothing is allowed too: (a|). {name} stands for what a let says,
// ~ behind a word for its other forms (exceed~: exceeds, exceeded, exceeding),
// <n> for a number, <status> for one from 400 to 599, <env> for
// the last part of a name such as API_KEY, _ for any one word, .. for
// up to five of them and ... for up to twelve, ^ and $ for the sentence's ends.
func (t *table) parse(source string) (choice, error) {
	p := &t.parser
	p.rest, p.items, p.alone = source, p.items[:0], p.alone[:0]
	list, err := p.choice()
	if err == nil && p.rest != "" {
		err = fmt.Errorf("%q is left over", p.rest)
	}
	list = list.lead()
	if err == nil && list.open() {
		err = fmt.Errorf("a wording must begin with a word: %s", source)
	}
	return list, err
}

// open reports that a choice may begin with anything.
func (c choice) open() bool {
	for _, seq := range c {
		if len(seq) == 0 || seq[0].choice != nil && seq[0].choice.open() {
			return true
		}
		if k := seq[0].op.kind; seq[0].choice == nil && (k == stepAny || k == stepGap || k == stepEnd) {
			return true
		}
	}
	return false
}

func (t *table) step(o op) int {
	t.ops = append(t.ops, o)
	return len(t.ops) - 1
}

// A choice is one of several sequences.
type choice [][]item

// An item is a part of a sequence: a step, a choice of words or any choice.
type item struct {
	op     op
	words  []int
	choice choice
}

// lead takes off any word that a choice may begin with. A wording can begin
// anywhere, so that it asks for nothing there.
func (c choice) lead() (out choice) {
	for _, seq := range c {
		for len(seq) > 0 && seq[0].choice == nil && seq[0].op.kind == stepAny {
			seq = seq[1:]
		}
		if len(seq) == 0 || seq[0].choice == nil {
			out = append(out, seq)
			continue
		}
		first := seq[0].choice.lead()
		if slices.ContainsFunc(first, func(s []item) bool { return len(s) == 0 }) {
			out = append(out, choice{seq[1:]}.lead()...)
			first = slices.DeleteFunc(first, func(s []item) bool { return len(s) == 0 })
		}
		if len(first) > 0 {
			out = append(out, append([]item{{choice: first}}, seq[1:]...))
		}
	}
	return out
}

type phraseParser struct {
	t     *table
	rest  string
	cut   []token
	items []item // of the sequences that are open
	alone []int  // words that stand alone in the choices that are open
}

func (p *phraseParser) choice() (choice, error) {
	var list choice
	items, alone := len(p.items), len(p.alone)
	for {
		p.rest = strings.TrimLeft(p.rest, " ")
		if len(p.items) == items && p.word() {
			continue
		}
		over := p.rest == "" || p.rest[0] == ')'
		if !over && p.rest[0] != '|' {
			if err := p.item(); err != nil {
				return nil, err
			}
			continue
		}
		switch seq := p.items[items:]; {
		case len(seq) == 1 && seq[0].op.kind == stepWord && seq[0].choice == nil:
			p.alone = append(p.alone, seq[0].op.word)
		case len(seq) == 1 && seq[0].words != nil:
			p.alone = append(p.alone, seq[0].words...)
		default:
			list = append(list, slices.Clone(seq))
		}
		p.items = p.items[:items]
		if over {
			break
		}
		p.rest = p.rest[1:]
	}
	words := slices.Clone(p.alone[alone:])
	p.alone = p.alone[:alone]
	switch len(words) {
	case 0:
		return list, nil
	case 1:
		return append(list, []item{{op: op{kind: stepWord, word: words[0]}}}), nil
	}
	return append(list, []item{{op: op{kind: stepSet}, words: words}}), nil
}

// word takes a word in small ASCII letters that is all of an alternative, as most
// are, and the bar behind it.
func (p *phraseParser) word() bool {
	n := 0
	for n < len(p.rest) && p.rest[n] < 0x80 && classes[p.rest[n]] == small {
		n++
	}
	if n == 0 || n == len(p.rest) || p.rest[n] != '|' {
		return false
	}
	p.alone = append(p.alone, p.t.words.learn(p.rest[:n]))
	p.rest = p.rest[n+1:]
	return true
}

// item reads one and puts it behind those of the sequence that is open.
func (p *phraseParser) item() error {
	if p.rest[0] == '(' {
		p.rest = p.rest[1:]
		inner, err := p.choice()
		if err == nil && !strings.HasPrefix(p.rest, ")") {
			err = fmt.Errorf("( without )")
		}
		p.rest = strings.TrimPrefix(p.rest, ")")
		p.items = append(p.items, item{choice: inner})
		return err
	}
	n := strings.IndexAny(p.rest, " ()|")
	if n < 0 {
		n = len(p.rest)
	}
	word := p.rest[:n]
	p.rest = p.rest[n:]
	if o, ok := signs[word]; ok {
		p.items = append(p.items, item{op: o})
		return nil
	}
	if word == "~" {
		return fmt.Errorf("~ without a word")
	}
	if word[0] == '{' {
		list, ok := p.t.lets[strings.Trim(word, "{}")]
		if !ok {
			return fmt.Errorf("unknown %s", word)
		}
		p.items = append(p.items, item{choice: list})
		return nil
	}
	p.words(word)
	return nil
}

// signs are the steps that have one in a wording.
var signs = map[string]op{
	"..":       {kind: stepGap, most: 5},
	"...":      {kind: stepGap, most: 12},
	"_":        {kind: stepAny},
	"<n>":      {kind: stepNumber},
	"<status>": {kind: stepStatus},
	"<env>":    {kind: stepEnv},
	"^":        {kind: stepStart},
	"$":        {kind: stepEnd},
}

// words cuts what is written as one word as a text would be cut.
func (p *phraseParser) words(word string) {
	if stem, ok := strings.CutSuffix(word, "~"); ok {
		forms := make([]int, 0, 4)
		for _, w := range inflect(stem) {
			forms = append(forms, p.t.words.learn(w))
		}
		p.items = append(p.items, item{op: op{kind: stepSet}, words: forms})
		return
	}
	p.cut = p.t.tokens(p.cut[:0], word)
	for _, k := range p.cut {
		p.items = append(p.items, item{op: op{kind: stepWord, word: p.t.words.learn(lowered(word[k.start:k.end]))}})
	}
}

func lowered(word string) string {
	return strings.ReplaceAll(strings.ReplaceAll(strings.ToLower(word), "'", ""), curly, "")
}

// inflect returns the regular forms of a verb or noun.
func inflect(w string) []string {
	stem, last := w[:len(w)-1], w[len(w)-1]
	sibilant := last == 's' || last == 'x' || strings.HasSuffix(w, "ch") || strings.HasSuffix(w, "sh")
	switch {
	case last == 'e':
		return []string{w, w + "s", w + "d", stem + "ing"}
	case last == 'y' && !strings.ContainsAny(w[len(w)-2:len(w)-1], "aeou"):
		return []string{w, stem + "ies", stem + "ied", w + "ing"}
	case sibilant:
		return []string{w, w + "es", w + "ed", w + "ing"}
	}
	return []string{w, w + "s", w + "ed", w + "ing"}
}

// emit makes the steps of a choice that go on at next. Words that could each
// stand alone become one step.
func (t *table) emit(list choice, next int) int {
	var set wordSet
	var rest choice
	t.flat(list, &rest, &set)
	pc := int(-1)
	fork := func(to int) {
		if pc >= 0 {
			to = t.step(op{kind: stepFork, next: to, other: pc})
		}
		pc = to
	}
	for _, seq := range slices.Backward(rest) {
		fork(t.sequence(seq, next))
	}
	if set != nil {
		fork(t.step(op{kind: stepSet, set: set, next: next}))
	}
	if len(rest) > 2 {
		return t.guard(pc)
	}
	return pc
}

// guard puts a step before a choice that looks whether any of it can follow, if
// it asks for a word at all.
func (t *table) guard(pc int) int {
	var set wordSet
	anything := false
	t.firsts(pc, func(o *op) {
		switch o.kind {
		case stepAny, stepGap, stepDone, stepEnd:
			anything = true
		default:
			o.words(set.add)
		}
	})
	if anything {
		return pc
	}
	return t.step(op{kind: stepGuard, set: set, next: pc})
}

// flat takes choices that stand alone in a choice apart, and puts words that do
// into a set.
func (t *table) flat(list choice, rest *choice, set *wordSet) {
	for _, seq := range list {
		switch {
		case len(seq) == 1 && seq[0].choice != nil:
			t.flat(seq[0].choice, rest, set)
		case len(seq) == 1 && seq[0].words != nil:
			for _, w := range seq[0].words {
				set.add(w)
			}
		case len(list) > 1 && len(seq) == 1 && seq[0].op.kind == stepWord:
			set.add(seq[0].op.word)
		default:
			*rest = append(*rest, seq)
		}
	}
}

func (t *table) sequence(seq []item, next int) int {
	for _, it := range slices.Backward(seq) {
		if it.choice != nil || it.words != nil {
			next = t.emit(choice{{it}}, next)
			continue
		}
		o := it.op
		o.next = next
		next = t.step(o)
	}
	return next
}
