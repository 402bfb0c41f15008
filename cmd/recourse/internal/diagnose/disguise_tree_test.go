package diagnose

import (
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

var trees = flag.String("trees", "", "folders of real files, by commas, for TestTrees")

// textOf returns what is in a file, if it is text and not larger than an answer is.
func textOf(path string, d fs.DirEntry) (string, bool) {
	const most = 1 << 20
	if d == nil || !d.Type().IsRegular() {
		return "", false
	}
	if info, err := d.Info(); err != nil || info.Size() > most {
		return "", false
	}
	b, err := os.ReadFile(path)
	text := string(b)
	return text, err == nil && strings.TrimSpace(text) != "" && !strings.Contains(text, "\x00") && utf8.ValidString(text)
}

// TestTrees takes every text file under some folders for the answer of a tool
// that reads files, and of one that nothing is known of: at most one in 10,000
// may look like an error.
func TestTrees(t *testing.T) {
	if *trees == "" {
		t.Skip("no -trees")
	}
	files, flips := 0, map[Conduct]int{}
	for root := range strings.SplitSeq(*trees, ",") {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			text, ok := textOf(path, d)
			if err != nil || !ok {
				return nil //nolint:nilerr // a folder that may not be read is passed over
			}
			files++
			result := answering(text)
			for _, tool := range []Conduct{Unknown, Reads, Contents} {
				if s := Disguised(result, tool, nil, false, nil); s.Tier >= Anchored {
					flips[tool]++
					t.Logf("conduct %d: %s: tier %d by %q: %.120q", tool, path, s.Tier, s.Rule, s.Text)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d files, taken for errors: %d of unknown conduct, %d of a reader", files, flips[Unknown], flips[Reads])
	if limit := max(1, files/10_000); flips[Unknown] > limit || flips[Reads] > limit {
		t.Errorf("more than %d", limit)
	}
}
