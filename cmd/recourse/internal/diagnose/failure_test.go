package diagnose

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A case is one JSON-RPC error as a server writes it, and what it means.
type failureCase struct {
	Name  string
	Tool  string
	Tools []string
	Error struct{ Code, Message, Data json.RawMessage }
	Want  struct {
		Pass, Protocol bool
		Code           string
		Fault          string
		Near           []string
		Text           string // upstream.text
		Outcome        string
		Retryable      bool
		ExistingID     string `json:"existing_id"`
	}
}

func TestFailure(t *testing.T) {
	b, err := os.ReadFile(filepath.Join("testdata", "failures.json"))
	if err != nil {
		t.Fatal(err)
	}
	var cases []failureCase
	if err := json.Unmarshal(b, &cases); err != nil {
		t.Fatal(err)
	}
	for _, tt := range cases {
		t.Run(tt.Name, func(t *testing.T) {
			d := Failure(tt.Error.Code, tt.Error.Message, tt.Error.Data, tt.Tool, tt.Tools, Words{}, strings.TrimSpace)
			if d.Pass != tt.Want.Pass || d.Protocol != tt.Want.Protocol || string(d.Err.Code) != tt.Want.Code || d.Fault != tt.Want.Fault {
				t.Errorf("pass %v, protocol %v, code %s, fault %s", d.Pass, d.Protocol, d.Err.Code, d.Fault)
			}
			var text string
			if up, ok := d.Err.Related["upstream"].(map[string]any); ok {
				text, _ = up["text"].(string)
			}
			outcome, _ := d.Err.Related["outcome"].(string)
			near, _ := d.Err.Related["near"].([]string)
			id, _ := d.Err.Related["existing_id"].(string)
			if text != tt.Want.Text || outcome != tt.Want.Outcome || !slices.Equal(near, tt.Want.Near) || id != tt.Want.ExistingID || d.Err.Retryable() != tt.Want.Retryable {
				t.Errorf("text %q, outcome %q, near %q, existing_id %q, retryable %v", text, outcome, near, id, d.Err.Retryable())
			}
		})
	}
}

func FuzzFailure(f *testing.F) {
	f.Add("-32602", `"Tool x not found"`, `{"error":{"code":"X"}}`, "x")
	f.Add("1e400", `null`, `[`, "")
	f.Fuzz(func(t *testing.T, code, message, data, tool string) {
		d := Failure([]byte(code), []byte(message), []byte(data), tool, []string{"echo", tool}, Words{}, strings.TrimSpace)
		if b, err := json.Marshal(d.Err); err != nil || !json.Valid(b) || d.Err.Code == "" {
			t.Errorf("%s: %v", b, err)
		}
	})
}
