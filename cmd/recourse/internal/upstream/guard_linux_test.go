package upstream

import (
	"bufio"
	"cmp"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// Each of these trees hears neither the end of its input nor SIGTERM.
var trees = map[string]string{
	"bushy": `
		trap '' TERM HUP
		(trap '' TERM; echo up; while :; do sleep 1000; done) &
		setsid bash -c 'trap "" TERM; echo up; while :; do sleep 1000; done' &
		(setsid bash -c 'trap "" TERM; echo up; while :; do sleep 1000; done' &)
		echo up
		while :; do sleep 1000; done`,
	"launcher": `bash -c 'trap "" TERM; echo up; while :; do sleep 1000; done' & wait`,
	"deserted": `bash -c 'trap "" TERM; echo up; while :; do sleep 1000; done' & sleep 0.1`,
}

// A front is a recourse of the test's own.
type front struct {
	*exec.Cmd
	in    io.Closer
	token string // in the environment of all its processes but its guard
}

func recourse(t *testing.T, script string) *front {
	t.Helper()
	path := clone(t)
	f := &front{Cmd: exec.Command(path), token: "UPSTREAM_TEST_TOKEN=" + path}
	f.Env = append(os.Environ(), "UPSTREAM_TEST_SERVER="+script, f.token)
	in, err := f.StdinPipe()
	f.in = in
	out, err2 := f.StdoutPipe()
	if err := cmp.Or(err, err2, f.Start()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		f.Process.Kill()
		f.Wait()
	})
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "up\n" {
		t.Fatalf("%q, %v", line, err)
	}
	return f
}

// left returns all of its processes; the guard process has the path in its
// command line.
func (f *front) left(t *testing.T) []int { return running(t, f.Path) }

// clone returns the test binary under a name that nobody else has.
func clone(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "recourse")
	if os.Link(self, path) == nil {
		return path
	}
	text, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// guardOf returns the guard process, of which there must be just one.
func guardOf(t *testing.T, path string) (pid int) {
	t.Helper()
	until(t, "a guard process", func() bool {
		for _, found := range running(t, path+"\x00"+GuardWord+"\x00") {
			pid = found
		}
		return pid != 0
	})
	return pid
}

// Whatever ends recourse, nothing of it or of its server is left.
func TestNothingIsLeftBehind(t *testing.T) {
	ends := map[string]func(*front){
		"SIGKILL": func(f *front) { f.Process.Kill() },
		"SIGTERM": func(f *front) { f.Process.Signal(syscall.SIGTERM) },
		"EOF":     func(f *front) { f.in.Close() },
	}
	for name, script := range trees {
		for how, end := range ends {
			t.Run(name+"/"+how, func(t *testing.T) {
				t.Parallel()
				f := recourse(t, script)
				guardOf(t, f.Path)
				end(f)
				f.Wait()
				if left := f.left(t); how != "SIGKILL" && left != nil {
					t.Errorf("left behind: %v", left)
				}
				until(t, "nobody is left", func() bool { return f.left(t) == nil })
			})
		}
	}
}

// A client sees the end of our output when we end, not when our guard does.
func TestGuardHoldsNothingOfOurs(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	syscall.CloseOnExec(int(r.Fd()))
	// As a descriptor that a careless client has left open for us.
	if _, _, errno := syscall.Syscall(syscall.SYS_FCNTL, w.Fd(), syscall.F_SETFD, 0); errno != 0 {
		t.Fatal(errno)
	}
	f := recourse(t, trees["launcher"])
	w.Close()
	guard := guardOf(t, f.Path)
	mine, err := os.Readlink("/proc/self/fd/" + strconv.Itoa(int(r.Fd())))
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	until(t, "the inherited pipe is closed", func() bool {
		files = nil
		names, _ := filepath.Glob("/proc/" + strconv.Itoa(guard) + "/fd/*")
		for _, name := range names {
			file, _ := os.Readlink(name)
			files = append(files, file)
		}
		return !slices.Contains(files, mine)
	})
	pipes := slices.DeleteFunc(files, func(f string) bool { return !strings.HasPrefix(f, "pipe:") })
	if len(pipes) != 1 {
		t.Errorf("the guard process holds %v, want only the pipe that it reads", pipes)
	}
	if dir, err := os.Readlink("/proc/" + strconv.Itoa(guard) + "/cwd"); dir != "/" {
		t.Errorf("it stands in %s, %v", dir, err)
	}
}

// The guard process is what is left when all others are told to go.
func TestGuardIsDeafToSignals(t *testing.T) {
	f := recourse(t, trees["launcher"])
	guard := guardOf(t, f.Path)
	until(t, "it ignores signals", func() bool {
		status, _ := os.ReadFile("/proc/" + strconv.Itoa(guard) + "/status")
		_, ignored, _ := strings.Cut(string(status), "SigIgn:\t")
		return strings.Contains(ignored[:min(16, len(ignored))], "4007") // HUP INT QUIT, TERM
	})
	for _, sig := range []syscall.Signal{syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM} {
		if err := syscall.Kill(guard, sig); err != nil {
			t.Fatal(err)
		}
	}
	if session, _, errno := syscall.Syscall(syscall.SYS_GETSID, uintptr(guard), 0, 0); int(session) != guard {
		t.Errorf("its session is %d, %v", session, errno)
	}
	f.Process.Kill()
	f.Wait()
	until(t, "nobody is left", func() bool { return f.left(t) == nil })
}

// A guard process that was killed is replaced, and knows what the first one knew.
func TestGuardIsReplaced(t *testing.T) {
	said := make(chan string, 9)
	path := clone(t)
	g := Guard{Path: path, Say: func(s string) { said <- s }}
	p := serve(t, &g, "exec sleep 1000")
	if err := syscall.Kill(guardOf(t, path), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if s := <-said; !strings.Contains(s, "left behind") {
		t.Errorf("the operator hears %q", s)
	}
	q := serve(t, &g, "exec sleep 1000")
	guard := guardOf(t, path)
	g.mu.Lock()
	g.man.post.Close() // as if we had been killed
	g.mu.Unlock()
	<-p.Gone()
	<-q.Gone()
	until(t, "the second guard process goes", func() bool { return !alive(guard) })
	if len(said) > 0 {
		t.Errorf("the operator hears more: %q", <-said)
	}
}

// One that does not live long, killed or not, is replaced too, if later.
func TestGuardThatIsKilledAtOnce(t *testing.T) {
	path := clone(t)
	g := Guard{Path: path}
	serve(t, &g, "exec sleep 1000")
	for range 2 {
		guard := guardOf(t, path)
		if err := syscall.Kill(guard, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		until(t, "the guard process goes", func() bool { return !alive(guard) })
	}
	guardOf(t, path)
}

// One that is stopped is ended all the same.
func TestGuardThatIsStopped(t *testing.T) {
	path := clone(t)
	g := Guard{Path: path}
	p := serve(t, &g, "exec sleep 1000")
	guard := guardOf(t, path)
	if err := syscall.Kill(guard, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	p.Stop(Grace{})
	g.Sweep()
	until(t, "the guard process goes", func() bool { return !alive(guard) })
}

func serve(t *testing.T, g *Guard, script string) *Process {
	t.Helper()
	p, err := g.Start([]string{"bash", "-c", script}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		p.Stop(Grace{})
		p.Close()
		g.Sweep()
	})
	return p
}

// An update may replace the binary of a recourse that runs.
func TestGuardOfAReplacedBinary(t *testing.T) {
	path := filepath.Join(t.TempDir(), "gone")
	g := Guard{Path: path, Say: func(s string) { t.Error(s) }}
	p := serve(t, &g, "exec sleep 1000")
	guard := guardOf(t, path)
	p.Stop(Grace{})
	g.Sweep()
	until(t, "the guard process goes", func() bool { return !alive(guard) })
}

// Without a guard process the server runs all the same. The operator is told
// once.
func TestGuardThatCannotStart(t *testing.T) {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	defer syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit)
	said := make(chan string, 9)
	g := Guard{Path: clone(t), Say: func(s string) { said <- s }}
	few := limit
	for few.Cur = uint64(descriptors(t)); ; few.Cur++ {
		if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &few); err != nil {
			t.Fatal(err)
		}
		p, err := g.Start([]string{"sh", "-c", "echo up; read x"}, io.Discard)
		if err != nil {
			continue
		}
		defer p.Close()
		if line, err := bufio.NewReader(p).ReadString('\n'); line != "up\n" {
			t.Errorf("%q, %v", line, err)
		}
		p.Stop(Grace{})
		break
	}
	if s := <-said; !strings.Contains(s, "too many open files") || !strings.Contains(s, "left behind") {
		t.Errorf("the operator hears %q", s)
	}
	if len(said) > 0 {
		t.Errorf("the operator hears more: %q", <-said)
	}
}
