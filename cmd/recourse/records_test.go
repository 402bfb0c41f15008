package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// records is a command that shows the records of a log, in the order of their
// time, with the named members only:
//
//	records [-TYPE] DIR MEMBER…
//
// Without a type it is those of calls. They are in the file records afterwards.
func records(ts *testscript.TestScript, neg bool, args []string) {
	kind := "call"
	if len(args) > 0 && strings.HasPrefix(args[0], "-") {
		kind, args = args[0][1:], args[1:]
	}
	if neg || len(args) < 2 {
		ts.Fatalf("usage: records [-TYPE] DIR MEMBER...")
	}
	type record = map[string]json.RawMessage
	var found []record
	eachFile(ts, args[0], func(path string, _ fs.FileMode) {
		text, err := os.ReadFile(path)
		ts.Check(err)
		for line := range bytes.Lines(text) {
			var r record
			ts.Check(json.Unmarshal(line, &r))
			if string(r["type"]) == strconv.Quote(kind) {
				found = append(found, r)
			}
		}
	})
	arrived := func(r record) (t time.Time) {
		ts.Check(json.Unmarshal(r["ts"], &t))
		return t
	}
	slices.SortStableFunc(found, func(a, b record) int { return arrived(a).Compare(arrived(b)) })
	var out strings.Builder
	for _, r := range found {
		var members []string
		for _, name := range args[1:] {
			if value, ok := r[name]; ok {
				members = append(members, fmt.Sprintf("%q:%s", name, value))
			}
		}
		out.WriteString("{" + strings.Join(members, ",") + "}\n")
	}
	ts.Check(os.WriteFile(ts.MkAbs("records"), []byte(out.String()), 0o666))
}

// modes is a command that puts the permissions of a folder, and of all files in
// it, into the file modes.
func modes(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: modes DIR")
	}
	info, err := os.Stat(ts.MkAbs(args[0]))
	ts.Check(err)
	seen := []string{fmt.Sprintf("folder %03o", info.Mode().Perm())}
	eachFile(ts, args[0], func(_ string, mode fs.FileMode) {
		seen = append(seen, fmt.Sprintf("file %03o", mode.Perm()))
	})
	ts.Check(os.WriteFile(ts.MkAbs("modes"), []byte(strings.Join(slices.Compact(seen), "\n")+"\n"), 0o666))
}

func eachFile(ts *testscript.TestScript, dir string, f func(path string, mode fs.FileMode)) {
	ts.Check(filepath.WalkDir(ts.MkAbs(dir), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			f(path, info.Mode())
		}
		return err
	}))
}

// status is a command that runs another and succeeds whatever its exit status,
// which it adds to standard output as a last line.
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: status COMMAND [ARG...]")
	}
	err := ts.Exec("sh", append([]string{"-c", `"$@"; echo $?`, "sh"}, args...)...)
	ts.Check(err)
}
