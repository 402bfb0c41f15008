package diagnose

import "testing"

func TestBegun(t *testing.T) {
	for _, text := range []string{
		"Created 3 of 5 records, then: rate limit exceeded",
		"Rate limit exceeded after creating 3 of 5 records",
		"Error: 3 records created, then 429 Too Many Requests",
		"Service unavailable. The first two messages were sent.",
		"Error: database is locked (2 rows inserted before)",
		"503 Service Unavailable after the first page had been written",
		`{"error":"rate limit exceeded","created":3}`,
		`{"success":false,"error":"Service unavailable","sent":2,"failed":1}`,
		`{"error":"Too many requests","deleted":["a.tmp","b.tmp"]}`,
	} {
		if !Begun(text) {
			t.Errorf("nothing done: %s", text)
		}
	}
	for _, text := range []string{
		"Rate limit exceeded. Try again in 30 seconds.",
		"You may send 60 messages per minute.",
		"Only 100 rows can be inserted at once; the table is locked.",
		"Error: 0 of 5 records created: rate limit exceeded",
		"No message was sent: too many requests",
		"429 Too Many Requests: 5000 of 5000 requests used",
		"Database is locked",
		`{"error":"rate limit exceeded","created":0}`,
		`{"error":{"code":429,"message":"Too many requests"}}`,
		`{"error":`,
		"",
	} {
		if Begun(text) {
			t.Errorf("some of it done: %s", text)
		}
	}
}
