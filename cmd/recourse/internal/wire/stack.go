package wire

// A stack remembers of each open container whether it is an object, in one bit.
// The top 64 levels are in a word, the rest in words below.
type stack struct {
	depth   int
	deepest int
	word    uint64
	below   []uint64
}

func (s *stack) push(object bool) {
	if s.depth&63 == 0 && s.depth > 0 {
		s.below = append(s.below, s.word)
	}
	s.word <<= 1
	if object {
		s.word |= 1
	}
	s.depth++
	s.deepest = max(s.deepest, s.depth)
}

func (s *stack) pop() {
	s.depth--
	s.word >>= 1
	if s.depth&63 == 0 && s.depth > 0 {
		last := len(s.below) - 1
		s.word, s.below = s.below[last], s.below[:last]
	}
}

func (s *stack) object() bool { return s.word&1 == 1 }

// reset keeps the words of ordinary depths and gives those of an attack back.
func (s *stack) reset() {
	s.depth, s.deepest, s.below = 0, 0, s.below[:0]
	if cap(s.below) > 1<<10 {
		s.below = nil
	}
}
