package dump

import (
	"regexp"
	"strings"
)

// nouns holds what validators and languages call a type or a format, and what
// package schema calls it.
var nouns = func() map[string]string {
	m := map[string]string{}
	for noun, names := range map[string]string{
		"a whole number": "integer int int8 int16 int32 int64 i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize uint uint8 uint16 uint32 uint64 long short bigint safeint whole_number integer_number whole_number_(integer) system.int32 system.int64 java.lang.integer java.lang.long nonzero_integer",
		"a number":       "number numeric float float32 float64 f32 f64 double decimal real finite_number system.double system.decimal java.lang.double numeric_value number_(float)",
		"a text":         "string str text char varchar system.string java.lang.string &str string_slice string_value borrowed_string strict_string non-empty_string nonempty_string",
		"true or false":  "boolean bool system.boolean java.lang.boolean boolean_value",
		"a list":         "array list sequence slice tuple set vec vector list_of_items collection iterable readonlyarray string_slice string_array java.util.arraylist java.util.list java.util.set java.util.hashset []string []int array_value",
		"an object":      "object dict dictionary map mapping record struct hash json_object plain_object key-value_object hashmap map[string]interface map[string]any java.util.linkedhashmap mapping_type",
		"null":           "null none nil nulltype unit",

		"a date such as 2026-03-01":                                  "date iso_date iso8601_date system.dateonly java.time.localdate yyyy-mm-dd date_in_yyyy-mm-dd_format date_in_the_format_yyyy-mm-dd",
		"a date and time with its zone such as 2026-03-01T09:30:00Z": "datetime date-time iso_datetime iso8601_datetime iso_8601_date_string iso_8601_datetime timestamp system.datetime system.datetimeoffset rfc3339_timestamp iso_8601_timestamp iso_date-time",
		"a time with its zone such as 09:30:00Z":                     "time iso_time",
		"an ISO 8601 duration such as PT30M":                         "duration iso_duration timedelta",
		"an email address such as ada@example.com":                   "email email_address mail_address e-mail e-mail_address",
		"a URL such as https://example.com/page":                     "url uri http_url https_url url_address web_address system.uri absolute_url url_string http(s)_url",
		"a UUID such as 123e4567-e89b-12d3-a456-426614174000":        "uuid guid uuidv4 uuidv6 uuidv7 system.guid uuid_string java.util.uuid",
		"an IPv4 address such as 192.0.2.1":                          "ipv4 ipv4_address",
		"an IPv6 address such as 2001:db8::1":                        "ipv6 ipv6_address",
		"an IP address such as 192.0.2.1":                            "ip ip_address",
		"a host name such as www.example.com":                        "hostname host_name domain domain_name",
		"a regular expression":                                       "regex regular_expression regexp regexp_pattern",
		"a text that holds JSON":                                     "json json_string",
		"a text in base64":                                           "base64 base64-encoded_string base64_string",
	} {
		for name := range strings.FieldsSeq(names) {
			m[strings.ReplaceAll(name, "_", " ")] = noun
		}
	}
	return m
}()

// nounOf returns what a type is called here. It knows unions such as "string |
// null" and generics such as list[int].
func nounOf(name string) (string, bool) {
	name = strings.TrimSpace(name)
	if len(name) > 200 {
		return "", false
	}
	name = strings.ToLower(strings.Trim(name, " ()\"'`.:"))
	for _, lead := range []string{"an ", "a ", "the ", "valid ", "type ", "value of type ", "of type "} {
		name = strings.TrimPrefix(name, lead)
	}
	if inner, ok := strings.CutPrefix(name, "<class '"); ok {
		name = strings.TrimSuffix(inner, "'>")
	}
	name = strings.Trim(strings.TrimSuffix(strings.TrimSuffix(strings.Trim(name, "\"'`"), " type"), " value"), "\"'`")
	if strings.HasPrefix(name, "{") && strings.HasSuffix(name, "}") {
		return "an object", true
	}
	if noun, ok := nouns[name]; ok {
		return noun, true
	}
	if noun, ok := nouns[strings.TrimSuffix(name, "s")]; ok {
		return noun, true
	}
	for _, sep := range []string{" | ", "|", ", or ", " or ", ", "} {
		if strings.Contains(name, sep) {
			return nounsOf(strings.Split(name, sep))
		}
	}
	for _, lead := range []string{"struct ", "internally tagged enum ", "instance of "} {
		if strings.HasPrefix(name, lead) {
			return "an object", true
		}
	}
	if rest, ok := strings.CutPrefix(name, "[]"); ok && rest != "" {
		return "a list", true
	}
	if i := strings.IndexAny(name, "[<"); i > 0 && strings.ContainsAny(name[len(name)-1:], "]>") {
		if outer := name[:i]; outer == "optional" || outer == "option" {
			return nounOf(name[i+1 : len(name)-1])
		}
		return nounOf(name[:i])
	}
	for _, of := range []string{" of ", " containing ", " with "} {
		if outer, _, ok := strings.Cut(name, of); ok {
			if noun := nouns[outer]; noun == "a list" || noun == "an object" {
				return noun, true
			}
		}
	}
	return "", false
}

// nounsOf joins several. What could be left out anyway is not told.
func nounsOf(names []string) (words string, ok bool) {
	for i, name := range names {
		name = strings.Trim(name, " \"'`")
		if i == maxChoices {
			break
		}
		if name == "undefined" || len(names) > 1 && name == "" {
			continue
		}
		noun, ok := nounOf(name)
		if !ok {
			return "", false
		}
		if words == "" {
			words = noun
		} else {
			words = eitherOf(words, noun)
		}
	}
	return words, words != ""
}

// Phrases that name a type or format in their first group.
var typePhrases = []func() *regexp.Regexp{
	onFirstUse(`\b(yyyy-mm-dd)\b(?:\W|$)`),
	onFirstUse(`^of (?:required )?type ["'](\w+)!?["']`),
	onFirstUse(`\bexpected (\{.*\}), actual`),
	onFirstUse(`\bexpected(?: type| to be| value of type| the value to satisfy a union of)?:?\s+((?:an? )?.+?)(?:[,;] |,$| but\b| got\b| instead\b| found\b| for dictionary value| at line\b| was\b|\.?$|, given)`),
	onFirstUse(`^to (?:be|have)(?: of type)? (?:an? )?(.+?)(?:[,;] |\.?$)`),
	onFirstUse(`^type_(int|uint|string|bool|double|float)\d*$`),
	onFirstUse(`\bwant(?: one of)? (.+?)$`),
	onFirstUse(`\bvalid types: (.+?)$`),
	onFirstUse(`\b(?:must|should|has to|needs to|have to)(?: only| also)? be (?:of type |of |an? |the )?(.+?)(?:[,;:] | but\b| and not\b|\.?$| \(| for\b| instead\b|\. )`),
	onFirstUse(`\b(?:is |are |was )?not (?:of (?:a )?(?:valid )?type(?:\(s\)|s)? ?|an? |of )?((?:valid )?.+?)(?:, |[;.:]|$| \()`),
	onFirstUse(`\b(?:cannot|could not|can't) be (?:converted|parsed|coerced|cast|decoded)(?: into| to| as) (?:an? )?(.+?)(?:\. |[,;]|\.?$)`),
	onFirstUse(`\bcannot unmarshal .* of type (\S+?)\.?$`),
	onFirstUse(`\b\w+ found, ([\w ]+?) expected`),
	onFirstUse(`^(\w+) type expected`),
	onFirstUse(`\bdeserialize value of type .?([\w.<>\[\]]+)`),
	onFirstUse(`\bconstruct instance of .?([\w.]+)`),
	onFirstUse(`\bmatch the following type: (\w+)`),
	onFirstUse(`\bformat:? ["'` + "`" + `]?([\w-]+)["'` + "`" + `]?\.?$`),
	onFirstUse(`^invalid (.+?)(?: format| string| value)?\.?$`),
	onFirstUse(`\bconform to the "(\S+)" format`),
	onFirstUse(`^invalid ([\w ]+?): received\b`),
	onFirstUse(`^enter an? (?:valid )?(.+?)\.?$`),
	onFirstUse(`\binto (?:an? )?([\w.]+)$`),
}

// demandedForm reads what type, format or pattern a value must have.
func demandedForm(m string) (complaint, bool) {
	if found := multipleOf().FindStringSubmatch(m); found != nil {
		return complaint{want: "a multiple of " + plainNumber(found[1])}, true
	}
	for _, p := range []func() *regexp.Regexp{regexText, regexBare} {
		if found := p().FindStringSubmatch(m); found != nil {
			return complaint{want: patternNoun(found[1])}, true
		}
	}
	for _, p := range typePhrases {
		if found := p().FindStringSubmatch(m); found != nil {
			name, l := signed(found[1])
			if noun, ok := nounOf(name); ok {
				return complaint{want: noun, limit: l}, true
			}
		}
	}
	if strings.Contains(m, "Cannot construct instance of ") { // a class of the server's own
		return complaint{want: "an object"}, true
	}
	return complaint{want: "a text of another form"}, wrongForm().MatchString(m)
}

var wrongForm = onFirstUse(`\b(?:has|have|is in|in)(?: an?| the)? (?:wrong|invalid|bad|incorrect) format\b`)

// signed reads a positive or non-negative number.
func signed(name string) (string, limit) {
	name = strings.TrimPrefix(strings.TrimPrefix(strings.TrimLeft(name, " "), "a "), "an ")
	for lead, l := range map[string]limit{"positive ": {least: "0", over: true}, "non-negative ": {least: "0"}, "nonnegative ": {least: "0"}, "negative ": {most: "0", under: true}} {
		if rest, ok := strings.CutPrefix(strings.ToLower(name), lead); ok {
			return rest, l
		}
	}
	return name, limit{}
}

func patternNoun(pattern string) string {
	pattern, _, _ = strings.Cut(pattern, " for dictionary value")
	pattern = strings.Trim(strings.TrimSuffix(strings.TrimSpace(pattern), "."), "\"'`/: ")
	if pattern == "" {
		return "a text of another form"
	}
	return "a text that matches " + clipped(printed(pattern), 100)
}
