//go:build linux

package kill

import (
	"encoding/json"
	"fmt"
)

// A message is what the client reads of a line.
type message struct {
	ID     json.RawMessage
	Method string
	Result *struct {
		Content []struct{ Text string }
		IsError bool
		Tools   []struct{ Name string }
	}
	Error *struct{ Data json.RawMessage }

	line string
}

// An envelope is what the client reads of an error.
type envelope struct {
	Error struct {
		Code, Message, Suggestion, Outcome string
		Retryable                          *bool
	}
}

// judge returns how the call of a tool ends with this message, and what is wrong
// with that.
func (m message) judge(tool, argument string) (ending, wrong string) {
	isTool := tool == "pay" || tool == "put" || tool == "get" || tool == "hold"
	switch {
	case m.Error != nil && isTool:
		return unknown, "a protocol error to a tool call"
	case m.Error != nil:
		return m.failure(tool, string(m.Error.Data))
	case m.Result == nil:
		return unknown, "neither result nor error"
	case tool == "tools/list" && len(m.Result.Tools) != 4:
		return data, "another list"
	case !isTool:
		return data, ""
	case len(m.Result.Content) == 0:
		return unknown, "no content"
	case m.Result.IsError:
		return m.failure(tool, m.Result.Content[0].Text)
	}
	var a answer
	if err := json.Unmarshal([]byte(m.Result.Content[0].Text), &a); err != nil || a.Call != argument {
		return unknown, "the answer to another call"
	}
	if a.Level != level || a.Watched != watched {
		return data, "the server does not know what the client had set"
	}
	return data, ""
}

// failure judges an envelope.
func (m message) failure(tool, text string) (ending, wrong string) {
	var e envelope
	if err := json.Unmarshal([]byte(text), &e); err != nil || e.Error.Code == "" || e.Error.Retryable == nil {
		return unknown, "no envelope"
	}
	if e.Error.Suggestion == "" {
		wrong = "no suggestion"
	}
	switch e.Error.Outcome {
	case "":
		return refused, wrong
	case unknown:
		if *e.Error.Retryable && (tool == "pay" || tool == "hold") {
			wrong = "it may have run and is called retryable"
		}
		return unknown, wrong
	}
	return unknown, fmt.Sprintf("outcome %q", e.Error.Outcome)
}

// code returns the code of an error, or nothing.
func (m message) code() string {
	text := ""
	switch {
	case m.Error != nil:
		text = string(m.Error.Data)
	case m.Result != nil && m.Result.IsError && len(m.Result.Content) > 0:
		text = m.Result.Content[0].Text
	}
	var e envelope
	json.Unmarshal([]byte(text), &e)
	return e.Error.Code
}

// told reports whether the answer carries more than the server's.
func (m message) told() bool {
	return m.Result != nil && !m.Result.IsError && len(m.Result.Content) > 1
}

// server returns the process that has answered, if a tool did.
func (m message) server() int {
	var a answer
	if m.Result != nil && len(m.Result.Content) > 0 {
		json.Unmarshal([]byte(m.Result.Content[0].Text), &a)
	}
	return a.PID
}
