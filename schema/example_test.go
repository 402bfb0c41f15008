package schema_test

import (
	"fmt"

	"github.com/recourse-dev/recourse/schema"
)

const forecast = `{
	"type": "object",
	"properties": {
		"city": {"type": "string", "description": "The city's name."},
		"days": {"type": "integer", "minimum": 1, "maximum": 16},
		"unit": {"enum": ["celsius", "fahrenheit"]}
	},
	"required": ["city"],
	"additionalProperties": false
}`

func ExampleCompile() {
	_, err := schema.Compile([]byte(`{"properties": {"days": {"minimum": "1"}}}`))
	fmt.Println(err)
	_, err = schema.Compile([]byte(`{"$ref": "file:///etc/passwd"}`))
	fmt.Println(err)
	// Output:
	// In the input schema, /properties/days/minimum must be a number.
	// The input schema refers to file:///etc/passwd, and nothing is fetched.
}

func ExampleSchema_Check() {
	s, err := schema.Compile([]byte(forecast))
	if err != nil {
		panic(err)
	}
	fmt.Println(s.Check([]byte(`{"city": "Oslo", "days": 3}`)) == nil)
	e := s.Check([]byte(`{"city": "Oslo", "days": 30}`))
	fmt.Println(e)
	fmt.Println(e.Suggestion)
	e = s.Check([]byte(`{"town": "Oslo", "days": "3", "unit": "C"}`))
	for _, v := range e.Violations {
		fmt.Println(v.Field, v.Suggestion)
	}
	// Output:
	// true
	// days must be a whole number between 1 and 16.
	// Set days to a whole number between 1 and 16.
	// /town Use city instead of town.
	// /days Send days as the number 3, not as the text "3".
	// /unit Set unit to celsius, or another of its values if that is not meant.
}

func ExampleNearest() {
	fmt.Println(schema.Nearest("issueCreate", []string{"create_issue", "list_issues", "echo"}))
	// Output: [create_issue list_issues]
}

func ExampleSchema_Repair() {
	s, err := schema.Compile([]byte(forecast))
	if err != nil {
		panic(err)
	}
	for _, arguments := range []string{
		`{"city": "Oslo", "days": "3"}`,
		`{"City": "Oslo", "unit": null}`,
		`{"city": "Oslo", "days": "two weeks"}`,
		`{"city": "Oslo", "days": "3 or 4"}`,
	} {
		r := s.Repair([]byte(arguments))
		switch {
		case r == nil:
			fmt.Println("nobody knows")
		case r.Grade == schema.Types: // for every tool
			fmt.Printf("send %s\n", r.Arguments)
		case r.Grade == schema.Names: // for tools that only read
			fmt.Printf("send %s if nothing can go wrong\n", r.Arguments)
		default:
			fmt.Printf("propose %s: %s\n", r.Arguments, r.Notes[0])
		}
	}
	// Output:
	// send {"city":"Oslo","days":3}
	// send {"city":"Oslo"} if nothing can go wrong
	// propose {"city":"Oslo","days":14}: The argument days was the text "two weeks" and is now the number 14.
	// nobody knows
}

func ExampleSchema_Ignored() {
	s, err := schema.Compile([]byte(`{"type": "object", "properties": {"query": {"type": "string"}, "limit": {"type": "integer"}}}`))
	if err != nil {
		panic(err)
	}
	for _, stray := range s.Ignored([]byte(`{"query": "rain", "limitt": 5}`)) {
		fmt.Printf("%s is ignored; %s was meant\n", stray.Name, stray.Near)
	}
	// Output: limitt is ignored; limit was meant
}
