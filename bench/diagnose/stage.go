package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// A stage is where cases are played: the binary under test, between this program
// as the client and this program as the server.
type stage struct {
	dir, recourse, self string
}

// newStage builds recourse, unless a binary is given, in a folder that end removes.
func newStage(binary string) (s *stage, end func(), err error) {
	dir, err := os.MkdirTemp("", "recourse-diagnose-")
	if err != nil {
		return nil, nil, err
	}
	end = func() { os.RemoveAll(dir) }
	s = &stage{dir: dir, recourse: binary}
	if binary == "" {
		s.recourse = filepath.Join(dir, "recourse")
		if out, err := exec.Command("go", "build", "-o", s.recourse, "github.com/recourse-dev/recourse/cmd/recourse").CombinedOutput(); err != nil {
			end()
			return nil, nil, fmt.Errorf("go build recourse: %w\n%s", err, out)
		}
	}
	if s.self, err = os.Executable(); err != nil {
		end()
		return nil, nil, err
	}
	return s, end, nil
}

// play starts a session with the tools of roles and calls each tool once. An
// argument that is nil is left out.
func (s *stage) play(flags []string, roles []role, arguments []json.RawMessage) ([]answer, error) {
	if len(roles) == 0 {
		return nil, nil
	}
	c, err := s.dial(flags, roles)
	if err != nil {
		return nil, err
	}
	answers := make([]answer, len(roles))
	for i, r := range roles {
		if answers[i], err = c.call(r.Name, arguments[i]); err != nil {
			return nil, fmt.Errorf("recourse run %s, call %d: %w", flags, i+1, c.broken(err))
		}
	}
	return answers, c.close()
}
