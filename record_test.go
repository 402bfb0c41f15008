package recourse_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/recourse-dev/recourse"
)

func TestRecordJSON(t *testing.T) {
	r := recourse.Record{
		Version: 1, Type: "call", Time: time.Date(2026, 11, 1, 10, 0, 0, 1_234_567, time.FixedZone("CET", 3600)), ID: "01K",
		Server: "weather", Tool: "get_forecast", Client: "c/1", Session: "s",
		Args: json.RawMessage(`{"city":"<Köln>"}`), ArgsSent: json.RawMessage(`{"city":"Köln"}`),
		Outcome: "failed", Fault: "upstream", Code: recourse.Timeout, Message: "m", Cause: "c",
		Duration: 1500 * time.Microsecond,
		Attempts: []recourse.Attempt{{Duration: 2 * time.Millisecond, Code: recourse.Timeout}, {Duration: time.Microsecond}},
		Warnings: []string{"w"}, Breakers: []string{"github closed→open"},
	}
	const want = `{"v":1,"type":"call","ts":"2026-11-01T09:00:00.001234Z","id":"01K","server":"weather","tool":"get_forecast",` +
		`"client":"c/1","session":"s","args":{"city":"<Köln>"},"args_sent":{"city":"Köln"},"outcome":"failed","fault":"upstream",` +
		`"code":"TIMEOUT","message":"m","cause":"c","dur_us":1500,"attempts":[{"dur_us":2000,"code":"TIMEOUT"},{"dur_us":1}],` +
		`"warnings":["w"],"breakers":["github closed→open"]}` + "\n"
	var b bytes.Buffer
	recourse.LogTo(&b)(r)
	if b.String() != want {
		t.Errorf("got  %s\nwant %s", b.String(), want)
	}
	var back recourse.Record
	if err := json.Unmarshal(b.Bytes(), &back); err != nil {
		t.Fatal(err)
	}
	r.Time = r.Time.UTC().Truncate(time.Microsecond)
	if !reflect.DeepEqual(back, r) {
		t.Errorf("read back %+v\nwant %+v", back, r)
	}
}

func TestEmptyRecordJSON(t *testing.T) {
	var b bytes.Buffer
	recourse.LogTo(&b)(recourse.Record{Args: json.RawMessage{}})
	const want = `{"v":0,"type":"","ts":"0001-01-01T00:00:00Z","id":"","tool":"","outcome":"","fault":"","dur_us":0}` + "\n"
	if b.String() != want {
		t.Errorf("got %s", b.String())
	}
}

func TestRecordOfBrokenLine(t *testing.T) {
	var r recourse.Record
	for _, line := range []string{``, `{`, `[]`, `{"dur_us":"fast"}`, `{"attempts":[{"dur_us":{}}]}`} {
		if err := json.Unmarshal([]byte(line), &r); err == nil {
			t.Errorf("%s was read as %+v", line, r)
		}
	}
}
