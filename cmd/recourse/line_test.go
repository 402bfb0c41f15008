package main

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/recourse-dev/recourse"
)

// checkLine holds every line that the client hears to what a strict client can
// read, and every error that recourse writes to what any model may rely on. Where
// recourse is told to change nothing, nothing is promised.
func (p *player) checkLine(line string) {
	if slices.Contains(p.cmd.Args, "observe") || slices.Contains(p.cmd.Args, "off") || slices.Contains(p.cmd.Env, "RECOURSE_BYPASS=1") {
		return
	}
	if !utf8.ValidString(line) || loneSurrogate(line) {
		p.fatalf("not Unicode: the client heard\n%q", short(line))
	}
	answers := []json.RawMessage{json.RawMessage(line)}
	if strings.HasPrefix(line, "[") {
		if err := json.Unmarshal([]byte(line), &answers); err != nil {
			p.fatalf("%v: the client heard\n%s", err, short(line))
		}
	}
	for _, answer := range answers {
		p.checkMessage(string(answer))
	}
}

// checkMessage wants the message of a protocol that has no message without
// jsonrpc, and no content without a block that can be shown.
func (p *player) checkMessage(line string) {
	var m struct {
		Version string `json:"jsonrpc"`
		Result  struct {
			Content []struct {
				Type *string
				Text *string
			}
		}
	}
	err := json.Unmarshal([]byte(line), &m)
	if err != nil || m.Version != "2.0" {
		p.fatalf("%v: no message: the client heard\n%s", err, short(line))
	}
	blank := m.Result.Content != nil && len(m.Result.Content) == 0
	for _, b := range m.Result.Content {
		blank = blank || b.Type == nil || *b.Type == "text" && (b.Text == nil || strings.TrimSpace(*b.Text) == "")
	}
	if blank {
		p.fatalf("a blank: the client heard\n%s", short(line))
	}
	p.checkEnvelope(line)
}

// loneSurrogate reports whether a JSON text has half a character.
func loneSurrogate(text string) bool {
	for {
		_, rest, found := strings.Cut(text, `\`)
		if !found || rest == "" {
			return false
		}
		switch r := unit(rest); {
		case !utf16.IsSurrogate(r):
			text = rest[1:]
		case rest[5:] != "" && rest[5] == '\\' && utf16.DecodeRune(r, unit(rest[6:])) != utf8.RuneError:
			text = rest[len(`ud83d\ude00`):]
		default:
			return true
		}
	}
}

// unit returns the number of an escape uXXXX at the start of a text, -1 if there is
// none.
func unit(text string) rune {
	if len(text) < 5 || text[0] != 'u' {
		return -1
	}
	n, err := strconv.ParseUint(text[1:5], 16, 16)
	if err != nil {
		return -1
	}
	return rune(n)
}

// checkEnvelope holds every error that recourse writes to what any model and
// client may rely on.
func (p *player) checkEnvelope(line string) {
	if !strings.Contains(line, recourse.MetaError) {
		return
	}
	var m struct {
		Result struct {
			IsError    bool
			Content    []struct{ Type, Text string }
			Structured any                        `json:"structuredContent"`
			Meta       map[string]json.RawMessage `json:"_meta"`
		}
	}
	if err := json.Unmarshal([]byte(line), &m); err != nil {
		p.fatalf("%v: the client heard\n%s", err, short(line))
	}
	r := m.Result
	if len(r.Content) == 0 || r.Content[0].Type != "text" || !r.IsError || r.Structured != nil {
		p.fatalf("an error has isError, a first text block and no structuredContent; the client heard\n%s", short(line))
	}
	text, object := r.Content[0].Text, string(r.Meta[recourse.MetaError])
	var e struct {
		Code, Message, Suggestion, Outcome string
		Retryable                          *bool
	}
	if err := json.Unmarshal([]byte(object), &e); err != nil || len(text) > 2048 || text != `{"error":`+object+`}` {
		p.fatalf("text and _meta of an error differ, or it is over 2 kB; the client heard\n%s", short(line))
	}
	if e.Code == "" || e.Message == "" || e.Suggestion == "" || e.Retryable == nil || e.Outcome == "unknown" && *e.Retryable {
		p.fatalf("an error needs code, message, suggestion and retryable; the client heard\n%s", short(line))
	}
}
