package schema_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	_ "github.com/qri-io/jsonschema" // for its copy of the suite

	"github.com/recourse-dev/recourse/schema"
)

// A suite is a copy of the official JSON Schema test suite for one draft.
var suites = []struct{ module, dir, draft string }{
	{"github.com/qri-io/jsonschema", "testdata/draft4", "http://json-schema.org/draft-04/schema#"},
	{"github.com/qri-io/jsonschema", "testdata/draft6", "http://json-schema.org/draft-06/schema#"},
	{"github.com/google/jsonschema-go", "jsonschema/testdata/draft7", "http://json-schema.org/draft-07/schema#"},
	{"github.com/qri-io/jsonschema", "testdata/draft2019-09", "https://json-schema.org/draft/2019-09/schema"},
	{"github.com/google/jsonschema-go", "jsonschema/testdata/draft2020-12", "https://json-schema.org/draft/2020-12/schema"},
}

// TestSuite runs the official JSON Schema test suite, of which two modules carry
// copies. Left out are the tests whose instance is null or "", which Check reads as
// {}, and those whose schema must be fetched.
func TestSuite(t *testing.T) {
	for _, suite := range suites {
		out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", suite.module).Output()
		if err != nil {
			t.Fatal(err)
		}
		files, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(out)), suite.dir, "*.json"))
		if err != nil || len(files) == 0 {
			t.Fatal(suite.dir, err)
		}
		n, wrong := 0, 0
		for _, file := range files {
			if strings.HasSuffix(file, "_modified.json") {
				continue // not by its authors
			}
			some, bad := runFile(t, file, suite.draft)
			n, wrong = n+some, wrong+bad
		}
		t.Logf("%s: %d of %d wrong", suite.dir, wrong, n)
	}
}

func runFile(t *testing.T, file, draft string) (n, wrong int) {
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
		name := filepath.Join(filepath.Base(filepath.Dir(file)), filepath.Base(file), g.Description)
		s, err := schema.Compile(named(g.Schema, draft))
		if err != nil {
			if !strings.Contains(err.Error(), "nothing is fetched") {
				wrong++
				t.Errorf("%s: %v", name, err)
			}
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
	return n, wrong
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
