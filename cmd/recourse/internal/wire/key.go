package wire

// maxKey is the longest literal of a key that is looked up: the longest name
// with every character as \u escape.
const maxKey = 6*len(keyVersion) + 1

// name takes b[from:i], a key or a piece of one, and if the key is closed looks
// it up.
func (s *Scanner) name(b []byte, from, i int, closed bool) int {
	if s.state == broken {
		return i
	}
	whole := closed && !s.bent && len(s.raw) == 0
	if s.place != elsewhere && !whole && len(s.raw) <= maxKey {
		s.raw = append(s.raw, b[from:min(i, from+maxKey+1)]...)
	}
	if !closed {
		return i
	}
	s.state = wantColon
	switch {
	case s.place == elsewhere:
	case whole:
		s.ask(b[from:i-1], i)
	case len(s.raw) <= maxKey:
		var room [maxKey]byte
		s.ask(unescape(room[:0], s.raw[:len(s.raw)-1]), i)
	}
	return i
}

// ask prepares for the value of key.
func (s *Scanner) ask(key []byte, i int) {
	span := s.msg.field(s.place, key)
	if s.place == top && span != nil && span.Ok() {
		s.blame(i, "duplicate key")
	}
	s.open[s.stack.depth].span = span
}
