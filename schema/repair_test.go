package schema

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"testing"
)

// A trial is one call and what Repair has to make of it: of a tool of
// testdata/tools.json, of a whole schema, or of the argument x.
type trial struct {
	Name, Tool string
	Schema, X  json.RawMessage
	Required   bool
	Arguments  json.RawMessage
	Raw        string // arguments that can't stand in JSON
	Grade      string // types, names, guess; none: wrong, but not repaired; valid
	Want       json.RawMessage
}

func trials(t testing.TB) (all []trial) {
	f, err := os.Open("testdata/repairs.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var one trial
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			t.Fatalf("%s: %v", lines.Text(), err)
		}
		if one.Raw != "" {
			one.Arguments = json.RawMessage(one.Raw)
		}
		if one.X != nil {
			one.Schema = json.RawMessage(`{"type":"object","properties":{"x":` + string(one.X) + `}}`)
			if one.Required {
				one.Schema = json.RawMessage(`{"type":"object","required":["x"],"properties":{"x":` + string(one.X) + `}}`)
			}
		}
		all = append(all, one)
	}
	return all
}

var grades = []string{"none", "types", "names", "guess"}

// Nothing is changed that is valid or can't be told, and of the rest the grade
// never promises too much.
func TestRepair(t *testing.T) {
	_, tools := calls(t)
	for _, tt := range trials(t) {
		s := tools[tt.Tool]
		if tt.Tool == "" {
			var err error
			if s, err = Compile(tt.Schema); err != nil {
				t.Fatal(tt.Name, err)
			}
			s.StrictFormats = true
		}
		if valid := s.Check(tt.Arguments) == nil && !slices.Contains([]string{"null", `""`}, string(tt.Arguments)); valid != (tt.Grade == "valid") {
			t.Errorf("%s: Check says %v", tt.Name, s.Check(tt.Arguments))
		}
		r := s.Repair(tt.Arguments)
		if r == nil {
			if tt.Want != nil {
				t.Errorf("%s: %s was not repaired to %s", tt.Name, tt.Arguments, tt.Want)
			}
			continue
		}
		got, want := plainly(t, r.Arguments), plainly(t, tt.Want)
		if grades[r.Grade] != tt.Grade || !reflect.DeepEqual(got, want) || len(r.Notes) == 0 {
			t.Errorf("%s: %s became %s (%s), want %s (%s)\n%q", tt.Name, tt.Arguments, r.Arguments, grades[r.Grade], tt.Want, tt.Grade, r.Notes)
		}
	}
}

// plainly decodes JSON, with numbers as they are written.
func plainly(t testing.TB, raw []byte) (v any) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if err := d.Decode(&v); raw != nil && err != nil {
		t.Error(err)
	}
	return v
}
