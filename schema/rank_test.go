package schema

import (
	"maps"
	"testing"
)

func TestRanks(t *testing.T) {
	for text, want := range map[string]map[string]int{
		`true`: {},
		`{"properties":{"b":{},"a":{"properties":{"c":true,"b":1}}},"required":["a"]}`:    {"b": 0, "a": 1, "c": 2},
		`{ "properties" : { "properties" : { "properties" : { "x" : 1 } } , "y" : [] } }`: {"properties": 0, "x": 1, "y": 2},
		`{"enum":["properties",{"properties":{"a":1}}],"title":"\"properties\":{"}`:       {"a": 0},
		`{"items":[{"properties":{"\u0061\\":1}}],"properties":[{"z":1}]}`:                {`a\`: 0},
		"{\"properties\":{\"\xff\":1,\"\":2,\"{\":{\"}\":1},\"k\":2}}":                    {"\ufffd": 0, "": 1, "{": 2, "k": 3},
		`{"a":{"properties":{"b":1}},"c":{"b":{"properties":{"d":1}}}}`:                   {"b": 0, "d": 1},
	} {
		if got := ranks([]byte(text)); !maps.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", text, got, want)
		}
	}
}
