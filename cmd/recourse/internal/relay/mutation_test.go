package relay

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/recourse-dev/recourse/cmd/recourse/internal/rules"
	"github.com/recourse-dev/recourse/cmd/recourse/internal/wire"
)

var (
	mutations = flag.Int("mutations", 300, "sessions of TestMutations")
	mutation  = flag.Int("mutation", -1, "the one session of TestMutations to play")
)

// A transcript is what a real server wrote on its standard output, and what it
// was asked, in testdata/real. Lines begin with "> " from the client and "< "
// from the server.
type transcript struct {
	name    string
	hello   string   // the client's initialize, "" in the stateless era
	welcome string   // the server's answer, with %s for the id
	asked   []string // all else of the client's, but for its answers
	said    []string // all else of the server's
}

func transcripts(t testing.TB) (all []transcript) {
	t.Helper()
	files, err := filepath.Glob("testdata/real/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		tr := transcript{name: filepath.Base(file)}
		for line := range strings.Lines(string(text)) {
			line = strings.TrimSuffix(line, "\n")
			from, line := line[:2], line[2:]
			m := wire.Scan([]byte(line))
			switch {
			case from == "> " && strings.Contains(line, `"initialize"`):
				tr.hello = line
			case from == "> " && m.Msg.Method.Ok():
				tr.asked = append(tr.asked, line)
			case from == "< " && tr.hello != "" && tr.welcome == "":
				tr.welcome = withID(strings.ReplaceAll(line, "%", "%%"), "%s")
			case from == "< ":
				tr.said = append(tr.said, line)
			}
		}
		all = append(all, tr)
	}
	return all
}

// idOf returns the literal of a message's id.
func idOf(line string) string { return string(wire.Scan([]byte(line)).ID) }

// withID returns the message with another id.
func withID(line, id string) string {
	f := wire.Scan([]byte(line))
	return strings.TrimSuffix(string(wire.AppendSplice(nil, f.Bytes, wire.Edit{At: f.Msg.ID, With: []byte(id)})), "\n")
}

// A real server's output, changed at random in the ways of AFL, harms nobody; and
// a line of it that is whole arrives as it is.
func TestMutations(t *testing.T) {
	all := transcripts(t)
	seeds := make([]int, *mutations)
	for i := range seeds {
		seeds[i] = i
	}
	if *mutation >= 0 {
		seeds = []int{*mutation}
	}
	for _, seed := range seeds {
		rng := rand.New(rand.NewPCG(uint64(seed), 3))
		s := show{transcript: all[seed%len(all)], other: all[rng.IntN(len(all))], rng: rng}
		if err := s.play(t); err != nil {
			t.Errorf("-mutation %d (%s): %v", seed, s.name, err)
		}
	}
}

// A show plays a transcript, with changes.
type show struct {
	transcript
	other transcript // whose lines get mixed in
	rng   *rand.Rand
	ids   map[string]string // the server's, by the client's
	lines []string          // unchanged, with the ids that the server got
}

// firstID is so large that chance does not make up the ids after it.
const firstID = 770_000

func (s *show) play(t *testing.T) error {
	t.Helper()
	return try(t, func(tr *trial) {
		tr.relay.lastID = firstID
		// What is checked would first be asked for, in an order of our own; and a server
		// of these shows what errors without isError look like.
		if err := errors.Join(tr.relay.Rules.Check.Set([]string{rules.Off}, rules.Off), tr.relay.Rules.Disguise.Set([]string{rules.Off}, rules.Off)); err != nil {
			t.Fatal(err)
		}
		if s.hello != "" {
			tr.welcome = s.welcome
		}
	}, func(tr *trial) error {
		if s.hello != "" {
			tr.asked[idOf(s.hello)] = "initialize"
			tr.ask(s.hello)
			synctest.Wait()
		}
		if err := s.ask(tr); err != nil {
			return err
		}
		s.lines = nil
		for _, line := range s.said {
			if wire.Scan([]byte(line)).Msg.Kind != wire.Request && wire.Scan([]byte(line)).ID != nil {
				line = withID(line, s.ids[idOf(line)])
			}
			s.lines = append(s.lines, line)
		}
		said := s.mutate()
		size := len(said) + 1
		if s.rng.IntN(2) == 0 {
			size = 1 + s.rng.IntN(200)
		}
		pause := time.Duration(s.rng.IntN(4)) * 500 * time.Millisecond
		tr.speak(said, size, pause)
		end := finish(s.rng.IntN(4))
		tr.finish(end)
		tr.rest(s.rng.IntN(2) == 0)
		lost := tr.recover(end.tries(said))
		heard, wrong := tr.judge()
		err := errors.Join(lost, wrong, s.whole(heard, said), s.apart(heard, said))
		if err != nil {
			err = fmt.Errorf("end %d, pieces of %d, pause %v\n%q\n%w", end, size, pause, said, err)
		}
		return err
	})
}

// ask lets the client ask all that it asks, and one thing that is never answered:
// so the server can't lose an id and be understood.
func (s *show) ask(tr *trial) error {
	tr.keeps = true
	s.ids = map[string]string{}
	lines := append(slices.Clone(s.asked), callLine(`"unanswered"`, "none"))
	for _, line := range lines {
		if id := idOf(line); id != "" {
			f := wire.Scan([]byte(line))
			tr.asked[id] = strings.Trim(string(f.Msg.Method.Of(f.Bytes)), `"`)
		}
	}
	tr.ask(lines...)
	synctest.Wait()
	for _, got := range tr.kept {
		for _, line := range lines {
			if id := idOf(line); id != "" && s.ids[id] == "" && withID(line, idOf(got)) == got {
				s.ids[id] = idOf(got)
				break
			}
		}
	}
	for _, line := range lines {
		if id := idOf(line); id != "" && s.ids[id] == "" {
			return fmt.Errorf("the server was never told %s, only %q", line, tr.kept)
		}
	}
	return nil
}

// whole tells which line of the server's has not reached the client as it was,
// though nothing happened to it, and nothing before it can be mistaken for it.
func (s *show) whole(all []reading, said []byte) error {
	var wrong []error
	told := strings.Split(string(said), "\n")
	for client, server := range s.ids {
		for _, line := range s.lines {
			at := slices.Index(told, line)
			if at < 0 || idOf(line) != server {
				continue
			}
			want := withID(line, client)
			if !s.good(want) || slices.ContainsFunc(told[:at], func(other string) bool {
				return strings.Contains(other, server) && !slices.Contains(s.lines, other)
			}) {
				continue
			}
			if !slices.ContainsFunc(all, func(h reading) bool { return h.line == want }) {
				wrong = append(wrong, fmt.Errorf("the answer to %s did not arrive as it was: %s", client, line))
			}
		}
	}
	for _, line := range s.lines {
		if strings.Contains(line, `"notifications/message"`) && slices.Contains(told, line) && !slices.ContainsFunc(all, func(h reading) bool { return h.line == line }) {
			wrong = append(wrong, fmt.Errorf("did not arrive: %s", line))
		}
	}
	return errors.Join(wrong...)
}

// good reports whether an answer has nothing that recourse would explain.
func (s *show) good(line string) bool {
	f := wire.Scan([]byte(line))
	for _, q := range s.asked {
		if idOf(q) == string(f.ID) && strings.Contains(q, `"tools/call"`) {
			return f.Msg.Result.Ok() && !strings.Contains(line, `"isError":true`)
		}
	}
	return true
}

// apart tells which text of an answer has reached the wrong one, though nothing
// that the server has said connects it with that.
func (s *show) apart(all []reading, said []byte) error {
	var regions [][]byte // what stands together between lines that are whole
	for line := range bytes.SplitSeq(said, []byte("\n")) {
		whole := slices.Contains(s.lines, string(line))
		if n := len(regions); n > 0 && !whole && !slices.Contains(s.lines, string(regions[n-1])) {
			regions[n-1] = slices.Concat(regions[n-1], []byte("\n"), line)
		} else {
			regions = append(regions, line)
		}
	}
	var wrong []error
	for _, h := range all {
		server, ok := s.ids[h.id]
		plain, _ := json.Marshal(h.text)
		if !ok || !h.answer || h.ours || len(h.text) < 6 || string(plain) != `"`+h.text+`"` || !bytes.Contains(said, []byte(h.text)) || h.text == fine {
			continue
		}
		if !slices.ContainsFunc(regions, func(r []byte) bool {
			return bytes.Contains(r, []byte(server)) && bytes.Contains(r, []byte(h.text))
		}) {
			wrong = append(wrong, fmt.Errorf("the text of another answer reached %s: %s", h.id, h.line))
		}
	}
	return errors.Join(wrong...)
}

// strange are bytes that mean something to somebody.
var strange = []string{
	"\x00", "\xff", "{", "}", "[", "]", "\"", "\\", "\n", "\r", ",", ":", "\t", "\x1b", "\x1b[31m", "\xef\xbb\xbf", "\xc2\x85", "\u2028",
	"\xed\xa0\x80", `\ud83d`, `\ude00`, `\u0000`, `\u0022`, "null", "NaN", "-Infinity", "1e999", "true", `"id"`, `"id":null`, `"jsonrpc":"2.0"`,
	"{\"a\":", "]}", "}\n{", "\n\n", "\xc3", "\x85", "\x7f", "  ", "INFO started\n", "Content-Length: 42\r\n\r\n",
}

// mutate returns the server's lines after a number of changes.
func (s *show) mutate() []byte {
	lines := slices.Clone(s.lines)
	rng := s.rng
	for range rng.IntN(4) {
		i, j := rng.IntN(len(lines)), rng.IntN(len(lines))
		switch rng.IntN(4) {
		case 0:
			lines[i], lines[j] = lines[j], lines[i]
		case 1:
			lines = slices.Insert(lines, i, lines[j])
		case 2:
			lines = slices.Insert(lines, i, s.other.said[rng.IntN(len(s.other.said))])
		case 3:
			lines = slices.Delete(lines, i, i+1)
		}
		if len(lines) == 0 {
			lines = slices.Clone(s.lines)
		}
	}
	b := []byte(strings.Join(lines, "\n") + "\n")
	for range 1 << rng.IntN(6) {
		if len(b) < 2 {
			break
		}
		b = s.change(b)
	}
	return b
}

// change makes one change.
func (s *show) change(b []byte) []byte {
	rng := s.rng
	at := rng.IntN(len(b))
	n := min(1+rng.IntN(1<<rng.IntN(10)), len(b)-at)
	from := rng.IntN(len(b))
	m := min(n, len(b)-from)
	switch rng.IntN(11) {
	case 0:
		b[at] ^= 1 << rng.IntN(8)
	case 1:
		b[at] = byte(rng.IntN(256))
	case 2:
		b[at] += byte(1 + rng.IntN(35))
	case 3:
		return slices.Insert(b, at, byte(rng.IntN(256)))
	case 4:
		return slices.Delete(b, at, at+n)
	case 5: // a block again
		return slices.Insert(b, at, slices.Clone(b[from:from+m])...)
	case 6: // over another
		copy(b[at:at+m], slices.Clone(b[from:from+m]))
	case 7:
		return slices.Insert(b, at, []byte(strange[rng.IntN(len(strange))])...)
	case 8:
		o := strange[rng.IntN(len(strange))]
		return slices.Concat(b[:at], []byte(o), b[min(at+len(o), len(b)):])
	case 9: // the end is missing
		if rng.IntN(4) == 0 {
			return b[:at+1]
		}
	case 10: // the other's
		o := []byte(strings.Join(s.other.said, "\n"))
		from := rng.IntN(len(o))
		return slices.Concat(b[:at], o[from:min(from+n, len(o))], b[at:])
	}
	return b
}
