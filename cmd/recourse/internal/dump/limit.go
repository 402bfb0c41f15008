package dump

import (
	"cmp"
	"regexp"
	"strings"
)

// A limit is the least and the most that a value may be, as it is written; ""
// if there is none.
type limit struct {
	least, most string
	over, under bool   // the limit itself is too little, or too much
	of          string // what is counted: "character", "item", "field", "size" if that isn't said, "" for a number
	whole       bool   // of a number
}

const digitsWord = "[\"'`]?" + `(-?\d[\d,_]*(?:\.\d+)?(?:[eE][+-]?\d+)?)(?:/1\b)?`

var (
	betweenWord = onFirstUse(`\b(?:between|(?:in|within)(?: the)? range(?: of)?|range(?: is| of)?:?|from)\s+[\[(]?` + digitsWord + "[\"'`]?" + `\s*(?:and|to|-|–|\.\.\.?|,)\s*` + digitsWord)
	gotWant     = onFirstUse(`\b(exclusive)?(min|max)\w*: got [^,]+, want ` + digitsWord)
	compared    = onFirstUse(`(>=|=>|≥|<=|=<|≤|>|<|=|\bat least|\bat most|\bno(?:t)? (?:less|fewer|shorter|smaller|lower|earlier) than|\bno(?:t)? (?:more|greater|longer|larger|bigger|higher|later) than|\bup to` +
		`|\b(?:min|minimum|minlength|minvalue)(?: allowed| string)?(?: length| value| size| number)?(?: of)?(?: is| are| of|:)?|\b(?:max|maximum|maxlength|maxvalue)(?: allowed| string)?(?: length| value| size| number)?(?: of)?(?: is| are| of|:)?` +
		`|\bexceeds?(?: the)?(?: maximum| limit| max| allowed)*(?: length| value| size)?(?: of)?` +
		`|\b(?:greater|bigger|larger|more|higher|longer|less|smaller|fewer|lower|shorter)(?: than)?(?:,? or equals?(?: to)?)?(?: to)?|\bexactly(?: equal to)?|\bover|\bunder)\s*(?:the |a )?(?:(?:length|size|value) (?:of )?)?` + digitsWord)
	countOf = onFirstUse(digitsWord + "[\"'`]?" + `(?: \w+)? (?:is|are) the (?:(most|maximum|max|limit|largest|longest)|(?:least|minimum|min|smallest|shortest))\b`)
	orMore  = onFirstUse(digitsWord + `(?: \w+)? or (?:(fewer|less|lower|smaller|shorter)|(?:more|greater|higher|larger|longer))\b`)
	demands = onFirstUse(`\b(?:must|should|shall|may|can|cannot|can't|needs?|has to|have to|expected|ensure|to be|to have|want)\b`)
	states  = onFirstUse(`\b(?:is|are|was|has|contains?|given)\b`)
	negates = onFirstUse(`\b(?:not|cannot|can't|never|no)\b`)

	unitText = onFirstUse(`\b(?:character|char|letter|string|str\b|code point|text|longer|shorter|maxlength|minlength)`)
	unitList = onFirstUse(`\b(?:item|element|entr(?:y|ies)|array|list|minitems|maxitems|values? in)`)
	unitAny  = onFirstUse(`\b(?:length|size|long|count)\b`)
	unitMap  = onFirstUse(`\b(?:propert(?:y|ies)|keys)\b`)

	signedOnly = onFirstUse(`\bbe (?:a )?(positive|non-negative|negative)\.?$`)
	notEmpty   = onFirstUse(`\bnon-?empty\b|\bnot be empty|\bmust have at least one\b|\bat least one (?:item|element|character)`)
	tooMuch    = onFirstUse(`\b(?:is |was )?too (?:long|large|big|many|high)\b|\bis longer than\b|^shorter`)
	tooLittle  = onFirstUse(`\b(?:is |was )?too (?:short|small|few|low)\b`)
	outside    = onFirstUse(`\b(?:is |are |value )?out of (?:the )?(?:range|bounds)\b|\bnot (?:with)?in (?:the )?(?:valid |allowed |permitted )?range\b|\bis expected to be empty\b|on the '(?:min|max|gte?|lte?|len)' tag`)
)

// demandedLimit reads how much or how many a value may be.
func demandedLimit(m string) (complaint, bool) {
	l := limit{of: unitOf(m), whole: strings.Contains(strings.ToLower(m), "integer")}
	switch between := betweenWord().FindStringSubmatch(m); {
	case between != nil:
		l.least, l.most = plainNumber(between[1]), plainNumber(between[2])
	case choiceLead().MatchString(m): // the numbers are among the choices
		return complaint{}, false
	case !l.compare(m):
		return demandedSize(m)
	}
	return complaint{fault: argBeyond, limit: l}, true
}

// demandedSize reads what tells no number.
func demandedSize(m string) (complaint, bool) {
	l := limit{of: cmp.Or(unitOf(m), "size")}
	if found := signedOnly().FindStringSubmatch(m); found != nil {
		_, l = signed(found[1] + " ")
		return complaint{fault: argBeyond, limit: l}, true
	}
	switch {
	case notEmpty().MatchString(m):
		l.least = "1"
		return complaint{fault: argBeyond, limit: l}, true
	case tooLittle().MatchString(m):
		return complaint{fault: argBeyond, want: "more"}, true
	case tooMuch().MatchString(m):
		return complaint{fault: argBeyond, want: "less"}, true
	case outside().MatchString(m):
		return complaint{fault: argBeyond, want: "within its range"}, true
	}
	return complaint{}, false
}

// compare reads comparisons. What is said to be less than a limit must be at
// least it; what must be less must be less.
func (l *limit) compare(m string) bool {
	m = strings.NewReplacer(" zero", " 0", " one character", " 1 character", " one item", " 1 item").Replace(m)
	if found := gotWant().FindStringSubmatch(m); found != nil {
		n, open := plainNumber(found[3]), found[1] != ""
		if strings.EqualFold(found[2], "min") {
			l.least, l.over = n, open
		} else {
			l.most, l.under = n, open
		}
		return true
	}
	for _, p := range []func() *regexp.Regexp{countOf, orMore} {
		if found := p().FindStringSubmatch(m); found != nil {
			if found[2] != "" {
				l.most = plainNumber(found[1])
			} else {
				l.least = plainNumber(found[1])
			}
			return true
		}
	}
	all := compared().FindAllStringSubmatchIndex(m, 4)
	told := 0
	for _, at := range all {
		word, n := strings.ToLower(strings.TrimSpace(m[at[2]:at[3]])), plainNumber(m[at[4]:at[5]])
		before := m[max(told, at[0]-60):at[0]]
		told = at[1]
		if word == "=" && !demands().MatchString(before) {
			continue
		}
		l.apply(word, n, before)
	}
	return l.least != "" || l.most != ""
}

func (l *limit) apply(word, n, before string) {
	negated := negates().MatchString(before) && !strings.HasPrefix(word, "m") && !strings.HasPrefix(word, "no")
	stated := states().MatchString(before) && !demands().MatchString(before)
	up, open := true, false // which end the word is about, and whether the end itself is out
	switch {
	case word == ">=" || word == "=>" || word == "≥" || word == "at least" || isAny(word, "no less", "no fewer", "no short", "no small", "no low", "no earl", "not less", "not fewer", "not short", "not small", "not low", "not earl", "min"):
		negated, stated = false, false
	case word == "<=" || word == "=<" || word == "≤" || word == "at most" || word == "up to" || isAny(word, "no ", "not ", "max", "exceed"):
		up, negated, stated = false, false, false
	case word == "=" || strings.HasPrefix(word, "exactly"):
		l.least, l.most = n, n
		return
	case isAny(word, ">", "greater", "bigger", "larger", "more", "higher", "longer", "over"):
		open = !strings.Contains(word, "equal")
	default:
		up, open = false, !strings.Contains(word, "equal")
	}
	if negated || stated {
		up, open = !up, !open
	}
	if up {
		l.least, l.over = n, open
	} else {
		l.most, l.under = n, open
	}
}

func isAny(word string, leads ...string) bool {
	for _, lead := range leads {
		if strings.HasPrefix(word, lead) {
			return true
		}
	}
	return false
}

func unitOf(m string) string {
	for _, u := range []struct {
		is  func() *regexp.Regexp
		one string
	}{{unitList, "item"}, {unitText, "character"}, {unitMap, "field"}, {unitAny, "size"}} {
		if u.is().MatchString(m) {
			return u.one
		}
	}
	return ""
}

// plainNumber writes 60.000000 and 1,000 as people do.
func plainNumber(n string) string {
	n = strings.NewReplacer(",", "", "_", "").Replace(n)
	if strings.Contains(n, ".") && !strings.ContainsAny(n, "eE") {
		n = strings.TrimSuffix(strings.TrimRight(n, "0"), ".")
	}
	return clipped(n, maxWord)
}

// join returns both limits.
func (l limit) join(other limit) limit {
	if l.least == "" {
		l.least, l.over = other.least, other.over
	}
	if l.most == "" {
		l.most, l.under = other.most, other.under
	}
	l.of, l.whole = cmp.Or(l.of, other.of), l.whole || other.whole
	return l
}

func (l limit) set() bool { return l.least != "" || l.most != "" }

// noun says it in package schema's words: "a number between 1 and 60".
func (l limit) noun(value any) string {
	switch of := l.of; {
	case of == "" || of == "size" && isNumberValue(value):
		return l.number()
	case of == "size":
		if _, ok := value.([]any); ok {
			return "a list of " + l.count("item")
		}
		return "a text of " + l.count("character")
	case of == "item":
		return "a list of " + l.count("item")
	case of == "field":
		return "an object with " + l.count("field")
	}
	return "a text of " + l.count("character")
}

// ends are the words before the lower and the upper end.
func (l limit) ends() (low, high string) {
	low, high = "at least ", "at most "
	if l.over {
		low = "more than "
	}
	if l.under {
		high = "less than "
	}
	return low, high
}

func (l limit) number() string {
	words := "a number"
	if l.whole {
		words = "a whole number"
	}
	low, high := l.ends()
	switch {
	case l.least == l.most:
		return words + " of exactly " + l.least
	case l.most == "":
		return words + " of " + low + l.least
	case l.least == "":
		return words + " of " + high + l.most
	case !l.over && !l.under:
		return words + " between " + l.least + " and " + l.most
	}
	return words + " " + low + l.least + " and " + high + l.most
}

func (l limit) count(what string) string {
	several := func(n string) string {
		if n == "1" {
			return "1 " + what
		}
		return n + " " + what + "s"
	}
	low, high := l.ends()
	switch {
	case l.least == l.most:
		return "exactly " + several(l.least)
	case l.most == "":
		return low + several(l.least)
	case l.least == "" || l.least == "0":
		return high + several(l.most)
	}
	return l.least + " to " + several(l.most)
}
