//go:build faults && linux

package pressure

import (
	"encoding/json"
	"testing"
)

// Whoever looks for faults has to see them.
func TestJudge(t *testing.T) {
	good := string(appendAnswer(nil, []byte("7"), 7, 100))
	for _, tt := range []struct {
		line          string
		restarts      bool
		ending, fault string
	}{
		{good, true, data, ""},
		{good, false, wrong, "not what the server answered"}, // it did not come as the server wrote it, or it would not be judged
		{string(appendAnswer(nil, []byte("7"), 8, 100)), true, wrong, "not what the server answered"},
		{string(appendAnswer(nil, []byte("7"), 7, 99)), true, wrong, "not what the server answered"},
		{`{"result":{"content":[]}}`, true, wrong, "neither content nor an error"},
		{`{}`, true, wrong, "neither content nor an error"},
		{`{"result":{"isError":true,"content":[{"text":"broken pipe"}]}}`, true, wrong, "an error without an envelope"},
		{fails(`{"code":"X","suggestion":"Wait."}`), true, "X", ""},
		{fails(`{"code":"X"}`), true, "X", "an error with no code or suggestion"},
		{fails(`{"code":"X","suggestion":"Look.","outcome":"unknown"}`), true, "X unknown", ""},
		{fails(`{"code":"X","suggestion":"Again.","outcome":"unknown","retryable":true}`), true, "X unknown", "it may have run and is called retryable"},
		{`{"error":{"code":-32600,"message":"no"}}`, true, "rpc -32600", ""},
		{`{"error":{"code":502,"message":"no","data":{"error":{"code":"X","suggestion":"Wait."}}}}`, true, "X", ""},
	} {
		var m message
		if err := json.Unmarshal([]byte(tt.line), &m); err != nil {
			t.Fatal(err)
		}
		k := &call{n: 7, size: 100}
		if ending, fault := k.judge(m, tt.restarts); ending != tt.ending || fault != tt.fault {
			t.Errorf("%.200s: got %q, %q, want %q, %q", tt.line, ending, fault, tt.ending, tt.fault)
		}
	}
}

func fails(inside string) string {
	text, _ := json.Marshal(`{"error":` + inside + `}`)
	return `{"result":{"isError":true,"content":[{"text":` + string(text) + `}]}}`
}

// The operator tells what recourse says from what the server does, wherever a read
// ends.
func TestOperatorTellsWhoSpeaks(t *testing.T) {
	text := "recourse: a\nbytes and bytes" + "recourse: 12 bytes of the server's stderr were not shown: nobody read ours\nrecours"
	for size := 1; size <= len(text); size++ {
		o := newOperator()
		for at := 0; at < len(text); at += size {
			o.pending = append(o.pending, text[at:min(at+size, len(text))]...)
			o.sort(at+size >= len(text))
		}
		close(o.done)
		said, shown, counted := o.account()
		if shown != int64(len("bytes and bytes"+"recours")) || counted != 12 || int64(len(said))+shown != int64(len(text)) {
			t.Fatalf("in pieces of %d: said %q, %d bytes shown, %d counted", size, said, shown, counted)
		}
	}
}
