package schema_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/recourse-dev/recourse/schema"
)

// TestSuite runs the official JSON Schema test suite, of which google/jsonschema-go
// carries a copy.
// The tests whose instance is null or "" are left out: Check reads those as {}.
func TestSuite(t *testing.T) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/google/jsonschema-go").Output()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(strings.TrimSpace(string(out)), "jsonschema", "testdata")
	for draft, address := range map[string]string{
		"draft7":       "http://json-schema.org/draft-07/schema#",
		"draft2020-12": "https://json-schema.org/draft/2020-12/schema",
	} {
		files, err := filepath.Glob(filepath.Join(dir, draft, "*.json"))
		if err != nil || len(files) == 0 {
			t.Fatal(draft, err)
		}
		n, wrong := 0, 0
		for _, file := range files {
			var groups []struct {
				Description string
				Schema      json.RawMessage
				Tests       []struct {
					Description string
					Data        json.RawMessage
					Valid       bool
				}
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(text, &groups); err != nil {
				t.Fatal(err)
			}
			for _, g := range groups {
				name := draft + "/" + filepath.Base(file) + "/" + g.Description
				s, err := schema.Compile(named(g.Schema, address))
				if err != nil {
					t.Log(name, err)
					continue
				}
				for _, tt := range g.Tests {
					if data := string(tt.Data); data == "null" || data == `""` {
						continue
					}
					n++
					if got := s.Check(tt.Data); (got == nil) != tt.Valid {
						wrong++
						t.Errorf("%s/%s: %v", name, tt.Description, got)
					}
				}
			}
		}
		t.Logf("%s: %d of %d wrong", draft, wrong, n)
	}
}

// named adds $schema to a schema that lacks it: the copies of the suite do not
// all have it.
func named(raw json.RawMessage, address string) []byte {
	var o map[string]json.RawMessage
	if json.Unmarshal(raw, &o) != nil || o["$schema"] != nil {
		return raw
	}
	o["$schema"], _ = json.Marshal(address)
	b, _ := json.Marshal(o)
	return b
}
