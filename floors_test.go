package recourse_test

import (
	"bufio"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
)

// A package imports only packages on lower floors; its tests, also those on its
// own floor. A name that ends in /... stands for all packages in that folder
// that have no line of their own.
const floors = `
0  internal/policy
0  internal/redact
0  internal/ulid
0  schema/internal/draft
1  .
2  internal/adapter
2  schema
3  gosdk
3  mcpgo
2  cmd/recourse/internal/wire
3  cmd/recourse/internal/dump
3  cmd/recourse/internal/rules
3  cmd/recourse/internal/upstream
3  cmd/recourse/internal/calllog
4  cmd/recourse/internal/diagnose
5  cmd/recourse/internal/relay
5  cmd/recourse/internal/report
6  cmd/recourse/internal/demo
6  cmd/recourse/internal/faulty
6  cmd/recourse/internal/status
6  cmd/recourse/internal/gateway
6  cmd/recourse/internal/clients
6  cmd/recourse/internal/audit
6  cmd/recourse/internal/chaos
6  cmd/recourse/internal/dash
7  cmd/recourse/internal/cli
8  cmd/recourse
7  examples/github
7  examples/session
7  examples/weather/openmeteo
8  examples/...
7  bench/fault/table
8  bench/...
`

const modulePath = "github.com/recourse-dev/recourse"

// floor returns the floor of the package in dir.
func floor(dir string) (int, bool) {
	found := map[string]int{}
	for line := range strings.Lines(floors) {
		var n int
		var name string
		if _, err := fmt.Sscan(line, &n, &name); err == nil {
			found[name] = n
		}
	}
	if n, ok := found[dir]; ok {
		return n, true
	}
	for ; dir != "."; dir = path.Dir(dir) {
		if n, ok := found[dir+"/..."]; ok {
			return n, true
		}
	}
	return 0, false
}

// A source is one Go file of the repository.
type source struct {
	name, dir string // slash-separated, from the root of the repository
	inRoot    bool   // belongs to the root module
	text      string
	syntax    *ast.File
	fset      *token.FileSet
}

func (s source) isTest() bool { return strings.HasSuffix(s.name, "_test.go") }

// sources parses the Go files of all modules in fsys.
func sources(fsys fs.FS) ([]source, error) {
	var all []source
	modules := []string{}
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := path.Base(name)
		if d.IsDir() {
			if name != "." && (strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") || base == "testdata" || base == "node_modules") {
				return fs.SkipDir
			}
			return nil
		}
		if base == "go.mod" && name != base {
			modules = append(modules, path.Dir(name)+"/")
		}
		if path.Ext(name) != ".go" {
			return nil
		}
		text, err := fs.ReadFile(fsys, name)
		if err != nil {
			return err
		}
		s := source{name: name, dir: path.Dir(name), text: string(text), fset: token.NewFileSet()}
		s.syntax, err = parser.ParseFile(s.fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
		all = append(all, s)
		return err
	})
	for i := range all {
		all[i].inRoot = !slices.ContainsFunc(modules, func(m string) bool { return strings.HasPrefix(all[i].name, m) })
	}
	return all, err
}

// A rule returns what is wrong with a repository.
type rule func(fs.FS, []source) []string

var rules = map[string]rule{
	"imports":      checkImports,
	"requirements": checkRequirements,
	"comments":     checkPackageComments,
	"length":       checkLength,
	"sleep":        checkSleep,
	"folders":      checkFolders,
}

func checkImports(_ fs.FS, all []source) (wrong []string) {
	for _, s := range all {
		from, ok := floor(s.dir)
		if !ok {
			wrong = append(wrong, s.dir+" has no floor")
		}
		for _, spec := range s.syntax.Imports {
			imported, _ := strconv.Unquote(spec.Path.Value)
			inside := imported == modulePath || strings.HasPrefix(imported, modulePath+"/")
			first, _, _ := strings.Cut(imported, "/")
			if !inside {
				if s.inRoot && strings.Contains(first, ".") {
					wrong = append(wrong, s.name+" imports "+imported+" into the root module")
				}
				continue
			}
			dir := path.Clean("./" + strings.TrimPrefix(imported, modulePath))
			dir = strings.TrimPrefix(dir, "/")
			if dir == "" {
				dir = "."
			}
			to, ok := floor(dir)
			if !ok {
				wrong = append(wrong, s.name+" imports "+dir+", which has no floor")
			} else if to > from || to == from && !s.isTest() {
				wrong = append(wrong, fmt.Sprintf("%s on floor %d imports %s on floor %d", s.name, from, dir, to))
			}
		}
	}
	return wrong
}

func checkRequirements(fsys fs.FS, _ []source) (wrong []string) {
	f, err := fsys.Open("go.mod")
	if err != nil {
		return []string{err.Error()}
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if words := strings.Fields(lines.Text()); len(words) > 0 && strings.HasPrefix(words[0], "require") {
			wrong = append(wrong, "the root module has a requirement")
		}
	}
	return wrong
}

func TestRepositoryKeepsItsRules(t *testing.T) {
	fsys := os.DirFS(".")
	all, err := sources(fsys)
	if err != nil {
		t.Fatal(err)
	}
	for name, check := range rules {
		t.Run(name, func(t *testing.T) {
			for _, wrong := range check(fsys, all) {
				t.Error(wrong)
			}
		})
	}
}

// The rules notice when one is broken: each case is a repository, and what is
// found wrong with it.
func TestRulesNotice(t *testing.T) {
	long := strings.Repeat("\n", 400)
	for _, tt := range []struct {
		rule  string
		files map[string]string
		want  string
	}{
		{"imports", repo("schema/a.go", `import "@"`), ""},
		{"imports", repo("internal/policy/a.go", `import "@"`), "internal/policy/a.go on floor 0 imports . on floor 1"},
		{"imports", repo("internal/policy/a_test.go", `import "@"`), "internal/policy/a_test.go on floor 0 imports . on floor 1"},
		{"imports", repo("gosdk/a.go", `import "@/mcpgo"`), "gosdk/a.go on floor 3 imports mcpgo on floor 3"},
		{"imports", repo("gosdk/a_test.go", `import "@/mcpgo"`), ""},
		{"imports", repo("cmd/recourse/internal/wire/a.go", `import x "@/cmd/recourse/internal/relay"`), "cmd/recourse/internal/wire/a.go on floor 2 imports cmd/recourse/internal/relay on floor 5"},
		{"imports", repo("bench/copy/a.go", `import "@/internal/policy"`), ""},
		{"imports", repo("bench/copy/a.go", `import "@/cmd/recourse"`), "bench/copy/a.go on floor 8 imports cmd/recourse on floor 8"},
		{"imports", repo("internal/queue/a.go", ``), "internal/queue has no floor"},
		{"imports", repo("gosdk/a.go", `import "@/internal/queue"`), "gosdk/a.go imports internal/queue, which has no floor"},
		{"imports", repo("internal/redact/a_test.go", `import "pgregory.net/rapid"`), "internal/redact/a_test.go imports pgregory.net/rapid into the root module"},
		{"imports", repo("bench/copy/a.go", `import "pgregory.net/rapid"`), ""},
		{"requirements", map[string]string{"go.mod": "module m\n\ngo 1.25\n"}, ""},
		{"requirements", map[string]string{"go.mod": "module m\n\nrequire x.org/y v1.0.0\n"}, "the root module has a requirement"},
		{"requirements", map[string]string{"go.mod": "module m\n\nrequire (\n)\n"}, "the root module has a requirement"},
		{"comments", map[string]string{"a.go": "package a\n"}, ". has 0 package comments"},
		{"comments", map[string]string{"a.go": "// A.\npackage a\n", "b.go": "// B.\npackage a\n"}, ". has 2 package comments"},
		{"comments", map[string]string{"a.go": "// A.\npackage a\n", "a_test.go": "// B.\npackage a\n"}, ""},
		{"length", map[string]string{"a.go": "package a\n" + long}, "a.go has 401 lines"},
		{"length", map[string]string{"a_test.go": "package a\n" + long}, ""},
		{"length", map[string]string{"a.go": "package a\n\nfunc f() {" + long[:60] + "}\n"}, "a.go: f has 61 lines"},
		{"sleep", map[string]string{"a_test.go": "package a\n\nfunc f() { time.Sleep(1) }\n"}, "a_test.go:3:12: sleeps"},
		{"sleep", map[string]string{"a.go": "package a\n\nfunc f() { time.Sleep(1) }\n"}, ""},
		{"sleep", map[string]string{"a_test.go": "package a\n\nimport \"testing/synctest\"\n\nfunc f() { time.Sleep(1) }\n"}, ""},
		{"folders", map[string]string{"internal/utils/a.go": "package a\n"}, "internal/utils: say what is in it"},
	} {
		fsys := fstest.MapFS{}
		for name, text := range tt.files {
			fsys[name] = &fstest.MapFile{Data: []byte(text)}
		}
		all, err := sources(fsys)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(rules[tt.rule](fsys, all), "\n"); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.rule, got, tt.want)
		}
	}
}

// repo returns a repository with one Go file, in which @ is the root's path.
func repo(name, body string) map[string]string {
	return map[string]string{
		"go.mod":       "module " + modulePath + "\n",
		"bench/go.mod": "module " + modulePath + "/bench\n",
		name:           "package a\n" + strings.ReplaceAll(body, "@", modulePath),
	}
}
