package recourse_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/netip"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/recourse-dev/recourse"
)

func TestEnv(t *testing.T) {
	t.Setenv("RECOURSE_TEST_FULL", " x ")
	t.Setenv("RECOURSE_TEST_EMPTY", "")
	if v, err := recourse.Env("RECOURSE_TEST_FULL"); v != " x " || err != nil {
		t.Errorf("got %q, %v", v, err)
	}
	for name, state := range map[string]string{"RECOURSE_TEST_EMPTY": "empty", "RECOURSE_TEST_ABSENT": "not set"} {
		_, err := recourse.Env(name)
		var e *recourse.Error
		if !errors.As(err, &e) || e.Code != recourse.ConfigurationError || e.Retryable() || e.Related["variable"] != name ||
			e.Error() != "The environment variable "+name+" is "+state+"." || !strings.Contains(e.Suggestion, name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// config is what the tests below read.
type config struct {
	Name    string         `json:"name"`
	Debug   bool           `json:"debug"`
	Limit   float64        `json:"limit"`
	Servers []server       `json:"servers"`
	Labels  map[string]int `json:"labels"`
	Listen  netip.AddrPort `json:"listen"`
	Prot    map[string]any `json:"-"`
}

type server struct {
	Port  uint16 `json:"port"`
	Tries uint   `json:"tries"`
	Wait  int64  `json:"wait"`
	Paths []string
}

func TestReadConfig(t *testing.T) {
	for name, text := range map[string]string{
		"plain":           `{"name":"a","servers":[{"port":80,"Paths":["/"]}],"labels":{"x":1,"y":2}}`,
		"a mark":          "\xEF\xBB\xBF" + `{"name":"a","servers":[{"port":80,"Paths":["/"]}],"labels":{"x":1,"y":2}}`,
		"lines and space": "\r\n\t{\"name\": \"a\",\r\n \"servers\" : [ {\"port\":80, \"Paths\":[\"/\"]} ],\n\"labels\":{\"x\":1,\"y\":2}} \r\n\t",
		"order and null":  `{"debug":null,"labels":{"y":2,"x":1},"servers":[{"Paths":["/"],"port":80}],"name":"a"}`,
	} {
		var got config
		want := config{Name: "a", Servers: []server{{Port: 80, Paths: []string{"/"}}}, Labels: map[string]int{"x": 1, "y": 2}}
		if err := recourse.ReadConfig(file(t, text), &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, %+v", name, err, got)
		}
	}
	got := config{Name: "default", Limit: 3}
	if err := recourse.ReadConfig(file(t, `{"limit":4}`), &got); err != nil || got.Name != "default" || got.Limit != 4 {
		t.Errorf("what the file does not set is not left alone: %v, %+v", err, got)
	}
}

// file writes a file and returns its name.
func file(t testing.TB, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "c.json")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// Each place is counted by hand, as an editor shows it.
func TestDamagedConfig(t *testing.T) {
	for _, tt := range []struct {
		name, text, want string
	}{
		{"nothing", "", "1:1: the file is empty."},
		{"only space", " \n\n", "1:1: the file is empty."},
		{"zeros, as after a crash", "\x00\x00\x00", `1:1: invalid character '\x00' looking for beginning of value.`},
		{"cut off in an object", "{\n \"name\": \"a\",\n", "2:14: the file ends too early."},
		{"cut off in a string", `{"name": "a`, "1:12: the file ends too early."},
		{"cut off in a word", `{"debug": tr`, "1:13: the file ends too early."},
		{"a word with a gap", `{"debug": t rue}`, "1:12: invalid character ' ' in literal true (expecting 'r')."},
		{"cut off before it began", "{", "1:2: the file ends too early."},
		{"a comma too many", "{\n  \"name\": \"a\",\n}", "3:1: invalid character '}' looking for beginning of object key string."},
		{"a comma too few", "{\n  \"name\": \"a\"\n  \"debug\": true\n}", "3:3: invalid character '\"' after object key:value pair."},
		{"a comma in a list", `{"servers": [{},]}`, "1:17: invalid character ']' looking for beginning of value."},
		{"a comment", "{\n  // the name\n  \"name\": \"a\"\n}", "2:3: invalid character '/' looking for beginning of object key string."},
		{"no quotes", "{name: 1}", "1:2: invalid character 'n' looking for beginning of object key string."},
		{"quotes of a word processor", "{“name”: 1}", "1:2: invalid character '“' looking for beginning of object key string."},
		{"after several bytes", `{"näme": x}`, "1:10: invalid character 'x' looking for beginning of value."},
		{"after an emoji", `{"😀": x}`, "1:7: invalid character 'x' looking for beginning of value."},
		{"after tabs", "{\n\t\t\"name\": x}", "2:11: invalid character 'x' looking for beginning of value."},
		{"after CRLF", "{\r\n\"name\":\r\nx}", "3:1: invalid character 'x' looking for beginning of value."},
		{"after a mark", "\xEF\xBB\xBFx", "1:1: invalid character 'x' looking for beginning of value."},
		{"a line end in a string", "{\"name\": \"a\nb\"}", `1:12: invalid character '\n' in string literal.`},
		{"two values", "{}\n {}", "2:2: invalid character '{' after top-level value."},
		{"a bracket too many", "{}}", "1:3: invalid character '}' after top-level value."},
		{"YAML", "name: a\n", "1:2: invalid character 'a' in literal null (expecting 'u')."},
		{"a byte of Latin-1", "{\"name\": \"M\xfcller\"}", "1:12: here is a byte that is not UTF-8."},
		{"UTF-16", "\xFF\xFE{\x00}\x00", "1:1: the file is UTF-16, and has to be saved as UTF-8."},
		{"a number with a leading zero", `{"limit": 01}`, "1:12: invalid character '1' after object key:value pair."},

		{"a list for all", `[1]`, "1:1: the configuration is a list, but has to be an object in { }."},
		{"a text for all", ` "x"`, "1:2: the configuration is a text, but has to be an object in { }."},
		{"a number for a text", `{"name":  5}`, "1:11: name is a number, but has to be a text in quotes."},
		{"a text for a bool", `{"debug": "yes"}`, "1:11: debug is a text, but has to be true or false."},
		{"a text for a number", `{"limit": "3"}`, "1:11: limit is a text, but has to be a number that is not too large."},
		{"a number too large", `{"limit": 1e999}`, "1:11: limit is 1e999, but has to be a number that is not too large."},
		{"a number out of range", "{\"servers\": [{},\n {\"port\": 65536}]}", "2:11: servers[1].port is 65536, but has to be a whole number from 0 to 65535."},
		{"a negative number", `{"servers": [{"tries": -1}]}`, "1:24: servers[0].tries is -1, but has to be a whole number that is not negative."},
		{"a broken number", `{"servers": [{"wait": 1.5}]}`, "1:23: servers[0].wait is 1.5, but has to be a whole number."},
		{"a duration", `{"servers": [{"wait": "5s"}]}`, "1:23: servers[0].wait is a text, but has to be a whole number."},
		{"an object for a list", `{"servers": {"port": 1}}`, "1:13: servers is an object, but has to be a list in [ ]."},
		{"a text for an object", `{"servers": [ "a"]}`, "1:15: servers[0] is a text, but has to be an object in { }."},
		{"a bool in a list", `{"servers": [{"Paths": ["a", true]}]}`, "1:30: servers[0].Paths[1] is true or false, but has to be a text in quotes."},
		{"a text in a map", `{"labels": {"a.b": "x"}}`, "1:20: labels.a.b is a text, but has to be a whole number."},

		{"an unknown setting", "{\n\t\"prot\": 1}", `2:2: there is no setting "prot".`},
		{"known elsewhere", `{"labels": {"prot": 1}, "name": "prot", "prot": 1}`, `1:41: there is no setting "prot".`},
		{"known further out", `{"name": "a", "servers": [{"name": "b"}]}`, `1:28: there is no setting "name".`},
		{"of several bytes", `{"größe": 1}`, `1:2: there is no setting "größe".`},
		{"with an escape", `{"pr\u006ft": 1}`, `1:2: there is no setting "prot".`},
		{"hidden", `{"Prot": {}}`, `1:2: there is no setting "Prot".`},

		{"set twice", "{\"name\": \"a\",\n\"name\": \"b\"}", `2:1: name is set twice.`},
		{"set twice further in", `{"servers": [{"port": 1}, {"port": 1, "port": 2}]}`, `1:39: servers[1].port is set twice.`},
		{"not twice", `{"labels": {"a": 1}, "labels.a": 1}`, `1:22: there is no setting "labels.a".`},
		{"twice with an escape", `{"a": 1, "\u0061": 2}`, `1:10: a is set twice.`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			name := file(t, tt.text)
			err := recourse.ReadConfig(name, new(config))
			var e *recourse.Error
			if !errors.As(err, &e) || e.Code != recourse.ConfigurationError || e.Retryable() {
				t.Fatalf("got %v", err)
			}
			if want := name + ":" + tt.want; e.Error() != want {
				t.Errorf("got  %s\nwant %s", e.Error(), want)
			}
			place := fmt.Sprintf("%s:%v:%v", name, e.Related["line"], e.Related["column"])
			if !strings.HasPrefix(e.Error(), place+": ") || e.Suggestion != "Tell the user to correct "+place+" and to start the server again." {
				t.Errorf("%s: suggestion %q", place, e.Suggestion)
			}
		})
	}
}

func TestConfigThatCannotBeRead(t *testing.T) {
	dir := t.TempDir()
	huge := filepath.Join(dir, "huge.json")
	if f, err := os.Create(huge); err != nil || f.Truncate(1<<40) != nil || f.Close() != nil {
		t.Fatal(err)
	}
	secret := file(t, "{}")
	if err := os.Chmod(secret, 0); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, message, remedy string
		is                    error
	}{
		{filepath.Join(dir, "none.json"), "does not exist.", "Tell the user to create ", fs.ErrNotExist},
		{dir, "is a folder, not a file.", "Tell the user to put a JSON file at ", nil},
		{huge, "is over 16 MiB, which is no configuration.", "Tell the user to correct ", nil},
		{secret, "can't be opened: permission is denied.", "Tell the user to make ", fs.ErrPermission},
		{"a\x00b", "can't be opened.", "Tell the user to make ", nil},
	} {
		if tt.name == secret && os.Geteuid() == 0 {
			continue // root may read everything
		}
		err := recourse.ReadConfig(tt.name, new(config))
		var e *recourse.Error
		if !errors.As(err, &e) || e.Code != recourse.ConfigurationError || e.Message != tt.name+" "+tt.message ||
			!strings.HasPrefix(e.Suggestion, tt.remedy+tt.name) || tt.is != nil && !errors.Is(err, tt.is) {
			t.Errorf("%q: %v, %+v", tt.name, err, e)
		}
	}
}

// A type that reads itself does not know where it is; the file is named all the
// same.
func TestConfigValueThatItsTypeRefuses(t *testing.T) {
	name := file(t, `{"listen": "nowhere"}`)
	err := recourse.ReadConfig(name, new(config))
	if recourse.CodeOf(err) != recourse.ConfigurationError || err.Error() != name+": a value can't be used." || errors.Unwrap(err) == nil {
		t.Errorf("got %v", err)
	}
}

func TestMisusedReadConfig(t *testing.T) {
	name := file(t, `{}`)
	for _, v := range []any{nil, config{}, (*config)(nil)} {
		if err := recourse.ReadConfig(name, v); recourse.CodeOf(err) != recourse.InternalError {
			t.Errorf("%T: %v", v, err)
		}
	}
}

// Whatever stands in a file, ReadConfig accepts it only if package json does, and
// else names a place that exists.
func FuzzReadConfig(f *testing.F) {
	for _, text := range []string{
		``, `{}`, `{"name":"a"}`, `{"prot":1,"labels":{"prot":1}}`, "{\"servers\":[{\"port\":-1}]}", "\xEF\xBB\xBF{}", "{\"n\xff\"}",
		`[[[[`, `{"a":{"a":{"a":1,"a":2}}}`, "{\r\n\t\"ä\": “x”}", `{"\u0000 no such setting":1}`, `{"listen":"x"}`,
	} {
		f.Add([]byte(text))
	}
	name := filepath.Join(f.TempDir(), "c.json")
	f.Fuzz(func(t *testing.T, text []byte) {
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
		err := recourse.ReadConfig(name, new(config))
		if err == nil {
			if err := json.Unmarshal(bytes.TrimPrefix(text, []byte("\xEF\xBB\xBF")), new(config)); err != nil {
				t.Errorf("accepted, though %v", err)
			}
			return
		}
		var e *recourse.Error
		if !errors.As(err, &e) || e.Code != recourse.ConfigurationError || !strings.HasPrefix(e.Error(), name+":") || !utf8.ValidString(e.Error()) {
			t.Fatalf("got %v", err)
		}
		line, ok := e.Related["line"].(int)
		if !ok {
			return // a type's own refusal
		}
		lines := strings.Split(strings.TrimPrefix(string(text), "\xEF\xBB\xBF"), "\n")
		column, _ := e.Related["column"].(int)
		if line < 1 || line > len(lines) || column < 1 || column > utf8.RuneCountInString(lines[line-1])+1 {
			t.Errorf("%d:%d is outside of the file: %v", line, column, err)
		}
	})
}
