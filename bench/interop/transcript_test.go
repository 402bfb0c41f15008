package interop

import (
	"bufio"
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "write the server sections of testdata/*.txtar anew")

// Lines of a transcript's client section are sent as they are, one after the
// other. After a request comes the wait for its answer, or for a request of
// the server's; "# read N" waits for N lines of any kind. In an answer to the
// server, $id is the id that the server's last request had.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			a, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if len(a.Files) != 2 || a.Files[0].Name != "client" || a.Files[1].Name != "server" {
				t.Fatal("want two sections: client, server")
			}
			sent := strings.Split(strings.TrimSuffix(string(a.Files[0].Data), "\n"), "\n")
			tap := filepath.Join(t.TempDir(), "tap")
			server := []string{"sh", "-c", `tee "$0" | exec "$1"`, tap, filepath.Join(bin, "goeverything")}
			direct := talk(t, server, sent)
			heard := tapped(t, tap)
			proxied := talk(t, through(server), sent)
			if direct != proxied {
				t.Errorf("differs\ndirect:\n%sthrough:\n%s", direct, proxied)
			}
			if missing := missingFrom(heard, tapped(t, tap)); missing != "" {
				t.Errorf("the server did not hear, or not in order: %s", missing)
			}
			if *update {
				a.Files[1].Data = []byte(direct)
				if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
			} else if want := string(a.Files[1].Data); proxied != want {
				t.Errorf("got:\n%swant:\n%s", proxied, want)
			}
		})
	}
}

// talk sends the lines to the command and returns all it says.
func talk(t *testing.T, command, lines []string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s := &speaker{in: stdin, out: bufio.NewReader(stdout)}
	err = s.say(lines)
	stdin.Close()
	rest, _ := io.ReadAll(s.out)
	for line := range bytes.Lines(rest) {
		s.keep(string(line))
	}
	if wait := cmd.Wait(); err != nil || ctx.Err() != nil {
		t.Fatalf("%s: %v, %v; so far:\n%s", cmd, err, wait, s.heard.String())
	}
	return s.heard.String()
}

// A speaker is a client that knows only lines.
type speaker struct {
	in      io.Writer
	out     *bufio.Reader
	heard   strings.Builder
	request string // the id of the server's last request
	dropped string // the id of a cancelled request, which gets no answer from recourse
}

var (
	idMember    = regexp.MustCompile(`"id"\s*:\s*("(?:[^"\\]|\\.)*"|[^\s,}]+)`)
	anyMethod   = regexp.MustCompile(`"method"\s*:`)
	readCommand = regexp.MustCompile(`^# read (\d+)$`)
)

func (s *speaker) say(lines []string) error {
	for i, line := range lines {
		if readCommand.MatchString(line) {
			continue
		}
		if m := requestID.FindStringSubmatch(line); m != nil {
			s.dropped = m[1]
		}
		if _, err := fmt.Fprintln(s.in, strings.ReplaceAll(line, `$id`, s.request)); err != nil {
			return err
		}
		var count int
		var err error
		if i+1 < len(lines) && readCommand.MatchString(lines[i+1]) {
			_, err = fmt.Sscanf(lines[i+1], "# read %d", &count)
			for ; err == nil && count > 0; count-- {
				_, err = s.read()
			}
		} else if id := idMember.FindStringSubmatch(line); id != nil && anyMethod.MatchString(line) {
			err = s.until(id[1])
		}
		if err != nil {
			return fmt.Errorf("after %s: %w", line, err)
		}
	}
	return nil
}

// until reads up to the answer with that id, or to a request of the server's.
func (s *speaker) until(id string) error {
	for {
		line, err := s.read()
		if err != nil {
			return err
		}
		if m := idMember.FindStringSubmatch(line); m != nil && (m[1] == id || anyMethod.MatchString(line)) {
			return nil
		}
	}
}

func (s *speaker) read() (string, error) {
	line, err := s.out.ReadString('\n')
	s.keep(line)
	return line, err
}

// keep writes a line down, unless it answers a cancelled request: recourse
// swallows that. The id of a server's request is recourse's to choose.
func (s *speaker) keep(line string) {
	if m := idMember.FindStringSubmatchIndex(line); m != nil {
		id := line[m[2]:m[3]]
		if anyMethod.MatchString(line) {
			s.request = id
			line = line[:m[2]] + "$id" + line[m[3]:]
		} else if id == s.dropped {
			return
		}
	}
	s.heard.WriteString(line)
}

// tapped returns the lines a server was sent, without what recourse maps.
func tapped(t *testing.T, file string) []string {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(b)), "\n")
	for i, line := range lines {
		if m := idMember.FindStringSubmatchIndex(line); m != nil {
			line = line[:m[2]] + "$id" + line[m[3]:]
		}
		lines[i] = requestID.ReplaceAllString(line, `"requestId":$$id`)
	}
	return lines
}

var requestID = regexp.MustCompile(`"requestId"\s*:\s*("(?:[^"\\]|\\.)*"|[^\s,}]+)`)

// missingFrom returns the first of lines that others, which may hold more,
// lack in that order.
func missingFrom(lines, others []string) string {
	for _, line := range lines {
		for len(others) > 0 && others[0] != line {
			others = others[1:]
		}
		if len(others) == 0 {
			return line
		}
		others = others[1:]
	}
	return ""
}
