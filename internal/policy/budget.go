package policy

import "time"

// A Budget keeps retries a small part of the traffic: ten of them, refilled by
// a tenth for each success (as gRPC's retry throttling) and by one a minute: a
// tool called once a minute would otherwise wait hours for its next retry. The
// zero value is full.
type Budget struct {
	spent float64
	last  time.Time
}

const (
	budgetSize   = 10
	budgetEarned = 0.1
	budgetEvery  = time.Minute
)

// Take pays for one retry, or reports that the budget is used up.
func (b *Budget) Take(now time.Time) bool {
	if age := now.Sub(b.last); age > 0 {
		b.spent -= float64(age) / float64(budgetEvery)
	}
	b.spent, b.last = max(0, b.spent), now
	if b.spent > budgetSize-1 {
		return false
	}
	b.spent++
	return true
}

// Earn notes a success.
func (b *Budget) Earn() { b.spent = max(0, b.spent-budgetEarned) }
