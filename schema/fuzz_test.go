package schema

import (
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"time"
)

// patience is how long a hostile schema may take, on a busy machine and with the
// race detector. The limits in the code are a tenth of it.
const patience = 5 * time.Second

func FuzzCompile(f *testing.F) {
	for _, tt := range faults {
		f.Add(strings.TrimPrefix(tt.schema, "$"))
	}
	f.Add(`{"$id":"http://a/b","$defs":{"c":{"$id":"d","$dynamicAnchor":"e"}},"$dynamicRef":"d#e"}`)
	f.Add(`{"$schema":"http://json-schema.org/draft-07/schema#","$id":"#x","$ref":"#x"}`)
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Compile([]byte(text))
		if (s == nil) == (err == nil) {
			t.Fatal(s, err)
		}
		if err != nil && err.Error() == "" {
			t.Error("no reason")
		}
	})
}

func FuzzCheck(f *testing.F) {
	for _, tt := range faults {
		text, whole := strings.CutPrefix(tt.schema, "$")
		if !whole {
			text = `{"properties":{"x":` + text + `}}`
		}
		f.Add(text, tt.arguments)
	}
	f.Add(`{"additionalProperties":{"$ref":"#"},"uniqueItems":true}`, `{"a":{"b":[1e5,1E+5]}}`)
	f.Fuzz(func(t *testing.T, text, arguments string) {
		s, err := Compile([]byte(text))
		if err != nil {
			t.Skip()
		}
		start := time.Now()
		e := s.Check([]byte(arguments))
		if took := time.Since(start); took > patience {
			t.Errorf("took %v", took)
		}
		if e == nil {
			return
		}
		if e.Code == "" || e.Message == "" || e.Suggestion == "" || e.Retryable() {
			t.Errorf("%+v", e)
		}
		for _, v := range e.Violations {
			if v.Constraint == "" || v.Suggestion == "" {
				t.Errorf("%+v", v)
			}
		}
		if b := e.Envelope(); len(b) > 2048 || !json.Valid([]byte(b)) {
			t.Errorf("%s", b)
		}
		if again := s.Check([]byte(arguments)); again == nil || again.Envelope() != e.Envelope() {
			t.Errorf("%v, then %v", e, again)
		}
	})
}

// One Schema serves many goroutines.
func TestConcurrent(t *testing.T) {
	all, tools := calls(t)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for _, c := range all {
				if wrong := c.judge(tools[c.Tool].Check(c.Arguments)); wrong != "" {
					t.Errorf("%s: %s", c.Name, wrong)
				}
			}
		})
	}
	wg.Wait()
}

func FuzzRepair(f *testing.F) {
	for _, tt := range trials(f) {
		f.Add(string(tt.Schema), string(tt.Arguments))
	}
	for _, tt := range faults {
		f.Add(strings.TrimPrefix(tt.schema, "$"), tt.arguments)
	}
	f.Fuzz(func(t *testing.T, text, arguments string) {
		s, err := Compile([]byte(text))
		if err != nil {
			t.Skip()
		}
		s.StrictFormats = len(text)%2 == 0
		start := time.Now()
		s.Ignored([]byte(arguments))
		r := s.Repair([]byte(arguments))
		if took := time.Since(start); took > patience {
			t.Errorf("took %v", took)
		}
		if r == nil {
			return
		}
		if wrong := s.Check(r.Arguments); wrong != nil || !json.Valid(r.Arguments) {
			t.Errorf("%s is wrong: %v", r.Arguments, wrong)
		}
		if again := s.Repair(r.Arguments); again != nil {
			t.Errorf("%s, then %s", r.Arguments, again.Arguments)
		}
		if sent, err := decode([]byte(arguments)); err == nil && sent != nil && sent != "" && s.Check([]byte(arguments)) == nil {
			t.Errorf("%s was right", arguments)
		}
		if len(r.Notes) == 0 || len(r.Notes) > maxViolations || r.Grade < Types || r.Grade > Guess {
			t.Errorf("%+v", r)
		}
	})
}
