package diagnose

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDisguisedArguments are answers that the tool's name and the call's arguments
// make an error or the contents that were asked for.
func TestDisguisedArguments(t *testing.T) {
	f, err := os.Open(filepath.Join("testdata", "argument.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var c struct {
			Tool, Text string
			Args       json.RawMessage
			Flips      bool
		}
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatalf("%s: %v", lines.Bytes(), err)
		}
		tool := ConductOf(c.Tool, "", false)
		if s := Disguised(answering(c.Text), tool, nil, false, c.Args); s.Tier >= Anchored != c.Flips {
			t.Errorf("%s, conduct %d: tier %d by %q", lines.Bytes(), tool, s.Tier, s.Rule)
		}
	}
}

// Arguments made to be slow to compare with are given up on.
func TestDisguisedArgumentsBounded(t *testing.T) {
	long := strings.Repeat("a/", maxValue/2-4) + "b"
	deep := `{"a":` + strings.Repeat(`[`, 10_000) + strings.Repeat(`]`, 10_000) + `}`
	many := `{"a":["` + long + `"` + strings.Repeat(`,"`+long+`"`, 500) + `]}`
	result := answering("Error: the door is shut. " + strings.Repeat("a/", 500))
	for _, args := range []string{deep, many, `{}`, `[]`, `null`, `{"a":`, `{"a":""}`, `{"a":"\ud800\n"}`} {
		if s := Disguised(result, Contents, nil, false, []byte(args)); s.Tier != Weak {
			t.Errorf("%.40s: tier %d", args, s.Tier)
		}
	}
}
