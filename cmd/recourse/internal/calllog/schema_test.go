package calllog

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/recourse-dev/recourse"
)

// The proxy's log and that of a server built on the library are read by the same
// tools, so their lines have one schema: what the library writes, the proxy would
// have written so too.

// keys returns the JSON keys of a struct type in order, with the type of each.
func keys(t reflect.Type) (names []string, kinds map[string]string) {
	kinds = map[string]string{}
	for f := range t.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		names = append(names, name)
		kinds[name] = kind(f.Type)
	}
	return names, kinds
}

// kind returns what a type is in JSON.
func kind(t reflect.Type) string {
	switch {
	case t == reflect.TypeFor[time.Time]():
		return "time"
	case t == reflect.TypeFor[json.RawMessage]():
		return "any"
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Struct:
		names, kinds := keys(t.Elem())
		text := "array of {"
		for _, name := range names {
			if name != "via" { // only the proxy has a cache of its own
				text += name + " " + kinds[name] + " "
			}
		}
		return text + "}"
	case t.Kind() == reflect.Slice:
		return "array of " + kind(t.Elem())
	case t.Kind() == reflect.String:
		return "string"
	case t.Kind() == reflect.Int, t.Kind() == reflect.Int64:
		return "integer"
	}
	return t.String()
}

func TestLibraryHasTheSameKeys(t *testing.T) {
	theirs, theirKinds := keys(reflect.TypeFor[recourse.Record]())
	all, ours := keys(reflect.TypeFor[Record]())
	at := 0
	for _, name := range theirs {
		if ours[name] != theirKinds[name] {
			t.Errorf("%s is %q here and %q in the library", name, ours[name], theirKinds[name])
		}
		for at < len(all) && all[at] != name {
			at++
		}
		if at == len(all) {
			t.Fatalf("%s stands elsewhere in the library's lines", name)
		}
	}
}

// A line of the library, read as a Record and written by the proxy, is the same
// line but for what the proxy alone knows.
func TestLibraryWritesTheSameLine(t *testing.T) {
	at := time.Date(2026, 11, 1, 9, 30, 0, 123_456_789, time.FixedZone("CET", 3600))
	for _, theirs := range []recourse.Record{
		{Version: 1, Type: "call", Time: at, ID: "01K9ABCDEFGHJKMNPQRSTVWXYZ", Tool: "t", Outcome: "ok", Fault: "none"},
		{
			Version: 1, Type: "call", Time: at, ID: "01K9ABCDEFGHJKMNPQRSTVWXYZ",
			Server: "weather", Tool: "get_forecast", Client: "inspector/1.2", Session: "s-1",
			Args: json.RawMessage(`{"city":"Köln <1>","days":7}`), ArgsSent: json.RawMessage(`{"city":"Köln <1>","days":"7"}`),
			ArgsBytes: 28, Blank: true,
			Outcome: "failed", Fault: "upstream", Code: recourse.Timeout,
			Message: "weather API did not answer within 5 seconds.", Cause: "line one\nline \"two\" & <three>\u2028",
			Duration: 5*time.Second + 1999, Attempts: []recourse.Attempt{{Duration: 1500, Code: recourse.Timeout}, {Duration: time.Second}},
			Warnings: []string{"Only 3 of 7 days."}, Breakers: []string{"weather API closed→open"},
		},
	} {
		var b bytes.Buffer
		recourse.LogTo(&b)(theirs)
		d := json.NewDecoder(bytes.NewReader(b.Bytes()))
		d.DisallowUnknownFields()
		var r Record
		if err := d.Decode(&r); err != nil {
			t.Fatalf("%v in %s", err, b.Bytes())
		}
		line := (&encoder{}).encode(nil, &r, at)
		if got, want := withoutOurs(t, line), withoutOurs(t, b.Bytes()); got != want {
			t.Errorf("proxy   %s\nlibrary %s", got, want)
		}
		var back recourse.Record
		if err := json.Unmarshal(line, &back); err != nil {
			t.Fatal(err)
		}
		theirs.Time = at.UTC().Truncate(time.Microsecond)
		theirs.Duration = theirs.Duration.Truncate(time.Microsecond)
		for i := range theirs.Attempts {
			theirs.Attempts[i].Duration = theirs.Attempts[i].Duration.Truncate(time.Microsecond)
		}
		if !reflect.DeepEqual(back, theirs) {
			t.Errorf("read %+v\nwant %+v", back, theirs)
		}
	}
}

// withoutOurs returns a line's members without those that only the proxy writes.
func withoutOurs(t *testing.T, line []byte) string {
	t.Helper()
	var members map[string]any
	if err := json.Unmarshal(line, &members); err != nil {
		t.Fatalf("%v in %s", err, line)
	}
	delete(members, "args_bytes")
	text, _ := json.Marshal(members)
	return string(text)
}

// A drop line of the library says what one of the proxy says.
func TestLibraryDropsTheSame(t *testing.T) {
	w := &stuffed{}
	log := recourse.LogTo(w)
	for range 2 {
		log(recourse.Record{Version: 1, Type: "call", Time: time.Now(), ID: "x", Outcome: "ok", Fault: "none"})
	}
	first, _, _ := strings.Cut(w.String(), "\n")
	d := json.NewDecoder(strings.NewReader(first))
	d.DisallowUnknownFields()
	var r Record
	if err := d.Decode(&r); err != nil || r.Version != 1 || r.Type != "drop" || r.Count != 1 || r.Time.IsZero() || len(r.ID) != 26 {
		t.Errorf("%v: %s", err, first)
	}
}

// A stuffed writer has no room for the first line.
type stuffed struct {
	bytes.Buffer
	writes int
}

func (s *stuffed) Write(b []byte) (int, error) {
	if s.writes++; s.writes == 1 {
		return 0, bytes.ErrTooLarge
	}
	return s.Buffer.Write(b)
}
