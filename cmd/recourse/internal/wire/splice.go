package wire

// An Edit replaces a span of a frame. An absent span changes nothing.
type Edit struct {
	At   Span
	With []byte
}

// AppendSplice appends frame with edits made and a line end. The edits, at most
// three, may come in any order and must not overlap.
func AppendSplice(dst, frame []byte, edits ...Edit) []byte {
	done := 0
	for range edits {
		next := -1
		for i, e := range edits {
			if e.At.Ok() && e.At.Start >= done && (next < 0 || e.At.Start < edits[next].At.Start) {
				next = i
			}
		}
		if next < 0 {
			break
		}
		dst = append(dst, frame[done:edits[next].At.Start]...)
		dst = append(dst, edits[next].With...)
		done = edits[next].At.End
	}
	dst = append(dst, frame[done:]...)
	return append(dst, '\n')
}
