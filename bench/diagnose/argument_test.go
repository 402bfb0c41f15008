package main

import (
	"encoding/hex"
	"encoding/json"
	"testing"
)

// TestJudgeCall says of each thing that can become of a call which counts move.
func TestJudgeCall(t *testing.T) {
	reads, writes, auto := trials[0], trials[1], trials[3]
	arrived := func(arguments string) answer {
		return answer{texts: []string{received + hex.EncodeToString([]byte(arguments))}}
	}
	rejected := func(envelope string) (a answer) {
		if err := json.Unmarshal([]byte(envelope), &a.envelope); err != nil {
			t.Fatal(err)
		}
		a.failed = true
		return a
	}
	typed := sample{Args: json.RawMessage(`{"n":"1"}`), Label: label{Code: "INVALID_ARGUMENT", Problems: []problem{{"/n"}}, Repair: json.RawMessage(`{"n":1}`), Auto: safe}}
	named := sample{Args: json.RawMessage(`{"N":1}`), Label: label{Code: "UNKNOWN_ARGUMENT", Problems: []problem{{"/N"}}, Repair: json.RawMessage(`{"n":1}`), Auto: safe}}
	hopeless := sample{Args: json.RawMessage(`{"n":1.5}`), Label: label{Code: "INVALID_ARGUMENT", Problems: []problem{{"/n"}}, Auto: none}}
	valid := sample{Args: json.RawMessage(`{"n":1}`), Label: label{Auto: pass, Repair: json.RawMessage(`{"n":1}`)}}
	one, zero := count{1, 1}, count{0, 1}
	for name, c := range map[string]struct {
		trial  trial
		sample sample
		answer answer
		want   mending
	}{
		"type repaired":               {writes, typed, arrived(`{"n":1}`), mending{safe: one, wrong: zero}},
		"name repaired":               {reads, named, arrived(`{"n":1}`), mending{safe: one, wrong: zero}},
		"name repaired for a writer":  {writes, named, arrived(`{"n":1}`), mending{safe: one, wrong: one}},
		"name proposed for a writer":  {writes, named, rejected(`{"code":"UNKNOWN_ARGUMENT","field":"/N","proposed_arguments":{"n":1.0}}`), mending{safe: one, wrong: zero, field: one, code: one}},
		"only proposed":               {reads, named, rejected(`{"code":"X","field":"/N","proposed_arguments":{"n":1}}`), mending{safe: zero, wrong: zero, field: one, code: zero}},
		"repaired to something else":  {reads, typed, arrived(`{"n":2}`), mending{safe: zero, wrong: one, field: zero, code: zero}},
		"passed by enforce":           {reads, hopeless, arrived(`{"n":1.5}`), mending{wrong: zero, field: zero, code: zero}},
		"passed by auto":              {auto, hopeless, arrived(`{"n":1.5}`), mending{wrong: zero}},
		"rounded":                     {auto, hopeless, arrived(`{"n":2}`), mending{wrong: one}},
		"rejected at the wrong place": {reads, hopeless, rejected(`{"code":"INVALID_ARGUMENT","field":"/m"}`), mending{wrong: zero, field: zero, code: one}},
		"valid":                       {auto, valid, arrived(`{"n":1}`), mending{valid: zero}},
		"valid, spelled anew":         {auto, valid, arrived(`{"n":1.0}`), mending{valid: one}},
		"valid, rejected":             {reads, valid, rejected(`{"code":"INVALID_ARGUMENT"}`), mending{valid: one}},
	} {
		var r report
		var got mending
		r.judgeCall(&got, c.trial, c.sample, c.answer)
		if got != c.want {
			t.Errorf("%s: got %+v, want %+v", name, got, c.want)
		}
	}
}
