package diagnose

import (
	"regexp"
	"strings"
	"sync"
)

// undress takes off what makes a line stand out: emphasis, quote marks, signs.
func undress(line string) string {
	line = strings.TrimLeft(line, " \t#*>_`'\"–—•❌✗✘✖×🚫⛔⚠❗❕‼🔴🛑💥😞😕🙁\ufe0f")
	line = strings.ReplaceAll(line, "*", "") // **Error:** …
	return strings.TrimRight(line, " \t*_`")
}

var leadIns = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^\W*(if|when|whenever|since|note( that|:)|although|whether|unless|once|because|emitted|returns?|throws?|raised|raises|see|example|tip|warning|caution|important|how|why|what)\b` +
		`|(?i)^\W*(page |cooking |recipe |meeting |release )?(lyrics|notes?|minutes|transcript|quote|headline|caption|excerpt|summary|title|subject|translation|definition|abstract|snippet|q|a|faq|changelog|runbook|troubleshooting|topic|label|comment( added)?|reminder( set)?|task|bug|ticket|pull request|pr|commit|fixed|closed|search|top \w+)\s*(#?\d+)?:` +
		`|^[^.:!?\n]{0,80}\?(\s|$)`)
})

// lined reports a first line that is no sentence of its own: a list's item, a
// heading with nothing under it, a comment, a condition or what leads to something.
func lined(first, rest string) bool {
	switch {
	case strings.HasPrefix(first, "- "), strings.HasPrefix(first, "* "), strings.HasPrefix(first, "+ "), strings.HasPrefix(first, "##"):
		return true
	case first[0] == '>' && rest != "" && rest[0] != '>': // a quotation, and what is said of it
		return true
	case first[0] == '#': // a heading has a blank line behind it
		return rest == "" || rest[0] != '\n' && rest[0] != '\r'
	case rest == "" && strings.HasSuffix(strings.TrimRight(first, "*_ "), ":"):
		return strings.Count(first, ":") == 1
	}
	return leadIns().MatchString(first)
}

// patterns of texts that are laid out: what is in them is data, whatever it says.
var layouts = sync.OnceValue(func() (p struct{ item, stamp, pair, aside, code, column, place *regexp.Regexp }) {
	p.item = regexp.MustCompile(`^\s*(https?://\S+$|[-*•+] |\d+[.)] |#{1,6} |\|)`)
	p.stamp = regexp.MustCompile(`^\W{0,2}(\d{4}-\d\d-\d\d|\d\d:\d\d|\d\d/\d\d|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) +\d|ERROR\b|WARN|INFO\b|LOG\b|DEBUG\b|FATAL\b|(?:error|warn|warning|info|debug|notice|log|fatal)\])`)
	p.pair = regexp.MustCompile(`^\s*[\w][\w -]{0,28}(: |:$|=|\t)`)
	p.aside = regexp.MustCompile(`(?i)^\s*(line \d*|hint|detail|details|context|query|code|status|status code|message|request id|request_id|reason|cause|caused by|error|errors|suggestion|tip|note|help|path|url|at|type|usage|try|see|field|statement|position|response|body|trace|trace id|timestamp|fatal|output|stderr|stdout|command|exit code|npm \w+|during|also|please|\w+error)\b`)
	p.code = regexp.MustCompile(`[;{]\s*$|^\s*[}\])]+[;,]?$|^\s*(import|from \w+ import|def|class|func|function|const|let|var|if|for|return|raise|throw|try|except|catch|export|public|private|@\w+)\b.*[:({;=]`)
	p.column = regexp.MustCompile(`\S(\t| {3,})\S+(\t| {3,})\S`)
	p.place = regexp.MustCompile(`^\s*[\w./@~-]+[\w~](:\d+(:\d+)?:|\(\d+(,\d+)?\):)`)
	return p
})

// isDump reports a text whose first line leads to JSON that goes on to the end, as
// JSON.stringify(error, null, 2) makes it.
func isDump(text string) bool {
	first, rest, _ := strings.Cut(text, "\n")
	first, rest = strings.TrimSpace(first), strings.TrimSpace(rest)
	return strings.HasSuffix(first, "{") && strings.HasSuffix(rest, "}") && strings.HasPrefix(rest, `"`) ||
		strings.HasSuffix(first, "[") && strings.HasSuffix(rest, "]") && strings.IndexAny(rest, "{\"") == 0
}

// laid reports a text that is a list, a log, a table, a record, code or more lines
// than an error takes.
func laid(text string) bool {
	if isDump(text) {
		return false
	}
	if line, rest, more := strings.Cut(text, "\n"); more && strings.Contains(rest, line) {
		return true // it comes again and again, as in a log
	}
	p := layouts()
	var lines, items, stamps, pairs, code, columns int
	first := true
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n ")
		if line == "" {
			continue
		}
		if lines++; lines > maxLines || strings.HasPrefix(line, "```") {
			return true
		}
		count := func(n *int, re *regexp.Regexp) {
			if re.MatchString(line) {
				*n++
			}
		}
		count(&items, p.item)
		count(&stamps, p.stamp)
		count(&columns, p.column)
		if !first {
			count(&code, p.code)
			count(&code, p.place) // what a compiler or grep finds
			if !p.aside.MatchString(line) {
				count(&pairs, p.pair)
			}
		} else if code == 0 && strings.HasSuffix(line, ";") {
			code++
		}
		first = false
	}
	return lines > 1 && (items > 1 && items*2 >= lines || stamps > 1 || pairs > 1) || code > 0 && !strings.Contains(text, "[\n") || columns > 0
}

var partly = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\bbut (here (is|are)|showing|returning|returned|using|used|fell back|falling back|continuing|still)\b|\b\d+ (of|out of) (the )?\d+\b|\b\d+/\d+\b.*(ok|passed|done|sent|rows)|✅|\bsuccessfully\b|` +
		`\b(the )?(rest|others?|remaining( \w+)?)( \d+)? (were|was|is|are) (imported|sent|saved|created|updated|copied|processed|uploaded|returned|kept|fine|ok)|` +
		`(^|[.;,] )(\d+|some|most|all other) [\w -]{0,30}\b(were |was )?(imported|sent|saved|created|updated|copied|processed|uploaded|returned|succeeded|passed|kept)\b`)
})

// partial reports a text that tells of success, too.
func partial(text string) bool {
	return partly().MatchString(text) && !strings.Contains(text, "not successfully")
}

var cleans = sync.OnceValue(func() *regexp.Regexp {
	const faults = `(errors?|fail(ed|s|ures?)?|exceptions?|problems?|issues?|warnings?|faults?|mistakes?|violations?|vulnerabilit(y|ies)|defects?|conflicts?)`
	return regexp.MustCompile(`(?i)^\W*(` + faults + `\b[^:=]{0,40}[:=–—-]\s*)?(0|no|zero)\s+([\w-]+ )?` + faults + `( (were |was )?(found|detected|reported|seen|occurred|raised|so far|in|on|at|for|since|remaining|left|to)\b[^:]*|\W*$|[,;.]\s.*)` +
		`|^\W*` + faults + `( \w+){0,2}\s*[:=–—-]\s*(0|none|zero|nil|n/a)(\W*$|[,.;|/)]\s|\s+\w+: \d)`)
})

// clean reports a first line that counts no errors.
func clean(first string) bool { return cleans().MatchString(first) }

// bygone reports a text that tells of what is over, or of a book or a film.
func bygone(text string) bool { return bygones().MatchString(text) }

var bygones = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(was|were|been|now|has|and) (since |then |later )?(been )?(fixed|repaired|corrected|resolved|renewed|resumed|recovered|restored)\b` +
		`|\b(was|were)\b[^.:]* in (19|20)\d\d\W*$|\bsee also\b|\b(twice|on (mon|tues|wednes|thurs|fri|satur|sun)days?|at first|went through|since then|last (week|month|night|year)|yesterday|\d+ times|officials|police|as (intended|expected|asked|requested))\b|\(closed\)` +
		`|[:(,—–-] ?(an? |the )?(\w+, )?(novel|book|film|movie|song|podcast|memoir|album|band|biography|documentary|thriller|musical|((true |untold )?(story|history|tale) (of|behind|about)))\b|\((19|20)\d\d\)|\b\d+ (pages|stars)\b|\d/(5|10)\b`)
})

var explaining = sync.OnceValue(func() (p struct{ says, status, here *regexp.Regexp }) {
	p.says = regexp.MustCompile(`(?i)\bthis (page|article|section|guide|chapter|document) (explains|describes|lists|covers|shows|tells)\b|\b\d{3,5}\b[^.\n]{0,40}\b(says|means|indicates|signals|stands for)\b|\bis what\b` +
		`|\b(raised|thrown|returned|sent|emitted|reported|shown) (when|if|by|while|whenever)\b|: (the|an?) (status|error|exception|code|message)s? (that|which|an?|sent|shown)\b|: (the|an?) ([\w-]+ ){0,3}(class|noun|term|word|mistake|interface|trait) (for|from|that|of)\b|^\w+: [\w:<>]+( \+ [\w:<>]+)+$`)
	p.status = regexp.MustCompile(`(?i)^\W*(http )?[45]\d\d [a-z -]+\n\r?\n`)
	p.here = regexp.MustCompile(`(?i)\b(requested|your?|please|request id|nginx|apache|cloudflare|url|detail|message|trace|this (server|page|resource))\b`)
	return p
})

// explains reports a text about an error that the text begins with: a page of a
// manual has a code as its heading, where a server goes on with what was asked of it.
func explains(text string) bool {
	p := explaining()
	return p.says.MatchString(text) || p.status.MatchString(text) && !p.here.MatchString(text)
}
