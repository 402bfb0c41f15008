package recourse

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// A Gathering collects parts of an answer in parallel. [Gather] makes one.
type Gathering struct {
	ctx  context.Context
	stop context.CancelFunc
	once sync.Once
	err  error // what Wait returns, once that is known

	mu     sync.Mutex
	parts  []*part
	failed *Error // the first of a required part
	waited bool
}

// A part is one value under way. Its fields are valid once done is closed.
type part struct {
	name     string // that of its Dependency
	required bool
	done     chan struct{}
	err      *Error
	store    func()
}

// Gather starts a Gathering. Its parts end with ctx, or when [Gathering.Wait]
// returns, so call Wait even if the parts are of no use any more.
//
// All parts start at once. Of more parts than a Dependency's Limit, the rest fail.
func Gather(ctx context.Context) *Gathering {
	g := &Gathering{}
	g.ctx, g.stop = context.WithCancel(ctx)
	return g
}

// Required starts fn with [Call]. Wait stores its value in dst, or fails. A dst
// that is nil drops the value.
func Required[T any](g *Gathering, d *Dependency, dst *T, fn func(context.Context) (T, error)) {
	gather(g, d, true, dst, fn)
}

// Optional is like Required, but a failure leaves dst alone and warns. The part
// is called by the Dependency's Name, so that should say what is missing then.
func Optional[T any](g *Gathering, d *Dependency, dst *T, fn func(context.Context) (T, error)) {
	gather(g, d, false, dst, fn)
}

func gather[T any](g *Gathering, d *Dependency, required bool, dst *T, fn func(context.Context) (T, error)) {
	p := g.add(d, required)
	go func() {
		defer close(p.done)
		// Call recovers from fn's panics; its own, as of a nil Dependency, are
		// nobody's to catch in this goroutine but ours.
		err := protect(g.ctx, func(ctx context.Context) error {
			v, err := Call(ctx, d, fn)
			p.store = func() {
				if dst != nil {
					*dst = v
				}
			}
			return err
		})
		if err != nil {
			g.fail(p, classify(err))
		}
	}()
}

// add makes room for a part. Its name, deadline and breaker are the Dependency's.
func (g *Gathering) add(d *Dependency, required bool) *part {
	if g.stop == nil {
		panic("recourse: a Gathering was used that Gather has not made")
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.waited {
		panic("recourse: a part was added to a Gathering after Wait")
	}
	p := &part{name: d.Name, required: required, done: make(chan struct{})}
	if p.name == "" {
		p.name = fmt.Sprint("part ", len(g.parts)+1)
	}
	g.parts = append(g.parts, p)
	return p
}

// fail notes the failure of a part; without a required one, the others are of no
// use.
func (g *Gathering) fail(p *part, e *Error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	p.err = e
	if p.required && g.failed == nil {
		g.failed = e
		g.stop()
	}
}

// Wait returns the first required part's error, or an error if all failed. Only
// Wait writes to the destinations: a late part can't race with the caller. It
// writes to none if it returns an error. An optional part that failed is named
// with [Warn]. Parts can't be added after it, and a second Wait only returns what
// the first did.
func (g *Gathering) Wait() error {
	g.mu.Lock()
	g.waited = true
	g.mu.Unlock()
	g.once.Do(func() {
		if g.stop != nil {
			defer g.stop()
		}
		g.err = g.wait()
	})
	return g.err
}

func (g *Gathering) wait() error {
	var missing []*part
	for _, p := range g.parts {
		<-p.done
		if p.err != nil {
			missing = append(missing, p)
		}
	}
	switch {
	case g.failed != nil:
		return g.failed
	case len(missing) == 0:
	case len(g.parts) == 1:
		return missing[0].err
	case len(missing) == len(g.parts):
		return nothing(missing)
	}
	for _, p := range g.parts {
		if p.err == nil {
			p.store()
			continue
		}
		Warn(g.ctx, "%s", p.lacking())
	}
	return nil
}

// nothing returns the error of a Gathering of which every part failed. If another
// try may help one of them, it may help the whole.
func nothing(missing []*part) *Error {
	const most = 5 // reasons: the envelope has no room for more
	var causes []error
	var reasons []string
	for i, p := range missing {
		if p.err.Retryable() {
			causes = slices.Insert(causes, 0, error(p.err))
		} else {
			causes = append(causes, p.err)
		}
		if i < most {
			reasons = append(reasons, p.reason())
		}
	}
	if n := len(missing) - most; n > 0 {
		reasons = append(reasons, fmt.Sprintf("And %d more.", n))
	}
	return &Error{
		Message: "Every part of the answer failed. " + strings.Join(reasons, " "),
		Err:     errors.Join(causes...), // the first gives the code
	}
}

// reason says of a part that failed why it did.
func (p *part) reason() string {
	text := p.err.Error()
	if !strings.HasPrefix(text, p.name+" ") && !strings.HasPrefix(text, p.name+":") {
		text = p.name + ": " + text
	}
	return ended(text)
}

// lacking says that the answer lacks the part, and why.
func (p *part) lacking() string {
	const missing = "Missing from this answer: "
	text := p.err.Error()
	if after, ok := strings.CutPrefix(text, p.name+" "); ok { // "github did not answer"
		return ended(missing + p.name + ", which " + after)
	}
	return ended(missing + p.name + ". " + strings.TrimPrefix(text, p.name+": "))
}

// stopped ends a sentence.
func ended(s string) string {
	if s = strings.TrimSpace(s); strings.HasSuffix(s, ".") || strings.HasSuffix(s, "!") || strings.HasSuffix(s, "?") {
		return s
	}
	return s + "."
}
