package diagnose

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A disguiseCase is a text that a tool answered with, and what it is.
type disguiseCase struct {
	Text string
	Want string // error or data
	Held bool   // it was not looked at while the heads were made
}

func disguiseCases(t *testing.T) (cases []disguiseCase) {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "disguise.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var c disguiseCase
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatalf("%s: %v", lines.Bytes(), err)
		}
		cases = append(cases, c)
	}
	return cases
}

func answering(s string) []byte { return []byte(`{"content":[` + string(text(quote(s))) + `]}`) }

func suspect(s string) Suspicion { return Disguised(answering(s), Unknown, nil, false, nil) }

// TestDisguised holds what was reached: of our own errors, made to be hard to see,
// and of our own data, made to look like errors. The texts that were held out while
// the heads were made are counted apart.
func TestDisguised(t *testing.T) {
	type count struct{ errors, missed, data, flipped int }
	counts := map[bool]*count{false: {}, true: {}}
	for _, c := range disguiseCases(t) {
		n, s := counts[c.Held], suspect(c.Text)
		flips := s.Tier >= Anchored
		if c.Want == "error" {
			n.errors++
			if !flips {
				n.missed++
			}
		} else {
			n.data++
			if flips {
				n.flipped++
			}
		}
		if flips != (c.Want == "error") {
			t.Logf("held out %v: %s, but tier %d by %q: %q", c.Held, c.Want, s.Tier, s.Rule, c.Text)
		}
	}
	for held, n := range counts {
		t.Logf("held out %v: %d of %d errors missed, %d of %d data flipped", held, n.missed, n.errors, n.flipped, n.data)
		if n.missed*100 > n.errors*5 || n.flipped*100 > n.data*2 {
			t.Error("more than 5 % and 2 %")
		}
	}
}

// TestDisguisedResults are results that are more than one text.
func TestDisguisedResults(t *testing.T) {
	for _, c := range []struct {
		name, result string
		tool         Conduct
		valid        bool
		want         Tier
		text         string
	}{
		{name: "all texts are errors", result: `{"content":[{"type":"text","text":"Error: a is gone"},{"type":"text","text":"Error: b is gone"}]}`, want: Anchored, text: "Error: a is gone"},
		{name: "a text is data", result: `{"content":[{"type":"text","text":"Error: a is gone"},{"type":"text","text":"b: 14 rows"}]}`},
		{name: "an image is data", result: `{"content":[{"type":"text","text":"Error: a is gone"},{"type":"image","data":"AAAA","mimeType":"image/png"}]}`},
		{name: "a resource is data", result: `{"content":[{"type":"text","text":"Error: a is gone"},{"type":"resource","resource":{"uri":"a:b","text":"x"}}]}`},
		{name: "it says that it failed", result: `{"isError":true,"content":[{"type":"text","text":"Error: a is gone"}]}`},
		{name: "structuredContent is an error", result: `{"content":[{"type":"text","text":"see structuredContent"}],"structuredContent":{"error":{"code":404,"message":"No such page"}}}`, want: Structure, text: "No such page"},
		{name: "structuredContent alone", result: `{"structuredContent":{"success":false,"message":"No such page"}}`, want: Structure, text: "No such page"},
		{name: "structuredContent is data", result: `{"content":[{"type":"text","text":"Error: a is gone"}],"structuredContent":{"rows":[1,2]}}`},
		{name: "structuredContent is null", result: `{"content":[{"type":"text","text":"Error: a is gone"}],"structuredContent":null}`, want: Anchored, text: "Error: a is gone"},
		{name: "a text in FastMCP's wrapping", result: `{"content":[{"type":"text","text":"Error: a is gone"}],"structuredContent":{"result":"Error: a is gone"}}`, valid: true, want: Anchored, text: "Error: a is gone"},
		{name: "data in FastMCP's wrapping", result: `{"content":[{"type":"text","text":"14 rows"}],"structuredContent":{"result":"14 rows"}}`},
		{name: "valid, so no text counts", result: `{"content":[{"type":"text","text":"Error: a is gone"}],"structuredContent":{}}`, valid: true},
		{name: "no content", result: `{"content":[]}`},
		{name: "no result", result: `null`},
		{name: "the text of isError in a text", result: `{"content":[{"type":"text","text":"{\"isError\":true,\"content\":[{\"type\":\"text\",\"text\":\"gone\"}]}"}]}`, want: Structure, tool: Judges},
		{name: "a verdict", result: `{"content":[{"type":"text","text":"{\"success\":false,\"message\":\"3 rules broken\"}"}]}`, tool: Judges},
		{name: "a verdict in words", result: `{"content":[{"type":"text","text":"Failed to parse line 4"}]}`, tool: Judges},
		{name: "an SDK's sentence of a judge", result: `{"content":[{"type":"text","text":"Error executing tool lint: boom"}]}`, tool: Judges, want: Structure, text: "Error executing tool lint: boom"},
		{name: "one line instead of contents", result: `{"content":[{"type":"text","text":"Error: a is gone"}]}`, tool: Reads, want: Anchored, text: "Error: a is gone"},
		{name: "contents that begin like an error", result: `{"content":[{"type":"text","text":"Error: a is gone\nIt was here,\nI know it."}]}`, tool: Reads, want: Weak, text: "Error: a is gone\nIt was here,\nI know it."},
		{name: "a weak no of a tool that acts", result: `{"content":[{"type":"text","text":"The device is offline."}]}`, tool: Acts, want: Anchored, text: "The device is offline."},
		{name: "a weak no of any other", result: `{"content":[{"type":"text","text":"The device is offline."}]}`, want: Weak, text: "The device is offline."},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := Disguised([]byte(c.result), c.tool, nil, c.valid, nil)
			if s.Tier != c.want || c.text != "" && s.Text != c.text || (s.Tier > None) != (s.Rule != "") {
				t.Errorf("%+v", s)
			}
		})
	}
}

func FuzzDisguised(f *testing.F) {
	for _, s := range []string{`{"content":[{"type":"text","text":"Error: x"}]}`, `{"structuredContent":{"result":{"error":"x"}}}`, `{"content":[{"type":"text","text":"<html><title>502`, `{"content":[{"type":"text","text":"{'error': 'x'}"}]}`, `{"isError":true}`} {
		f.Add([]byte(s), "Traceback (most recent call last):\n  File \"a\", line 1\nKeyError: 'a'", 1)
	}
	f.Fuzz(func(t *testing.T, result []byte, text string, tool int) {
		var m Memory
		if json.Valid(result) {
			Disguised(result, Conduct(tool), &m, false, nil)
			m.Learn(result)
		}
		s := Disguised(answering(text), Conduct(tool), &m, false, result) // as arguments, too
		if s.Tier > None && !visible(quote(text)) {
			t.Errorf("a blank flips: %+v", s)
		}
		if len(s.Text) > len(text)+maxShort {
			t.Errorf("%d bytes said of %d", len(s.Text), len(text))
		}
		m.Learn(answering(text))
	})
}

// unescape gives an example of the table its breaks and tabs.
func unescape(text string) string {
	if s, err := strconv.Unquote(`"` + strings.ReplaceAll(text, `"`, `\"`) + `"`); err == nil {
		return s
	}
	return text
}

func TestHeads(t *testing.T) {
	for _, h := range heads().heads {
		if len(h.good) < 2 || len(h.bad) < 2 || len(h.is) == 0 {
			t.Errorf("%s has %d patterns, %d positive and %d negative examples", h.name, len(h.is), len(h.good), len(h.bad))
		}
		matches := func(text string) bool {
			lit := quote(text)
			first, _, _ := strings.Cut(text, "\n")
			own := slices.Index(heads().heads, h)
			return heads().mark(lit[1:len(lit)-1]).has(own) && h.matches(undress(first), first)
		}
		for _, text := range h.good {
			text = unescape(text)
			s := suspect(text)
			if !matches(text) || s.Tier == None || s.Tier == Weak && !h.weak {
				t.Errorf("%s: %q: matches %v, tier %d by %q", h.name, text, matches(text), s.Tier, s.Rule)
			}
		}
		for _, text := range h.bad {
			text = unescape(text)
			if s := suspect(text); matches(text) || s.Tier > Weak {
				t.Errorf("%s: not %q: matches %v, tier %d by %q", h.name, text, matches(text), s.Tier, s.Rule)
			}
		}
	}
}
