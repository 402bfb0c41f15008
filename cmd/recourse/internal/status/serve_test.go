package status

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/recourse-dev/recourse/cmd/recourse/internal/relay"
)

// example is a process of which everything is known.
func example() Process {
	next := time.Date(2026, 11, 30, 12, 0, 30, 0, time.UTC)
	return Process{
		Status: relay.Status{
			Server: "crm", State: "waiting", Since: next.Add(-90 * time.Second), PID: 4712, Restarts: 3,
			Reason: "signal: killed", NextTry: &next, Client: "probe/1.2", Calls: 124, Failed: 5, Running: 1,
		},
		PID: os.Getpid(), Started: next.Add(-3 * time.Hour), Uptime: 10_770, Mode: "observe",
		Command: "crm-server --token [redacted]", Log: "/logs/*/*-4711-*.jsonl", Version: "recourse v0.1.0",
	}
}

// place returns a folder for sockets that does not exist yet. Its path is short:
// that of a socket has to be.
func place(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "s")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return filepath.Join(dir, "r")
}

func serve(t *testing.T, place string, p Process) {
	t.Helper()
	s, err := Serve([]string{place}, p.Server, func() Process { return p })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
}

func list(t *testing.T, places ...string) []Process {
	t.Helper()
	all, faults := List(t.Context(), places)
	for _, err := range faults {
		t.Error(err)
	}
	return all
}

// names returns what is in a folder.
func names(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return strings.Join(all, " ")
}

// Who asks is told all that there is, for as long as the process serves.
func TestServe(t *testing.T) {
	dir := place(t)
	want := example()
	s, err := Serve([]string{dir}, "crm", func() Process { return want })
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if got := list(t, dir, dir+"-absent"); len(got) != 1 || !reflect.DeepEqual(got[0], want) {
			t.Errorf("got %+v\nwant %+v", got, want)
		}
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if got := list(t, dir); len(got) != 0 || names(t, dir) != "" {
		t.Errorf("after the end: %+v, and on the disk %q", got, names(t, dir))
	}
}

// More processes than are asked at a time come in the order of their servers.
func TestListOrder(t *testing.T) {
	dir := place(t)
	for i := range 2 * together {
		p := example()
		p.Server = fmt.Sprintf("server%03d", i)
		serve(t, dir, p)
	}
	got := list(t, dir)
	if len(got) != 2*together {
		t.Fatalf("%d of %d", len(got), 2*together)
	}
	for i, p := range got {
		if p.Server != fmt.Sprintf("server%03d", i) {
			t.Errorf("%d is %s", i, p.Server)
		}
	}
}

// A name that no file can have does not stop a server from being found by it.
func TestServerNames(t *testing.T) {
	for _, name := range []string{"", "../../etc/passwd", "a b\x00c", "@scope/server-everything", "größe", strings.Repeat("long", 100)} {
		dir := place(t)
		p := example()
		p.Server = name + "!"
		serve(t, dir, p)
		if got := list(t, dir); len(got) != 1 || !got[0].Runs(name+"!") || got[0].Runs("other") {
			t.Errorf("%q: %+v", name, got)
		}
		silent := Process{Problem: "no answer", Status: relay.Status{Server: fileName(p.Server)}}
		if !silent.Runs(p.Server) || silent.Runs("other") {
			t.Errorf("%q is not found when it does not answer", name)
		}
	}
}

// A folder is used only if nobody else can have put anything there; if not, the
// next one is.
func TestPlaces(t *testing.T) {
	for _, tt := range []struct {
		fault string
		make  func(dir string) error
	}{
		{"no folder", func(dir string) error { return os.WriteFile(dir, nil, 0o600) }},
		{"no folder", func(dir string) error { return os.Symlink(os.TempDir(), dir) }},
		{"open to other users", func(dir string) error { return os.Mkdir(dir, 0o750) }},
		{"open to other users", func(dir string) error { return os.Mkdir(dir, 0o701) }},
		{"belongs to another user", func(dir string) error { _ = os.Mkdir(dir, 0o700); return os.Chown(dir, 1, 1) }},
	} {
		if !unix {
			break // access is inherited there
		}
		bad, good := place(t), place(t)
		if err := tt.make(bad); err != nil {
			t.Logf("%s: %v", tt.fault, err) // not every user may give a folder away
			continue
		}
		serveIn(t, tt.fault, bad, good)
		if _, faults := List(t.Context(), []string{bad}); len(faults) != 1 || !strings.Contains(faults[0].Error(), tt.fault) {
			t.Errorf("%s: %v", tt.fault, faults)
		}
	}
	serveIn(t, "too long for a socket", filepath.Join(place(t), strings.Repeat("x", 100)), place(t))
	serveIn(t, "absent", filepath.Join(place(t), "absent"), place(t))
}

// serveIn wants the bad place refused, and the good one used.
func serveIn(t *testing.T, fault, bad, good string) {
	t.Helper()
	if s, err := Serve([]string{bad}, "crm", example); err == nil || !strings.Contains(err.Error(), fault) {
		t.Errorf("%s: served as %v, %v", fault, s, err)
	}
	s, err := Serve([]string{bad, good}, "crm", example)
	if err != nil {
		t.Fatalf("%s: %v", fault, err)
	}
	defer s.Close()
	if all := list(t, good); len(all) != 1 {
		t.Errorf("%s: %+v", fault, all)
	}
	if _, err := Serve(nil, "crm", example); err == nil {
		t.Error("served nowhere")
	}
}

// A folder that is made is for its user alone.
func TestPlaceIsPrivate(t *testing.T) {
	dir := place(t)
	serve(t, dir, example())
	info, err := os.Stat(dir)
	if err != nil {
		t.Fatal(err)
	}
	if got := info.Mode().Perm(); unix && got != 0o700 {
		t.Errorf("%o", got)
	}
}

// ended returns the number of a process that was.
func ended(t *testing.T) int {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^$")
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	return cmd.Process.Pid
}
