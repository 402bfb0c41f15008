package redact

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// planted are secrets in the forms that must be found in any company.
var planted = []string{
	"ghp_S3CRETS3CRETS3CRET", "sk-ant-S3CRETS3CRET", "AKIAS3CRETS3CRETS3CR", "xoxb-S3CRETS3CRET",
	"eyJhbGciOiJ9.eyJS3CRET.S3CRET", "glpat-S3CRETS3CRET",
}

func FuzzText(f *testing.F) {
	data, err := os.ReadFile("testdata/text.jsonl")
	if err != nil {
		f.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		var c struct{ In string }
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			f.Fatal(err)
		}
		f.Add(c.In, c.In)
	}
	f.Fuzz(func(t *testing.T, before, after string) {
		r := &Redactor{Secrets: []string{"L1sted-S3CRET"}}
		once := r.Text(before + after)
		if twice := r.Text(once); twice != once {
			t.Errorf("not stable:\n   in %q\n once %q\ntwice %q", before+after, once, twice)
		}
		if strings.Contains(before+after, "S3CR") {
			return
		}
		for _, secret := range append(planted, r.Secrets...) {
			if got := r.Text(before + " " + secret + " " + after); strings.Contains(got, "S3CR") {
				t.Errorf("%q survives in %q", secret, got)
			}
		}
	})
}

func FuzzHint(f *testing.F) {
	data, err := os.ReadFile("testdata/text.jsonl")
	if err != nil {
		f.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		f.Add(line)
	}
	for _, secret := range planted {
		f.Add(secret + " and Bearer a1b2c3d4, --token x dapi0123456789")
	}
	f.Fuzz(func(t *testing.T, s string) { unhinted(t, s) })
}

func FuzzAppendJSON(f *testing.F) {
	data, err := os.ReadFile("testdata/args.jsonl")
	if err != nil {
		f.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		var c struct{ In json.RawMessage }
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			f.Fatal(err)
		}
		f.Add([]byte(c.In))
	}
	f.Add([]byte(`{"password":"S3CRET"`))
	f.Fuzz(func(t *testing.T, src []byte) {
		r := &Redactor{Secrets: []string{"L1sted-S3CRET"}}
		before := string(src)
		once, hidden := r.AppendJSON(nil, src)
		if string(src) != before {
			t.Fatal("src was changed")
		}
		if !json.Valid(once) {
			t.Fatalf("%q became invalid: %q", src, once)
		}
		if json.Valid(src) && len(hidden) == 0 && string(once) != before {
			t.Fatalf("nothing hidden, but %q became %q", src, once)
		}
		if twice, _ := r.AppendJSON(nil, once); string(twice) != string(once) {
			t.Fatalf("not stable:\n   in %q\n once %q\ntwice %q", src, once, twice)
		}
		if strings.Contains(before, "S3CR") || !json.Valid(src) {
			return
		}
		for _, secret := range append(planted, r.Secrets...) {
			in := `{"a":` + before + `,"b":["x ` + secret + ` \n"],"api_key":{"c":"S3CRET"},"d":` + before + `}`
			if got, _ := r.AppendJSON(nil, []byte(in)); strings.Contains(string(got), "S3CR") {
				t.Fatalf("%q survives in %q", secret, got)
			}
		}
	})
}
