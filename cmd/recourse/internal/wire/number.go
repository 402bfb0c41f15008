package wire

// number reads a number, which may have begun in an earlier chunk.
func (s *Scanner) number(b []byte, i int) int {
	for ; i < len(b); i++ {
		next := digit(s.state, b[i])
		if next == broken {
			return s.ended(i)
		}
		s.state = next
	}
	return i
}

func (s *Scanner) ended(i int) int {
	switch s.state {
	case inZero, inDigits, inFraction, inPower:
		return s.end(i)
	}
	return s.stop(i, "no digit")
}

// digit returns the state of a number after another c, broken if c is not part
// of it.
func digit(in state, c byte) state {
	switch {
	case c == '0' && in == inMinus:
		return inZero
	case c-'0' < 10:
		switch in {
		case inMinus, inDigits:
			return inDigits
		case inPoint, inFraction:
			return inFraction
		case inExponent, inSign, inPower:
			return inPower
		}
	case c == '.' && (in == inZero || in == inDigits):
		return inPoint
	case c|0x20 == 'e' && (in == inZero || in == inDigits || in == inFraction):
		return inExponent
	case (c == '+' || c == '-') && in == inExponent:
		return inSign
	}
	return broken
}

// word reads true, false or null at b[i].
func (s *Scanner) word(w string, b []byte, i int) int {
	if len(b)-i >= len(w) && string(b[i:i+len(w)]) == w {
		return s.end(i + len(w))
	}
	s.state, s.rest = inWord, w[1:]
	return s.letters(b, i+1)
}

func (s *Scanner) letters(b []byte, i int) int {
	for ; i < len(b) && s.rest != ""; i++ {
		if b[i] != s.rest[0] {
			return s.stop(i, "unknown word")
		}
		s.rest = s.rest[1:]
	}
	if s.rest == "" {
		return s.end(i)
	}
	return i
}

func first(c byte) state {
	if c == '-' {
		return inMinus
	}
	return digit(inMinus, c)
}
