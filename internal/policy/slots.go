package policy

// Slots limits the calls that run at once. A call whose caller was answered
// before its work ended is an orphan: it keeps its slot until the work ends or
// is known to be gone. The zero value is ready.
type Slots struct {
	Limit int // if zero, 64; if negative, none

	held    int
	orphans int
	life    int // which life of the dependency the orphans belong to
}

const defaultSlots = 64

// Acquire takes a slot, or reports that none is free.
func (s *Slots) Acquire() bool {
	limit := s.Limit
	if limit == 0 {
		limit = defaultSlots
	}
	if limit > 0 && s.held >= limit {
		return false
	}
	s.held++
	return true
}

// Release gives a slot back.
func (s *Slots) Release() { s.held = max(0, s.held-1) }

// Orphan marks a held slot as an orphan's and returns what Settle needs.
func (s *Slots) Orphan() (life int) {
	s.orphans++
	return s.life
}

// Settle gives an orphan's slot back, unless Forget did so before.
func (s *Slots) Settle(life int) {
	if life == s.life && s.orphans > 0 {
		s.orphans--
		s.Release()
	}
}

// Forget gives the slots of all orphans back: the process that worked on them
// is dead.
func (s *Slots) Forget() {
	s.held = max(0, s.held-s.orphans)
	s.orphans = 0
	s.life++
}

// Held returns the slots in use, orphans included.
func (s *Slots) Held() int { return s.held }

// Orphans returns how many slots belong to orphans.
func (s *Slots) Orphans() int { return s.orphans }
