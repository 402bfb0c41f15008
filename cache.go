package recourse

import (
	"container/list"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/recourse-dev/recourse/internal/policy"
)

// A Cache keeps the last good answers. The zero value works; don't copy it after
// first use. Its key should hold all that the answer depends on: also whose data
// it is, if that differs between callers. What it returns is shared, so nobody
// may change it.
//
// A key that does not equal itself, such as NaN, is never found again, so nothing
// is kept for it. A pointer is equal to itself only, whatever it points to.
type Cache[K comparable, V any] struct {
	MaxAge  time.Duration // if zero, 1h
	Entries int           // if zero, 1000; beyond it, the oldest answer goes

	mu      sync.Mutex
	answers map[K]*list.Element // of an answer[K, V]
	byAge   list.List           // the oldest first
	flights map[route[K]]*flight[V]
}

type answer[K comparable, V any] struct {
	key   K
	value V
	at    time.Time
}

// A route is what callers must have in common to share a flight: a failure is
// retryable or not, depending on whether the tool may be repeated.
type route[K comparable] struct {
	key    K
	repeat policy.Repeat
}

// A flight is an answer on its way, for all who asked for it.
type flight[V any] struct {
	work
	scope   *scope // notes what happens, for each who waits
	value   V      // valid once the work has ended
	waiting int    // guarded by the Cache
}

// Fetch returns fn's answer and keeps it; concurrent calls for a key share one
// fn. If fn fails for a reason that may pass, Fetch falls back to Last.
//
// It always asks fn first: a Cache is for bad times, not for speed. An answer
// that fn has warned about is not kept. The context that fn gets has the values of
// the first caller's and no deadline of its own; it ends when nobody waits for
// the answer any more.
func (c *Cache[K, V]) Fetch(ctx context.Context, key K, fn func(context.Context) (V, error)) (V, error) {
	v, err := c.live(ctx, key, fn)
	if err == nil {
		return v, nil
	}
	if e := classify(err); e.passes() {
		if v, age, ok := c.last(key); ok {
			Warn(ctx, "%s No newer one could be had: %s", old(age), ended(e.Error()))
			return v, nil
		}
	}
	return v, err
}

// live returns the answer of the key's flight.
func (c *Cache[K, V]) live(ctx context.Context, key K, fn func(context.Context) (V, error)) (none V, err error) {
	if err := ctx.Err(); err != nil {
		return none, err
	}
	at := route[K]{key, scopeOf(ctx).how()}
	f := c.join(ctx, at, fn)
	defer c.leave(at, f)
	select {
	case <-f.finished():
	case <-ctx.Done():
		if !f.over() { // both at once: an answer is an answer
			err = ctx.Err()
		}
	}
	if err == nil {
		err = f.failure()
	}
	if err != nil {
		scopeOf(ctx).adopt(f.scope.hushed())
		return none, err
	}
	scopeOf(ctx).adopt(f.scope)
	return f.value, nil
}

// failure returns the flight's error. Who gets it may complete one that is bare,
// so each gets a copy of it.
func (f *flight[V]) failure() error {
	var e *Error
	if errors.As(f.err, &e) && e.bare {
		own := *e
		return &own
	}
	return f.err
}

// hushed returns a copy of what happened in a flight, without its warnings: they
// are about an answer that nobody gets.
func (s *scope) hushed() *scope {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := &scope{guard: s.guard, attempts: s.attempts, breakers: s.breakers}
	c.acted.Store(s.acted.Load())
	return c
}

// Put keeps v as the last good answer for key.
func (c *Cache[K, V]) Put(key K, v V) {
	if !findable(key) {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.answers == nil {
		c.answers = map[K]*list.Element{}
	}
	if e, ok := c.answers[key]; ok {
		c.byAge.Remove(e)
	}
	c.answers[key] = c.byAge.PushBack(answer[K, V]{key, v, time.Now()})
	for limit := c.entries(); c.byAge.Len() > limit; {
		c.forget(c.byAge.Front())
	}
}

// Last returns the last good answer, and warns on ctx how old it is. It reports
// false if there is none, or none that is young enough.
func (c *Cache[K, V]) Last(ctx context.Context, key K) (V, bool) {
	v, age, ok := c.last(key)
	if ok {
		Warn(ctx, "%s", old(age))
	}
	return v, ok
}

// old says how old an answer is.
func old(age time.Duration) string {
	return fmt.Sprintf("This answer is not live: it is %s old.", spell(max(whole(age), time.Second)))
}

// findable reports whether a map would find the key again.
func findable[K comparable](key K) bool {
	same := key
	return key == same
}

func (c *Cache[K, V]) last(key K) (v V, age time.Duration, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.answers[key]
	if !ok {
		return v, 0, false
	}
	a, _ := e.Value.(answer[K, V])
	if age = time.Since(a.at); age > c.maxAge() {
		c.forget(e)
		return v, age, false
	}
	return a.value, age, true
}

func (c *Cache[K, V]) forget(e *list.Element) {
	if a, ok := c.byAge.Remove(e).(answer[K, V]); ok {
		delete(c.answers, a.key)
	}
}

func (c *Cache[K, V]) maxAge() time.Duration {
	if c.MaxAge <= 0 {
		return time.Hour
	}
	return c.MaxAge
}

func (c *Cache[K, V]) entries() int {
	if c.Entries <= 0 {
		return 1000
	}
	return c.Entries
}

// join returns the flight on a route, and starts one if there is none.
func (c *Cache[K, V]) join(ctx context.Context, at route[K], fn func(context.Context) (V, error)) *flight[V] {
	c.mu.Lock()
	defer c.mu.Unlock()
	if f, ok := c.flights[at]; ok && !f.over() {
		f.waiting++
		return f
	}
	f := &flight[V]{waiting: 1, scope: scopeOf(ctx).fork()}
	if f.scope == nil { // outside of Run too, whether fn warns is of interest
		f.scope = &scope{guard: &Guard{}}
	}
	if c.flights == nil {
		c.flights = map[route[K]]*flight[V]{}
	}
	if findable(at.key) {
		c.flights[at] = f
	}
	ctx = context.WithValue(context.WithoutCancel(ctx), scopeKey{}, f.scope)
	f.start(ctx, time.Time{}, func(ctx context.Context) error {
		v, err := fn(ctx)
		if !isFailure(err) {
			f.value = v
			if !f.scope.partial() {
				c.Put(at.key, v)
			}
		}
		return err
	})
	return f
}

// leave notes that one who waited is gone. Without any, the flight ends, and the
// next who asks starts another one.
func (c *Cache[K, V]) leave(at route[K], f *flight[V]) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f.waiting--
	if over := f.over(); (over || f.waiting == 0) && c.flights[at] == f {
		delete(c.flights, at)
	}
	if f.waiting == 0 {
		f.end(context.Canceled)
	}
}
