package relay

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/recourse-dev/recourse/cmd/recourse/internal/wire"
)

// A request has an id of the client and one at the server.
type request struct{ id, server, method, line string }

// What the client of FuzzRelay has asked when the server speaks, and with which
// ids the server has got it.
var piece = []request{
	{`3`, "3", "tools/call", `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"find","arguments":{},"_meta":{"progressToken":"p"}}}`},
	{`"b"`, "4", "tools/call", `{"jsonrpc":"2.0","id":"b","method":"tools/call","params":{"name":"write","arguments":{}}}`},
	{`4.5`, "5", "resources/read", `{"jsonrpc":"2.0","id":4.5,"method":"resources/read","params":{"uri":"a:b"}}`},
	{`-6`, "6", "tools/list", `{"jsonrpc":"2.0","id":-6,"method":"tools/list"}`},
}

// A server may say what it likes, and then do what it likes: its client hears
// nothing but messages that it can read, one answer for each request, and is
// served well afterwards.
func FuzzRelay(f *testing.F) {
	for n, s := range sayings(f) {
		f.Add([]byte(s), uint16(0), uint8(n))
		f.Add([]byte(s), uint16(1+n%30), uint8(n*7))
	}
	f.Fuzz(func(t *testing.T, said []byte, cut uint16, how uint8) {
		if bytes.Count(said, []byte("["))+bytes.Count(said, []byte("{")) > 5000 {
			return // the judge is encoding/json, which goes down to 10,000
		}
		s := spoken{said, finish(how % 4), how&4 != 0, how&8 != 0, how&16 != 0, how&32 != 0, how&64 != 0}
		if err := s.play(t, int(cut)); err != nil {
			t.Errorf("the server said\n%q\n%v", said, err)
		}
	})
}

// A spoken is what a server says, and how.
type spoken struct {
	all     []byte
	finish  finish
	answers bool // the client answers the server's questions
	pause   bool // the server pauses after its first piece
	batches bool // the client asks all at once, under the revision that has batches
	narrow  bool // the client gets no line of the server that is longer than smallFrame
	brief   bool // and no text over smallText
}

// Limits so low that chance goes beyond them.
const (
	smallFrame = 600
	smallText  = 100
)

func (s *spoken) play(t *testing.T, cut int) error {
	t.Helper()
	if cut == 0 {
		cut = len(s.all)
	}
	return try(t, func(tr *trial) {
		if s.batches {
			tr.batch()
		}
		if s.narrow {
			_ = tr.relay.Rules.MaxFrame.UnmarshalText(fmt.Append(nil, smallFrame))
		}
		if s.brief {
			_ = tr.relay.Rules.MaxText.UnmarshalText(fmt.Append(nil, smallText))
		}
	}, func(tr *trial) error {
		tr.open()
		var lines []string
		tr.keeps = true
		for _, p := range piece {
			tr.asked[p.id] = p.method
			lines = append(lines, p.line)
		}
		if s.batches {
			lines = []string{"[" + strings.Join(lines, ",") + "]"}
		}
		tr.ask(lines...)
		synctest.Wait()
		for n, p := range piece {
			if len(tr.kept) != len(piece) || !strings.Contains(tr.kept[n], `"id":`+p.server+`,`) {
				return fmt.Errorf("the server has got %q", tr.kept)
			}
		}
		pause := time.Duration(0)
		if s.pause {
			pause = 1500 * time.Millisecond
		}
		tr.speak(s.all, cut, pause)
		tr.finish(s.finish)
		tr.rest(s.answers)
		err := tr.recover(s.finish.tries(s.all))
		all, wrong := tr.judge()
		return errors.Join(err, wrong, s.compare(all), s.explain(all))
	})
}

// explain tells of what method the client has heard that neither the server nor
// recourse has said.
func (s *spoken) explain(all []reading) error {
	if bytes.ContainsRune(s.all, '\\') || !utf8.Valid(s.all) {
		return nil
	}
	for _, h := range all {
		switch h.method {
		case "", "notifications/message", "notifications/cancelled", "notifications/tools/list_changed", "notifications/prompts/list_changed", "notifications/resources/list_changed":
		default:
			if !bytes.Contains(s.all, []byte(`"`+h.method+`"`)) {
				return fmt.Errorf("nobody has said %s", h.line)
			}
		}
	}
	return nil
}

// compare holds what the client has heard against what the server has said, where
// there can be no doubt: each line is one message, each answer has one plain id.
func (s *spoken) compare(all []reading) error {
	var wrong []error
	for _, h := range all {
		if n := len(h.line); s.narrow && !h.ours && n > smallFrame {
			wrong = append(wrong, fmt.Errorf("%d bytes are more than %d: %s", n, smallFrame, h.line))
		}
	}
	said, ok := s.legible()
	if !ok || s.narrow || s.brief {
		return errors.Join(wrong...)
	}
	for _, p := range piece {
		i := slices.IndexFunc(all, func(h reading) bool { return h.id == p.id && h.answer })
		if i < 0 {
			continue
		}
		h := all[i]
		if mine := said[p.server]; len(mine) > 0 {
			// What is an error, or reads like one, may be told as one: nothing else may
			// be called good here, and of what the server said nothing may be lost.
			if want, ok := p.passed(mine[0]); ok && h.line != want && !h.ours {
				wrong = append(wrong, fmt.Errorf("a good answer was changed into\n%s", h.line))
			}
		}
		for id, lines := range said {
			if h.text != "" && id != p.server && strings.Contains(strings.Join(lines, "\n"), h.text) && !strings.Contains(strings.Join(said[p.server], "\n"), h.text) {
				wrong = append(wrong, fmt.Errorf("the answer to %s went to %s:\n%s", id, p.server, h.line))
			}
		}
	}
	return errors.Join(wrong...)
}

// legible returns the answers that the server has said by their ids, if all of
// what it has said can be read in one way only.
func (s *spoken) legible() (map[string][]string, bool) {
	said := map[string][]string{}
	if bytes.ContainsFunc(s.all, func(c rune) bool { return c == '\\' || c == utf8.RuneError || c < ' ' && c != '\n' }) {
		return nil, false
	}
	for line := range strings.Lines(string(s.all)) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" {
			continue
		}
		m, ok := membersOf(line)
		if !ok || string(m["jsonrpc"]) != `"2.0"` {
			return nil, false
		}
		if id := string(m["id"]); m["method"] == nil {
			if n, err := strconv.Atoi(id); err != nil || n < 1 || id != strconv.Itoa(n) || (m["result"] == nil) == (m["error"] == nil) {
				return nil, false
			}
			said[id] = append(said[id], line)
		} else if m["result"] != nil || m["error"] != nil {
			return nil, false
		}
	}
	return said, true
}

// membersOf reads an object in which nothing comes twice.
func membersOf(line string) (map[string]json.RawMessage, bool) {
	m := map[string]json.RawMessage{}
	dec := json.NewDecoder(strings.NewReader(line))
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return nil, false
	}
	for dec.More() {
		key, err := dec.Token()
		name, ok := key.(string)
		var value json.RawMessage
		if err != nil || !ok || m[name] != nil || dec.Decode(&value) != nil {
			return nil, false
		}
		m[name] = value
	}
	end, err := dec.Token()
	return m, err == nil && end == json.Delim('}') && int(dec.InputOffset()) == len(line)
}

// passed returns an answer as the client has to hear it, if it is a good one.
func (p *request) passed(line string) (string, bool) {
	member := `"id":` + p.server
	want := strings.Replace(line, member, `"id":`+p.id, 1)
	h, err := asked{p.id: p.method}.read(json.RawMessage(want))
	good := err == nil && deep(line) <= 1000 && strings.Count(line, `"id"`) == 1 && strings.Count(line, member) == 1 && !strings.Contains(line, "null")
	switch p.method {
	case "tools/list":
		list := objectOf(h.result)
		good = good && (h.failed != nil || len(list) == 1 && plainTools(list["tools"]))
	case "tools/call":
		good = good && h.failed == nil
		for _, odd := range []string{`"annotations"`, `"_meta"`, `"icons"`, `"size"`, `"title"`, `"description"`, `"mimeType"`} {
			good = good && !strings.Contains(line, odd) // the judge does not look at those
		}
	}
	return want, good
}

// plainTools reports whether a list has nothing that a client could refuse.
func plainTools(list json.RawMessage) bool {
	var tools []object
	if err := json.Unmarshal(list, &tools); err != nil {
		return false
	}
	return !slices.ContainsFunc(tools, func(tool object) bool {
		name, ok := tool.text("name")
		return !ok || name == "" || len(tool) > 2 || string(tool["inputSchema"]) != `{"type":"object"}`
	})
}

// A client may say what it likes: the server is told nothing but requests that it
// can read, each of the client's is answered once, and later ones are answered.
func FuzzClient(f *testing.F) {
	for n, s := range sayings(f) {
		f.Add([]byte(s), uint16(n%40))
		f.Add([]byte("["+strings.ReplaceAll(strings.TrimSpace(s), "\n", ",")+"]"), uint16(n%40+1<<15))
	}
	for _, script := range transcripts(f) {
		f.Add([]byte(strings.Join(script.asked, "\n")+"\n"), uint16(0))
	}
	f.Fuzz(func(t *testing.T, said []byte, cut uint16) {
		if bytes.Count(said, []byte("["))+bytes.Count(said, []byte("{")) > 5000 {
			return
		}
		size := int(cut % (1 << 15))
		if size == 0 {
			size = len(said) + 1 // all at once
		}
		if err := try(t, func(tr *trial) {
			if cut > 1<<15 {
				tr.batch()
			}
		}, func(tr *trial) error { return tr.chatter(said, size) }); err != nil {
			t.Errorf("the client said\n%q\n%v", said, err)
		}
	})
}

// chatter lets the client say all in pieces.
func (tr *trial) chatter(all []byte, size int) error {
	tr.open()
	before := len(tr.heard.lines())
	for b := range slices.Chunk(all, size) {
		tr.say.Write(b)
	}
	tr.ask("")
	time.Sleep(15 * time.Minute)
	synctest.Wait()
	heard, err := asked(nil).hear(tr.heard.lines()[before:], tr.batches)
	count := answers(heard)
	for id, n := range requests(all) {
		if count[id] < n {
			err = errors.Join(err, fmt.Errorf("%d requests with the id %s have %d answers", n, id, count[id]))
		}
	}
	tr.heard.forget()
	tr.asked = asked{}
	err = errors.Join(err, tr.recover(1))
	_, wrong := tr.judge()
	return errors.Join(err, wrong)
}

// requests counts by their ids what every server would take for one.
func requests(said []byte) map[string]int {
	count := map[string]int{}
	if bytes.Contains(said, []byte("cancelled")) || !utf8.Valid(said) {
		return count // those may have no answer
	}
	for line := range strings.Lines(string(said)) {
		line = strings.TrimSuffix(line, "\n")
		elements := []json.RawMessage{json.RawMessage(line)}
		if strings.HasPrefix(line, "[") {
			elements = nil
			_ = json.Unmarshal([]byte(line), &elements)
		}
		for _, e := range elements {
			m, ok := membersOf(string(e))
			id, method := string(m["id"]), string(m["method"])
			if ok && string(m["jsonrpc"]) == `"2.0"` && len(method) > 2 && method[0] == '"' && m["result"] == nil && m["error"] == nil &&
				id != "" && strings.Trim(id, `"abcdefghijklmnopqrstuvwxyz0123456789-`) == "" && (id[0] == '"' || id[len(id)-1] <= '9') {
				count[id]++
			}
		}
	}
	return count
}

// sayings returns what testdata/sayings.txt has, and what real servers have said,
// under the ids of the piece.
func sayings(t testing.TB) (all []string) {
	t.Helper()
	text, err := os.ReadFile("testdata/sayings.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSuffix(line, "\n"); line == "" || line[0] == '#' {
			continue
		}
		saying := line + "\n"
		if line[0] == '"' {
			if saying, err = strconv.Unquote(line); err != nil {
				t.Fatalf("%v: %s", err, line)
			}
		}
		all = append(all, saying)
	}
	for _, depth := range []int{900, 1200} {
		inside := strings.Repeat(`{"a":[`, depth/2) + strings.Repeat("]}", depth/2)
		all = append(all, `{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"t"}],"x":`+inside+"}}\n",
			`{"jsonrpc":"2.0","id":5,"result":`+inside+"}\n", `{"jsonrpc":"2.0","id":8,"method":"x","params":`+inside+"}\n")
	}
	for _, script := range transcripts(t) {
		n := 0
		for _, line := range script.said {
			if len(line) > 2<<10 {
				continue
			}
			if wire.Scan([]byte(line)).Msg.Method.Ok() {
				all = append(all, line+"\n")
				continue
			}
			all = append(all, withID(line, piece[n%len(piece)].server)+"\n")
			n++
		}
	}
	return all
}
