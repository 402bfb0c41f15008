package recourse_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/recourse-dev/recourse"
)

// warned returns what a call that does fn tells beside its answer.
func warned(t *testing.T, fn func(context.Context)) []string {
	t.Helper()
	o := recourse.Run(t.Context(), nil, recourse.Request{}, func(ctx context.Context) (int, error) {
		fn(ctx)
		return 7, nil
	})
	if want := map[bool]string{true: "partial", false: "full"}[len(o.Warnings) > 0]; o.Value != 7 || o.Err != nil || o.Completeness != want {
		t.Errorf("got %+v, want it to be %s", o, want)
	}
	return o.Warnings
}

func TestWarnings(t *testing.T) {
	inner := recourse.Errorf(recourse.RateLimited, "GitHub: slow down.")
	inner.Err = errors.New("10.0.0.7")
	for _, tt := range []struct {
		name string
		fn   func(context.Context)
		want []string
	}{
		{"none", func(context.Context) {}, nil},
		{"two, in order", func(ctx context.Context) {
			recourse.Warn(ctx, "Only %d of %d days.", 3, 7)
			recourse.Warn(ctx, "No wind.")
		}, []string{"Only 3 of 7 days.", "No wind."}},
		{"an error's public text", func(ctx context.Context) {
			recourse.Warn(ctx, "No stars: %v", fmt.Errorf("dial 10.0.0.7: %w", inner))
		}, []string{"No stars: GitHub: slow down."}},
		{"an error without one", func(ctx context.Context) {
			recourse.Warn(ctx, "No stars: %v", errors.New("dial 10.0.0.7"))
		}, []string{"No stars: The call failed for a reason that is not known."}},
		{"a secret", func(ctx context.Context) {
			recourse.Warn(ctx, "The key ghp_%s was refused.", strings.Repeat("a1B2", 9))
		}, []string{"The key [redacted] was refused."}},
		{"no sentence", func(ctx context.Context) { recourse.Warn(ctx, "") }, nil},
		{"broken UTF-8", func(ctx context.Context) { recourse.Warn(ctx, "No \xff.") }, []string{"No \uFFFD."}},
		{"a percent sign", func(ctx context.Context) { recourse.Warn(ctx, "Only 10%% of it.") }, []string{"Only 10% of it."}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := warned(t, tt.fn); !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestWarningsAreBounded(t *testing.T) {
	got := warned(t, func(ctx context.Context) {
		for i := range 30 {
			recourse.Warn(ctx, "%d %s", i, strings.Repeat("ä", 1000))
		}
	})
	if len(got) != 20 || !strings.HasPrefix(got[19], "19 ") {
		t.Fatalf("%d warnings, the last %.10q", len(got), got[len(got)-1])
	}
	for _, w := range got {
		if n := utf8.RuneCountInString(w); n != 300 || !strings.HasSuffix(w, "…") {
			t.Errorf("a warning of %d characters: %q", n, w)
		}
	}
}

func TestWarnFromGoroutines(t *testing.T) {
	got := warned(t, func(ctx context.Context) {
		var wg sync.WaitGroup
		for i := range 10 {
			wg.Go(func() { recourse.Warn(ctx, "%d", i) })
		}
		wg.Wait()
	})
	slices.Sort(got)
	if strings.Join(got, "") != "0123456789" {
		t.Errorf("got %q", got)
	}
}

// After the end of the call its warnings belong to whoever sends them.
func TestWarnAfterTheEnd(t *testing.T) {
	kept := make(chan context.Context, 1)
	got := warned(t, func(ctx context.Context) {
		kept <- ctx
		recourse.Warn(ctx, "In time.")
	})
	recourse.Warn(<-kept, "Too late.")
	if len(got) != 1 || slices.Contains(got[:cap(got)], "Too late.") {
		t.Errorf("got %q", got[:cap(got)])
	}
	recourse.Warn(t.Context(), "Outside any call.")
}

// A call that fails after all needs no warnings, but the log shows them.
func TestWarningsBesideAnError(t *testing.T) {
	var line recourse.Record
	o := recourse.Run(t.Context(), &recourse.Guard{Log: func(r recourse.Record) { line = r }}, recourse.Request{}, func(ctx context.Context) (int, error) {
		recourse.Warn(ctx, "No wind.")
		return 0, recourse.Errorf(recourse.NotFound, "There is no Berln.")
	})
	if o.Err == nil || o.Err.Code != recourse.NotFound || line.Outcome != "failed" || !slices.Equal(line.Warnings, []string{"No wind."}) {
		t.Errorf("got %+v, logged as %+v", o, line)
	}
}
