package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"unicode/utf8"
)

// longestFile is what a reader of files may be expected to return, in bytes.
const longestFile = 1 << 20

// measureTrees answers calls of one tool with every text file below some folders.
func (r *report) measureTrees(s *stage, dirs []string) error {
	files, err := textFiles(dirs)
	if err != nil {
		return err
	}
	c, err := s.dial(nil, []role{{Name: "tool_1", Files: true}})
	if err != nil {
		return err
	}
	var flips count
	for _, name := range files {
		path, err := marshal(map[string]string{"path": name})
		if err != nil {
			return err
		}
		a, err := c.call("tool_1", path)
		if err != nil {
			return fmt.Errorf("%s: %w", name, c.broken(err))
		}
		flips.add(a.failed)
		if a.failed {
			text, _ := os.ReadFile(name)
			r.note(true, "flipped", name, a.code(), "data", string(text))
		}
	}
	r.add("files flipped", flips, atMost(1.0/10_000))
	return c.close()
}

// textFiles lists what is not empty, not too long, and UTF-8 without zeros.
func textFiles(dirs []string) (files []string, err error) {
	for _, dir := range dirs {
		if dir, err = filepath.Abs(dir); err != nil { // the server may run elsewhere
			return nil, err
		}
		if _, err := os.Stat(dir); err != nil {
			return nil, err
		}
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err == nil && isText(path, d) {
				files = append(files, path)
			}
			return nil // what can't be read is no text
		})
		if err != nil {
			return nil, err
		}
	}
	return files, nil
}

func isText(path string, d fs.DirEntry) bool {
	info, err := d.Info()
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 || info.Size() > longestFile {
		return false
	}
	b, err := os.ReadFile(path)
	return err == nil && utf8.Valid(b) && bytes.IndexByte(b, 0) < 0
}
