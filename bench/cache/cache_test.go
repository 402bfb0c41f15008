// Package cache tests a Cache against a model of it, and counts the goroutines
// that it leaves behind.
package cache

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"github.com/recourse-dev/recourse"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A kept is one answer in the model.
type kept struct {
	key, value int
	at         time.Time
}

// A model is what a Cache promises, written down as plainly as can be.
type model struct {
	answers []kept // the oldest first
	entries int
	maxAge  time.Duration
}

func (m *model) put(key, value int) {
	m.answers = slices.DeleteFunc(m.answers, func(k kept) bool { return k.key == key })
	m.answers = append(m.answers, kept{key, value, time.Now()})
	m.answers = m.answers[max(0, len(m.answers)-m.entries):]
}

func (m *model) last(key int) (value int, ok bool) {
	for _, k := range m.answers {
		if k.key == key && time.Since(k.at) <= m.maxAge {
			return k.value, true
		}
	}
	return 0, false
}

// codes are failures, and whether they may pass.
var codes = map[recourse.Code]bool{
	recourse.ServiceUnavailable: true,
	recourse.RateLimited:        true,
	recourse.Timeout:            true,
	recourse.NotFound:           false,
	recourse.InvalidCredentials: false,
	recourse.InternalError:      false,
}

// Whatever is done to a Cache, in whatever order and at whatever time, it answers
// as the model does.
func TestCacheIsItsModel(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		entries := rapid.IntRange(1, 4).Draw(rt, "entries")
		age := time.Duration(rapid.IntRange(1, 3).Draw(rt, "age")) * time.Minute
		steps := draw(rt)
		synctest.Test(t, func(*testing.T) {
			c := &recourse.Cache[int, int]{Entries: entries, MaxAge: age}
			m := &model{entries: entries, maxAge: age}
			for i, s := range steps {
				if wrong := s.play(c, m, i); wrong != "" {
					rt.Errorf("step %d, %+v: %s", i, s, wrong) // Fatalf would have to be called outside
					return
				}
			}
		})
	})
}

// A step is one thing that happens to a Cache. Its value is its number.
type step struct {
	what string
	key  int
	code recourse.Code
	wait time.Duration
}

func draw(rt *rapid.T) []step {
	all := make([]recourse.Code, 0, len(codes))
	for code := range codes {
		all = append(all, code)
	}
	slices.Sort(all)
	return rapid.SliceOfN(rapid.Custom(func(rt *rapid.T) step {
		return step{
			what: rapid.SampledFrom([]string{"put", "last", "good", "bad", "partial", "wait"}).Draw(rt, "what"),
			key:  rapid.IntRange(0, 5).Draw(rt, "key"),
			code: rapid.SampledFrom(all).Draw(rt, "code"),
			wait: time.Duration(rapid.IntRange(0, 6).Draw(rt, "wait")) * 30 * time.Second, // often just the greatest age
		}
	}), 20, 60).Draw(rt, "steps")
}

// play does the step to both and returns what differs.
func (s step) play(c *recourse.Cache[int, int], m *model, value int) string {
	var err error
	switch s.what {
	case "wait":
		time.Sleep(s.wait)
		return ""
	case "put":
		c.Put(s.key, value)
		m.put(s.key, value)
		return ""
	case "bad":
		err = &recourse.Error{Code: s.code}
	}
	o := recourse.Run(context.Background(), nil, recourse.Request{}, func(ctx context.Context) (int, error) {
		if s.what == "last" {
			v, _ := c.Last(ctx, s.key)
			return v, nil
		}
		return c.Fetch(ctx, s.key, func(ctx context.Context) (int, error) {
			if s.what == "partial" {
				recourse.Warn(ctx, "Half.")
			}
			return value, err
		})
	})
	old, ok := m.last(s.key)
	stale := len(o.Warnings) == 1 && strings.HasPrefix(o.Warnings[0], "This answer is not live")
	switch s.what {
	case "last":
		if o.Value != old || stale != ok {
			return "Last and the model differ"
		}
	case "good":
		m.put(s.key, value)
		if o.Value != value || o.Err != nil || stale {
			return "a live answer is another one"
		}
	case "partial":
		if o.Value != value || o.Err != nil || stale {
			return "a partial answer is another one"
		}
	case "bad":
		switch fallback := ok && codes[s.code]; {
		case fallback && (o.Err != nil || o.Value != old || !stale):
			return "there is no fallback"
		case !fallback && (o.Err == nil || !errors.Is(o.Err, err)):
			return "there is no error"
		}
	}
	return ""
}

// Callers come and leave as they like. Each gets the answer, or his own end; one
// function runs at a time, and none when all have gone.
func TestCallersComeAndLeave(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		type caller struct{ comes, leaves time.Duration }
		callers := rapid.SliceOfN(rapid.Custom(func(rt *rapid.T) caller {
			comes := rapid.IntRange(0, 20).Draw(rt, "comes")
			return caller{seconds(comes), seconds(comes + rapid.IntRange(1, 10).Draw(rt, "stays"))}
		}), 1, 10).Draw(rt, "callers")
		takes := seconds(rapid.IntRange(1, 8).Draw(rt, "takes"))
		synctest.Test(t, func(*testing.T) {
			var c recourse.Cache[string, int]
			var running atomic.Int64
			done := make(chan string, 2*len(callers))
			for _, who := range callers {
				go func() {
					time.Sleep(who.comes)
					ctx, cancel := context.WithTimeout(context.Background(), who.leaves-who.comes-time.Millisecond)
					defer cancel()
					begun := time.Now()
					v, err := c.Fetch(ctx, "a", func(ctx context.Context) (int, error) {
						if running.Add(1) > 1 {
							done <- "two functions at once"
						}
						defer running.Add(-1)
						select {
						case <-time.After(takes):
							return 7, nil
						case <-ctx.Done():
							return 0, ctx.Err()
						}
					})
					switch spent := time.Since(begun); {
					case err == nil && (v != 7 || spent > takes):
						done <- "a wrong answer, or a late one"
					case err != nil && (!errors.Is(err, context.DeadlineExceeded) || spent < who.leaves-who.comes-time.Millisecond):
						done <- "somebody else's end: " + err.Error()
					default:
						done <- ""
					}
				}()
			}
			for range callers {
				if wrong := <-done; wrong != "" {
					rt.Error(wrong)
				}
			}
			synctest.Wait()
			if running.Load() != 0 {
				rt.Error("a function runs for nobody")
			}
		})
	})
}

func seconds(n int) time.Duration { return time.Duration(n) * time.Second }
