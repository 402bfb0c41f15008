package rules

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// eraLasts is how long a server is taken for old: the same command line may
// start a newer one tomorrow, as npx does.
const eraLasts = 24 * time.Hour

// Eras remembers for a day which command lines start a server that does not
// know server/discover and dies or falls silent at it, so that no later run
// tries it on that server. A command line may hold secrets, so only its hash is
// kept.
type Eras struct {
	Dir string // one small file a command line; made when first needed; if empty, nothing is remembered
}

// Legacy reports whether the server is known to be old. What can't be read is
// not known: it costs one more try.
func (e Eras) Legacy(argv []string, now time.Time) bool {
	return e.Dir != "" && recent(e.path(argv), now)
}

// Remember notes that the server is old, and forgets what is out of date.
func (e Eras) Remember(argv []string, now time.Time) error {
	if e.Dir == "" {
		return nil
	}
	if err := os.MkdirAll(e.Dir, 0o700); err != nil {
		return err
	}
	e.sweep(now)
	return os.WriteFile(e.path(argv), now.UTC().AppendFormat(nil, time.RFC3339), 0o600)
}

// Forget notes that the server is not old after all.
func (e Eras) Forget(argv []string) error {
	if e.Dir == "" {
		return nil
	}
	return os.Remove(e.path(argv))
}

const eraExt = ".legacy"

// path tells ["a", "b"] and ["a b"] apart: no argument can hold a NUL.
func (e Eras) path(argv []string) string {
	sum := sha256.Sum256([]byte(strings.Join(argv, "\x00")))
	return filepath.Join(e.Dir, hex.EncodeToString(sum[:16])+eraExt)
}

// sweep keeps command lines that differ each time from filling the directory.
func (e Eras) sweep(now time.Time) {
	entries, err := os.ReadDir(e.Dir)
	if err != nil {
		return
	}
	for _, entry := range entries {
		path := filepath.Join(e.Dir, entry.Name())
		if filepath.Ext(path) == eraExt && !recent(path, now) {
			_ = os.Remove(path) // another run may have been faster
		}
	}
}

// recent reports whether the file holds a time of the day before now. One that
// is being written, or was cut by a full disk, does not.
func recent(path string, now time.Time) bool {
	text, err := os.ReadFile(path)
	if err != nil {
		return false
	}
	then, err := time.Parse(time.RFC3339, string(text))
	age := now.Sub(then)
	return err == nil && 0 <= age && age < eraLasts
}
