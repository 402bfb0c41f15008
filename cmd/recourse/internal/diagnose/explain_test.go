package diagnose

import (
	"strings"
	"testing"
)

// The argument whose value a server repeats is the one that it speaks of, unless two
// have it, or the value must not be shown.
func TestPoint(t *testing.T) {
	for _, c := range []struct{ text, args, want string }{
		{"ENOENT: no such file or directory, open '/srv/a.txt'", `{"path":"/srv/a.txt","head":3}`, "/path"},
		{"Issue 4711 was not found", `{"repo":"a/b","number":4711}`, "/number"},
		{"No sheet is called Übersicht.", `{"file":"x.xlsx","sheet":"\u00dcbersicht"}`, "/sheet"},
		{"No user ada in ada", `{"user":"ada","org":"ada"}`, ""},
		{"Not found: 47110", `{"number":4711}`, ""},
		{"No such file: a", `{"name":"a"}`, ""},
		{"The key hunter2x was not found", `{"password":"hunter2x"}`, ""},
		{"connect ECONNREFUSED: file.test", `{"host":"file.test"}`, ""}, // no argument's fault
		{"No such file: a.txt", `["a.txt"]`, ""},
		{"No such file: a.txt", ``, ""},
	} {
		e := (&Words{Text: c.text, Args: []byte(c.args)}).Explain().Err
		if e.Field != c.want {
			t.Errorf("%s with %s: field %q, want %q", c.text, c.args, e.Field, c.want)
		}
		if name := strings.TrimPrefix(c.want, "/"); !strings.Contains(e.Suggestion, name) {
			t.Errorf("%s with %s: %q does not name %s", c.text, c.args, e.Suggestion, name)
		}
	}
}
