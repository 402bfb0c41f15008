package demo

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/recourse-dev/recourse"
)

var update = flag.Bool("update", false, "write the golden files in testdata")

// binary is the path of a recourse that was built for these tests.
var binary string

func TestMain(m *testing.M) {
	flag.Parse()
	dir, err := os.MkdirTemp("", "recourse-demo")
	if err == nil {
		binary = filepath.Join(dir, "recourse")
		if runtime.GOOS == "windows" {
			binary += ".exe"
		}
		err = build(binary)
	}
	status := 1
	if err == nil {
		status = m.Run()
	} else {
		fmt.Fprintln(os.Stderr, err)
	}
	os.RemoveAll(dir)
	os.Exit(status)
}

// build builds recourse, with the race detector if these tests have it.
func build(path string) error {
	args := []string{"build", "-o", path}
	info, _ := debug.ReadBuildInfo()
	if slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		args = append(args, "-race")
	}
	out, err := exec.Command("go", append(args, "../..")...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

// played are the real results of all cases, with one run for all tests.
var played = sync.OnceValues(func() ([]Result, error) {
	d := Demo{Self: binary, Cases: Cases}
	return d.follow(context.Background(), &screen{w: io.Discard, width: 80}, time.Now())
})

// steady returns the results with the times that they have on an idle machine.
func steady(t *testing.T) []Result {
	t.Helper()
	results, err := played()
	if err != nil {
		t.Fatal(err)
	}
	results = slices.Clone(results)
	for i := range results {
		r := &results[i]
		for _, s := range []*Sight{&r.Direct, &r.Through} {
			for seen := s; seen.Next != nil; seen = seen.Next {
				next := *seen.Next
				seen.Next = &next
			}
			impatient := s.Answer == nil && !s.Closed
			idle(s)
			for next := s.Next; next != nil; next = next.Next {
				idle(next)
				if impatient {
					next.Took /= 2
				}
			}
			s.Ready = r.Case.start
		}
	}
	return results
}

var (
	waitedFor = regexp.MustCompile(`(waited_seconds\\":|within )\d(\.\d)?`)
	waitsFor  = regexp.MustCompile(`(retry_after_seconds\\":|Wait )\d+`)
	startsIn  = regexp.MustCompile(`(It is started again with the next call after|The next try to start it is in) \d+s`)
	hasFailed = regexp.MustCompile(`(failed )\d( times)`)
)

// idle gives one call the times of an idle machine.
func idle(s *Sight) {
	code, _ := s.member("code")
	took := 3 * time.Millisecond
	switch {
	case s.Answer == nil && !s.Closed:
		took = patience
	case code == string(recourse.Timeout):
		took = limit
		s.Answer = waitedFor.ReplaceAll(s.Answer, fmt.Appendf(nil, "${1}%g", limit.Seconds()))
	case s.envelope != nil:
		s.Answer = startsIn.ReplaceAll(s.Answer, []byte("It is started again with the next call after 60s"))
		if _, waits := s.member("state"); waits {
			s.Answer = waitsFor.ReplaceAll(s.Answer, []byte("${1}60"))
			s.Answer = hasFailed.ReplaceAll(s.Answer, []byte("${1}5${2}"))
		}
	}
	s.Took = took
	s.parse()
	s.Late = slices.Repeat([]time.Duration{deafTime}, len(s.Late))
}

// render shows results as Run does.
func render(results []Result, width int, color bool) string {
	var b bytes.Buffer
	s := &screen{w: &b, width: width, color: color}
	s.head()
	for i, r := range results {
		s.result(i, len(results), r)
	}
	s.summary(results, 7*time.Second)
	return b.String()
}

func TestWhatHasToHoldHolds(t *testing.T) {
	t.Parallel()
	results, err := played()
	if err != nil {
		t.Fatal(err)
	}
	if err := verdict(results); err != nil {
		t.Error(err)
	}
}

// Without recourse, what has to hold does not where the server does harm: else the
// case would show nothing.
func TestDirectlyIsBad(t *testing.T) {
	t.Parallel()
	results, err := played()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		r.Through = r.Direct
		if bad := verdict([]Result{r}) != nil; bad != (r.Case.harm != "") {
			t.Errorf("%s: directly, the client saw %+v", r.Case.Name, r.Direct)
		}
	}
}

func TestScreen(t *testing.T) {
	t.Parallel()
	for _, width := range []int{80, 120} {
		got := render(steady(t), width, false)
		golden := filepath.Join("testdata", fmt.Sprintf("screen%d.txt", width))
		if *update {
			if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		gotLines, wantLines := strings.Split(got, "\n"), strings.Split(string(want), "\n")
		for i, line := range gotLines {
			if i >= len(wantLines) || line != wantLines[i] {
				t.Errorf("the screen is not as in %s (-update writes it), from line %d on:\n%s", golden, i+1, line)
				break
			}
		}
		if len(gotLines) < len(wantLines) {
			t.Errorf("the screen is shorter than %s", golden)
		}
	}
}

// Whatever the width, nothing is wider; colours add nothing that is read.
func TestScreenFits(t *testing.T) {
	t.Parallel()
	results := steady(t)
	escape := regexp.MustCompile("\x1b\\[[0-9;]*m")
	for width := 40; width <= widest; width += 4 {
		text := render(results, width, false)
		for line := range strings.Lines(text) {
			if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > width && !strings.Contains(line, "npx") {
				t.Fatalf("at width %d a line has %d characters: %q", width, n, line)
			}
			if strings.TrimRight(line, " \n") != strings.TrimRight(line, "\n") {
				t.Fatalf("at width %d a line ends in spaces: %q", width, line)
			}
		}
		if colored := render(results, width, true); escape.ReplaceAllString(colored, "") != text {
			t.Fatalf("at width %d the coloured text is another", width)
		}
	}
}

// A person who looks at a case whose facts don't hold sees which, and so does a
// script.
func TestBrokenExpectation(t *testing.T) {
	t.Parallel()
	broken := *find("exit")
	broken.code = "TIMEOUT"
	broken.facts = func() []fact { return []fact{is("exit_status", 4), is("outcome", "unknown")} }
	var out bytes.Buffer
	d := Demo{Self: binary, Cases: []Case{broken}, Out: &out, Width: 80}
	err := d.Run(context.Background())
	if want := "this should have held, and did not: exit: TIMEOUT; exit: exit_status is 4"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	for _, want := range []string{"✗ TIMEOUT", "✗ exit_status is 4", "✓ outcome is", "✗ 1 of 3 hold", "This is not what had to come"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not on the screen:\n%s", want, out.String())
		}
	}
}

func TestJSON(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	d := Demo{Self: binary, Cases: []Case{*find("exit")}, Out: &out, Width: 80, JSON: true, Live: true}
	if err := d.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	var got report
	dec := json.NewDecoder(&out)
	dec.DisallowUnknownFields()
	if err := dec.Decode(&got); err != nil {
		t.Fatal(err)
	}
	if !got.OK || len(got.Cases) != 1 || !got.Cases[0].Direct.Closed || !bytes.Contains(got.Cases[0].Through.Answer, []byte("SERVICE_UNAVAILABLE")) {
		t.Errorf("got %+v", got)
	}
}

// A terminal shows how time goes by, and nothing of it remains.
func TestProgress(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	d := Demo{Self: binary, Cases: []Case{*find("slow")}, Out: &out, Width: 80, Live: true}
	if err := d.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	before, after, _ := strings.Cut(out.String(), "1/1  slow")
	if !strings.Contains(before, "waiting for slow") || !strings.HasSuffix(before, "\r\x1b[K\n") || strings.Contains(after, "\r") {
		t.Errorf("got %q, then %q", before, after)
	}
}
