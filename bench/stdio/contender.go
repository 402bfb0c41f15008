//go:build linux

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A contender is one way to reach the echo server.
type contender struct {
	name   string
	what   string
	argv   []string // the whole command, server included
	broken error    // why it can't run here
}

// The first two contenders are the measures of all others.
const direct, floor = 0, 1

// enter prepares the contenders; dir is for what they leave behind.
func enter(p plan, dir string) ([]contender, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	server := []string{self, "echo"}
	field := []contender{
		{name: "direct", what: "the client's pipes end at the echo server", argv: server},
		{name: "copy", what: "a process that only copies bytes", argv: append([]string{self, "copy"}, server...)},
	}
	binary, err := recourse(p.recourse, dir)
	logging := func(name, binary string, err error) contender {
		return contender{name: name, what: "recourse run --quiet --log DIR", broken: err,
			argv: append([]string{binary, "run", "--quiet", "--log", filepath.Join(dir, name), "--"}, server...)}
	}
	quiet := contender{name: "recourse-no-log", what: "recourse run --quiet --no-log", broken: err,
		argv: append([]string{binary, "run", "--quiet", "--no-log", "--"}, server...)}
	field = append(field, logging("recourse", binary, err), quiet)
	if p.before != "" {
		before, err := filepath.Abs(p.before)
		field = append(field, logging("recourse-before", before, err))
	}
	if p.peers {
		for _, peer := range peers {
			if p.wants(peer.name) {
				field = append(field, peer.contender(dir, server))
			}
		}
	}
	rest := slices.DeleteFunc(field[2:], func(c contender) bool { return !p.wants(c.name) })
	for _, name := range p.only {
		if !slices.ContainsFunc(rest, func(c contender) bool { return c.name == name }) {
			return nil, fmt.Errorf("no contender is named %q", name)
		}
	}
	return field[:2+len(rest)], nil
}

func (p plan) wants(name string) bool { return len(p.only) == 0 || slices.Contains(p.only, name) }

// recourse returns the binary to measure, built from this workspace unless one
// is given.
func recourse(given, dir string) (string, error) {
	if given != "" {
		return filepath.Abs(given)
	}
	binary := filepath.Join(dir, "recourse")
	out, err := exec.Command("go", "build", "-o", binary, "github.com/recourse-dev/recourse/cmd/recourse").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("go build recourse: %w: %s", err, firstLines(out))
	}
	return binary, nil
}

// firstLines makes one short line of what a failed command said.
func firstLines(out []byte) string {
	said := strings.Join(strings.Fields(string(out)), " ")
	return said[:min(len(said), 160)]
}
