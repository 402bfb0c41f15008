package recourse_test

import (
	"fmt"
	"go/ast"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
)

const (
	maxFile     = 400 // lines of a file without tests
	maxFunction = 60  // lines of a function: one screen
)

// vague are names of folders that do not say what is in them.
var vague = []string{"pkg", "util", "utils", "common", "helpers", "types", "models", "config", "manager"}

// checkPackageComments wants one for every package; a folder with nothing but
// tests has it there.
func checkPackageComments(_ fs.FS, all []source) (wrong []string) {
	files := map[string][]source{}
	for _, s := range all {
		files[s.dir] = append(files[s.dir], s)
	}
	for _, dir := range slices.Sorted(maps.Keys(files)) {
		in := files[dir]
		if slices.ContainsFunc(in, func(s source) bool { return !s.isTest() }) {
			in = slices.DeleteFunc(in, source.isTest)
		}
		n := 0
		for _, s := range in {
			if s.syntax.Doc != nil {
				n++
			}
		}
		if n != 1 {
			wrong = append(wrong, fmt.Sprintf("%s has %d package comments", dir, n))
		}
	}
	return wrong
}

func checkLength(_ fs.FS, all []source) (wrong []string) {
	for _, s := range all {
		if s.isTest() {
			continue
		}
		if n := strings.Count(s.text, "\n"); n > maxFile {
			wrong = append(wrong, fmt.Sprintf("%s has %d lines", s.name, n))
		}
		for _, decl := range s.syntax.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if n := s.fset.Position(f.End()).Line - s.fset.Position(f.Pos()).Line + 1; n > maxFunction {
				wrong = append(wrong, fmt.Sprintf("%s: %s has %d lines", s.name, f.Name.Name, n))
			}
		}
	}
	return wrong
}

// checkSleep finds tests that wait for the clock instead of an event. With
// testing/synctest the clock is a fake one, and Sleep is what moves it.
func checkSleep(_ fs.FS, all []source) (wrong []string) {
	fake := func(spec *ast.ImportSpec) bool { return spec.Path.Value == `"testing/synctest"` }
	for _, s := range all {
		if !s.isTest() || slices.ContainsFunc(s.syntax.Imports, fake) {
			continue
		}
		ast.Inspect(s.syntax, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			sel, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || sel.Sel.Name != "Sleep" {
				return true
			}
			if x, ok := sel.X.(*ast.Ident); ok && x.Name == "time" {
				wrong = append(wrong, s.fset.Position(call.Pos()).String()+": sleeps")
			}
			return true
		})
	}
	return wrong
}

func checkFolders(_ fs.FS, all []source) (wrong []string) {
	for _, s := range all {
		if slices.Contains(vague, path.Base(s.dir)) && !slices.Contains(wrong, s.dir+": say what is in it") {
			wrong = append(wrong, s.dir+": say what is in it")
		}
	}
	return wrong
}

// TestFunctionsHaveExamples wants one for every exported function of the root.
func TestFunctionsHaveExamples(t *testing.T) {
	all, err := sources(os.DirFS("."))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, s := range all {
		for _, decl := range s.syntax.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && s.dir == "." && s.isTest() {
				found[f.Name.Name] = true
			}
		}
	}
	for _, s := range all {
		for _, decl := range s.syntax.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if ok && s.dir == "." && !s.isTest() && f.Recv == nil && f.Name.IsExported() && !found["Example"+f.Name.Name] {
				t.Errorf("%s has no example", f.Name.Name)
			}
		}
	}
}
