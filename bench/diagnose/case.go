package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

// A sample is one case: what a server answers or what a model sends, and what is
// to become of it. Its fields are those of all kinds.
type sample struct {
	ID   string `json:"id"`
	Kind kind   `json:"kind"`
	Soft bool   `json:"soft"` // ambiguous: not scored
	Flag bool   `json:"is_error_flag"`

	Channel string `json:"channel"` // result or jsonrpc
	Text    string `json:"text"`

	Content json.RawMessage `json:"content"`

	Fault  string          `json:"fault"`
	Schema json.RawMessage `json:"schema"`
	Args   json.RawMessage `json:"args"` // as sent; nil: left out

	Label label `json:"label"`
}

type kind string

const (
	errorText    kind = "error_text"    // a failure, told as one or not
	hardNegative kind = "hard_negative" // data that looks like a failure
	badArgs      kind = "bad_args"      // a call, its faults and its repair
)

// A label is what a perfect diagnosis says.
type label struct {
	Code       string          `json:"code"` // "" if the call is no failure
	Retryable  bool            `json:"retryable"`
	RetryAfter *json.Number    `json:"retry_after_seconds"`
	Disguised  bool            `json:"disguised"`
	Blank      bool            `json:"blank"`
	Partial    bool            `json:"partial"`
	Problems   []problem       `json:"problems"`
	Repair     json.RawMessage `json:"repair"` // nil: there is none
	Auto       auto            `json:"auto"`
}

// A problem is a fault of the arguments.
type problem struct {
	Path string `json:"path"` // JSON Pointer; to the member itself if it is missing
}

// auto is what may be done about a call without asking.
type auto string

const (
	safe    auto = "safe"    // repair it
	suggest auto = "suggest" // propose the repair
	none    auto = "none"    // reject it
	pass    auto = "pass"    // nothing is wrong
)

// longestCase is room for answers of a megabyte.
const longestCase = 16 << 20

// readCases reads files, and names the line that it can't use.
func readCases(files []string) ([]sample, error) {
	var all []sample
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, longestCase)
		for n := 1; lines.Scan(); n++ {
			line := bytes.TrimSpace(lines.Bytes())
			if len(line) == 0 {
				continue
			}
			s, err := readCase(line)
			if err != nil {
				f.Close()
				return nil, fmt.Errorf("%s:%d: %w", name, n, err)
			}
			all = append(all, s)
		}
		f.Close()
		if err := lines.Err(); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	if len(all) == 0 && len(files) > 0 {
		return nil, fmt.Errorf("no case in %s", strings.Join(files, ", "))
	}
	return all, nil
}

func readCase(line []byte) (s sample, err error) {
	if err := json.Unmarshal(line, &s); err != nil {
		return s, err
	}
	if s.Label.Code == "CIRCUIT_OPEN" {
		s.Label.Code = "SERVICE_UNAVAILABLE" // what an open breaker answers
	}
	if string(s.Label.Repair) == "null" {
		s.Label.Repair = nil
	}
	wrong := ""
	switch s.Kind {
	case errorText:
		s.Channel = strings.ToLower(s.Channel)
		switch {
		case s.Label.Code == "":
			wrong = "it has no label.code"
		case s.Channel != "" && s.Channel != "result" && s.Channel != "jsonrpc":
			wrong = fmt.Sprintf("its channel is %q, neither result nor jsonrpc", s.Channel)
		}
	case hardNegative:
		if s.Content == nil {
			wrong = "it has no content"
		}
	case badArgs:
		switch {
		case s.Schema == nil:
			wrong = "it has no schema"
		case s.Label.Auto != safe && s.Label.Auto != suggest && s.Label.Auto != none && s.Label.Auto != pass:
			wrong = fmt.Sprintf("its label.auto is %q, none of safe, suggest, none and pass", s.Label.Auto)
		}
	default:
		wrong = fmt.Sprintf("its kind is %q, none of error_text, hard_negative and bad_args", s.Kind)
	}
	if wrong != "" {
		return s, fmt.Errorf("the case %q can't be read: %s", s.ID, wrong)
	}
	// A message is one line, whatever the file's author wrote.
	s.Args, s.Schema, s.Content = compact(s.Args), compact(s.Schema), compact(s.Content)
	return s, nil
}

func compact(b json.RawMessage) json.RawMessage {
	if b == nil {
		return nil
	}
	var line bytes.Buffer
	if json.Compact(&line, b) != nil {
		return b
	}
	return line.Bytes()
}

// of returns the cases of a kind that count.
func of(k kind, all []sample) (some []sample) {
	for _, s := range all {
		if s.Kind == k && !s.Soft {
			some = append(some, s)
		}
	}
	return some
}
