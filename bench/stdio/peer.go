//go:build linux

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// installTime is how long one peer's installation may take: a cold package
// cache needs about half a minute.
const installTime = 3 * time.Minute

// A peer is somebody else's program that stands between a client and a server
// on stdin and stdout. It is installed from its registry into the user's cache.
type peer struct {
	name     string
	registry string // npm or pypi
	spec     string // package and version
	program  string
	remark   string
	args     func(scratch string, server []string) ([]string, error)
}

var peers = []peer{
	{"mcp-snoop", "pypi", "mcp-snoop==0.1.0", "mcp-snoop", "", func(_ string, server []string) ([]string, error) {
		return append([]string{"--no-color", "--"}, server...), nil
	}},
	{"mcpmon", "pypi", "mcpmon==1.0.1", "mcpmon", " (half a hop: the server reads the client's pipe itself)", func(scratch string, server []string) ([]string, error) {
		return append([]string{"--quiet", "--watch", scratch, "--"}, server...), nil
	}},
	{"greenlight", "pypi", "greenlight-mcp==0.7.0", "greenlight", "", func(scratch string, server []string) ([]string, error) {
		return append([]string{"run", "--name", "echo", "--log-dir", scratch, "--"}, server...), nil
	}},
	{"fastmcp", "pypi", "fastmcp==4.2.3", "fastmcp", "", fastmcp},
	{"reloaderoo", "npm", "reloaderoo", "reloaderoo", "", func(_ string, server []string) ([]string, error) {
		return append([]string{"proxy", "--"}, server...), nil
	}},
	{"mcpmon-npm", "npm", "mcpmon", "mcpmon", "", func(_ string, server []string) ([]string, error) {
		return server, nil
	}},
}

// fastmcp makes a proxy of FastMCP by a settings file that names one server.
func fastmcp(scratch string, server []string) ([]string, error) {
	type command struct {
		Command string   `json:"command"`
		Args    []string `json:"args"`
	}
	settings, err := json.Marshal(map[string]any{
		"mcpServers": map[string]command{"echo": {server[0], server[1:]}},
	})
	if err != nil {
		return nil, err
	}
	file := filepath.Join(scratch, "mcp.json")
	return []string{"run", file, "--no-banner"}, os.WriteFile(file, settings, 0o600)
}

func (p peer) contender(dir string, server []string) contender {
	c := contender{name: p.name, what: p.registry + " " + p.spec + p.remark}
	program, err := p.install()
	if err != nil {
		c.broken = err
		return c
	}
	scratch := filepath.Join(dir, p.name)
	if c.broken = os.Mkdir(scratch, 0o700); c.broken != nil {
		return c
	}
	args, err := p.args(scratch, server)
	c.argv, c.broken = append([]string{program}, args...), err
	return c
}

// install returns the path of the peer's program, installing it if it is not
// in the cache.
func (p peer) install() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	home := filepath.Join(cache, "recourse-bench", p.registry+"-"+p.spec)
	var steps [][]string
	var program string
	switch p.registry {
	case "npm":
		program = filepath.Join(home, "node_modules", ".bin", p.program)
		steps = [][]string{{"npm", "install", "--prefix", home, "--no-audit", "--no-fund", "--ignore-scripts", p.spec}}
	case "pypi":
		program = filepath.Join(home, "bin", p.program)
		steps = [][]string{{"python3", "-m", "venv", home}, {filepath.Join(home, "bin", "pip"), "install", "--quiet", p.spec}}
	}
	if _, err := os.Stat(program); err == nil {
		return program, nil
	}
	fmt.Fprintf(os.Stderr, "installing %s from %s\n", p.spec, p.registry)
	ctx, cancel := context.WithTimeout(context.Background(), installTime)
	defer cancel()
	if err := os.MkdirAll(home, 0o755); err != nil {
		return "", err
	}
	for _, argv := range steps {
		if out, err := exec.CommandContext(ctx, argv[0], argv[1:]...).CombinedOutput(); err != nil {
			return "", fmt.Errorf("%s: %w: %s", argv[0], err, firstLines(out))
		}
	}
	_, err = os.Stat(program)
	return program, err
}
