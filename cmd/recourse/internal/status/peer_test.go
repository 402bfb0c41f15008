package status

import (
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A peer is a socket in a folder of ours that keeps to no rule.
func peer(t *testing.T, path string, talk func(net.Conn)) *net.UnixListener {
	t.Helper()
	ln, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ln.Close() })
	go func() {
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			// One that nobody holds any more would be closed by the collector.
			t.Cleanup(func() { conn.Close() })
			go talk(conn)
		}
	}()
	return ln
}

// Peers that are silent, endless or talk nonsense are shown as what they are, and
// spoil nothing for the others.
func TestBrokenPeers(t *testing.T) {
	dir := place(t)
	serve(t, dir, example())
	say := func(text string) func(net.Conn) {
		return func(c net.Conn) { io.WriteString(c, text); c.Close() }
	}
	endless := func(text string) func(net.Conn) {
		return func(c net.Conn) {
			for {
				if _, err := io.WriteString(c, text); err != nil {
					return
				}
			}
		}
	}
	valid := `{"server":"x","state":"ready","pid":1}`
	talks := []struct {
		name, problem string
		talk          func(net.Conn)
	}{
		{"silent", "no answer within 1s", func(net.Conn) {}},
		{"half", "no answer within 1s", func(c net.Conn) { io.WriteString(c, valid[:20]) }},
		{"unfinished", "no answer within 1s", func(c net.Conn) { io.WriteString(c, valid) }},
		{"endless", "no status", endless("a")},
		{"spaces", "no status", endless(" ")},
		{"mute", "no status", say("")},
		{"cut", "no status", say(valid[:20])},
		{"twice", "no status", say(valid + valid)},
		{"array", "no status", say("[" + valid + "]")},
		{"null", "no status", say("null")},
		{"other", "no status", say(`{"hello":"world"}`)},
		{"types", "no status", say(`{"server":5,"state":"ready"}`)},
		{"number", "no status", say(`{"server":"x","state":"ready","calls":1e400}`)},
		{"deep", "no status", say(strings.Repeat("[", most-1))},
		{"liar", "no status", say(`{"server":"x","state":"ready","problem":"the price"}`)},
	}
	for i, tt := range talks {
		peer(t, filepath.Join(dir, fmt.Sprintf("%d-%s", 900_000+i, tt.name)), tt.talk)
	}
	all := list(t, dir)
	if len(all) != len(talks)+1 {
		t.Fatalf("%d of %d are listed", len(all), len(talks)+1)
	}
	for i, tt := range talks {
		found := false
		for _, p := range all {
			if !p.Runs(tt.name) {
				continue
			}
			found = true
			if p.PID != 900_000+i || p.State != Unresponsive || !strings.Contains(p.Problem, tt.problem) {
				t.Errorf("%s: %+v", tt.name, p)
			}
		}
		if !found {
			t.Errorf("%s is not listed", tt.name)
		}
	}
}

// Who lies about its number is shown by that of its socket.
func TestNumberIsThatOfTheSocket(t *testing.T) {
	dir := place(t)
	serve(t, dir, example())
	peer(t, filepath.Join(dir, "900000-x"), func(c net.Conn) {
		io.WriteString(c, `{"server":"x","state":"ready","pid":1}`)
		c.Close()
	})
	if all := list(t, dir); len(all) != 2 || all[1].PID != 900_000 {
		t.Errorf("%+v", all)
	}
}

// left makes a socket on which nobody listens.
func left(t *testing.T, path string) {
	t.Helper()
	ln := peer(t, path, func(net.Conn) {})
	ln.SetUnlinkOnClose(false)
	ln.Close()
}

// The socket of a killed process is removed by the next that looks, and by the
// next that serves. One that refuses while its process lives may not listen yet.
func TestLeftSockets(t *testing.T) {
	for name, look := range map[string]func(dir string){
		"list": func(dir string) {
			if all := list(t, dir); len(all) != 0 {
				t.Errorf("%+v", all)
			}
		},
		"serve": func(dir string) {
			s, err := Serve([]string{dir}, "crm", example)
			if err != nil {
				t.Fatal(err)
			}
			s.Close()
		},
	} {
		dir := place(t)
		serve(t, dir, example()) // makes the folder
		living := fmt.Sprintf("%d-crm", os.Getppid())
		left(t, filepath.Join(dir, fmt.Sprintf("%d-crm", ended(t))))
		left(t, filepath.Join(dir, living))
		os.Remove(filepath.Join(dir, fmt.Sprintf("%d-crm", os.Getpid())))
		left(t, filepath.Join(dir, fmt.Sprintf("%d-crm", os.Getpid()))) // of one that had our number
		look(dir)
		if got := names(t, dir); got != living {
			t.Errorf("%s: left are %q, want %q", name, got, living)
		}
	}
}

// What is no socket of a process is left alone.
func TestStrangers(t *testing.T) {
	dir := place(t)
	serve(t, dir, example())
	gone := fmt.Sprint(ended(t))
	for _, err := range []error{
		os.WriteFile(filepath.Join(dir, gone+"-file"), nil, 0o600),
		os.Symlink(filepath.Join(dir, gone+"-nowhere"), filepath.Join(dir, gone+"-link")),
		os.Mkdir(filepath.Join(dir, gone+"-folder"), 0o700),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	left(t, filepath.Join(dir, "note"))
	left(t, filepath.Join(dir, "-1-x"))
	before := names(t, dir)
	if all := list(t, dir); len(all) != 1 {
		t.Errorf("%+v", all)
	}
	sweep(dir)
	if after := names(t, dir); after != before {
		t.Errorf("before %q, after %q", before, after)
	}
}
