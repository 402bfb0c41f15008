package diagnose

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Tool is what of one is known here.
type Tool struct {
	Name     string
	ReadOnly bool // it is known to change nothing
}

// Check returns the tool, of the same server, that can tell whether a call of
// tool took effect, if a name fits: get_issue after update_issue.
//
// The wrong tool is worse than none: who looks in the wrong place finds nothing
// and does the work a second time. So the nouns of both names have to be the
// same, and the verb has to be one whose effect shows in the thing it names: a
// book_flight is not found by search_flights, nor an apply_coupon by get_coupon.
func Check(tool string, tools []Tool) (name string, ok bool) {
	names := make([][]string, len(tools))
	for i, t := range tools {
		names[i] = words(t.Name)
	}
	called := words(tool)
	skip := prefix(called, names)
	done := parse(called[skip:])
	known := slices.ContainsFunc(done.verbs, changes)
	if len(done.verbs) == 0 && len(done.nouns) > 0 {
		// An unknown word that stands first is most likely a verb.
		done.verbs, done.nouns = done.nouns[:1], done.nouns[1:]
	}
	done.nouns = slices.Concat(done.nouns, done.about)
	best := 0
	for i, t := range tools {
		if t.Name == tool || len(done.nouns) == 0 || !within(done.nouns, names[i]) {
			continue
		}
		if score := done.shownBy(parse(names[i][skip:]), t.ReadOnly, known); score > best {
			best, name = score, t.Name
		}
	}
	return name, best > 0
}

// What verbs say. Those in writes change the thing that the name goes on to
// name. Words that are often nouns count as verbs only where one is expected.
var (
	one    = set("get read fetch show describe retrieve view")
	many   = set("list find search query lookup")
	writes = set(`create insert update edit modify patch write delete remove replace rename upsert
		send upload append cancel archive unarchive publish unpublish deploy enable disable
		resume restart finalize approve reject complete reopen resolve lock unlock dismiss
		restore save terminate kill refund capture manage`)
	nounsToo = set(`add post put set make place register schedule start stop pause close move merge
		push drop store change transition import finish void pay`)

	// creates are the verbs after which the caller lacks the id that a get wants:
	// it was in the answer that did not come.
	creates = set("create insert add post send make place register schedule")
)

var (
	fillers      = set("a an the all my new one single multiple many bulk batch current text id")
	prepositions = set("to from for in into of on by with at as via using under")

	// facets end the name of a reader without changing what it reads.
	facets = set("info information detail details content contents data metadata status state list summary text body id")
)

func set(names string) map[string]bool {
	s := map[string]bool{}
	for name := range strings.FieldsSeq(names) {
		s[name] = true
	}
	return s
}

// A phrase is a tool's name, taken apart.
type phrase struct {
	verbs []string // create, update in create_or_update_file
	nouns []string
	about []string // what stands behind a preposition
}

// parse takes create_issue, issue_create and jira_create_issue apart.
func parse(words []string) phrase {
	var p phrase
	if i := slices.IndexFunc(words, func(w string) bool { return prepositions[w] }); i > 0 {
		p.about = slices.DeleteFunc(slices.Clone(words[i+1:]), func(w string) bool { return prepositions[w] || fillers[w] })
		words = words[:i]
	}
	p.nouns = make([]string, 0, len(words))
	for i, w := range words {
		if !fillers[w] || i == len(words)-1 {
			p.nouns = append(p.nouns, w)
		}
	}
	from := verbAt(p.nouns)
	if from < 0 {
		return p
	}
	to := from + 1
	for to+1 < len(p.nouns) && joins(p.nouns[to]) && verb(p.nouns[to+1]) {
		to += 2
	}
	p.verbs = slices.DeleteFunc(slices.Clone(p.nouns[from:to]), joins)
	p.nouns = slices.Delete(p.nouns, from, to)
	return p
}

// verbAt returns where the verb is: first, last, or behind a prefix; -1 if no
// word is known as one.
func verbAt(words []string) int {
	last := len(words) - 1
	if last < 0 || verb(words[0]) || !verb(words[last]) {
		return slices.IndexFunc(words, verb)
	}
	for last >= 2 && joins(words[last-1]) && verb(words[last-2]) {
		last -= 2
	}
	return last
}

func changes(w string) bool { return writes[w] || nounsToo[w] }
func looks(w string) bool   { return one[w] || many[w] }
func verb(w string) bool    { return changes(w) || looks(w) }
func joins(w string) bool   { return w == "or" || w == "and" }

// shownBy says how well a reader fits; 0: not at all, or it is no reader. After
// a verb whose effect is not known only a reader that repeats the verb will do.
func (p phrase) shownBy(reader phrase, readOnly, known bool) int {
	if !reader.reads(readOnly) {
		return 0
	}
	score := 0
	if rest := without(reader.nouns, p.verbs); 0 < len(rest) && len(rest) < len(reader.nouns) {
		reader.nouns = rest // list_sent_mail after send_mail
		score = 16
	} else if !known {
		return 0
	}
	plain := trim(reader.nouns)
	switch {
	case same(p.nouns, reader.nouns):
		score++
	case !same(p.nouns, plain) && !same(p.nouns, slices.Concat(reader.nouns, reader.about)) && !same(p.nouns, slices.Concat(plain, reader.about)):
		return 0
	}
	if readOnly {
		score += 8
	}
	return score + 2*reader.suits(p.verbs, plain[len(plain)-1])
}

// suits prefers a list for what was created and a single item for the rest, and
// a list to a search, whose index may be behind. It returns 1 to 3.
func (p phrase) suits(verbs []string, last string) int {
	made := !slices.ContainsFunc(verbs, func(w string) bool { return !creates[w] })
	var search, list bool
	if len(p.verbs) > 0 {
		list = p.verbs[0] == "list"
		search = many[p.verbs[0]] && !list
	}
	list = list || strings.HasSuffix(last, "s") && !strings.HasSuffix(last, "ss") && !strings.HasSuffix(last, "us")
	switch {
	case search && made, list && !search && !made:
		return 2
	case search, made && !list:
		return 1
	}
	return 3
}

// reads reports whether the phrase names a reader. A get_or_create is none, and
// neither is a create_report that claims to change nothing.
func (p phrase) reads(readOnly bool) bool {
	if slices.ContainsFunc(p.verbs, changes) {
		return false
	}
	hides := slices.ContainsFunc(slices.Concat(p.nouns, p.about), func(w string) bool { return writes[w] })
	return len(p.nouns) > 0 && (readOnly || len(p.verbs) > 0 && !hides)
}

// without drops the participles of verbs.
func without(nouns, verbs []string) []string {
	return slices.DeleteFunc(slices.Clone(nouns), func(w string) bool {
		return slices.ContainsFunc(verbs, func(verb string) bool {
			return w == verb+"d" || w == verb+"ed" || w == verb+verb[len(verb)-1:]+"ed" || w == "sent" && verb == "send"
		})
	})
}

func trim(nouns []string) []string {
	for len(nouns) > 1 && facets[nouns[len(nouns)-1]] {
		nouns = nouns[:len(nouns)-1]
	}
	return nouns
}

// same compares the nouns of two names as sets, singular and plural alike.
func same(a, b []string) bool { return within(a, b) && within(b, a) }

func within(a, b []string) bool {
	return !slices.ContainsFunc(a, func(w string) bool {
		return !slices.ContainsFunc(b, func(v string) bool { return stem(v) == stem(w) })
	})
}

// stem cuts what a plural may add: queries and query, statuses and status, boxes
// and box. Cutting too much does no harm, for both words lose it.
func stem(w string) string {
	s := strings.TrimRight(w, "es")
	if s == "" {
		return w
	}
	if y, ok := strings.CutSuffix(s, "y"); ok {
		return y + "i"
	}
	return s
}

// prefix returns how many words all names begin with, as in github_get_issue. A
// verb is no prefix. Where nothing but verbs would be left, as in note_create and
// note_list, it is the noun.
func prefix(called []string, names [][]string) int {
	n := len(called) - 1
	if i := slices.IndexFunc(called, verb); i >= 0 {
		n = min(n, i)
	}
	for _, name := range names {
		n = min(n, len(name)-1)
		for n > 0 && !slices.Equal(name[:n], called[:n]) {
			n--
		}
	}
	n = max(0, n)
	if !slices.ContainsFunc(names, func(name []string) bool { return len(parse(name[n:]).nouns) > 0 }) {
		return 0
	}
	return n
}

// words splits a name, whatever its style, into lower-case words.
func words(name string) []string {
	var words []string
	for part := range strings.FieldsFuncSeq(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		from, last := 0, '_'
		for i, r := range part {
			if i > 0 && unicode.IsUpper(r) && (!unicode.IsUpper(last) || startsLower(part[i+utf8.RuneLen(r):])) {
				words = append(words, strings.ToLower(part[from:i]))
				from = i
			}
			last = r
		}
		words = append(words, strings.ToLower(part[from:]))
	}
	return words
}

func startsLower(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLower(r)
}
