package diagnose

import "testing"

// TestDisguisedKinds are pairs that differ in what makes one data and the other an
// error.
func TestDisguisedKinds(t *testing.T) {
	for _, c := range []struct{ name, data, failed string }{
		{"a batch", `{"failed":3,"succeeded":97,"errors":[{"row":4,"message":"no name"}]}`, `{"failed":3,"succeeded":0,"errors":[{"row":4,"message":"no name"}]}`},
		{"a batch that says success: false", `{"success":false,"imported":117,"error":"1 duplicate"}`, `{"success":false,"imported":0,"error":"1 duplicate"}`},
		{"all of a batch", `{"processed":5,"failed":4,"error":"no rights"}`, `{"processed":5,"failed":5,"error":"no rights"}`},
		{"what was copied", `{"copied":["a","b"],"error":"c is locked"}`, `{"copied":[],"error":"c is locked"}`},
		{"a part", `{"partial":true,"error":"one region is silent"}`, `{"partial":false,"error":"one region is silent"}`},
		{"a logger's line", `{"level":"ERROR","time":"2031-05-04T10:00:00Z","msg":"dial","error":"refused"}`, `{"time":"2031-05-04T10:00:00Z","msg":"dial","error":"refused"}`},
		{"a severity", `{"severity":"ERROR","timestamp":"2031-05-04T10:00:00Z","message":"x","error":"refused"}`, `{"severity":"ERROR","code":"42P01","message":"relation \"x\" does not exist"}`},
		{"a run that was asked about", `{"id":"r1","status":"failed","error":{"message":"exit 1"},"created_at":"2031-05-04"}`, `{"status":"failed","error":{"message":"exit 1"}}`},
		{"a query that was asked about", `{"query_id":"q1","state":"FAILED","error":{"message":"no column x"}}`, `{"query_id":"q1","error":{"message":"no column x"}}`},
		{"a stage of a run", `{"stage":"test","status":"failed","error":"2 tests failed"}`, `{"status":"failed","error":"2 tests failed"}`},
		{"a probe", `{"probe":"https://shop.test","ok":false,"status":503,"error":"Service Unavailable","latency_ms":120}`, `{"ok":false,"status":503,"error":"Service Unavailable"}`},
		{"how often", `{"error":"KeyError","count":14}`, `{"error":"too many points","count":14}`},
		{"a setting", `{"on_error":"retry","error_message":"Bad input"}`, `{"error_message":"Bad input"}`},
		{"output, then its status", "stderr: Permission denied\nexit code: 126", "Permission denied"},
		{"a delivery", `{"attempt":3,"response_code":502,"error":"Bad Gateway"}`, `{"response_code":502,"error":"Bad Gateway"}`},
		{"a schema", `{"error":{"type":"string","description":"why"}}`, `{"error":{"type":"rate_limit","description":"why"}}`},
		{"a palette", `{"error":"#d32f2f","info":"#1976d2"}`, `{"error":"colour #d32f2f is unknown","info":"#1976d2"}`},
		{"a dictionary", `{"error":"Fehler aufgetreten","success":"Gespeichert"}`, `{"error":"Fehler aufgetreten","success":false}`},
		{"a file", `{"error":"error.html"}`, `{"error":"error.html is missing"}`},
		{"a mutation", `{"data":{"cardCreate":{"card":{"id":1},"userErrors":[]}}}`, `{"data":{"cardCreate":{"card":null,"userErrors":[{"message":"Title is taken"}]}}}`},
		{"a line with a stamp", "ERROR 2031-05-04 10:00:00 worker Failed to send: timeout", "ERROR: Failed to send: timeout"},
		{"a line of Python's logging", "ERROR:root:could not open the socket", "ERROR: could not open the socket"},
		{"logfmt", `level=error msg="Failed to load" err="no such file"`, `Failed to load: err="no such file"`},
		{"syslog", "May  4 10:00:00 web-1 app[81]: Error: queue is full", "Error: queue is full"},
		{"a browser's console", "TypeError: x is undefined @ https://shop.test/app.js:14", "TypeError: x is undefined"},
		{"what a command left", "exit code: 1\nstderr: cat: x: No such file or directory", "cat: x: No such file or directory"},
		{"pairs of a job", "Status: failed\nJob: nightly\nStarted: 2031-05-04 01:00\nReason: out of memory", "Status: failed\nReason: out of memory"},
		{"pairs of a success", "Success: true\nError: none", "Success: false\nError: no such colour"},
		{"YAML", "error:\n  type: string\n  description: why", "error:\n  code: 404\n  message: no such book"},
		{"a heading", "## Error\n\nThis page tells how errors are written.", "## Error\n\nFailed to create the event."},
	} {
		if s := suspect(c.data); s.Tier >= Anchored {
			t.Errorf("%s: data is flipped by %q: %s", c.name, s.Rule, c.data)
		}
		if s := suspect(c.failed); s.Tier < Anchored {
			t.Errorf("%s: not seen, tier %d: %s", c.name, s.Tier, c.failed)
		}
	}
}
