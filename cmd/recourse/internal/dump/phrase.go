package dump

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// onFirstUse is lazily for a pattern without case.
func onFirstUse(pattern string) func() *regexp.Regexp { return lazily("(?i)" + pattern) }

// lazily compiles an expression when it is needed: most sessions never see a dump.
func lazily(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// The parts that phrases are made of.
const (
	argNoun  = `(?:propert(?:y|ies)|fields?|parameters?|params?|arguments?|args?|keys?|options?|inputs?|attributes?|members?|keywords?)(?:\(s\))?`
	inQuotes = "[\"'`‘“][^\"'`’”\n]+[\"'`’”]"
	quoteds  = inQuotes + `(?:(?:, and |, or | and | or |, ?|\s*\|\s*|,? )` + inQuotes + `)*`
	ident    = `:?[A-Za-z_$@][\w$@.\-\[\]]*`
	idents   = ident + `(?:(?:, and |, or | and | or |, ?)` + ident + `)*`
)

// Phrases that name what is missing. The first group has the names.
var lacks = []func() *regexp.Regexp{
	onFirstUse(`\b(?:missing|requires?|required|must (?:have|contain|include)|(?:did|does) not contain)\b[^"'` + "`" + `\[{]*?\b` + argNoun + `\b[^"'` + "`" + `\[{:]*?:?\s*[\[{(]?\s*(` + quoteds + `)`),
	onFirstUse(`\bmust contain \[(` + quoteds + `)\] properties`),
	onFirstUse(`\b(?:missing|requires?|required) (?:the |required |a |value for )*(` + inQuotes + `) (?:` + argNoun + `|value)\b`),
	onFirstUse(`^(` + inQuotes + `) is a (?:required|mandatory|dependency)\b.*`),
	onFirstUse(`^missing (?:required )?(?:value )?(?:for )?(` + quoteds + `)\.?$`),
	onFirstUse(`\b(?:missing|no value (?:given |provided |set )?for|requires?|required|must (?:provide|specify|supply|include))(?: the| a| an| any| value| for| required| mandatory| following| all| these| input)* ` + argNoun + `(?: (?:is|are|was|were) (?:missing|required|not provided))?(?: \([^)]*\))?\s*(?::|-|–|named|called)\s*\[?(` + idents + `)\]?(?:[.;(].*| \(.*)?$`),
	onFirstUse(`\b(?:must|should|need to|have to|please)(?: also)? (?:provide|specify|supply|include|pass|give)(?: an?| the| at least one| your)?(?: valid| non-empty)?(?: values? for(?: the)?)?(?: ` + argNoun + `)? (` + quoteds + `)`),
	onFirstUse(`^(` + quoteds + `|` + ident + `(?:, ` + ident + `)*,? and ` + ident + `) are (?:both |all )?(?:required|missing|mandatory)\b`),
	onFirstUse(`\b(?:properties|fields|parameters|arguments) \((` + idents + `)\) are missing`),
	onFirstUse(`^(?:no|without a) (` + inQuotes + `|` + ident + `) (?:was |were )?(?:provided|given|specified|supplied|set)\b`),
	onFirstUse(`^(?:please|you must|must) (?:provide|specify|supply|give|include)(?: an?| the)?(?: valid)? (` + ident + `)\.?$`),
	onFirstUse(`^param is missing or the value is empty(?: or invalid)?: (` + ident + `)`),
	onFirstUse(`^missing(?: the| a| an| required| mandatory| value| for)* ` + argNoun + ` (` + ident + `)\.?$`),
}

// orOf is one of several that must be there.
var orOf = onFirstUse(`\b(?:one of|either)(?: the)?(?: following)?(?: ` + argNoun + `)?:?\s*\[?(` + quoteds + `|` + idents + `)\]? (?:is|are|must be|should be|has to be) (?:required|provided|specified|set|present|given|supplied)\b`)

// Phrases that name what is there but unknown.
var surplus = []func() *regexp.Regexp{
	onFirstUse(`\b(?:unexpected|unknown|unrecogni[sz]ed|unspecified|forbidden|unsupported|extra|additional|undeclared|unevaluated|disallowed)\b[^"'` + "`" + `\[{:]*?\b` + argNoun + `[^"'` + "`" + `\[{]*?[\[{(]?\s*(` + quoteds + `)`),
	onFirstUse(`\bunknown (?:field )?name:? (` + inQuotes + `)`),
	onFirstUse(`\bmust not contain \{(` + quoteds + `)\}`),
	onFirstUse(`\bpropert(?:y|ies) (` + quoteds + `) (?:is|are) not (?:defined in the schema|allowed|permitted|expected)`),
	onFirstUse(`^(?:additional )?property (` + ident + `) (?:is not allowed|should not exist)`),
	onFirstUse(`\b(?:unexpected|unknown|unrecogni[sz]ed|unspecified|unsupported|extra|invalid keyword)(?: input| keyword| query)? ` + argNoun + `:? \[?(` + idents + `)\]?\.?$`),
}

var (
	// Not every "required" says that something is missing.
	validRequired = onFirstUse(`^(?:enter )?an? valid (.+?)(?: is required| is expected|)\.?$`)
	absent        = onFirstUse(`^(?:invalid (?:input|type|value|key): )?(?:(?:this|the|a|an) )?(?:(?:field|value|property|parameter|argument|key|input) )?(?:is |are |was )?(?:a |an )?(?:required|mandatory|missing|undefined|obligatory)(?: ` + argNoun + `| value)?(?:[.,;!(]|$| (?:for|when|if|and|but|in|at|by|to)\b)` +
		`|^required key not provided|^missing data for required field|^null value not allowed|^expected required property|^(?:is )?not (?:provided|specified|supplied|given)\.?$` +
		`|\b(?:can(?:no|')t|can not|must not|should not|may not) be (?:blank|empty|null|undefined|none|nil|omitted|missing)\b|\bnot allowed to be empty\b` +
		`|\b(?:must|should|has to|needs to) be (?:defined|present|non-null|(?:provided|specified|supplied|given)(?:[.,;:]|$| (?:for|to|when|if|or|and|but)\b))` +
		`|^(?:was|is|were|has|have)(?: not|n't|n’t) (?:been )?(?:provided|given|specified|supplied|set|found)\b` +
		`|\b(?:received|instead got|got|was)\b:? (?:undefined|missing|<missing>)\W*$|\binstead was .?undefined\b|\bbut it was missing\b|\bactual undefined\b`)
	noSuch = onFirstUse(`^(?:an? )?(?:unexpected|unknown|unrecogni[sz]ed|extra|additional|forbidden|unsupported) (?:keyword )?` + argNoun + `\.?$|\b(?:extra (?:inputs|fields)|extra keys) (?:are )?not (?:permitted|allowed)` +
		`|^is unexpected\b|^is not allowed\.?$|\bshould not exist$|^must be removed\b|\bexpected(?: a value of type)? .?never\b|\bmust not have (?:additional|unevaluated) properties|\bshould not have additional properties|\bshould be not present\b` +
		`|\bis not defined in the schema\b|\bhas not been defined and the schema does not allow|\bis a disallowed additional property|^unexpected keyword argument|^this (?:field|key|argument|parameter) (?:was|is) (?:not expected|unexpected)`)
	noForm = onFirstUse(`\b(?:must match (?:a|exactly one) schema|not valid under (?:any|each)|did not (?:match|validate against) any|not any of \[subschema|expected union value|validate at least one schema|validated by any definition|(?:any|one)of.? failed|none matched|^invalid input$|does not match any of the|should match (?:some|exactly one) schema)|^invalid(?: input| value)?\.?$`)

	choiceLead = onFirstUse(`\b(?:one of|permitted:|any of|either|enum values:|enumeration|choose from|enum value set:?|(?:valid|possible|supported|accepted|available|allowed|known|legal|expected|permitted) (?:values?|options?|choices?|ones|types?|keys?|\w+s)(?: are| is)?:?(?:$| )|(?:allowed|valid|supported|accepted|permitted|options|choices)(?: are| is)?: )[:\s]*(.*)$`)
	choiceList = onFirstUse(`\b(?:expected|be|want)(?: one of)?:? \(?(` + quoteds + `)`)
	wants      = onFirstUse(`\bwant\b`)
	choiceNone = onFirstUse(`\bnot a valid choice|not included in the list|unallowed value|invalid (?:enum|option|choice)|not a valid enum|unknown variant|the allowed values|unsupported value|\bcould not be converted to an? enum`)

	regexText  = onFirstUse(`\b(?:match(?:es|ing)?|fails? to match|satisfy)\b.*?\b(?:regular expressions?(?: pattern)?|regex(?:es|p)?(?: pattern)?|patterns?|expression)\b(?: of)?:?\s*(\S.*)?$`)
	regexBare  = onFirstUse("(?:does not match|must match|doesn't match|to match|expected)(?: the following)?:? ((?:[\"'`]?/|[\"'`]?\\^).+?)(?: but received .*)?$")
	multipleOf = onFirstUse(`\bmultiple of ` + "[\"'`]?" + `(\d[\d.]*)`)
)

// demanded reads a message about a place that is known. It reports false if the
// message is none of a validator.
func demanded(message string) (c complaint, ok bool) {
	m := strings.TrimSpace(message)
	if m == "" || len(m) > 4000 {
		return c, false
	}
	if c, ok := valibotKey(m); ok {
		return c, true
	}
	for _, read := range []func(string) (complaint, bool){demandedNames, demandedPresence, demandedUnion, demandedLimit, demandedChoice, demandedForm} {
		if c, ok := read(m); ok {
			return c, true
		}
	}
	return c, false
}

func demandedUnion(m string) (complaint, bool) {
	return complaint{union: true}, noForm().MatchString(m)
}

// valibotKey reads valibot's way to say that a key is missing or unknown: it
// names the key although the place has it too.
func valibotKey(m string) (c complaint, ok bool) {
	_, rest, _ := strings.Cut(m, "Invalid key: Expected ")
	if name, known := strings.CutPrefix(rest, "never but received "); known {
		return complaint{fault: argUnknown, names: []string{strings.Trim(name, `"`)}}, true
	}
	name, known := strings.CutSuffix(rest, " but received undefined")
	return complaint{fault: argMissing, names: []string{strings.Trim(name, `"`)}}, known
}

func demandedNames(m string) (complaint, bool) {
	if found := orOf().FindStringSubmatch(m); found != nil {
		if names := namesIn(found[1]); len(names) > 1 {
			return complaint{fault: argMissing, names: names[:1], known: names}, true
		}
	}
	for _, p := range lacks {
		if found := p().FindStringSubmatch(m); found != nil {
			if names := namesIn(found[1]); len(names) > 0 {
				return complaint{fault: argMissing, names: names}, true
			}
		}
	}
	for _, p := range surplus {
		at := p().FindStringSubmatchIndex(m)
		if at == nil || strings.Contains(m[at[0]:at[2]], "value") {
			continue
		}
		names := namesIn(m[at[2]:at[3]])
		if len(names) == 0 || strings.HasPrefix(names[0], "-") { // an option of a command
			continue
		}
		c := complaint{fault: argUnknown, names: names}
		if list := choiceLead().FindStringSubmatch(m[at[3]:]); list != nil {
			c.known, _ = choicesIn(list[1])
		} else if list := choiceList().FindStringSubmatch(m[at[3]:]); list != nil {
			c.known, _ = choicesIn(list[1])
		}
		return c, true
	}
	return complaint{}, false
}

func demandedPresence(m string) (complaint, bool) {
	if found := validRequired().FindStringSubmatch(m); found != nil {
		want, ok := nounOf(found[1])
		return complaint{want: want}, ok
	}
	if absent().MatchString(m) {
		c := complaint{fault: argMissing}
		if typed, ok := demandedForm(m); ok {
			c.want = typed.want
		} else if list, ok := demandedChoice(m); ok {
			c.want, c.choices = list.want, list.choices
		}
		return c, true
	}
	if !noSuch().MatchString(m) {
		return complaint{}, false
	}
	c := complaint{fault: argUnknown}
	if list := choiceList().FindStringSubmatch(m); list != nil {
		c.known, _ = choicesIn(list[1])
	}
	return c, true
}

func demandedChoice(m string) (complaint, bool) {
	for _, p := range []func() *regexp.Regexp{choiceLead, choiceList} {
		found := p().FindStringSubmatch(m)
		if found == nil {
			continue
		}
		choices, bare := choicesIn(found[1])
		if len(choices) == 0 {
			continue
		}
		if want, ok := nounsOf(choices); ok && (bare || wants().MatchString(m) || p() == choiceList() && strings.Contains(found[1], "`")) {
			return complaint{want: want}, true
		}
		return complaint{want: oneOf(choices), choices: choices}, true
	}
	if choiceNone().MatchString(m) {
		return complaint{}, true
	}
	return complaint{}, false
}

var choiceEnd = onFirstUse(`,? but (?:was |got |received )|,? (?:instead )?(?:received|got|given|found|actual)\b|\(was |,? not |, instead| for dictionary value|\. | at line \d|\s+\[type=| \(type=|;|, but `)

// choicesIn reads a list of values; bare is true if they are not in quotes.
func choicesIn(list string) (choices []string, bare bool) {
	list = strings.TrimSpace(list)
	for _, lead := range []string{"the following values", "the following options", "the following", "the allowed values", "enum values", "these values", "these"} {
		if rest, ok := strings.CutPrefix(list, lead); ok {
			list = strings.TrimLeft(rest, ": ")
			break
		}
	}
	if names := quotedIn(list); len(names) > 0 && strings.ContainsAny(list[:min(len(list), 3)], "\"'`‘“") {
		if len(names) == 1 && strings.Contains(names[0], ",") { // superstruct: `"a","b"`
			return choicesIn(names[0])
		}
		return names, false
	}
	if at := choiceEnd().FindStringIndex(list); at != nil {
		list = list[:at[0]]
	}
	list = strings.TrimSuffix(strings.TrimSpace(list), ".")
	if strings.HasPrefix(list, "[") && strings.HasSuffix(list, "]") && !strings.ContainsAny(list, ",|'\"") { // Go
		return strings.Fields(list[1 : len(list)-1]), true
	}
	list = strings.Trim(list, "[](){}: ")
	for item := range strings.FieldsFuncSeq(strings.NewReplacer(" or ", ",", " and ", ",", " | ", ",").Replace(list), func(r rune) bool { return r == ',' || r == '|' }) {
		item = strings.Trim(strings.TrimSpace(item), "\"'`")
		item = strings.TrimPrefix(strings.TrimPrefix(item, "or "), "and ")
		if item == "" {
			continue
		}
		if strings.Count(item, " ") > 2 || len(item) > 100 {
			return nil, true
		}
		if choices = append(choices, item); len(choices) == 200 {
			break
		}
	}
	if len(choices) == 1 && strings.Count(list, " ") > 0 {
		return nil, true // a phrase, not a list
	}
	return choices, true
}

// quotedIn returns what stands in quotes at the beginning of a list.
func quotedIn(list string) (names []string) {
	for len(names) < 200 {
		i := strings.IndexAny(list, "\"'`‘“")
		if i < 0 || len(names) > 0 && strings.Trim(strings.NewReplacer("and", "", "or", "").Replace(list[:i]), " ,|") != "" || i > 3 && len(names) == 0 {
			return names
		}
		closing := map[string]string{"‘": "’", "“": "”"}
		quote := string([]rune(list[i:])[:1])
		end, ok := closing[quote]
		if !ok {
			end = quote
		}
		name, rest, found := strings.Cut(list[i+len(quote):], end)
		if !found {
			return names
		}
		if name != "" {
			names = append(names, clipped(name, 200))
		}
		list = rest
	}
	return names
}

// namesIn returns the names of a list, be they in quotes or not.
func namesIn(list string) (names []string) {
	if names = quotedIn(list); len(names) == 1 && strings.Contains(names[0], ", ") {
		list, names = names[0], nil
	}
	bare := len(names) == 0
	if bare {
		for _, n := range nameSplit().Split(list, maxViolations+1) {
			names = append(names, strings.Trim(n, " .:[]"))
		}
	}
	names = slices.DeleteFunc(names, func(n string) bool {
		return n == "" || len(n) > 100 || bare && smallWords[strings.ToLower(n)]
	})
	return names[:min(len(names), maxViolations)]
}

var nameSplit = onFirstUse(`,? (?:and|or) |, ?`)

// smallWords are never names in a phrase without quotes.
var smallWords = set("for in of from to is are was the a an and or not must with by at on required missing be")

func set(names string) map[string]bool {
	s := map[string]bool{}
	for name := range strings.FieldsSeq(names) {
		s[name] = true
	}
	return s
}
