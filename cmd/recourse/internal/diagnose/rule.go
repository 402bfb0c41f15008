package diagnose

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/recourse-dev/recourse"
)

//go:embed rules.txt
var rulesText string

// A rule is what some phrases mean.
type rule struct {
	name   string
	code   recourse.Code
	final  bool // whatever the code's default, repeating the call is in vain
	again  bool // whatever the code's default, repeating it may help
	part   bool // a part of the call has been done: it is final as well
	status bool // the code is that of the status in the wording

	examples, others []string // texts that are of this code, and some that aren't
}

// A wording is one way to say what a rule means.
type wording struct {
	pc    int
	rule  int
	spare bool // where it stands, the rule doesn't count
}

// The sections of the table, in the order in which they count.
const (
	inCode    = iota // machine codes that say what no status does
	inSpecial        // words that say more than a status
	inName           // errnos, exceptions
	inSaid           // sentences
	inHint           // words that nothing better contradicts
	inWait           // how long to wait: the code is of no matter
	sections
)

var sectionNames = [sections]string{"code", "special", "name", "said", "hint", "wait"}

// A table is all rules, made ready for one pass over a text.
type table struct {
	words   vocabulary
	ops     []op
	rules   []rule
	phrases []wording
	bounds  [sections + 1]int // the rules of section i are those from bounds[i] on
	starts  []bitSet          // by word: the wordings that can begin with it
	keys    [2][]bitSet       // by word: the wordings that ask for it
	keyless [2]bitSet         // those that ask for none
	lets    map[string]choice // only while it is made, as are drafts
	drafts  []choice          // of phrases
	parser  phraseParser
	scratch sync.Pool // of *scratch
	advice  int       // the wording that a sentence which only gives advice begins with
}

// rules returns the table, which is compiled at first use.
var rules = sync.OnceValue(func() *table {
	t, err := parseRules(rulesText)
	if err != nil {
		panic(err) // a test reads it
	}
	return t
})

func parseRules(text string) (*table, error) {
	t := &table{words: make(vocabulary, 6<<10), ops: make([]op, 0, 32<<10), phrases: make([]wording, 0, 4<<10), lets: map[string]choice{}}
	t.parser.t = t
	for _, word := range []string{numberClass, envClass} {
		t.words.learn(word)
	}
	section := -1
	for i, line := range strings.Split(text, "\n") {
		key, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		value = strings.TrimSpace(value)
		var err error
		switch key {
		case "", "#":
		case "let":
			name, body, ok := strings.Cut(value, " = ")
			if !ok {
				err = fmt.Errorf("let without a body")
			}
			if err == nil {
				t.parser.rest = body
				t.lets[name], err = t.parser.choice()
			}
		case "section":
			next := slices.Index(sectionNames[:], value)
			if next != section+1 {
				err = fmt.Errorf("section %q is out of order", value)
			}
			section = next
			t.bounds[max(section, 0)] = len(t.rules)
		default:
			err = t.line(key, value)
		}
		if err != nil {
			return nil, fmt.Errorf("rules.txt:%d: %w", i+1, err)
		}
	}
	for section < sections {
		section++
		t.bounds[section] = len(t.rules)
	}
	advice, err := t.parse("^ {advice}")
	if err != nil {
		return nil, err
	}
	t.advice = t.emit(advice, t.step(op{kind: stepDone}))
	t.index()
	t.lets, t.drafts, t.parser = nil, nil, phraseParser{}
	return t, nil
}

func (t *table) line(key, value string) error {
	if key == "rule" {
		f := strings.Fields(value)
		r := rule{name: f[0]}
		for _, word := range f[1:] {
			switch word {
			case "final":
				r.final = true
			case "again":
				r.again = true
			case "partial":
				r.final, r.part = true, true
			case "STATUS":
				r.status = true
			default:
				r.code = recourse.Code(word)
			}
		}
		t.rules = append(t.rules, r)
		return nil
	}
	r := &t.rules[len(t.rules)-1]
	switch key {
	case "=", "!":
		list, err := t.parse(value)
		if err != nil {
			return err
		}
		pc := t.emit(list, t.step(op{kind: stepDone}))
		t.phrases = append(t.phrases, wording{pc: pc, rule: len(t.rules) - 1, spare: key == "!"})
		t.drafts = append(t.drafts, list)
	case "+":
		r.examples = append(r.examples, value)
	case "-":
		r.others = append(r.others, value)
	default:
		return fmt.Errorf("a line that starts with %q", key)
	}
	return nil
}
