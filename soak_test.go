package recourse_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/recourse-dev/recourse"
)

// A soak is an hour of a server's life in virtual time: 64 tools that share
// eight dependencies, which fail in every way for fifty minutes and are well
// again for the last ten.
type soak struct {
	t      *testing.T
	guard  recourse.Guard
	deps   [8]recourse.Dependency
	caches [8]recourse.Cache[int, []byte]
	began  time.Time

	mu       sync.Mutex
	calls    int
	outcomes map[string]int
	orphans  int // functions at work
}

const (
	soakTools  = 64
	soakBad    = 50 * time.Minute
	soakLength = time.Hour
)

func TestHour(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &soak{t: t, began: time.Now(), outcomes: map[string]int{}}
		s.guard.Log = s.log
		for i := range s.deps {
			s.deps[i] = recourse.Dependency{Name: fmt.Sprint("api ", i), Timeout: 5 * time.Second, Attempts: 1 + i%3}
			s.caches[i].Entries = 20
		}
		goroutines := runtime.NumGoroutine()
		var wg sync.WaitGroup
		for i := range soakTools {
			wg.Go(func() { s.tool(rand.New(rand.NewPCG(1, uint64(i)))) })
		}
		time.Sleep(10 * time.Minute)
		early := heap()
		wg.Wait()
		late := heap()

		if grown := int64(late) - int64(early); grown > 4<<20 {
			t.Errorf("fifty minutes have added %d kB to the heap", grown>>10)
		}
		for _, outcome := range []string{"ok", "retried", "degraded", "failed", "short_circuited", "cancelled"} {
			if s.outcomes[outcome] < 10 {
				t.Errorf("%d calls ended as %s, of %v: the hour proves little", s.outcomes[outcome], outcome, s.outcomes)
			}
		}
		if logged := s.outcomes["all"]; logged != s.calls {
			t.Errorf("%d calls, %d records", s.calls, logged)
		}
		s.settled(goroutines)
	})
}

// tool makes calls until the hour is over.
func (s *soak) tool(r *rand.Rand) {
	for time.Since(s.began) < soakLength {
		time.Sleep(time.Duration(r.IntN(20_000)) * time.Millisecond)
		ctx, cancel := context.WithCancel(s.t.Context())
		if r.IntN(20) == 0 {
			time.AfterFunc(time.Duration(r.IntN(5000))*time.Millisecond, cancel)
		}
		begun := time.Now()
		o := recourse.Run(ctx, &s.guard, recourse.Request{Tool: "soak", ReadOnly: r.IntN(2) == 0}, func(ctx context.Context) (int, error) {
			return s.handle(ctx, r)
		})
		cancel()
		if took := time.Since(begun); took > 50*time.Second {
			s.t.Errorf("an answer took %v: %+v", took, o)
		}
		s.mu.Lock()
		s.calls++
		s.mu.Unlock()
	}
}

// handle is a tool's handler, written in one of the ways in which they are.
func (s *soak) handle(ctx context.Context, r *rand.Rand) (int, error) {
	i := r.IntN(len(s.deps))
	bad := []func(context.Context) ([]byte, error){s.part(r), s.part(r), s.part(r)}
	switch r.IntN(5) {
	case 0:
		v, err := recourse.Call(ctx, &s.deps[i], bad[0])
		return len(v), err
	case 1:
		v, err := s.caches[i].Fetch(ctx, r.IntN(40), func(ctx context.Context) ([]byte, error) {
			return recourse.Call(ctx, &s.deps[i], bad[0])
		})
		return len(v), err
	case 2:
		g := recourse.Gather(ctx)
		var v [3][]byte
		recourse.Required(g, &s.deps[i], &v[0], bad[0])
		recourse.Optional(g, &s.deps[(i+1)%8], &v[1], bad[1])
		recourse.Optional(g, &s.deps[(i+2)%8], &v[2], bad[2])
		return len(v[0]), g.Wait()
	case 3:
		first := recourse.Go(ctx, func(ctx context.Context) error { _, err := bad[0](ctx); return err })
		recourse.Go(ctx, func(ctx context.Context) error { _, err := bad[1](ctx); return err })
		return 0, <-first
	}
	v, err := bad[0](ctx)
	return len(v), err
}

// part returns what an API does next: nearly always good, in the end always.
func (s *soak) part(r *rand.Rand) func(context.Context) ([]byte, error) {
	takes := time.Duration(r.IntN(1000)) * time.Millisecond
	what := r.IntN(14)
	if time.Since(s.began) > soakBad {
		what = 13
	}
	return func(ctx context.Context) ([]byte, error) {
		s.work(1)
		defer s.work(-1)
		switch what {
		case 0: // hangs
			<-ctx.Done()
			return nil, ctx.Err()
		case 1: // deaf
			time.Sleep(time.Minute + takes)
		case 2:
			panic("oops")
		case 3:
			runtime.Goexit()
		case 4:
			return nil, &recourse.Error{Code: recourse.ServiceUnavailable, NotRun: true}
		case 5:
			return nil, recourse.Errorf(recourse.NotFound, "There is no such thing.")
		case 6:
			return nil, errors.New("dial tcp 10.0.0.7: refused")
		case 7, 8:
			what = 13 // once only
			return nil, recourse.Errorf(recourse.UpstreamError, "Broken.")
		case 9:
			recourse.Warn(ctx, "Only half of it.")
		}
		time.Sleep(takes)
		return make([]byte, 1<<10), nil
	}
}

func (s *soak) work(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.orphans += n
}

func (s *soak) log(r recourse.Record) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.outcomes[r.Outcome]++
	s.outcomes["all"]++
}

// settled sees that nothing is left of the hour.
func (s *soak) settled(goroutines int) {
	t := s.t
	time.Sleep(2 * time.Minute) // the last deaf ones end
	synctest.Wait()
	if s.orphans != 0 {
		t.Errorf("%d functions are at work after the end", s.orphans)
	}
	if n := runtime.NumGoroutine(); n > goroutines {
		t.Errorf("%d goroutines, %d at the beginning", n, goroutines)
	}
	for i := range s.deps {
		d := &s.deps[i]
		if got := d.State(); got != "closed" {
			t.Errorf("%s is %s after ten good minutes", d.Name, got)
		}
		var values [64]int // as many as there are slots by default
		g := recourse.Gather(t.Context())
		for i := range values {
			recourse.Required(g, d, &values[i], gives(1, time.Second))
		}
		if err := g.Wait(); err != nil || slices.Contains(values[:], 0) {
			t.Errorf("%s has lost slots: %v", d.Name, err)
		}
	}
	if err := s.guard.Drain(t.Context()); err != nil {
		t.Error(err)
	}
}
