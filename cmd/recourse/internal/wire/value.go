package wire

// value reads the start of a value at b[i], and the rest if it is short.
func (s *Scanner) value(b []byte, i int) int {
	c := b[i]
	if c <= ' ' {
		return s.skip(c, i, "control character")
	}
	if s.state == wantTop && c != '{' && c != '[' {
		s.blame(i, "not an object")
	}
	s.begin(c, i)
	switch c {
	case '"':
		s.state, s.naming = inText, false
		return s.text(b, i+1)
	case '{':
		return s.push(true, i)
	case '[':
		if s.state == wantTop {
			s.msg.Kind = Batch
		}
		return s.push(false, i)
	case ']':
		if s.state == wantFirst {
			return s.pop(i)
		}
	case 't':
		return s.word("true", b, i)
	case 'f':
		return s.word("false", b, i)
	case 'n':
		return s.word("null", b, i)
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		s.state = first(c)
		return s.number(b, i+1)
	}
	return s.stop(i, "no value")
}

// begin notes where a value starts that somebody asks for, and with what.
func (s *Scanner) begin(c byte, i int) {
	d := s.stack.depth
	if d >= len(s.open) || s.open[d].span == nil {
		return
	}
	s.open[d].start = s.base + i
	switch s.open[d].span {
	case &s.msg.ID:
		s.id = c
	case &s.msg.Method:
		s.method = c
	case &s.msg.Result:
		s.result = c
	case &s.msg.Error:
		s.fail = c
	}
}

// end notes where a value ends: before b[i].
func (s *Scanner) end(i int) int {
	d := s.stack.depth
	if d < len(s.open) && s.open[d].span != nil {
		*s.open[d].span = Span{s.open[d].start, s.base + i}
		s.open[d].span = nil
	}
	s.state = wantNext
	if d == 0 {
		s.state = wantNone
	}
	return i
}

func (s *Scanner) push(object bool, i int) int {
	if object {
		s.place, s.state = s.inside(), wantMember
	} else {
		s.place, s.state = elsewhere, wantFirst
	}
	s.stack.push(object)
	if s.stack.depth < len(s.places) {
		s.places[s.stack.depth] = s.place
	}
	return i + 1
}

func (s *Scanner) pop(i int) int {
	s.stack.pop()
	s.place = elsewhere
	if s.stack.depth < len(s.places) {
		s.place = s.places[s.stack.depth]
	}
	return s.end(i + 1)
}

// inside returns what the object is that starts here.
func (s *Scanner) inside() place {
	d := s.stack.depth
	if d >= len(s.open) {
		return elsewhere
	}
	if d == 0 {
		return top
	}
	switch s.open[d].span {
	case &s.msg.Params:
		return params
	case &s.msg.Result:
		return result
	case &s.msg.Error:
		return failure
	case &s.msg.Meta:
		return paramsMeta + s.place - params
	}
	return elsewhere
}

func (s *Scanner) next(c byte, i int) int {
	object := s.stack.object()
	switch {
	case c == ',' && object:
		s.state = wantKey
	case c == ',':
		s.state = wantValue
	case c == '}' && object, c == ']' && !object:
		return s.pop(i)
	default:
		return s.skip(c, i, "neither comma nor end")
	}
	return i + 1
}

func (s *Scanner) member(b []byte, i int) int {
	switch c := b[i]; {
	case c == '"':
		s.state, s.naming, s.bent, s.raw = inText, true, false, s.raw[:0]
		return s.text(b, i+1)
	case c == '}' && s.state == wantMember:
		return s.pop(i)
	default:
		return s.skip(c, i, "no key")
	}
}

func (s *Scanner) colon(c byte, i int) int {
	if c != ':' {
		return s.skip(c, i, "no colon")
	}
	s.state = wantValue
	return i + 1
}
