package main

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/recourse-dev/recourse"
)

// open opens the directory, or says what is wrong with its path.
func open(path string) (*os.Root, error) {
	fault := func(code recourse.Code, message, constraint, suggestion string, err error) *recourse.Error {
		return &recourse.Error{
			Code: code, Message: message, Field: "/repo_path", Value: path,
			Constraint: constraint, Suggestion: suggestion, Err: err,
		}
	}
	if !filepath.IsAbs(path) {
		return nil, fault(recourse.InvalidArgument, "The path is relative.", "must be an absolute path",
			"Set repo_path to the whole path, from the root directory on; ask the user where the repository is if you don't know.", nil)
	}
	info, err := os.Stat(path)
	switch {
	case err == nil && !info.IsDir():
		e := fault(recourse.InvalidArgument, "The path leads to a file.", "must be a directory",
			"Set repo_path to the directory that holds the file.", nil)
		e.Related = map[string]any{"directory": filepath.Dir(path)}
		return nil, e
	case errors.Is(err, fs.ErrNotExist):
		e := fault(recourse.NotFound, "There is no such directory.", "must be a directory that exists",
			"Ask the user where the repository is, and set repo_path to that.", err)
		if near := similar(path); len(near) > 0 {
			e.Suggestion = "Set repo_path to one of near_names if that is meant, or ask the user where the repository is."
			e.Related = map[string]any{"near_names": near}
		}
		return nil, e
	}
	if view(path) {
		return nil, fault(recourse.InvalidArgument, "The directory shows the running system, not files.", "must be a directory of files",
			"Set repo_path to a directory in which people keep files; ask the user where the repository is if you don't know.", nil)
	}
	dir, err := os.OpenRoot(path)
	if err != nil {
		return nil, fault(recourse.CodeOf(err), "The directory can't be opened.", "must be a directory that this server may read",
			"Choose another directory, or ask the user to give this server access.", err)
	}
	return dir, nil
}

// similar returns up to five directories whose names resemble the first name on
// the path that does not exist, each with the rest of the path if that exists.
func similar(path string) []string {
	parent, name, rest := filepath.Dir(path), filepath.Base(path), ""
	for {
		if _, err := os.Stat(parent); err == nil || filepath.Dir(parent) == parent {
			break
		}
		rest = filepath.Join(name, rest)
		parent, name = filepath.Dir(parent), filepath.Base(parent)
	}
	entries, err := os.ReadDir(parent)
	if err != nil {
		return nil
	}
	type candidate struct {
		path  string
		edits int
	}
	var found []candidate
	for _, entry := range entries {
		n := edits(strings.ToLower(entry.Name()), strings.ToLower(name))
		if entry.IsDir() && n <= max(2, len(name)/3) {
			at := filepath.Join(parent, entry.Name())
			if _, err := os.Stat(filepath.Join(at, rest)); err == nil {
				at = filepath.Join(at, rest)
			}
			found = append(found, candidate{at, n})
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return cmp.Compare(a.edits, b.edits) })
	var paths []string
	for _, c := range found[:min(5, len(found))] {
		paths = append(paths, c.path)
	}
	return paths
}

// edits returns the Levenshtein distance of a and b.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
