package demo

import (
	"bytes"
	"encoding/json"
	"time"
)

// A Sight is what a client saw of one call.
type Sight struct {
	Ready  time.Duration   // until initialize was answered
	Took   time.Duration   // until the call was answered, or given up
	Answer []byte          // the line, as it came; nil: none came
	Closed bool            // the connection ended instead
	Late   []time.Duration // after the call: answers to what nobody waited for any more
	Open   bool            // a ping afterwards was answered
	Next   *Sight          // of the call after this one; nil: there is none

	message    message         // of Answer
	failed     bool            // it says that it is an error
	text       string          // the first of its result
	notes      []string        // the other texts of its result
	structured json.RawMessage // its structuredContent
	warnings   []string        // of recourse, for machines
	repaired   []string        // what recourse did to the arguments
	envelope   []member        // of recourse's error, in the order in which they stand
}

// A member is one of an envelope. Those of an object within are named
// "upstream.text" and so on.
type member struct {
	key   string
	value any
}

// parse reads Answer, and that of the call after it.
func (s *Sight) parse() {
	var result struct {
		IsError bool `json:"isError"`
		Content []struct {
			Text string `json:"text"`
		} `json:"content"`
		Structured json.RawMessage `json:"structuredContent"`
		Meta       struct {
			Warnings []string `json:"dev.recourse/warnings"`
			Repaired []string `json:"dev.recourse/repaired"`
		} `json:"_meta"`
	}
	var whole struct {
		Error json.RawMessage `json:"error"`
	}
	s.message, s.text, s.notes, s.envelope = message{}, "", nil, nil
	_ = json.Unmarshal(s.Answer, &s.message)
	_ = json.Unmarshal(s.message.Result, &result)
	for i, block := range result.Content {
		if i == 0 {
			s.text = block.Text
		} else {
			s.notes = append(s.notes, block.Text)
		}
	}
	s.failed, s.structured = result.IsError, result.Structured
	s.warnings, s.repaired = result.Meta.Warnings, result.Meta.Repaired
	if result.IsError && json.Unmarshal([]byte(s.text), &whole) == nil {
		s.envelope = members(whole.Error, "")
	}
	if s.Next != nil {
		s.Next.parse()
	}
}

func members(object json.RawMessage, prefix string) (all []member) {
	dec := json.NewDecoder(bytes.NewReader(object))
	if t, _ := dec.Token(); t != json.Delim('{') {
		return nil
	}
	for dec.More() {
		key, _ := dec.Token()
		name, _ := key.(string)
		var raw json.RawMessage
		if dec.Decode(&raw) != nil {
			return nil
		}
		if raw[0] == '{' {
			all = append(all, members(raw, prefix+name+".")...)
			continue
		}
		m := member{key: prefix + name}
		_ = json.Unmarshal(raw, &m.value)
		all = append(all, m)
	}
	return all
}

// member returns the value of the envelope's member.
func (s *Sight) member(key string) (value any, ok bool) {
	for _, m := range s.envelope {
		if m.key == key {
			return m.value, true
		}
	}
	return nil, false
}
