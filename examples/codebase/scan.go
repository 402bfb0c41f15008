package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// A scan is one analysis. It reads the directory twice: to learn how much there
// is, for the progress and for what to offer if it is too much; then to count.
// os.Root keeps it inside, wherever symbolic links lead; none is followed.
type scan struct {
	path   string
	notify func(message string, done, total float64)

	dir         *os.Root
	buffer      *bufio.Reader
	total, done int64     // bytes
	told        int64     // what done was when the client was told last
	toldAt      time.Time // when that was

	mu       sync.Mutex       // the caller asks while a late run may be at work
	sizes    map[string]int64 // bytes in each directory at the top
	unread   int
	anUnread string
}

// skipped are directories with nothing that people wrote in this repository.
var skipped = map[string]bool{".git": true, ".hg": true, ".svn": true, "node_modules": true, "vendor": true}

func (s *scan) run(ctx context.Context) (report, error) {
	var err error
	if s.dir, err = open(s.path); err != nil {
		return report{}, err
	}
	defer s.dir.Close()
	s.buffer = bufio.NewReaderSize(nil, 64<<10)
	if err = s.walk(ctx, s.measure, func(string) {}); err != nil {
		return report{}, err
	}
	var t tally
	err = s.walk(ctx, func(path string, _ fs.DirEntry) error { return s.count(ctx, path, &t) }, s.missed)
	if err != nil {
		return report{}, err
	}
	return t.done(), nil
}

// walk visits the regular files. What can't be listed is missed.
func (s *scan) walk(ctx context.Context, visit func(string, fs.DirEntry) error, missed func(string)) error {
	return fs.WalkDir(s.dir.FS(), ".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && path == ".":
			return err
		case err != nil:
			missed(path)
			return fs.SkipDir
		case d.IsDir() && (skipped[d.Name()] || view(filepath.Join(s.path, path))):
			return fs.SkipDir
		case !d.Type().IsRegular():
			return nil
		}
		return visit(path, d)
	})
}

func (s *scan) measure(path string, d fs.DirEntry) error {
	info, err := d.Info()
	if err != nil { // it has gone since it was listed
		return nil
	}
	s.total += info.Size()
	if top, _, ok := strings.Cut(path, "/"); ok && info.Size() > 0 { // nothing would be no help
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.sizes == nil {
			s.sizes = map[string]int64{}
		}
		s.sizes[top] += info.Size()
	}
	return nil
}

// The words are looked for first, since the expression is slow.
var (
	words  = [][]byte{[]byte("TODO"), []byte("FIXME"), []byte("XXX"), []byte("HACK")}
	marker = regexp.MustCompile(`\b(TODO|FIXME|XXX|HACK)\b.*`)
)

func mark(line []byte) []byte {
	if !slices.ContainsFunc(words, func(w []byte) bool { return bytes.Contains(line, w) }) {
		return nil
	}
	return marker.Find(line)
}

// count adds one file. A file that can't be read is missed.
func (s *scan) count(ctx context.Context, path string, t *tally) error {
	f, err := s.dir.Open(path)
	if err != nil {
		s.missed(path)
		return nil
	}
	defer f.Close()
	counted := file{Path: path}
	var found []todo
	todos, partial := 0, false
	r := s.buffer
	r.Reset(f)
	if head, _ := r.Peek(8000); bytes.IndexByte(head, 0) >= 0 { // as git tells binary files
		t.Binary++
		if info, err := f.Stat(); err == nil {
			s.done += info.Size()
		}
		return nil
	}
	for {
		line, err := r.ReadSlice('\n')
		if len(line) > 0 && !partial {
			counted.Lines++
		}
		counted.Bytes += int64(len(line))
		if text := mark(line); text != nil {
			todos++
			if len(t.Todos)+len(found) < mostMarkers {
				found = append(found, todo{path, counted.Lines, excerpt(text)})
			}
		}
		partial = errors.Is(err, bufio.ErrBufferFull)
		if stop := s.progress(ctx, int64(len(line)), t.Files); stop != nil {
			return stop
		}
		switch {
		case err == nil || partial:
		case errors.Is(err, io.EOF):
			t.add(counted, found, todos)
			return nil
		default:
			s.missed(path)
			return nil
		}
	}
}

func excerpt(text []byte) string {
	return fmt.Sprintf("%.120s", strings.TrimSpace(strings.ToValidUTF8(string(text), "\uFFFD")))
}

// progress tells the client four times a second, and returns an error once ctx is
// done.
func (s *scan) progress(ctx context.Context, n int64, files int) error {
	s.done += n
	if now := time.Now(); s.done > s.told && now.Sub(s.toldAt) > 250*time.Millisecond {
		s.told, s.toldAt = s.done, now
		s.notify(fmt.Sprintf("%d files so far", files), float64(s.done), float64(max(s.total, s.done)))
	}
	return ctx.Err()
}

func (s *scan) missed(path string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.unread++
	s.anUnread = cmp.Or(s.anUnread, path)
}

// failed returns how much could not be read, and one path of that.
func (s *scan) failed() (n int, example string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.unread, s.anUnread
}

// directories returns at most n paths of directories, the biggest first, as far
// as the scan has come.
func (s *scan) directories(n int) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	names := slices.Sorted(maps.Keys(s.sizes))
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(s.sizes[b], s.sizes[a]) })
	var paths []string
	for _, name := range names[:min(n, len(names))] {
		paths = append(paths, filepath.Join(s.path, name))
	}
	return paths
}
