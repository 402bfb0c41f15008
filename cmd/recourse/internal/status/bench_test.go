package status

import (
	"path/filepath"
	"testing"
)

// BenchmarkServe is what the socket adds to the start and end of a run.
func BenchmarkServe(b *testing.B) {
	places := []string{filepath.Join(b.TempDir(), "r")}
	for b.Loop() {
		s, err := Serve(places, "crm", example)
		if err != nil {
			b.Fatal(err)
		}
		s.Close()
	}
}
