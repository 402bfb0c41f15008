package recourse

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/recourse-dev/recourse/internal/policy"
)

// A scope is one call under [Run], as its context carries it. Its methods work
// on nil too: outside of Run there is nothing to note.
type scope struct {
	guard  *Guard
	repeat policy.Repeat
	acted  atomic.Bool // a Call that is not safe to repeat may have done its work

	mu       sync.Mutex
	closed   bool // the call has been answered
	warnings []string
	attempts []Attempt
	breakers []string
	retried  bool // an attempt failed, and a further one worked
	blank    bool // the answer has nothing in it
}

type scopeKey struct{}

func scopeOf(ctx context.Context) *scope {
	s, _ := ctx.Value(scopeKey{}).(*scope)
	return s
}

// Limits of what is told and logged of one call.
const (
	maxWarnings = 20
	maxWarning  = 300 // characters
	maxAttempts = 100
)

// Warn adds a sentence to the answer of the call that ctx belongs to and makes
// it partial. Outside a call, and after its end, it does nothing. Of an operand
// that is an error it shows, as [Errorf] does, the public text.
//
// A call holds at most 20 sentences of at most 300 characters.
func Warn(ctx context.Context, format string, args ...any) {
	if false {
		_ = fmt.Sprintf(format, args...) // lets vet check the callers' formats
	}
	if s := scopeOf(ctx); s != nil {
		s.warn(Errorf("", format, args...).Message)
	}
}

func (s *scope) warn(sentence string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed && sentence != "" && len(s.warnings) < maxWarnings {
		s.warnings = append(s.warnings, cut(redactor.Text(strings.ToValidUTF8(sentence, "\uFFFD")), maxWarning))
	}
}

// tried notes one attempt at a dependency.
func (s *scope) tried(took time.Duration, code Code) {
	if s.guard.Log == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed && len(s.attempts) < maxAttempts {
		s.attempts = append(s.attempts, Attempt{took, code})
	}
}

// moved notes that a breaker has changed its state.
func (s *scope) moved(change string) {
	if s == nil || change == "" {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed && len(s.breakers) < maxAttempts {
		s.breakers = append(s.breakers, change)
	}
}

// repeated notes that a repeated attempt worked.
func (s *scope) repeated() {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.retried = true
}

// look notes an answer in which there is nothing to see.
func (s *scope) look(answer any) {
	if b, ok := answer.(interface{ Blank() bool }); ok && b.Blank() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.blank = !s.closed
	}
}

// close ends the call: what comes now is too late.
func (s *scope) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
}

// error returns what err, which is not nil, says: the Error in its tree, or
// what the guard's Map makes of it, or what it is by itself: an API's failure if
// it came out of a Call, else the handler's own.
func (s *scope) error(err error, called bool) *Error {
	if e := ours(err); e != nil {
		return e
	}
	if s != nil && s.guard.Map != nil {
		if e := s.guard.Map(err); e != nil {
			return e.because(err)
		}
	}
	e := classifyOwn(err)
	if s == nil || called {
		e = classify(err)
	}
	e.bare = true
	return e
}

// settle returns e as it holds for the whole call. That one Dependency refused is
// no reason to repeat what another may have done before.
func (s *scope) settle(e *Error) *Error {
	if s.repeat != policy.Unsafe || !s.acted.Load() || !e.Retryable() || e.inherit().MaxRetries > 0 {
		return e.settle(s.repeat)
	}
	e = e.doubtful()
	e.Suggestion = checkFirst
	return e
}

// how returns what is known of the call's second run.
func (s *scope) how() policy.Repeat {
	if s == nil {
		return policy.Unsafe
	}
	return s.repeat
}

// fork returns a scope for work that several calls share; adopt then tells each
// of them what happened.
func (s *scope) fork() *scope {
	if s == nil {
		return nil
	}
	return &scope{guard: s.guard, repeat: s.repeat}
}

func (s *scope) adopt(fork *scope) {
	if s == nil || fork == nil {
		return
	}
	fork.mu.Lock()
	defer fork.mu.Unlock()
	for _, sentence := range fork.warnings {
		s.warn(sentence)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	s.attempts = append(s.attempts, fork.attempts...)
	s.breakers = append(s.breakers, fork.breakers...)
	s.retried = s.retried || fork.retried
	if fork.acted.Load() {
		s.acted.Store(true)
	}
}

// partial reports whether the answer lacks something.
func (s *scope) partial() bool {
	if s == nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.warnings) > 0
}
