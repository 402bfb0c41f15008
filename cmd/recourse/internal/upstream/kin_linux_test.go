package upstream

import (
	"bufio"
	"errors"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"syscall"
	"testing"
)

// children returns our children, the dead ones among them too.
func children() (found []entry) {
	for _, e := range processes() {
		if e.parent == os.Getpid() {
			found = append(found, e)
		}
	}
	return found
}

// A server that leaves dead daemons behind does not fill the table of processes.
func TestOrphansAreBuried(t *testing.T) {
	p := serve(t, &Guard{}, "for i in {1..300}; do (setsid true &); done; echo done; exec sleep 1000")
	if _, err := bufio.NewReader(p).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	until(t, "all are buried", func() bool {
		return !slices.ContainsFunc(children(), func(e entry) bool { return e.pid != p.PID() })
	})
}

// The statuses of other children are left to those who have started them.
func TestStatusesAreNotStolen(t *testing.T) {
	serve(t, &Guard{}, "while :; do (setsid true &); done")
	for range 200 {
		var exit *exec.ExitError
		if err := exec.Command("sh", "-c", "exit 7").Run(); !errors.As(err, &exit) || exit.ExitCode() != 7 {
			t.Fatalf("%v, want exit status 7", err)
		}
	}
}

// One that bears no mark is found by Sweep, since nobody else can be its parent
// any more; a child that somebody else has started is left alone.
func TestSweep(t *testing.T) {
	ours := exec.Command("sleep", "1000")
	if err := ours.Start(); err != nil {
		t.Fatal(err)
	}
	defer ours.Wait()
	defer ours.Process.Kill()
	var g Guard
	p := serve(t, &g, `(setsid env -i bash -c 'trap "" TERM; echo $$; while :; do sleep 1; done' &)
		exec sleep 1000`)
	daemon := number(t, bufio.NewReader(p))
	p.Stop(Grace{})
	if !alive(daemon) {
		t.Fatal("the test does not test: the daemon was found without Sweep")
	}
	g.Sweep()
	if alive(daemon) {
		t.Error("the daemon lives")
	}
	if !alive(ours.Process.Pid) {
		t.Error("another child was ended")
	}
}

// Stop leaves alone what belongs to another life.
func TestStopEndsOneLife(t *testing.T) {
	var g Guard
	var lives []*Process
	var daemons []int
	for range 11 { // the eleventh mark must not begin as the first does
		p := serve(t, &g, "(setsid bash -c 'echo $$; exec sleep 1000' &); exec sleep 1000")
		lives, daemons = append(lives, p), append(daemons, number(t, bufio.NewReader(p)))
	}
	lives[0].Stop(Grace{})
	for n, daemon := range daemons {
		if want := n > 0; alive(daemon) != want || alive(lives[n].PID()) != want {
			t.Errorf("life %d: its daemon lives: %t, want %t", n+1, alive(daemon), want)
		}
	}
}

// A Guard within a Guard: who ends the outer one's server ends the inner one's.
func TestMarksAddUp(t *testing.T) {
	t.Setenv(markName, "outer")
	p := serve(t, &Guard{}, "echo $"+markName+"; exec sleep 1000")
	line, err := bufio.NewReader(p).ReadString('\n')
	if want := "outer," + p.hunt.mark + "\n"; line != want || err != nil {
		t.Errorf("%q, %v, want %q", line, err, want)
	}
}

// A thousand lives leave no descriptor and no goroutine, whatever holds on to
// their pipes.
func TestLivesLeaveNothing(t *testing.T) {
	n := 1000
	if testing.Short() {
		n = 100
	}
	g := Guard{Path: clone(t), Say: func(s string) { t.Error(s) }}
	live := func(script string) {
		p, err := g.Start([]string{"sh", "-c", script}, io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := bufio.NewReader(p).ReadString('\n'); err != nil {
			t.Fatal(err)
		}
		p.Stop(Grace{})
		p.Close()
		p.Close()
	}
	live("echo up; exec sleep 1000") // what is made once
	files, routines := descriptors(t), runtime.NumGoroutine()
	for range n {
		live("echo up; exec sleep 1000")
	}
	for range 20 {
		live("(setsid env -i sleep 1000 &); echo up; exec sleep 1000")
	}
	until(t, "the last goroutine has ended", func() bool { return runtime.NumGoroutine() <= routines })
	if got := descriptors(t); got > files {
		t.Errorf("%d descriptors, at first %d", got, files)
	}
	guard := guardOf(t, g.Path)
	until(t, "all groups are forgotten", func() bool {
		g.mu.Lock()
		defer g.mu.Unlock()
		return len(g.lives) == 0
	})
	g.Sweep()
	until(t, "no child is left", func() bool { return !alive(guard) && len(children()) == 0 })
}

// The signal that ends a server with us is sent at the end of a thread: not of
// the one that asks for the server.
func TestServerOutlivesTheCallersThread(t *testing.T) {
	p, thread := new(Process), os.Getpid()
	for thread == os.Getpid() { // the first thread never ends
		ids := make(chan int)
		go func() {
			runtime.LockOSThread() // for good: the thread ends with this function
			p = serve(t, &Guard{}, "echo up; read x; echo heard")
			ids <- syscall.Gettid()
		}()
		thread = <-ids
	}
	until(t, "the thread ends", func() bool {
		_, err := os.Stat("/proc/self/task/" + strconv.Itoa(thread))
		return err != nil
	})
	io.WriteString(p, "x\n")
	if said, err := io.ReadAll(p); string(said) != "up\nheard\n" {
		t.Errorf("%q, %v", said, err)
	}
}
