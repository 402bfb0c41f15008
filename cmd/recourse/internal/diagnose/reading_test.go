package diagnose

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/recourse-dev/recourse"
)

type readingCase struct {
	Text      string
	Code      recourse.Code
	Retryable bool
	Wait      int // seconds
}

func readingCases(t testing.TB) (cases []readingCase) {
	data, err := os.ReadFile("testdata/reading.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(bytes.NewReader(data))
	for lines.Scan() {
		var c readingCase
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatalf("%v: %s", err, lines.Bytes())
		}
		cases = append(cases, c)
	}
	return cases
}

// The cases are labelled by what the codes mean, not by what is read: some are
// too odd for any rule that isn't made for them alone.
func TestReadingCases(t *testing.T) {
	cases := readingCases(t)
	right, retry, unsafe := 0, 0, 0
	kinds := map[recourse.Code]int{}
	for _, c := range cases {
		kinds[c.Code]++
		got := Read(c.Text)
		if got.Code == c.Code {
			right++
		} else {
			t.Logf("%s, read as %s by %s: %q", c.Code, got.Code, got.Reason, c.Text)
		}
		if got.Retryable == c.Retryable {
			retry++
		} else if got.Retryable {
			unsafe++
		}
		if got.RetryAfter != time.Duration(c.Wait)*time.Second {
			t.Errorf("wait %v, want %d s: %q", got.RetryAfter, c.Wait, c.Text)
		}
	}
	n := len(cases)
	t.Logf("%d cases: %d codes and %d retryables right, %d unsafe", n, right, retry, unsafe)
	if right*100 < n*97 || retry*1000 < n*990 || unsafe*500 > n {
		t.Error("fewer than 97 % of codes or 99 % of retryables are right, or more than .2 % unsafe")
	}
	if len(kinds) != 32 {
		t.Errorf("%d codes have cases", len(kinds))
	}
}

// Wrappers change nothing, be they in layers.
func TestReadingWrapped(t *testing.T) {
	wraps := []string{
		"Error: %s", "Error executing tool x: %s", "MCP error -32603: %s", "Tool execution failed: %s", "[ERROR] %s",
		"❌ Error: %s", "Error executing tool x: MCP error -32603: Error: %s", "  %s\n",
	}
	changed := 0
	cases := readingCases(t)
	for _, c := range cases {
		if c.Code == recourse.UnknownError || strings.HasPrefix(c.Text, "MCP") {
			continue
		}
		for _, wrap := range wraps {
			text := strings.Replace(wrap, "%s", c.Text, 1)
			if got, want := Read(text), Read(c.Text); got.Code != want.Code || got.RetryAfter != want.RetryAfter {
				changed++
				t.Logf("%q is %s instead of %s", text, got.Code, want.Code)
			}
		}
	}
	if changed*100 > len(cases)*len(wraps) {
		t.Errorf("%d of %d are read otherwise", changed, len(cases)*len(wraps))
	}
}

func TestReadingLong(t *testing.T) {
	page := strings.Repeat("lorem ipsum dolor sit amet ", 4000)
	for text, want := range map[string]recourse.Code{
		"no such customer\n" + page:                        recourse.NotFound,
		page + "\nno such customer":                        recourse.NotFound,
		page[:50_000] + "no such customer" + page[50_000:]: recourse.UnknownError,
	} {
		if got := Read(text).Code; got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// A text that is all keywords costs a bounded time.
func TestReadingBounded(t *testing.T) {
	for _, word := range []string{"is not ", "no a the ", "the limit of the limit is over the ", "cannot be not ", "(", "{", "[1,", `{"a":`, "\n", "A_", "aA", "1.", "’"} {
		text := strings.Repeat(word, 200_000/len(word))
		start := time.Now()
		Read(text)
		if took := time.Since(start); took > time.Second {
			t.Errorf("%q takes %v", word, took)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, c := range readingCases(f) {
		f.Add(c.Text)
	}
	f.Add(`Error code: 429 {"error":{"details":[{"retryDelay":"1e9s"}],"code":429}}`)
	f.Fuzz(func(t *testing.T, text string) {
		got := Read(text)
		if got.RetryAfter < 0 || got.RetryAfter > maxPause || got.RetryAfter%time.Second != 0 {
			t.Errorf("wait %v", got.RetryAfter)
		}
		if got.Code == "" || got.Envelope == nil && (&recourse.Error{Code: got.Code}).Envelope() == "" {
			t.Errorf("code %q", got.Code)
		}
		if _, ok := ToolFailure([]byte(text), time.Time{}); ok && text[0] != '{' && text[0] > ' ' {
			t.Error("no object is a failure")
		}
	})
}

func BenchmarkRead(b *testing.B) {
	trace := strings.Repeat("    at Object.handler (/srv/app/node_modules/@acme/server/dist/tools/search.js:118:23)\n", 12)
	trace = ("Error: connect ECONNREFUSED 10.0.0.1:5432\n" + trace)[:1024]
	for name, text := range map[string]string{
		"sentence": "Error: the allowance of the map service is used up. Please come back later.",
		"json":     `{"status":404,"object":"error","code":"object_not_found","message":"No note has the ID 77aa10c2."}`,
		"1KiB":     trace,
		"100KiB":   strings.Repeat(trace, 100),
	} {
		Read(text)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				Read(text)
			}
		})
	}
	b.Run("table", func(b *testing.B) {
		for b.Loop() {
			_, _ = parseRules(rulesText)
		}
	})
}
