package schema

import (
	"strings"
	"testing"

	"github.com/recourse-dev/recourse"
)

// Each keyword says in plain words what it wants and what to do. The schema is
// that of the argument x; whole schemas begin with a $.
var faults = []struct {
	schema, arguments, code, field, constraint, suggestion string
}{
	// Types.
	{`{"type":"string"}`, `{"x":7}`, "INVALID_ARGUMENT", "/x", `a text`, `Send x as the text "7", in quotes.`},
	{`{"type":"integer"}`, `{"x":"10"}`, "INVALID_ARGUMENT", "/x", `a whole number`, `Send x as the number 10, not as the text "10".`},
	{`{"type":"number"}`, `{"x":true}`, "INVALID_ARGUMENT", "/x", `a number`, `Set x to a number.`},
	{`{"type":"integer"}`, `{"x":1.5}`, "INVALID_ARGUMENT", "/x", `a whole number`, `Set x to a whole number.`},
	{`{"type":"boolean"}`, `{"x":"True"}`, "INVALID_ARGUMENT", "/x", `true or false`, `Send x as true, without quotes.`},
	{`{"type":"boolean"}`, `{"x":1}`, "INVALID_ARGUMENT", "/x", `true or false`, `Set x to true or false.`},
	{`{"type":"null"}`, `{"x":1}`, "INVALID_ARGUMENT", "/x", `null`, `Set x to null.`},
	{`{"type":["string","null"]}`, `{"x":[]}`, "INVALID_ARGUMENT", "/x", `a text or null`, `Set x to a text or null.`},
	{`{"type":["null","string"]}`, `{"x":{}}`, "INVALID_ARGUMENT", "/x", `a text or null`, `Set x to a text or null.`},
	{`{"type":["integer","number"]}`, `{"x":[]}`, "INVALID_ARGUMENT", "/x", `a number`, `Set x to a number.`},
	{`{"type":"string"}`, `{"x":null}`, "INVALID_ARGUMENT", "/x", `a text`, `Leave x out, or set it to a text.`},
	{`{"type":"array","items":{"type":"string"}}`, `{"x":"a"}`, "INVALID_ARGUMENT", "/x", `a list, each item a text`, `Send x as a list: ["a"].`},
	{`{"type":"array","items":{"type":"object"}}`, `{"x":{"a":1}}`, "INVALID_ARGUMENT", "/x", `a list, each item an object`, `Send x as a list with this as its only item.`},
	{`{"type":"object","required":["id"]}`, `{"x":"7"}`, "INVALID_ARGUMENT", "/x", `an object with id`, `Send x as an object such as {"id": …}.`},
	{`{"type":"object"}`, `{"x":"{\"a\":1}"}`, "INVALID_ARGUMENT", "/x", `an object`, `Send x as an object itself, not as a text that holds one.`},
	{`{"type":"string"}`, `{"x":["a"]}`, "INVALID_ARGUMENT", "/x", `a text`, `Send the item of x by itself, not in a list.`},
	{`{"type":"string"}`, `{"x":["a","b"]}`, "INVALID_ARGUMENT", "/x", `a text`, `Send one value for x, not a list; make one call for each.`},
	{`{"type":"string","description":"Name of the city. Not its code."}`, `{"x":[]}`, "INVALID_ARGUMENT", "/x", `a text (Name of the city)`, `Set x to a text.`},

	// Values.
	{`{"enum":["celsius","fahrenheit"]}`, `{"x":"Celsius"}`, "INVALID_ARGUMENT", "/x", `one of: celsius, fahrenheit`, `Set x to celsius, or another of its values if that is not meant.`},
	{`{"enum":["a","1",1,null,true,""]}`, `{"x":"zzz"}`, "INVALID_ARGUMENT", "/x", `one of: a, "1", 1, null, true, ""`, `Set x to one of: a, "1", 1, null, true, "", or leave it out.`},
	{`{"const":"yes"}`, `{"x":"no"}`, "INVALID_ARGUMENT", "/x", `exactly yes`, `Set x to yes, or leave it out.`},
	{`{"const":{"a":1}}`, `{"x":{"a":2}}`, "INVALID_ARGUMENT", "/x", `exactly {"a":1}`, `Set x to {"a":1}.`},

	// Numbers.
	{`{"type":"integer","minimum":1,"maximum":16}`, `{"x":17}`, "OUT_OF_RANGE", "/x", `a whole number between 1 and 16`, `Set x to a whole number between 1 and 16.`},
	{`{"minimum":0.5}`, `{"x":0.4999}`, "OUT_OF_RANGE", "/x", `a number of at least 0.5`, `Set x to a number of at least 0.5.`},
	{`{"exclusiveMinimum":0,"maximum":1}`, `{"x":0}`, "OUT_OF_RANGE", "/x", `a number more than 0 and at most 1`, `Set x to a number more than 0 and at most 1.`},
	{`{"type":"number","exclusiveMaximum":100}`, `{"x":100}`, "OUT_OF_RANGE", "/x", `a number of less than 100`, `Set x to a number of less than 100.`},
	{`{"maximum":9007199254740993}`, `{"x":9007199254740994}`, "OUT_OF_RANGE", "/x", `a number of at most 9007199254740993`, `Set x to a number of at most 9007199254740993.`},
	{`{"type":"integer","multipleOf":5}`, `{"x":7}`, "INVALID_ARGUMENT", "/x", `a whole number, a multiple of 5`, `Set x to a whole number, a multiple of 5.`},

	// Texts.
	{`{"type":"string","maxLength":3}`, `{"x":"żółw"}`, "OUT_OF_RANGE", "/x", `a text of at most 3 characters`, `Set x to a text of at most 3 characters.`},
	{`{"minLength":1}`, `{"x":""}`, "OUT_OF_RANGE", "/x", `a text of at least 1 character`, `Set x to a text of at least 1 character, or leave it out.`},
	{`{"type":"string","pattern":"^[A-Z]{2}-\\d+$","examples":["NO-47"]}`, `{"x":"7"}`, "INVALID_ARGUMENT", "/x", `a text such as NO-47 that matches ^[A-Z]{2}-\d+$`, `Set x to a text such as NO-47 that matches ^[A-Z]{2}-\d+$.`},
	{`{"type":"string","pattern":"^(?!x)[a-z]+$"}`, `{"x":"xa"}`, "INVALID_ARGUMENT", "/x", `a text that matches ^(?!x)[a-z]+$`, `Set x to a text that matches ^(?!x)[a-z]+$.`},
	{`{"type":"string","format":"date"}`, `{"x":"1.3.2026"}`, "INVALID_ARGUMENT", "/x", `a date such as 2026-03-01`, `Set x to a date such as 2026-03-01.`},
	{`{"type":"string","format":"email"}`, `{"x":"ada"}`, "INVALID_ARGUMENT", "/x", `an email address such as ada@example.com`, `Set x to an email address such as ada@example.com.`},
	{`{"type":"string","format":"uri"}`, `{"x":"example.com"}`, "INVALID_ARGUMENT", "/x", `a URL such as https://example.com/page`, `Set x to https://example.com if that is meant; it must be a URL such as https://example.com/page.`},

	// Lists.
	{`{"type":"array","minItems":1}`, `{"x":[]}`, "OUT_OF_RANGE", "/x", `a list of at least 1 item`, `Change x to a list of at least 1 item.`},
	{`{"maxItems":2}`, `{"x":[1,2,3]}`, "OUT_OF_RANGE", "/x", `a list of at most 2 items`, `Change x to a list of at most 2 items.`},
	{`{"uniqueItems":true}`, `{"x":[1,2,1.0]}`, "INVALID_ARGUMENT", "/x", `a list without repetition`, `Send each item of x once; 1.0 is there twice.`},
	{`{"items":{"type":"integer"}}`, `{"x":[1,"2"]}`, "INVALID_ARGUMENT", "/x/1", `a whole number`, `Send x[1] as the number 2, not as the text "2".`},
	{`{"prefixItems":[{"type":"number"},{"type":"number"}],"items":false}`, `{"x":[1,2,3]}`, "OUT_OF_RANGE", "/x", `a list of at most 2 items: a number, then a number`, `Change x to a list of at most 2 items: a number, then a number.`},
	{`{"contains":{"const":"id"}}`, `{"x":["a"]}`, "INVALID_ARGUMENT", "/x", `a list with at least 1 item that is exactly id`, `Change x to a list with at least 1 item that is exactly id.`},
	{`{"contains":{"type":"null"},"minContains":0,"maxContains":1}`, `{"x":[null,null]}`, "INVALID_ARGUMENT", "/x", `a list with at most 1 item that is null`, `Change x to a list with at most 1 item that is null.`},
	{`{"prefixItems":[{"type":"number"}],"unevaluatedItems":false}`, `{"x":[1,2]}`, "OUT_OF_RANGE", "/x", `a list of at most 1 item: a number`, `Change x to a list of at most 1 item: a number.`},

	// Objects.
	{`{"required":["id"],"properties":{"id":{"type":"string"}}}`, `{"x":{}}`, "MISSING_ARGUMENT", "/x/id", `required: a text`, `Add x.id and set it to a text.`},
	{`{"minProperties":1}`, `{"x":{}}`, "OUT_OF_RANGE", "/x", `an object with at least 1 field`, `Change x to an object with at least 1 field.`},
	{`{"maxProperties":1}`, `{"x":{"a":1,"b":2}}`, "OUT_OF_RANGE", "/x", `an object with at most 1 field`, `Change x to an object with at most 1 field.`},
	{`{"propertyNames":{"maxLength":2}}`, `{"x":{"abc":1}}`, "INVALID_ARGUMENT", "/x/abc", `a name that is a text of at most 2 characters`, `Rename x.abc to a text of at most 2 characters.`},
	{`{"properties":{"a":{}},"additionalProperties":false}`, `{"x":{"zzz":1}}`, "UNKNOWN_ARGUMENT", "/x/zzz", `no such argument; known are a`, `Leave x.zzz out; use only a.`},
	{`{"additionalProperties":{"type":"string"}}`, `{"x":{"zzz":1}}`, "INVALID_ARGUMENT", "/x/zzz", `a text`, `Send x.zzz as the text "1", in quotes.`},
	{`{"patternProperties":{"^n":{"type":"integer"}}}`, `{"x":{"n1":"a"}}`, "INVALID_ARGUMENT", "/x/n1", `a whole number`, `Set x.n1 to a whole number.`},
	{`{"allOf":[{"properties":{"a":{}}}],"unevaluatedProperties":false}`, `{"x":{"a":1,"zzz":2}}`, "UNKNOWN_ARGUMENT", "/x/zzz", `no such argument; known are a`, `Leave x.zzz out; use only a.`},
	{`{"properties":{"a":false}}`, `{"x":{"a":1}}`, "UNKNOWN_ARGUMENT", "/x/a", `left out`, `Leave x.a out.`},

	// Combinations.
	{`{"not":{"enum":["root","admin"]}}`, `{"x":"root"}`, "INVALID_ARGUMENT", "/x", `something other than one of: root, admin`, `Change x to something other than one of: root, admin.`},
	{`{"not":{"required":["a"]}}`, `{"x":{"a":1}}`, "INVALID_ARGUMENT", "/x", `without a`, `Leave x.a out.`},
	{`{"not":{"required":["a","b"]}}`, `{"x":{"a":1,"b":2}}`, "INVALID_ARGUMENT", "/x", `without a and b`, `Send only some of a and b, not all together.`},
	{`{"allOf":[{"type":"string"},{"minLength":2}]}`, `{"x":"a"}`, "OUT_OF_RANGE", "/x", `a text of at least 2 characters`, `Set x to a text of at least 2 characters.`},
	{`{"anyOf":[{"type":"string"},{"type":"integer"}]}`, `{"x":[]}`, "INVALID_ARGUMENT", "/x", `a text or a whole number`, `Set x to a text or a whole number.`},
	{`{"anyOf":[{"type":"integer","minimum":1},{"type":"null"}]}`, `{"x":0}`, "OUT_OF_RANGE", "/x", `a whole number of at least 1`, `Set x to a whole number of at least 1.`},
	{`{"anyOf":[{"type":"integer"},{"type":"null"}]}`, `{"x":"5"}`, "INVALID_ARGUMENT", "/x", `a whole number`, `Send x as the number 5, not as the text "5".`},
	{
		`{"oneOf":[{"properties":{"kind":{"const":"disc"},"radius":{"type":"number"}},"required":["kind","radius"]},{"properties":{"kind":{"const":"box"},"width":{"type":"number"}},"required":["kind","width"]}]}`,
		`{"x":{"kind":"box","width":"2"}}`, "INVALID_ARGUMENT", "/x/width", `a number`, `Send x.width as the number 2, not as the text "2".`,
	},
	{
		`{"anyOf":[{"properties":{"op":{"const":"add"},"n":{}},"required":["op","n"]},{"properties":{"op":{"const":"del"}},"required":["op"]}]}`,
		`{"x":{"op":"remove"}}`, "INVALID_ARGUMENT", "/x/op", `one of: add, del`, `Set x.op to del, or another of its values if that is not meant.`,
	},
	{`{"type":"integer","maximum":16}`, `{"x":"30"}`, "INVALID_ARGUMENT", "/x", `a whole number of at most 16`, `Set x to a whole number of at most 16 in plain digits, without a unit or other words.`},
	{`{"type":"string","format":"date-time"}`, `{"x":1700000000}`, "INVALID_ARGUMENT", "/x", `a date and time with its zone such as 2026-03-01T09:30:00Z`, `Set x to a date and time with its zone such as 2026-03-01T09:30:00Z.`},
	{`{"oneOf":[{"required":["a"]},{"required":["b"]}]}`, `{"x":{"a":1,"b":1}}`, "INVALID_ARGUMENT", "/x", `only one of a, b`, `Send only one of a, b in x.`},
	{`{"oneOf":[{"required":["a"]},{"required":["b"]}]}`, `{"x":{}}`, "MISSING_ARGUMENT", "/x", `one of a, b is required`, `Add one of a, b to x.`},
	{`{"oneOf":[{"type":"number"},{"minimum":5}]}`, `{"x":7}`, "INVALID_ARGUMENT", "/x", `only one of: a number; a number of at least 5`, `Change x so that it is only one of: a number; a number of at least 5.`},
	{`${"properties":{"mode":{},"hours":{"type":"integer"}},"if":{"properties":{"mode":{"const":"timed"}},"required":["mode"]},"then":{"required":["hours"]}}`, `{"mode":"timed"}`, "MISSING_ARGUMENT", "/hours", `required when mode is exactly timed, a whole number`, `Add hours and set it to a whole number.`},
	{`${"if":{"required":["a"]},"else":{"required":["b"]}}`, `{}`, "MISSING_ARGUMENT", "/b", `required: any value`, `Add b and set it to any value.`},
	{`${"properties":{"zone":{"type":"string"}},"dependentRequired":{"time":["zone"]}}`, `{"time":1}`, "MISSING_ARGUMENT", "/zone", `required because time is there, a text`, `Add zone and set it to a text.`},
	{`${"$schema":"http://json-schema.org/draft-07/schema#","dependencies":{"time":["zone"]}}`, `{"time":1}`, "MISSING_ARGUMENT", "/zone", `required because time is there`, `Add zone and set it to any value.`},
	{`${"dependentSchemas":{"time":{"required":["zone"]}}}`, `{"time":1}`, "MISSING_ARGUMENT", "/zone", `required: any value`, `Add zone and set it to any value.`},
	{`${"properties":{"x":{"$ref":"#/$defs/day"}},"$defs":{"day":{"type":"integer","maximum":7}}}`, `{"x":8}`, "OUT_OF_RANGE", "/x", `a whole number of at most 7`, `Set x to a whole number of at most 7.`},
	{`${"$schema":"http://json-schema.org/draft-07/schema#","properties":{"x":{"items":[{"type":"number"}],"additionalItems":false}}}`, `{"x":[1,2]}`, "OUT_OF_RANGE", "/x", `a list of at most 1 item: a number`, `Change x to a list of at most 1 item: a number.`},
	{`${"$schema":"http://json-schema.org/draft-04/schema#","properties":{"x":{"minimum":1,"exclusiveMinimum":true}}}`, `{"x":1}`, "OUT_OF_RANGE", "/x", `a number of more than 1`, `Set x to a number of more than 1.`},
	{`${"properties":{"x":{"items":[{"type":"number"}]}}}`, `{"x":["a"]}`, "INVALID_ARGUMENT", "/x/0", `a number`, `Set x[0] to a number.`},
	{`${"$schema":"http://json-schema.org/draft-07/schema#","properties":{"x":{"$ref":"#/definitions/n","const":1,"if":true,"then":false}},"definitions":{"n":{"type":"null"}}}`, `{"x":1}`, "INVALID_ARGUMENT", "/x", `null`, `Set x to null.`},
	{`$false`, `{"x":1}`, "UNKNOWN_ARGUMENT", "", `left out`, `Leave all arguments out.`},

	// Names.
	{`${"properties":{"title":{"type":"string"}},"required":["title"],"additionalProperties":false}`, `{"titel":"a"}`, "UNKNOWN_ARGUMENT", "/titel", `no such argument; did you mean title? It is required: a text`, `Use title instead of titel.`},
	{`${"properties":{"title":{"type":"string"}},"required":["title"]}`, `{"titel":"a"}`, "UNKNOWN_ARGUMENT", "/titel", `no such argument; did you mean title? It is required: a text`, `Use title instead of titel.`},
	{`${"properties":{"title":{"type":"string"}},"required":["title"]}`, `{"trace":"a"}`, "MISSING_ARGUMENT", "/title", `required: a text`, `Add title and set it to a text. trace, which was sent, is not in the schema.`},
	{`${"properties":{"title":{"type":"string"}},"required":["title"]}`, `{"trace":"a","colour":1,"z":2,"y":3}`, "MISSING_ARGUMENT", "/title", `required: a text`, `Add title and set it to a text. colour, trace and y, which were sent, are not in the schema.`},
	{`${"properties":{"max_rows":{"type":"integer"}},"additionalProperties":false}`, `{"maxRows":"many"}`, "UNKNOWN_ARGUMENT", "/maxRows", `no such argument; did you mean max_rows?`, `Use max_rows instead of maxRows, and set it to a whole number.`},
	{`${"properties":{"city":{"type":"string","description":"The city's name."}},"required":["city"]}`, `{}`, "MISSING_ARGUMENT", "/city", `required: a text (The city's name)`, `Add city: the city's name.`},
	{`${"properties":{"spot":{"properties":{"lat":{},"lon":{}}}},"required":["spot"]}`, `{"lat":1}`, "UNKNOWN_ARGUMENT", "/lat", `no such argument; lat belongs into the object spot`, `Send lat inside the object spot.`},
	{`${"properties":{"spots":{"type":"array","items":{"properties":{"lat":{},"lon":{}}}}},"required":["spots"]}`, `{"lat":1}`, "UNKNOWN_ARGUMENT", "/lat", `no such argument; lat belongs into an object of the list spots`, `Send lat inside an object of the list spots.`},
	{`${"properties":{"at":{},"deep":{"properties":{"depth":{}}}},"additionalProperties":false}`, `{"deep.depth":1}`, "UNKNOWN_ARGUMENT", "/deep.depth", `no such argument; depth belongs into the object deep`, `Send depth inside the object deep, not as deep.depth.`},
	{`${"properties":{"scale":{"enum":["css","device"],"description":"Scale of the image."}},"required":["scale"]}`, `{}`, "MISSING_ARGUMENT", "/scale", `required: one of: css, device (Scale of the image)`, `Add scale and set it to one of: css, device.`},
	{`${"properties":{"expr":{"type":"string","description":"Formula to evaluate."}},"required":["expr"],"additionalProperties":false}`, `{"formula":"a+b"}`, "UNKNOWN_ARGUMENT", "/formula", `no such argument; did you mean expr? It is required: a text (Formula to evaluate)`, `Use expr instead of formula.`},
	{`${"properties":{"sql":{"type":"string"}},"required":["sql"]}`, `{"name":"run","arguments":{"sql":"x"}}`, "MALFORMED_REQUEST", "/arguments", `arguments at the top level`, `Send sql at the top level, not inside arguments.`},
	{`${"properties":{"a/b":{},"c~d":{"type":"null"}}}`, `{"c~d":1}`, "INVALID_ARGUMENT", "/c~0d", `null`, `Set c~d to null.`},
}

func TestFaults(t *testing.T) {
	for _, tt := range faults {
		text, whole := strings.CutPrefix(tt.schema, "$")
		if !whole {
			text = `{"properties":{"x":` + text + `}}`
		}
		s, err := Compile([]byte(text))
		if err != nil {
			t.Errorf("%s: %v", tt.schema, err)
			continue
		}
		s.StrictFormats = true
		e := s.Check([]byte(tt.arguments))
		if e == nil {
			t.Errorf("%s %s: nothing", tt.schema, tt.arguments)
			continue
		}
		if string(e.Code) != tt.code || e.Field != tt.field || e.Constraint != tt.constraint || e.Suggestion != tt.suggestion || len(e.Violations) > 0 {
			t.Errorf("%s %s:\n got %s %s\n     %s\n     %s\nwant %s %s\n     %s\n     %s", tt.schema, tt.arguments,
				e.Code, e.Field, e.Constraint, e.Suggestion, tt.code, tt.field, tt.constraint, tt.suggestion)
		}
		if e.Message == "" || e.Retryable() {
			t.Errorf("%s: message %q, retryable %v", tt.schema, e.Message, e.Retryable())
		}
	}
}

// Several faults are told at once, in the order of the schema, with a code that
// suits all.
func TestSeveral(t *testing.T) {
	s, err := Compile([]byte(`{
		"type": "object",
		"properties": {
			"city": {"type": "string"},
			"days": {"type": "integer", "minimum": 1, "maximum": 16},
			"unit": {"enum": ["celsius", "fahrenheit"]},
			"stops": {"type": "array", "items": {"type": "object", "required": ["name"]}}
		},
		"required": ["city", "days"],
		"additionalProperties": false
	}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		arguments, message string
		code               recourse.Code
		fields             string
	}{
		{`{"unit":"kelvin","days":17}`, "3 arguments are wrong: city, days, unit.", recourse.InvalidArgument, "/city /days /unit"},
		{`{}`, "2 arguments are missing: city, days.", recourse.MissingArgument, "/city /days"},
		{`{"zebra":1,"yak":2,"city":"Oslo","days":1}`, "2 arguments are wrong: yak, zebra.", recourse.UnknownArgument, "/yak /zebra"},
		{`{"days":1,"zebra":1}`, "2 arguments are wrong: city, zebra.", recourse.MissingArgument, "/city /zebra"},
		{`{"Days":1,"City":"Oslo"}`, "2 arguments are wrong: City, Days.", recourse.UnknownArgument, "/City /Days"},
		{`{"city":"Oslo","days":1,"stops":[{},{"name":1},7]}`, "2 arguments are wrong: stops[0].name, stops[2].", recourse.InvalidArgument, "/stops/0/name /stops/2"},
		{`{"input":{"city":"Oslo","days":17}}`, "2 arguments are wrong: input, input.days.", recourse.MalformedRequest, "/input /input/days"},
	} {
		e := s.Check([]byte(tt.arguments))
		if e == nil {
			t.Errorf("%s: nothing", tt.arguments)
			continue
		}
		var fields []string
		for _, v := range e.Violations {
			fields = append(fields, v.Field)
			if v.Constraint == "" || v.Suggestion == "" {
				t.Errorf("%s: %+v", tt.arguments, v)
			}
		}
		if e.Code != tt.code || e.Message != tt.message || strings.Join(fields, " ") != tt.fields {
			t.Errorf("%s: %s %q %q", tt.arguments, e.Code, e.Message, fields)
		}
	}
}

// What looks wrong and is not.
// kinds has alternatives that a fixed value tells apart, and a member with a
// default that is listed as required.
const kinds = `{"properties":{"v":{"oneOf":[
	{"properties":{"kind":{"const":"a"},"n":{"default":5}},"required":["kind","n"]},
	{"properties":{"kind":{"const":"b"}},"required":["kind"]}]}}}`

func TestValid(t *testing.T) {
	for _, tt := range [][2]string{
		{`{"properties":{"n":{"type":"integer","default":5}},"required":["n"]}`, `{}`},
		{`{"properties":{"n":{"$ref":"#/$defs/n"}},"required":["n"],"$defs":{"n":{"default":5}}}`, `{}`},
		{`{"oneOf":[{"properties":{"n":{"default":5}},"required":["n"]},{"properties":{"m":{}}}]}`, `{}`},
		{`{"not":{"properties":{"n":{"default":5}},"required":["n"]}}`, `{}`},
		{`{"properties":{"n":{"type":"integer"}}}`, `{"n":1e2}`},
		{`{"properties":{"n":{"type":"integer"}}}`, `{"n":12345678901234567890123}`},
		{`{"properties":{"s":{"type":"string","maxLength":1}}}`, `{"s":"饼"}`},
		{`{"properties":{"s":{"format":"date-time"}}}`, `{"s":7}`},
		{`{"properties":{"s":{"format":"hostname"}}}`, `{"s":"a_b"}`},
		{`{"properties":{"s":{"format":"unheard-of"}}}`, `{"s":"a"}`},
		{`{"properties":{"s":{"pattern":"^\\p{Lu}"}}}`, `{"s":"Ż"}`},
		{`{"properties":{"s":{"pattern":"^[\\w.-]+\\/\\d$"}}}`, `{"s":"a-b.c/7"}`},
		{`{"properties":{"s":{"pattern":"^a.b$"}}}`, `{"s":"a饼b"}`},
		{`{"properties":{"s":{"pattern":"^(?!bad)[^]*$"}}}`, `{"s":"good\n"}`},
		{`{"properties":{"s":{"pattern":"^\\u00e9$"}}}`, `{"s":"é"}`},
		{`{"required":["s"]}`, `{"s":"","extra":1}`},
		{kinds, `{"v":{"kind":"a"}}`},
		{kinds, `{"v":{"kind":"b"}}`},
		{`{"properties":{"l":{"contains":{"properties":{"n":{"default":5}},"required":["n"]}}}}`, `{"l":[{}]}`},
		{`{"properties":{"a":{},"b":{"default":5}},"dependentRequired":{"a":["b"]}}`, `{"a":1}`},
		{`{"properties":{"l":{"maxItems":18446744073709551615,"minItems":0}}}`, `{"l":[1]}`},
		{`{"properties":{"s":{"maxLength":1.7976931348623157e308}}}`, `{"s":"a"}`},
		{`{"properties":{"maxItems":{"type":"integer"}},"const":{"maxItems":18446744073709551615}}`, `{"maxItems":18446744073709551615}`},
		{`{"properties":{"s":{"type":"string","nullable":true},"n":{"type":["integer"],"nullable":true}}}`, `{"s":null,"n":null}`},
		{`{"properties":{"s":{"pattern":"^(?:[\\uD83C-\\uDBFF][\\uDC00-\\uDFFF])+$"}}}`, `{"s":"🙂"}`},
		{`{"properties":{"s":{"pattern":"^[\\p{Emoji}\\p{Script=Klingon}]+$"}}}`, `{"s":"🙂"}`},
		{`{"properties":{"s":{"pattern":"^(?P<word>[a-z]+)$"}}}`, `{"s":"abc"}`},
		{`{"properties":{"t":{"format":"time"}}}`, `{"t":"09:30:00"}`},
		{`{"properties":{"t":{"format":"time"}}}`, `{"t":"09:30"}`},
		{`{"type":"object"}`, "\ufeff{}"},
		{`{}`, `null`},
		{`{}`, ``},
		{`{"type":"object"}`, `""`},
		{`{"type":"object","required":[]}`, ` `},
	} {
		s, err := Compile([]byte(tt[0]))
		if err != nil {
			t.Errorf("%s: %v", tt[0], err)
			continue
		}
		if e := s.Check([]byte(tt[1])); e != nil {
			t.Errorf("%s %s: %v", tt[0], tt[1], e)
		}
	}
	if e := new(Schema).Check([]byte(`[`)); e != nil {
		t.Error("zero value:", e)
	}
}

func TestFormats(t *testing.T) {
	s, err := Compile([]byte(`{"properties":{"since":{"type":"string","format":"date-time"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	if e := s.Check([]byte(`{"since":"yesterday"}`)); e != nil {
		t.Error("a remark was taken for a rule:", e)
	}
	if e := s.Check([]byte(`{"since":3}`)); e == nil || !strings.Contains(e.Constraint, "date") {
		t.Error("the remark does not help with another fault:", e)
	}
	s.StrictFormats = true
	if e := s.Check([]byte(`{"since":"yesterday"}`)); e == nil || e.Code != recourse.InvalidArgument {
		t.Error(e)
	}
}
