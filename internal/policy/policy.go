// Package policy decides what happens to a call: how long it may take, whether
// it may start, whether it may be repeated.
//
// It is a state machine with time as an argument: no I/O, no goroutine, no
// timer. Its methods are not safe for concurrent use; the caller owns the lock
// and asks [Deadlines.Next] when to come back:
//
//	e.Begin(&c.Clock, limits, now)         // the clocks run from the call's arrival
//	if r := e.Admit(c, tool, now); r.Reason != policy.Admitted {
//		e.End(c, policy.Ignored, now)  // refused here; r says why
//	}
//	e.End(c, policy.Success, now)          // its answer came
//
// [Engine] joins the parts in the one order in which they apply: deadline,
// [Slots], [Retry] with its [Budget], [Breaker]. Each part also works alone.
package policy
