package dump

import (
	"regexp"
	"slices"
	"strings"
)

// Forms that say where in so many words: the groups are at and what; name instead of
// at where it may be anything that has a colon after it.
var placeForms = []func() *regexp.Regexp{
	onFirstUse(`^at path: (?P<at>\S+) -- (?P<what>.+)$`),
	onFirstUse(`^(?:validating \S+: )*validating (?P<at>/\S*): (?P<what>.+)$`),
	onFirstUse(`^(?:validating \S+: )*validating (?P<at>root): (?P<what>.+)$`),
	onFirstUse(`^expected (?:the )?(?:argument |parameter |field |property |value |input |option )?["'` + "`" + `](?P<at>[^"'` + "`" + `]+)["'` + "`" + `] (?P<what>to (?:be|have|match) .+)$`),
	onFirstUse(`^(?:[^:]*: )?value '[^']*' at '(?P<at>[^']+)' failed to satisfy constraint: (?P<what>.+)$`),
	onFirstUse(`^(?:item|element|entry|value) (?:at index )?(?P<index>\d+) (?:in|of) (?:the )?(?:argument |parameter |field |list |array )?["'` + "`" + `]?(?P<at>[\w.]+)["'` + "`" + `]? (?P<what>(?:is|must|should|cannot)\b.+)$`),
	onFirstUse(`\bon field '(?P<at>[^']+)': rejected value .*? default message \[(?P<what>[^\]]+)\]`),
	onFirstUse(`^invalid value at '(?P<at>[^']+)' \((?P<what>type_\w+)\)`),
	onFirstUse(`^variable ["']\$(?P<at>\w+)["'] (?P<what>.+)$`),
	onFirstUse(`^at '(?P<at>[^']*)': (?P<what>.+)$`),
	onFirstUse(`^(?P<what>.+?)(?:,? or)? (?:→ )?at (?:path:? )?["'` + "`" + `]?(?P<at>[$/#]?[\w$./\[\]"'-]*[\w\])])["'` + "`" + `]?$`),
	onFirstUse(`^(?P<what>.+?) (?:-|–) at ` + "`" + `(?P<at>[^` + "`" + `]+)` + "`" + `$`),
	onFirstUse(`^(?P<what>.+?) @ data(?P<at>\[.+\])$`),
	onFirstUse(`^(?P<what>.+?)\.? Path: (?P<at>\$\S*) ?(?:\|.*)?$`),
	onFirstUse(`^(?P<what>.+?)\(through reference chain: [^\[]*(?P<at>\[.+\])\)?`),
	onFirstUse(`^The property '(?P<at>#/[^']*)' (?P<what>.+?)(?: in schema .*)?$`),
	onFirstUse(`^(?:value|string length|number|object|array size|object property|string) at ` + "`" + `(?P<at>/[^` + "`" + `]*)` + "`" + ` (?P<what>.+)$`),
	onFirstUse(`^(?P<what>.*into Go struct field [\w]*\.(?P<at>[\w.$-]+) of type \S+)`),
	onFirstUse(`^Key: '[\w]+\.(?P<at>[\w.\[\]]+)' Error:(?P<what>.+)$`),
	onFirstUse(`^(?P<at>(?-i:data|instance)|(?:data|instance|body|params|arguments|args|input)[./\[][^\s:]*|[/.][\w/~.$\[\]'"-]+) (?P<what>.+)$`),
	onFirstUse(`^(?P<at>): (?P<what>.+)$`),
	onFirstUse(`^(?:\S*error\S* )?(?P<at>[\w.]+)=(?P<what>(?:invalid|missing|required|unknown|out_of|too_|bad|unsupported)\w*\b.*)$`),
	onFirstUse(`\b(?:error|invalid|failed|failure|problem)\w* (?:at|in|for|on) (?:field |property |path |parameter |argument )?["'` + "`" + `]?(?P<name>[\w.$/\[\]]+)["'` + "`" + `]?: (?P<what>.+)$`),
	onFirstUse(`^too (?:many|few) (?P<name>\w+)(?::|,| -) (?P<what>.+)$`),
	onFirstUse(`^(?P<name>\(root\)|<root>|root|[A-Za-z_$@][\w$@-]*(?:\[[\w"']*\])*(?:[./][\w$@-]+(?:\[[\w"']*\])*)*|[$#/][^\s:]*|data\[[^\s:]+\]|\[\d+\]|["'` + "`" + `][^"'` + "`" + `\s]+["'` + "`" + `])(?:: | - | -> | → |\s*=> )(?P<what>.+)$`),
}

// classStep is what Jackson puts between the steps of a path.
var classStep = lazily(`->[\w.$]*`)

// placedIn reads a sentence that tells the place apart from what is wrong.
func (d *reader) placedIn(m string) (complaint, bool) {
	for _, form := range placeForms {
		p := form()
		found := p.FindStringSubmatch(m)
		if found == nil {
			continue
		}
		group, loose := "at", p.SubexpIndex("name") > 0
		if loose {
			group = "name"
		}
		at := found[p.SubexpIndex(group)]
		if n := p.SubexpIndex("index"); n > 0 {
			at += "[" + found[n] + "]"
		}
		if loose && !d.holds(splitPath(at)) && (keywordHead().MatchString(m) || errorName().MatchString(at) && errorHead().MatchString(m[:min(len(m), 300)])) {
			continue
		}
		if c, ok := d.about(placePath(at), strings.TrimSpace(found[p.SubexpIndex("what")]), loose); ok {
			return c, true
		}
	}
	return complaint{}, false
}

func placePath(at string) []string {
	path := splitPath(classStep().ReplaceAllString(at, ""))
	switch {
	case at == "data" || at == "instance":
		return nil
	case strings.HasPrefix(at, "/properties/") || strings.HasPrefix(at, "/items"):
		return schemaPath(path)
	}
	return path
}

// about reads what is said of a place. A loose place may be none.
func (d *reader) about(path []string, what string, loose bool) (c complaint, ok bool) {
	for w := range unheaded(what) {
		if c, ok = demandedOf(w); ok {
			break
		}
		what = w
	}
	if below, said, found := d.below(path, what); found && len(c.names) == 0 {
		path, c, ok = below, said, true
	}
	c.labels = strings.HasPrefix(what, "Input should")
	certain := !loose || d.vouched
	switch {
	case ok:
	case strings.HasPrefix(what, "Field validation for"):
		c = taggedFault(what)
	case loose && !d.holds(path), !certain, !strings.Contains(what, " "), otherTrouble().MatchString(what):
		return c, false
	default:
		c.rule = what
	}
	if !certain && !(len(c.names) > 0 && d.holds(path)) && !d.plausible(path, c, false) {
		return c, false
	}
	c.path, c.names, c.sure = path, namedApart(c.names, path), certain
	return c, true
}

var errorName = lazily(`(?i)error|exception|invalid|fail|fault|validation`)

// namedApart returns names, unless they only repeat the end of the path.
func namedApart(names, path []string) []string {
	if len(names) == 1 && len(path) > 0 && slices.Contains([]string{path[len(path)-1], strings.Join(path, ".")}, names[0]) {
		return nil
	}
	return names
}

// below reads a sentence about a member of what is at path, or about it once
// more.
func (d *reader) below(path []string, what string) ([]string, complaint, bool) {
	at, rest, _ := d.walk(d.unprefixed(path), complaint{})
	inner := &reader{args: at, vouched: d.vouched}
	again := false
	if len(path) > 0 {
		last := path[len(path)-1]
		again = strings.HasPrefix(fold(strings.Trim(what, "\"'`")), fold(last)) || strings.Contains(what, "`"+last+"`") || strings.Contains(what, `"`+last+`"`)
	}
	if again {
		inner = &reader{vouched: true}
	} else if len(rest) > 0 || kindOf(at) != "object" {
		return nil, complaint{}, false
	}
	c, ok := inner.subject(what)
	if !ok || c.rule != "" || len(c.path) != 1 || notArguments[strings.ToLower(c.path[0])] {
		return nil, complaint{}, false
	}
	if again && fold(c.path[0]) == fold(path[len(path)-1]) {
		return path, c, true
	}
	return append(slices.Clone(path), c.path[0]), c, !again
}

// holds reports whether the arguments have something at a path.
func (d *reader) holds(path []string) bool {
	path = d.unprefixed(path)
	if d.args == nil || len(path) == 0 {
		return false
	}
	_, rest, _ := d.walk(path, complaint{})
	return len(rest) == 0
}
