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
	// /unit Set unit to one of: celsius, fahrenheit, or leave it out.
}

func ExampleNearest() {
	fmt.Println(schema.Nearest("issueCreate", []string{"create_issue", "list_issues", "echo"}))
	// Output: [create_issue list_issues]
}
