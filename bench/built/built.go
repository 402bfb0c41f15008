// Package built makes the commands that tests of whole processes start.
package built

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// Recourse is the package of the command.
const Recourse = "github.com/recourse-dev/recourse/cmd/recourse"

// Main is the body of a TestMain: it makes a folder, calls prepare with it, and
// runs the tests. It returns their exit status, 1 if prepare fails. After a failure
// of the tests the folder stays.
func Main(tests interface{ Run() int }, name string, prepare func(dir string) error) (status int) {
	dir, err := os.MkdirTemp("", "recourse-"+name+"-")
	if err == nil {
		err = prepare(dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		status = 1
	} else if status = tests.Run(); status != 0 {
		return status
	}
	os.RemoveAll(dir)
	return status
}

// Command builds the command pkg as dir/name, unless a binary is given, and returns
// the absolute path of what is to be run.
func Command(dir, name, pkg, given string) (path string, err error) {
	if given == "" {
		given = filepath.Join(dir, name)
		if out, err := exec.Command("go", "build", "-o", given, pkg).CombinedOutput(); err != nil {
			return "", fmt.Errorf("go build %s: %w\n%s", pkg, err, out)
		}
	}
	if given, err = filepath.EvalSymlinks(given); err != nil {
		return "", err
	}
	return filepath.Abs(given)
}
