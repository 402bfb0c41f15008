package restart

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/bench/hole"
)

var (
	kills = flag.Int("kills", 15, "how often the API is killed in each case")
	soak  = flag.Duration("soak", 0, "go on for at least so long in each case")
)

const (
	clients = 8
	between = 100 // calls from the first good one after a restart to the next kill
	warm    = 5   // kills after which the server is as large as it may get
)

// A result is how one call ended.
type result struct {
	began, ended time.Time
	code         recourse.Code // empty: with data
	wrong        string        // neither data nor an Error
}

func TestServerOutlivesItsAPI(t *testing.T) {
	for _, kind := range []string{"plain", "TLS", "HTTP/2", "HTTP/2 behind a black hole"} {
		t.Run(kind, func(t *testing.T) {
			api := start(t, "api", kind, "")
			addr := api.addr
			lose := api.kill
			target := addr
			if strings.HasSuffix(kind, "hole") {
				h, err := hole.Listen(addr)
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(h.Close)
				target = h.Addr()
				lose = func() { h.Darken(); api.kill() } // nobody hears of its death
			}
			server := start(t, "mcp", kind, target)
			l := newLoad(t, server)
			l.seek(t, time.Now(), true)
			var before state
			var tally tally
			until := time.Now().Add(*soak)
			for n := 0; n < *kills || time.Now().Before(until); n++ {
				if n == min(warm, *kills/2) {
					before = server.state(t)
				}
				lose()
				l.seek(t, time.Now(), false)
				*api = *start(t, "api", kind, addr)
				back := time.Now()
				first := l.seek(t, back, true)
				tally.recovered(first.ended.Sub(back))
				tally.count(l.take(first.ended, between))
			}
			l.stop()
			t.Logf("%s; %d calls, the longest %v", tally, l.calls, l.longest.Round(time.Millisecond))
			if share := tally.share(); share < 95 {
				t.Errorf("%.1f%% of the calls between kills succeeded, want 95%%", share)
			}
			if l.longest > whole+time.Second {
				t.Errorf("a call took %v, and the guard allows %v", l.longest, whole)
			}
			wantSize(t, server, before)
		})
	}
}

// wantSize fails unless the server gets as small as it was before.
func wantSize(t *testing.T, server *process, before state) {
	t.Helper()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	timeout := time.After(100 * time.Second) // net/http remembers a dead HTTP/2 connection for 90 s
	for {
		after := server.state(t)
		// The load was on before, and is off now.
		if after.Goroutines <= before.Goroutines+10 && after.Files <= before.Files+5 && after.Heap <= before.Heap+1<<20 {
			t.Logf("goroutines %d → %d, files %d → %d, heap %d → %d KiB", before.Goroutines, after.Goroutines,
				before.Files, after.Files, before.Heap>>10, after.Heap>>10)
			return
		}
		select {
		case <-tick.C:
		case <-timeout:
			t.Fatalf("the server grew from %+v to %+v", before, after)
		}
	}
}

// A load is a number of clients that call all the time.
type load struct {
	results chan result
	cancel  context.CancelFunc
	ended   chan struct{}
	once    sync.Once

	calls   int
	longest time.Duration
	t       *testing.T
}

func newLoad(t *testing.T, server *process) *load {
	ctx, cancel := context.WithCancel(t.Context())
	l := &load{results: make(chan result), cancel: cancel, ended: make(chan struct{}), t: t}
	var all sync.WaitGroup
	for n := range clients {
		c := mcp.NewClient(&mcp.Implementation{Name: fmt.Sprintf("client %d", n), Version: "1"}, nil)
		session, err := c.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: "http://" + server.addr + "/mcp"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		all.Go(func() {
			l.run(ctx, session, server.cmd.Process.Pid)
			if err := session.Close(); err != nil {
				t.Errorf("a client's connection was no longer good: %v", err)
			}
		})
	}
	go func() {
		all.Wait()
		close(l.results)
		close(l.ended)
	}()
	t.Cleanup(l.stop)
	return l
}

func (l *load) run(ctx context.Context, session *mcp.ClientSession, pid int) {
	for ctx.Err() == nil {
		r := call(ctx, session, pid)
		l.results <- r
		if r.code == "" {
			continue
		}
		select {
		case <-time.After(5 * time.Millisecond): // a refusal costs nothing, and would fill the time
		case <-ctx.Done():
		}
	}
}

// call makes one call, which goes on when the load ends: cancelling it is another
// matter.
func call(ctx context.Context, session *mcp.ClientSession, pid int) (r result) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
	defer cancel()
	r.began = time.Now()
	res, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "get_item", Arguments: map[string]any{}})
	r.ended = time.Now()
	if err != nil {
		r.wrong = err.Error()
		return r
	}
	text, ok := res.Content[0].(*mcp.TextContent)
	switch {
	case !ok:
		r.wrong = fmt.Sprintf("the result begins with %T", res.Content[0])
	case res.IsError:
		var envelope struct{ Error recourse.Error }
		if err := json.Unmarshal([]byte(text.Text), &envelope); err != nil || envelope.Error.Code == "" {
			r.wrong = "not an envelope: " + text.Text
		}
		r.code = envelope.Error.Code
		switch r.code {
		case recourse.ServiceUnavailable, recourse.Timeout, recourse.BadUpstreamResponse, recourse.ResourceBusy:
		default:
			r.wrong = "unlikely: " + text.Text
		}
	default:
		var got item
		if err := json.Unmarshal([]byte(text.Text), &got); err != nil || got.ID != 7 || got.PID != pid {
			r.wrong = "not the item of the one server: " + text.Text
		}
	}
	return r
}

// next returns how the next call ends.
func (l *load) next() result {
	r, ok := <-l.results
	if !ok {
		return r
	}
	l.calls++
	l.longest = max(l.longest, r.ended.Sub(r.began))
	if r.wrong != "" {
		l.t.Error(r.wrong)
	}
	return r
}

// seek waits for a call that began after since and ended well or not.
func (l *load) seek(t *testing.T, since time.Time, well bool) result {
	t.Helper()
	for limit := since.Add(time.Minute); time.Now().Before(limit); {
		if r := l.next(); r.began.After(since) && well == (r.code == "") {
			return r
		}
	}
	t.Fatalf("no call ended so that it went well is %v", well)
	return result{}
}

// take returns how n calls end that begin after since.
func (l *load) take(since time.Time, n int) []result {
	var all []result
	for len(all) < n {
		if r := l.next(); r.began.After(since) {
			all = append(all, r)
		}
	}
	return all
}

// stop lets the calls that are at work end.
func (l *load) stop() {
	l.once.Do(func() {
		l.cancel()
		for range l.results {
		}
		<-l.ended
	})
}

// A tally counts what happened between kills.
type tally struct {
	good, all int
	codes     map[recourse.Code]int
	waits     []time.Duration
}

func (s *tally) recovered(wait time.Duration) { s.waits = append(s.waits, wait) }

func (s *tally) count(results []result) {
	if s.codes == nil {
		s.codes = map[recourse.Code]int{}
	}
	for _, r := range results {
		s.all++
		if r.code == "" {
			s.good++
		} else {
			s.codes[r.code]++
		}
	}
}

func (s *tally) share() float64 { return 100 * float64(s.good) / float64(s.all) }

func (s tally) String() string {
	slices.Sort(s.waits)
	return fmt.Sprintf("%d restarts, %.2f%% of %d calls between them good %v; the first good one after %v (median), %v (longest)",
		len(s.waits), s.share(), s.all, s.codes, s.waits[len(s.waits)/2].Round(time.Millisecond), s.waits[len(s.waits)-1].Round(time.Millisecond))
}
