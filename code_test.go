package recourse

import (
	"bufio"
	"cmp"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// codeRow is one line of testdata/codes.txt.
type codeRow struct {
	code       Code
	after, max int
	ifNotRun   bool
	breaker    bool
}

func codeRows(t *testing.T) []codeRow {
	t.Helper()
	f, err := os.Open("testdata/codes.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var rows []codeRow
	for s := bufio.NewScanner(f); s.Scan(); {
		if strings.HasPrefix(s.Text(), "#") {
			continue
		}
		w := strings.Fields(s.Text())
		after, _ := strconv.Atoi(w[1])
		retries, ifNotRun := strings.CutSuffix(w[2], "?")
		most, err := strconv.Atoi(retries)
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, codeRow{Code(w[0]), after, most, ifNotRun, w[3] == "yes"})
	}
	return rows
}

// declared returns the codes of code.go.
func declared(t *testing.T) []Code {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), "code.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var codes []Code
	ast.Inspect(f, func(n ast.Node) bool {
		if v, ok := n.(*ast.ValueSpec); ok {
			s, err := strconv.Unquote(v.Values[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			codes = append(codes, Code(s))
		}
		return true
	})
	return codes
}

func TestEveryCodeHasItsDefaults(t *testing.T) {
	rows := codeRows(t)
	codes := declared(t)
	if len(codes) != 32 || len(rows) != 32 || len(fallbacks) != 32 {
		t.Fatalf("%d codes, %d rows, %d fallbacks; want 32 of each", len(codes), len(rows), len(fallbacks))
	}
	for i, row := range rows {
		if codes[i] != row.code {
			t.Errorf("code %d is %s, want %s", i, codes[i], row.code)
		}
		var got struct {
			Retryable bool
			After     int `json:"retry_after_seconds"`
			Max       int `json:"max_retries"`
		}
		e := &Error{Code: row.code, NotRun: row.ifNotRun}
		b, _ := e.MarshalJSON()
		if err := json.Unmarshal(b, &got); err != nil {
			t.Fatal(err)
		}
		if got.Retryable != (row.max > 0) || got.After != row.after || got.Max != row.max {
			t.Errorf("%s: %+v, want after %d, max %d", row.code, got, row.after, row.max)
		}
		if e.counts() != row.breaker {
			t.Errorf("%s: counts against a breaker: %t", row.code, e.counts())
		}
		if (&Error{Code: row.code}).Retryable() != (row.max > 0 && !row.ifNotRun) {
			t.Errorf("%s: wrong Retryable", row.code)
		}
	}
}

// A suggestion is an instruction: it begins with a verb in the imperative. And
// what says "repeat" must not stand beside retryable false.
func TestDefaultTextsReadWell(t *testing.T) {
	verbs := " Add Ask Check Choose Correct Do Don't List Look Read Repeat Send Tell Try Use Wait "
	for code, f := range fallbacks {
		for _, s := range []string{f.suggestion, cmp.Or(f.repeat, f.suggestion)} {
			verb := strings.Trim(strings.Fields(s)[0], ",")
			if !strings.Contains(verbs, " "+verb+" ") {
				t.Errorf("%s: %q does not begin with a verb of the list", code, s)
			}
		}
		if (f.repeat != "") != (f.retries > 0) {
			t.Errorf("%s: repeat is for codes that are retried", code)
		}
		for _, s := range []string{f.phrase, f.suggestion, f.repeat} {
			if s == "" {
				continue
			}
			if first, _ := utf8.DecodeRuneInString(s); !unicode.IsUpper(first) || !strings.HasSuffix(s, ".") || len(s) > 120 {
				t.Errorf("%s: %q is not one short sentence", code, s)
			}
		}
		if f.phrase == "" {
			t.Errorf("%s has no phrase", code)
		}
	}
}

// An author's own code is retried, and counted, only if he says so.
func TestOwnCode(t *testing.T) {
	for _, tt := range []struct {
		e    Error
		want bool
	}{
		{Error{Code: "DISC_JAMMED"}, false},
		{Error{Code: "DISC_JAMMED", MaxRetries: -1}, false},
		{Error{Code: "DISC_JAMMED", MaxRetries: 2}, true},
	} {
		if tt.e.Retryable() != tt.want || tt.e.counts() != tt.want {
			t.Errorf("MaxRetries %d: retryable %t, counts %t, want %t", tt.e.MaxRetries, tt.e.Retryable(), tt.e.counts(), tt.want)
		}
	}
}

func TestCodeIsScreamingSnake(t *testing.T) {
	for _, ok := range []Code{"A", "A1", "DISC_JAMMED", "HTTP_2_GONE", Code(strings.Repeat("A", 63))} {
		if !ok.valid() {
			t.Errorf("%q should be valid", ok)
		}
	}
	for _, bad := range []Code{"", "_", "A_", "_A", "1A", "A__B", "disc_jammed", "DISC-JAMMED", "ÄRGER", "A B", Code(strings.Repeat("A", 64))} {
		if bad.valid() {
			t.Errorf("%q should not be valid", bad)
		}
		if got := (&Error{Code: bad}).object()[0].raw; string(got) != `"UNKNOWN_ERROR"` {
			t.Errorf("%q is written as %s", bad, got)
		}
	}
}
