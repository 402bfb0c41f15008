package redact

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
)

// eachCase decodes the lines of a file in testdata.
func eachCase[T any](t *testing.T, name string, check func(line int, c T)) {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range bytes.Split(bytes.TrimSpace(data), []byte("\n")) {
		var c T
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatalf("%s:%d: %v", name, i+1, err)
		}
		check(i+1, c)
	}
}

func TestText(t *testing.T) {
	type sample struct{ In, Want string }
	eachCase(t, "text.jsonl", func(line int, c sample) {
		if got := new(Redactor).Text(c.In); got != c.Want {
			t.Errorf("line %d\n   in %s\n  got %s\n want %s", line, c.In, got, c.Want)
		}
		if again := new(Redactor).Text(c.Want); again != c.Want {
			t.Errorf("line %d: redacting %q again gives %q", line, c.Want, again)
		}
	})
}

func TestAppendJSON(t *testing.T) {
	type sample struct {
		In, Want        json.RawMessage
		Hidden, Secrets []string
	}
	eachCase(t, "args.jsonl", func(line int, c sample) {
		r := &Redactor{Secrets: c.Secrets}
		got, hidden := r.AppendJSON([]byte("before "), c.In)
		if want := "before " + string(c.Want); string(got) != want {
			t.Errorf("line %d\n  got %s\n want %s", line, got, want)
		}
		if !slices.Equal(hidden, c.Hidden) {
			t.Errorf("line %d: hidden %q, want %q", line, hidden, c.Hidden)
		}
	})
}

// What is no JSON is kept as a string, and its secrets are still found.
func TestAppendJSONOfText(t *testing.T) {
	for in, want := range map[string]string{
		``:                           `""`,
		`  `:                         `"  "`,
		`{"password":"S3CRET"`:       `"{\"password\":\"[redacted]\""`,
		`{"password":"S3CRET"} x`:    `"{\"password\":\"[redacted]\"} x"`,
		`{"password":S3CRET}`:        `"{\"password\":[redacted]}"`,
		`{"a":01}`:                   `"{\"a\":01}"`,
		`[1.]`:                       `"[1.]"`,
		`[1e]`:                       `"[1e]"`,
		`[-]`:                        `"[-]"`,
		`[1,]`:                       `"[1,]"`,
		`{"a"}`:                      `"{\"a\"}"`,
		`{1:2}`:                      `"{1:2}"`,
		`"\x"`:                       `"\"\\x\""`,
		`"\u12"`:                     `"\"\\u12\""`,
		"\"a\nb\"":                   `"\"a\nb\""`,
		"\xff\x01":                   `"` + "\ufffd" + `\u0001"`,
		`nul`:                        `"nul"`,
		`"token=S3CRET`:              `"\"token=[redacted]"`,
		strings.Repeat("[", 100_000): `"` + strings.Repeat("[", 100_000) + `"`,
	} {
		got, _ := (*Redactor)(nil).AppendJSON(nil, []byte(in))
		if string(got) != want {
			t.Errorf("%.50q\n  got %.80s\n want %.80s", in, got, want)
		}
	}
}

func TestListedSecrets(t *testing.T) {
	r := &Redactor{Secrets: []string{"swordfish", "fishbone", "", "abc", "redacted"}}
	for in, want := range map[string]string{
		"swordfish at 10.0.0.1:22":         "[redacted] at 10.0.0.1:22",
		"swordfishbone":                    "[redacted]",
		"token=swordfish1 swordfish":       "token=[redacted] [redacted]",
		"abc is short, [redacted] is done": "abc is short, [redacted] is done",
	} {
		if got := r.Text(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

// A listed secret is found at any place, also where its bytes are all that a text
// is made of.
func TestListedAnywhere(t *testing.T) {
	for _, secret := range []string{"hunter2", "aaaaaaab", "zzzz", "7777777", "A-B_C", "ключ", "pass word"} {
		r := &Redactor{Secrets: []string{"never met 4711", secret}}
		for _, c := range []string{"a", "x", "z", "7", "A", "к", "pass ", "aaaaaaa-", "hunter"} {
			for _, n := range []int{0, 1, 7, 100, 10_000} {
				around := strings.Repeat(c, n)
				if strings.Contains(around, secret) {
					continue
				}
				text := around + "." + secret + "." + around
				if got, want := r.Text(text), around+"."+mark+"."+around; got != want {
					t.Errorf("%q among %d %q: got %.60q", secret, n, c, got)
				}
				in := `{"a":[` + string(quote(nil, around)) + `],"b":` + string(quote(nil, text)) + `}`
				if got, hidden := r.AppendJSON(nil, []byte(in)); strings.Contains(string(got), secret) || !slices.Equal(hidden, []string{"/b"}) {
					t.Errorf("%q among %d %q in JSON: hidden %q", secret, n, c, hidden)
				}
			}
		}
	}
}

func TestEnviron(t *testing.T) {
	got := Environ([]string{
		"HOME=/root", "PWD=/srv/app", "OLDPWD=/srv", "PATH=/bin", "LANG=C", "broken", "SSH_AUTH_SOCK=/tmp/agent",
		"API_KEY=S3CRETc", "GITHUB_TOKEN=ghp_abcdefghijklmnopqrst", "SHORT_TOKEN=12345",
		"POSTGRES_PASSWORD=postgres", "AUTH=disabled", "MAX_TOKENS=1000000",
		"DATABASE_URL=postgres://ada:hunter2@db/x", "ANYTHING=sk-ant-api03-abcdef",
	})
	want := []string{"S3CRETc", "ghp_abcdefghijklmnopqrst", "ada:hunter2", "hunter2", "sk-ant-api03-abcdef"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// Input made to be searched again and again would hang here if the time
// were not linear.
func TestHostileText(t *testing.T) {
	for _, part := range []string{
		"x://a:b/", "sk-", "eyJ_", "token=", "token=,", "token='", `token="\"`, "a.", "-", "--a ", "<token>", "basic a",
		"bearer a ", `"token":{`, "-----BEGIN PRIVATE KEY-----", "-----BEGIN ", "password: is ", "cookie: a; ", "%3Dgh", " =", `\`, `\"token\":`,
		"(-p", "mysql -p ", "-u a:b ", "%3Atoken", "%22token%22%3A", "token%3D%22", "%3A%2F%2F", "PASSWORD '", "identified by '", "://hooks.slack.com/services/",
		".webhook.office.com/webhookb2/", "a.bcdefg.", "12345678:A", "pat.", ".atlasv1.", `["mysql","-p"],`, `{"value":"x","name":"password"},`,
	} {
		text := strings.Repeat(part, 1<<17/len(part))
		listed := &Redactor{Secrets: []string{strings.Repeat(part, 9) + "!", "4" + part + "4", part + part + "\x00"}}
		if got := listed.Text(text); got == "" {
			t.Errorf("%q: nothing is left", part)
		}
		for _, src := range [][]byte{quote(nil, text), []byte("[" + strings.TrimSuffix(text, ",") + "]")} {
			if out, _ := new(Redactor).AppendJSON(nil, src); !json.Valid(out) {
				t.Errorf("%q: invalid JSON", part)
			}
		}
	}
}
