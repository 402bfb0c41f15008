package schema_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/schema"
)

const weather = `{
	"type": "object",
	"properties": {
		"city": {"type": "string", "description": "Name of the city."},
		"days": {"type": "integer", "minimum": 1, "maximum": 16},
		"unit": {"enum": ["celsius", "fahrenheit"]}
	},
	"required": ["city"],
	"additionalProperties": false
}`

var outcome *recourse.Error

// BenchmarkCheck is one call of a typical tool; a valid one should take at most
// 8 µs.
func BenchmarkCheck(b *testing.B) {
	s, err := schema.Compile([]byte(weather))
	if err != nil {
		b.Fatal(err)
	}
	for name, arguments := range map[string]string{
		"valid":     `{"city":"Oslo","days":3,"unit":"celsius"}`,
		"one fault": `{"city":"Oslo","days":30,"unit":"celsius"}`,
		"two":       `{"citi":"Oslo","days":"30","unit":"celsius"}`,
		"not JSON":  `{"city":"Oslo","days":3,"unit":"celsius"`,
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				outcome = s.Check([]byte(arguments))
			}
			if (outcome == nil) != (name == "valid") {
				b.Error(outcome)
			}
		})
	}
}

// BenchmarkCompile is a typical schema, and the largest that is accepted.
func BenchmarkCompile(b *testing.B) {
	var large strings.Builder
	large.WriteString(`{"properties":{`)
	for i := range 4990 {
		fmt.Fprintf(&large, `"property%d":{"type":"string"},`, i)
	}
	large.WriteString(`"last":{}}}`)
	for name, text := range map[string]string{"weather": weather, "largest": large.String()} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := schema.Compile([]byte(text)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
