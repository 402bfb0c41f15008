package interop

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A client is a command that takes era, exercises and a server's command line.
type client struct {
	name    string
	command []string
	eras    []string
}

// A server is a command and the file of exercises written for it.
type server struct {
	name      string
	command   []string
	exercises string
	modern    bool // speaks 2026-07-28; others make of auto a legacy session
}

func goClient() client {
	return client{"go", []string{filepath.Join(bin, "goclient")}, []string{"legacy", "auto"}}
}

func goServers() []server {
	return []server{
		{"goeverything", []string{filepath.Join(bin, "goeverything")}, "goeverything", true},
		{"mcpgo", []string{filepath.Join(bin, "mcpgo")}, "own", true},
	}
}

func TestGoPairs(t *testing.T) {
	for _, s := range goServers() {
		runPair(t, goClient(), s)
	}
}

// runPair does s's exercises with c, directly and through recourse, in each era.
func runPair(t *testing.T, c client, s server) {
	for _, era := range c.eras {
		if era == "auto" && !s.modern {
			era = "fallback"
		}
		pair := c.name + "/" + s.name + "/" + era
		t.Run(pair, func(t *testing.T) {
			t.Parallel()
			start := time.Now()
			dir := fixture(t)
			list, file := exercises(t, s.exercises, pair, dir)
			command := make([]string, len(s.command))
			for i, arg := range s.command {
				command[i] = strings.ReplaceAll(arg, "$DIR", dir)
			}
			args := []string{strings.Replace(era, "fallback", "auto", 1), file}
			direct := drive(t, c, append(args, command...), len(list))
			for i, e := range list {
				if want := e.want(pair); !bytes.Contains(direct[i], []byte(want)) {
					t.Errorf("%s, directly: want %s in it\n%s", e.Name, want, short(direct[i]))
				}
			}
			proxied := drive(t, c, append(args, through(command)...), len(list))
			for i, e := range list {
				d := difference(direct[i], proxied[i])
				if d == "" {
					continue
				}
				t.Errorf("%s differs: %s\ndirect:  %s\nthrough: %s", e.Name, d, short(direct[i]), short(proxied[i]))
				if i == 0 {
					break // another era or server: all the rest differs too
				}
			}
			t.Logf("pair %s: %d exercises, %.1fs", pair, len(list), time.Since(start).Seconds())
		})
	}
}

// drive runs the client and returns its lines, one for each exercise.
func drive(t *testing.T, c client, args []string, count int) [][]byte {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), c.command[0], append(c.command[1:len(c.command):len(c.command)], args...)...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	lines := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
	if err != nil || len(lines) != count {
		t.Fatalf("%s: %v; %d lines for %d exercises; stderr:\n%s", cmd, err, len(lines), count, tail(stderr.String()))
	}
	return lines
}

// An exercise, as far as the test reads it; the clients read the rest.
type exercise struct {
	Name   string            `json:"exercise"`
	Want   string            `json:"want"`   // part of the line in a direct run
	Except map[string]string `json:"except"` // other wants, by client/server/era
	Not    map[string]string `json:"not"`    // why not, by client/server/era
}

func (e exercise) want(pair string) string {
	want, _ := lookup(e.Except, pair)
	if want == "" {
		want = e.Want
	}
	return want
}

// lookup returns the value whose key, a pattern, matches pair.
func lookup(m map[string]string, pair string) (string, bool) {
	for pattern, v := range m {
		if ok, err := path.Match(pattern, pair); ok && err == nil {
			return v, true
		}
	}
	return "", false
}

// exercises reads the list of that name and writes what applies to pair into
// a file for the client.
func exercises(t *testing.T, name, pair, dir string) ([]exercise, string) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("exercises", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	b = bytes.ReplaceAll(b, []byte("$DIR"), []byte(dir))
	var raw []json.RawMessage
	if err := json.Unmarshal(b, &raw); err != nil {
		t.Fatalf("%s.json: %v", name, err)
	}
	var list []exercise
	var kept []json.RawMessage
	for _, r := range raw {
		var e exercise
		if err := json.Unmarshal(r, &e); err != nil {
			t.Fatal(err)
		}
		if why, ok := lookup(e.Not, pair); ok {
			t.Logf("pair %s: not %q: %s", pair, e.Name, why)
			continue
		}
		list, kept = append(list, e), append(kept, r)
	}
	file := filepath.Join(t.TempDir(), name+".json")
	if b, err = json.Marshal(kept); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return list, file
}
