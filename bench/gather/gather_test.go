// Package gather tests Gatherings of parts that end in all ways and orders.
package gather

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"github.com/recourse-dev/recourse"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A part is one of a Gathering: how it ends, and when.
type part struct {
	required bool
	end      string // good, bad, panic, deaf, hang
	after    time.Duration
	limit    time.Duration
}

// ends returns when the part is over, left to itself, and whether well. An end in
// the same moment as the limit is drawn for none.
func (p part) ends() (after time.Duration, well bool) {
	if p.end == "hang" || p.after > p.limit {
		return p.limit, false
	}
	return p.after, p.end == "good" || p.end == "deaf"
}

func (p part) run(ctx context.Context) (int, error) {
	if p.end == "deaf" {
		time.Sleep(p.after)
		return 1, nil
	}
	if p.end == "hang" {
		<-ctx.Done()
		return 0, ctx.Err()
	}
	select {
	case <-time.After(p.after):
	case <-ctx.Done():
		return 0, ctx.Err()
	}
	switch p.end {
	case "bad":
		return 0, errors.New("bad")
	case "panic":
		panic("bad")
	}
	return 1, nil
}

func parts(rt *rapid.T) []part {
	all := rapid.SliceOfN(rapid.Custom(func(rt *rapid.T) part {
		return part{
			required: rapid.Bool().Draw(rt, "required"),
			end:      rapid.SampledFrom([]string{"good", "good", "good", "bad", "panic", "deaf", "hang"}).Draw(rt, "end"),
			after:    time.Duration(rapid.IntRange(0, 20).Draw(rt, "after")) * 2 * time.Second,
			limit:    time.Duration(rapid.IntRange(1, 20).Draw(rt, "limit"))*2*time.Second - time.Second,
		}
	}), 0, 12).Draw(rt, "parts")
	for i := range all { // no two at the same time: which is the first must be known
		all[i].after += time.Duration(i) * time.Millisecond
		all[i].limit += time.Duration(i) * time.Millisecond
	}
	return all
}

// Wait fails exactly if a required part fails or all do; it returns when the
// first required one has failed, or when all are over; only what was asked for
// is written, and each part that is missing is named.
func TestGathering(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		all := parts(rt)
		failed, over, missing := -1, time.Duration(0), 0
		for i, p := range all {
			after, well := p.ends()
			over = max(over, after)
			if !well {
				missing++
				if first := failed < 0; p.required && (first || after < at(all[failed])) {
					failed = i
				}
			}
		}
		if failed >= 0 {
			over = at(all[failed])
		}
		synctest.Test(t, func(*testing.T) {
			values := make([]int, len(all))
			deps := make([]recourse.Dependency, len(all))
			guard := &recourse.Guard{Timeout: -1}
			begun := time.Now()
			o := recourse.Run(context.Background(), guard, recourse.Request{ReadOnly: true}, func(ctx context.Context) (int, error) {
				g := recourse.Gather(ctx)
				for i, p := range all {
					deps[i].Name, deps[i].Timeout = fmt.Sprint("part ", i), p.limit
					if p.required {
						recourse.Required(g, &deps[i], &values[i], p.run)
					} else {
						recourse.Optional(g, &deps[i], &values[i], p.run)
					}
				}
				return 0, g.Wait()
			})
			if took := time.Since(begun); took != over {
				rt.Errorf("Wait took %v, want %v", took, over)
			}
			fails := failed >= 0 || missing == len(all) && missing > 0
			if (o.Err != nil) != fails {
				rt.Errorf("the error is %v, want one: %v", o.Err, fails)
			}
			if !fails && len(o.Warnings) != missing {
				rt.Errorf("%d parts are missing; it warns %q", missing, o.Warnings)
			}
			time.Sleep(time.Hour) // what is late comes now
			for i, p := range all {
				want := 0
				if _, well := p.ends(); well && !fails {
					want = 1
				}
				if values[i] != want {
					rt.Errorf("part %d has the value %d, want %d", i, values[i], want)
				}
				if fails && len(o.Warnings) > 0 {
					rt.Errorf("beside an error it warns %q", o.Warnings)
				}
			}
		})
	})
}

func at(p part) time.Duration {
	after, _ := p.ends()
	return after
}
