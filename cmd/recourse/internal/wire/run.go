package wire

// run reads tokens that lie whole in b, with no white space but a space after
// commas and colons: nearly all of nearly every frame. It stops at the first
// token that is cut or odd in any way, and leaves that one to the states.
func (s *Scanner) run(b []byte, i int) int {
	want, object := s.state, s.stack.object()
	var ok bool
	for i+1 < len(b) {
		c, end := b[i], i+1
		switch {
		case want == wantNext && c == ',':
			want = wantValue
			if object {
				want = wantKey
			}
			i = blank(b, end)
			continue
		case want == wantNext && (c == '}' && object || c == ']' && !object):
			s.pop(i)
			want, object, i = s.state, s.stack.object(), end
			continue
		case (want == wantKey || want == wantMember) && c == '"':
			s.bent = false
			end, ok = s.whole(b, i)
			if !ok || s.bent || b[end] != ':' {
				break
			}
			if s.place != elsewhere {
				s.ask(b[i+1:end-1], end)
			}
			want, i = wantValue, blank(b, end+1)
			continue
		case want == wantValue || want == wantFirst:
			if s.place != elsewhere {
				s.begin(c, i)
			}
			switch {
			case c == '{' || c == '[':
				object = c == '{'
				i = s.push(object, i)
				want = s.state
				continue
			case c == '"':
				if end, ok = s.whole(b, i); !ok {
					s.state, s.naming = inText, false
					return s.text(b, end-1)
				}
			default:
				end, ok = bare(b, i)
			}
			if !ok {
				break
			}
			if s.place != elsewhere {
				s.end(end)
			}
			want, i = wantNext, end
			continue
		}
		break
	}
	s.state = want
	return i
}

// blank passes one space at b[i].
func blank(b []byte, i int) int {
	if i < len(b) && b[i] == ' ' {
		return i + 1
	}
	return i
}

// whole returns the end of the string at b[i] if it is one, and b goes on.
func (s *Scanner) whole(b []byte, i int) (int, bool) {
	if b[i] != '"' {
		return i, false
	}
	i = s.plain(b, i+1)
	return i + 1, i+1 < len(b) && b[i] == '"'
}

// bare returns the end of the literal or number at b[i] if it is one without
// exponent, and b goes on.
func bare(b []byte, i int) (int, bool) {
	switch b[i] {
	case 't':
		return i + 4, len(b)-i > 4 && string(b[i:i+4]) == "true"
	case 'n':
		return i + 4, len(b)-i > 4 && string(b[i:i+4]) == "null"
	case 'f':
		return i + 5, len(b)-i > 5 && string(b[i:i+5]) == "false"
	case '-':
		i++
	}
	whole := digits(b, i)
	if whole == i || whole == len(b) || b[i] == '0' && whole > i+1 {
		return i, false
	}
	if i = whole; b[i] == '.' {
		if i = digits(b, whole+1); i == whole+1 || i == len(b) {
			return i, false
		}
	}
	return i, b[i]|0x20 != 'e'
}

// digits returns the first byte from i on that is no digit.
func digits(b []byte, i int) int {
	for i < len(b) && b[i]-'0' < 10 {
		i++
	}
	return i
}
