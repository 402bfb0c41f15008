package dump

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var (
	keywordHead = lazily(`^(?:type|enum|const|minimum|maximum|exclusiveMinimum|exclusiveMaximum|minLength|maxLength|pattern|multipleOf|minItems|maxItems|uniqueItems|anyOf|oneOf|not|required|dependentRequired): `)
	valueLead   = lazily(`^("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|-?\d[\d.eE+-]*|\[.*\]|\{.*\}|null|None|True|False|true|false) ((?:is|has|does|should|was|cannot)\b.*)$`)
	valueGo     = lazily(`^(.+?) (has type "\w+", want .*|does not equal any of.*|is (?:less|greater) than .*|contains \d+ Unicode.*|is not a multiple of.*|does not match regular expression.*)$`)
	serde       = lazily(`^invalid (type|value|length): (string|integer|floating point|boolean|null|sequence|map|character|unit|Option value)(?: (.+?))?, (expected .+?)(?: at line \d+ column \d+)?$`)
	variant     = lazily("^unknown variant `([^`]*)`")
	receivedEnd = onFirstUse(`\b(?:received|got|was|actual|found|given)(?: one)?:? (.+?)\.?$`)
)

var serdeKinds = map[string]string{"string": "string", "integer": "number", "floating point": "number", "boolean": "boolean", "null": "null", "unit": "null", "sequence": "array", "map": "object"}

// typeLimits are the limits of number types of which one is told instead of a limit.
var typeLimits = map[string]limit{
	"u8": {least: "0", most: "255", whole: true}, "i8": {least: "-128", most: "127", whole: true},
	"u16": {least: "0", most: "65535", whole: true}, "i16": {least: "-32768", most: "32767", whole: true},
	"u32": {least: "0", most: "4294967295", whole: true}, "i32": {least: "-2147483648", most: "2147483647", whole: true},
	"u64": {least: "0", whole: true}, "usize": {least: "0", whole: true},
}

// demandedOf is demanded for a message that may begin with the value, or end with
// it.
func demandedOf(m string) (c complaint, ok bool) {
	if found := serde().FindStringSubmatch(m); found != nil {
		if l, isNumber := typeLimits[strings.TrimPrefix(found[4], "expected ")]; isNumber && found[1] == "value" {
			c, ok = complaint{fault: argBeyond, limit: l}, true
		} else {
			c, ok = demandedForm(found[4])
		}
		c.sent, c.kind = strings.Trim(found[3], "`"), serdeKinds[found[2]]
		return c, ok
	}
	rest := withoutValue(m)
	if c, ok = demanded(rest); !ok {
		return c, false
	}
	lead := keywordHead().ReplaceAllString(m, "")
	switch v := variant().FindStringSubmatch(m); {
	case v != nil:
		c.sent = v[1]
	case strings.Contains(m, "cannot unmarshal "):
		_, got, _ := strings.Cut(m, "cannot unmarshal ")
		got, _, _ = strings.Cut(got, " ")
		c.kind = jsonKinds[got]
	case rest != lead:
		c.sent = strings.TrimSpace(strings.TrimSuffix(lead, rest))
	default:
		if found := receivedEnd().FindStringSubmatch(m); found != nil && c.fault != argMissing {
			if c.kind = jsonKinds[strings.ToLower(strings.Trim(found[1], "`\"'"))]; c.kind == "" {
				c.sent = found[1]
			}
		}
	}
	return c, true
}

var jsonKinds = map[string]string{"string": "string", "str": "string", "number": "number", "integer": "number", "int": "number", "float": "number", "boolean": "boolean", "bool": "boolean",
	"array": "array", "list": "array", "object": "object", "dict": "object", "null": "null", "none": "null"}

// withoutValue takes away the value that a message begins with.
func withoutValue(m string) string {
	if head := keywordHead().FindString(m); !strings.HasPrefix(m[len(head):], "got ") {
		m = m[len(head):]
	}
	if strings.Contains(m, "is a required") {
		return m
	}
	for _, p := range []*regexp.Regexp{valueLead(), valueGo()} {
		if found := p.FindStringSubmatch(m); found != nil {
			return found[2]
		}
	}
	return m
}

const leadWords = `(?:(?:the|a|an|your|each|every|required|optional|value (?:for|of)|values? (?:\([^)]*\) )?(?:for|of)|parameters?|arguments?|fields?|property|properties|query parameter|tool) )*`

var (
	// The subject of a sentence: what leads to it, its name, what follows it.
	subjectForm = onFirstUse(`^(` + leadWords + `)((?:(?:path|key|option|input|param|name) )?` + inQuotes + `|` + ident + `)(?: ["'][^"']*["'])?((?: (?:argument|parameter|field|property|value|param|input|option))?)(?: with value .+?)? ((?:is|are|was|were|must|should|shall|can|may|has|have|needs?|does|did|not|requires?|expects?|exceeds?|cannot|can't|contains?|fails?|too|field)\b.+)$`)
	invalidForm = onFirstUse(`^(?:invalid|bad|malformed|illegal|wrong|unsupported|incorrect|unacceptable)((?: (?:value|type|format|length|range|choice|data))?(?: (?:for|of|in|supplied for|provided for))?(?: the)?(?: (?:argument|parameter|field|property|param|input|option|query parameter))?) (` + inQuotes + `|` + ident + `)(?: (?:value|type|format|argument|parameter|field|provided|specified|given|passed))?(?: ?["'][^"']*["'])?(?:\s*(?::|,|\.|-|–|;|\()\s*(.*))?$`)
	modal       = onFirstUse(`^(?:must|should|shall|cannot|can't|may not|needs? to|has to|have to) (?:not )?(?:be|start|begin|end|contain|match|have|come|point|refer|fit|lie|differ|equal|include|use|only)\b`)
	refuted     = onFirstUse(`^(?:is|are|was) (?:not (?:a )?(?:valid|supported|allowed|accepted|recogni[sz]ed)|invalid|malformed|unsupported)\b`)
	strongNoun  = onFirstUse(`parameter|argument|field|propert|value|param|path|option|input`)
	elsewhere   = onFirstUse(`\b(?:config\w*|environment|env|response|header|cookie|settings?|install\w*|license|__init__|constructor|on type|in (?:the )?(?:table|schema|database))\b`)
)

// subject reads a sentence whose subject is an argument.
func (d *reader) subject(m string) (complaint, bool) {
	found := subjectForm().FindStringSubmatch(m)
	if found == nil {
		return d.invalid(m)
	}
	name, rest := found[2], found[4]
	if i := strings.IndexAny(name, "\"'`‘“"); i > 0 {
		name = name[i:] // path "x"
	}
	name = strings.Trim(name, "\"'`‘’“”")
	strong := strongNoun().MatchString(found[1]+found[3]) || strings.Contains(found[2], " ") || name != found[2] && !valueLead().MatchString(m)
	c, ok := demandedOf(rest)
	c.path = splitPath(name)
	holds := d.holds(c.path)
	switch {
	case !strong && !holds && !d.vouched && qualified().MatchString(m): // element 'save'
		ok = false
	case len(c.names) > 0 || !strong && !d.vouched && !holds && article().MatchString(found[1]): // a password is required
		ok = false
	case ok || !holds:
	case modal().MatchString(rest) && (strong || found[1] == "") && !otherTrouble().MatchString(rest) && !strings.Contains(rest, ". "):
		c.rule, ok = m, true
	default:
		ok = strong && refuted().MatchString(rest)
	}
	if ok && !elsewhere().MatchString(m) && d.plausible(c.path, c, strong) {
		c.sent, c.kind = "", ""
		return c, true
	}
	return d.invalid(m)
}

// invalid reads a sentence that calls an argument so.
func (d *reader) invalid(m string) (complaint, bool) {
	found := invalidForm().FindStringSubmatch(m)
	if found == nil {
		return complaint{}, false
	}
	name := strings.Trim(found[2], "\"'`‘’“”")
	strong := strongNoun().MatchString(found[1])
	c, ok := demandedOf(found[3])
	if !ok && d.holds(splitPath(name)) {
		at, _, _ := d.walk(d.unprefixed(splitPath(name)), complaint{})
		ok = spells(at, found[3]) // only the value is told
	}
	if !ok && (found[3] == "" || strong || d.vouched) && !otherTrouble().MatchString(m) {
		ok = true
		if strings.Count(found[3], " ") > 1 {
			c.rule = found[3]
		}
	}
	c.path, c.names, c.sent, c.kind = splitPath(name), nil, "", ""
	if len(c.path) == 0 || !ok || name == found[2] && !strong && notArguments[strings.ToLower(name)] && !d.holds(c.path) || !d.plausible(c.path, c, strong) {
		return complaint{}, false
	}
	return c, true
}

var qualified = lazily(`^[A-Za-z]+ ["'][^"']*["'] `)

var article = lazily(`(?i)^an? $`)

// notArguments are what is missing as often without being an argument.
var notArguments = set(`authentication authorization login auth it this that there what which credentials credential permission permissions approval confirmation
	payment subscription access license restart upgrade update action internet network connection captcha mfa consent verification user admin root sudo
	support help space memory server client feature plugin extension module package installation configuration session rebase merge reload
	arguments argument args parameters parameter params data input inputs body payload tool type format key field fields property option options
	git ffmpeg npm curl wget make gcc cargo kubectl brew pip browser chrome column row table relation constraint index entity object record class
	method function string number array list integer boolean date feedback details information something nothing everything anything one two more less all none some value file node python java docker request response result output error`)

var envName = lazily(`^[A-Z][A-Z0-9]*_[A-Z0-9_]*$`)

// plausible reports whether a name can be that of an argument in such a
// complaint. Strong is what is called one, or stands in quotes.
func (d *reader) plausible(path []string, c complaint, strong bool) bool {
	if len(path) == 0 || path[len(path)-1] == "" || envName().MatchString(path[0]) || strings.HasPrefix(path[0], "-") {
		return false
	}
	last := path[len(path)-1]
	named := strong || strings.ContainsAny(last, "_") || len(path) > 1 && d.args != nil || strings.ToLower(last[:1]) == last[:1] && strings.ToLower(last) != last
	if d.args == nil {
		return named || len(path) == 1 && c.fault == argMissing && !notArguments[strings.ToLower(last)]
	}
	at, rest, _ := d.walk(d.unprefixed(path), complaint{})
	switch {
	case len(rest) > 0:
		return c.fault == argMissing && len(rest) == 1 && (named || !notArguments[strings.ToLower(last)])
	case c.fault == argMissing:
		return hollowArg(at) || d.vouched
	}
	return true
}

// unplaced reads a sentence that names members, or quotes the value at fault.
func (d *reader) unplaced(m string) (complaint, bool) {
	c, ok := demandedOf(m)
	if ok && len(c.names) > 0 && !d.vouched {
		if elsewhere().MatchString(m) || slices.ContainsFunc(c.names, func(n string) bool {
			_, rest, _ := d.walk(splitPath(n), complaint{})
			if d.args != nil && c.fault == argUnknown && len(rest) > 0 && !d.hasKey(d.args, n, 0) {
				return true
			}
			return envName().MatchString(n) || c.fault == argMissing && notArguments[strings.ToLower(n)]
		}) {
			return c, false
		}
	}
	switch {
	case ok && len(c.names) > 0:
		if c.fault == argUnknown && d.args != nil {
			c.path, c.names = d.parentOf(c.names)
		}
		return c, true
	case ok && (c.sent != "" || c.kind != "") && d.args != nil && c.fault != argMissing:
		if path, found := d.locate(d.args, c); found {
			c.path = path
			return c, true
		}
	}
	if quoted, found := d.quoted(m); found {
		return quoted, true
	}
	return c, false
}

// vague reads a sentence that tells no place, if it is certain that it is about
// the arguments.
func (d *reader) vague(m string) (complaint, bool) {
	if !d.vouched {
		return complaint{}, false
	}
	c, ok := demandedOf(m)
	return c, ok && !c.union && c.fault != argMissing && len(c.names) == 0
}

// quoted reads a sentence that quotes a value of the arguments, and lists those
// that would do.
func (d *reader) quoted(m string) (c complaint, ok bool) {
	list := choiceLead().FindStringSubmatchIndex(m)
	if d.args == nil || list == nil {
		return c, false
	}
	choices, _ := choicesIn(m[list[2]:])
	if len(choices) < 2 {
		return c, false
	}
	before := m[:list[0]]
	for range 5 {
		i := strings.IndexAny(before, "\"'`")
		if i < 0 {
			return c, false
		}
		value, rest, closed := strings.Cut(before[i+1:], before[i:i+1])
		c = complaint{sent: value, choices: choices, want: oneOf(choices)}
		if path, found := d.locate(d.args, c); closed && value != "" && found {
			c.path, c.sent = path, ""
			return c, true
		}
		before = rest
	}
	return c, false
}

// hasKey reports whether a name is that of a member at any depth.
func (d *reader) hasKey(v any, name string, depth int) bool {
	_, ok := keyPath(v, name, depth)
	return ok
}

// parentOf returns the object that has the first of the names, if one has.
func (d *reader) parentOf(names []string) (path, left []string) {
	if o, ok := d.args.(map[string]any); ok && o[names[0]] == nil {
		if path, ok := keyPath(d.args, names[0], 0); ok {
			return path, names
		}
	}
	return nil, names
}

func keyPath(v any, name string, depth int) (path []string, ok bool) {
	if depth > maxDepth/4 {
		return nil, false
	}
	switch v := v.(type) {
	case map[string]any:
		if _, ok := v[name]; ok {
			return nil, true
		}
		for _, key := range sortedKeys(v) {
			if path, ok := keyPath(v[key], name, depth+1); ok {
				return append([]string{key}, path...), true
			}
		}
	case []any:
		for i, item := range v[:min(len(v), 50)] {
			if path, ok := keyPath(item, name, depth+1); ok {
				return append([]string{strconv.Itoa(i)}, path...), true
			}
		}
	case json.Number:
	}
	return nil, false
}
