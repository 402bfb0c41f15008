package upstream

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"
)

// Each file is a standard error and the excerpt that a model may see.
func TestExcerpt(t *testing.T) {
	files, err := filepath.Glob("testdata/excerpt/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		ar, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		got, want := Excerpt(string(ar.Files[0].Data)), strings.TrimSuffix(string(ar.Files[1].Data), "\n")
		if got != want {
			t.Errorf("%s:\n%s\nwant\n%s", file, got, want)
		}
		if got, want := Headline(string(ar.Files[0].Data), true), strings.TrimSuffix(string(ar.Files[2].Data), "\n"); got != want {
			t.Errorf("%s: headline %q, want %q", file, got, want)
		}
	}
}

func TestExcerptIsShortAndLegal(t *testing.T) {
	for _, s := range []string{strings.Repeat("é", 5000), strings.Repeat("line of some length\n", 500), "\xff\xfe", "", "\n\n"} {
		got := Excerpt(s)
		if len(got) > 700 || got != strings.ToValidUTF8(got, "") {
			t.Errorf("%d bytes of %q…", len(got), s[:min(9, len(s))])
		}
	}
}

func TestTailKeepsTheEnd(t *testing.T) {
	var tl tail
	for range 1000 {
		tl.Write(bytes.Repeat([]byte("x"), 1000))
	}
	tl.Write([]byte("the end"))
	if s, _ := tl.end(); len(s) != tailSize || !strings.HasSuffix(s, "xthe end") {
		t.Errorf("%d bytes, ending in %q", len(s), s[len(s)-10:])
	}
	tl.Write(bytes.Repeat([]byte("y"), 1<<20))
	if s, _ := tl.end(); s != strings.Repeat("y", tailSize) {
		t.Errorf("%d bytes", len(s))
	}
}

// A host that does not read our standard error must not stop the server.
func TestSpillNeverBlocks(t *testing.T) {
	r, w := io.Pipe()
	s := &Spill{W: w}
	line := bytes.Repeat([]byte("z"), 1<<10)
	for range 10_000 {
		s.Write(line)
	}
	go s.Write([]byte("late\n"))
	buf := make([]byte, 1<<20)
	var got []byte
	for !bytes.Contains(got, []byte("were not shown")) {
		n, err := r.Read(buf)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, buf[:n]...)
	}
	if len(got) > 2*spillSize+4096 { // one half waits, one is being written
		t.Errorf("%d bytes waited", len(got))
	}
	go io.Copy(io.Discard, r)
	s.Flush(time.Minute)
	r.Close()
}

func TestSpillToAClosedReader(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	s := &Spill{W: w}
	s.Write([]byte("x"))
	s.Flush(time.Minute)
	s.Write([]byte("y"))
	s.Flush(time.Minute)
}
