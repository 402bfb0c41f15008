package calllog

import (
	"testing"

	"github.com/recourse-dev/recourse/internal/redact"
)

// typical is a record with 300 bytes of arguments.
func typical() *Record {
	return &Record{
		Time: noon, Server: "crm", Tool: "search_contacts", Method: "tools/call", Client: "claude-code/2.4.1",
		Session: "01KB9W2V3N0000000000000000", Protocol: "2025-11-25", Transport: "stdio", RequestID: "17",
		Args: []byte(`{"query":"acme corporation","limit":20,"filters":{"country":"de","since":"2026-01-01T00:00:00Z","tags":["a","b"]},` +
			`"path":"/home/ada/projects/acme/src/main.go","url":"https://example.com/search?q=acme&page=2","notes":"Latest invoices, and a summary of those."}`),
		Outcome: "ok", Fault: "none", Micros: 1234, ResultBytes: 5123,
	}
}

func BenchmarkEncode(b *testing.B) {
	e := encoder{redactor: &redact.Redactor{Secrets: []string{"listed-value-1"}}, host: "mac1", pid: 4711}
	r, buf := typical(), make([]byte, 0, 4096)
	b.ReportAllocs()
	for b.Loop() {
		e.encode(buf, r, noon)
	}
}

func BenchmarkAppend(b *testing.B) {
	l := &Log{Dir: b.TempDir()}
	r := typical()
	b.ReportAllocs()
	for b.Loop() {
		own := *r
		l.Append(&own)
	}
	if err := l.Close(b.Context()); err != nil {
		b.Log(err)
	}
}
