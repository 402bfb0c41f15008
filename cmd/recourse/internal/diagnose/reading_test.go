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

// What a call has done in part is not to be repeated, whichever words tell it and
// however short the wait is.
func TestReadingPartial(t *testing.T) {
	for text, partial := range map[string]bool{
		"Created 3 of 5 records, then: rate limit exceeded":                          true,
		"2 of 10 messages were sent before the connection dropped":                   true,
		"Partially applied: 4 rows are written. The server timed out.":               true,
		"The first part was saved, then the service became unavailable":              true,
		"The ticket was created, but attaching the file failed: HTTP 503":            true,
		"Half of the invites were sent, then the mail server timed out":              true,
		"3 von 5 Nachrichten wurden gesendet, dann brach die Verbindung ab: timeout": true,
		"Created 0 of 5 records: too many requests":                                  false,
		"Read 3 of 5 pages, then the connection was reset":                           false,
		"3 of 5 calls are used: rate limit exceeded, try again in 5 s":               false,
		"All changes were rolled back: deadlock detected":                            false,
	} {
		got := Read(text)
		if got.Partial != partial || got.Retryable == partial || got.Code == recourse.UnknownError {
			t.Errorf("%q is %s by %s: partial %v, retryable %v", text, got.Code, got.Reason, got.Partial, got.Retryable)
		}
		w := Words{Text: text}
		if e := w.Explain().Err; partial && e.Retryable() {
			t.Errorf("%q is told as retryable", text)
		}
	}
}

// The languages that have no spaces are read by their characters, and those that
// have capitals outside ASCII in either case.
func TestReadingScripts(t *testing.T) {
	for text, want := range map[string]recourse.Code{
		"ファイルが見つかりません。":             recourse.NotFound,
		"错误：请求过于频繁，请稍后再试":           recourse.RateLimited,
		"요청 시간이 초과되었습니다":            recourse.Timeout,
		"ДОСТУП ЗАПРЕЩЁН":           recourse.PermissionDenied,
		"L’ÉLÉMENT EST INTROUVABLE": recourse.NotFound,
		"„Datei“ nicht gefunden":    recourse.NotFound,
		"文件已保存":                     recourse.UnknownError,
		"请":                         recourse.UnknownError,
		"\xe8\xaf":                  recourse.UnknownError,
	} {
		if got := Read(text); got.Code != want {
			t.Errorf("%q is %s by %s, want %s", text, got.Code, got.Reason, want)
		}
	}
	if got := Read("请求太多，请在 10 秒后重试").RetryAfter; got != 10*time.Second {
		t.Errorf("wait %v", got)
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
