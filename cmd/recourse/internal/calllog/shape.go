package calllog

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/recourse-dev/recourse/internal/redact"
)

const (
	longestShape = 8 << 10 // bytes of a shape, about
	longestKey   = 128     // bytes of a name in it
)

// appendShape appends the names, types and lengths in raw: {"q":"acme","ids":[1,2]}
// is {"q":"string(4)","ids":["integer","+1"]}. Of an array there are the first
// element and the number of the others; what does not fit is "…".
func appendShape(dst, raw []byte, r *redact.Redactor) []byte {
	if !json.Valid(raw) {
		return fmt.Appendf(dst, `"invalid(%d)"`, len(raw))
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	s := shaper{d, r, dst, len(dst) + longestShape}
	s.value(true)
	return s.dst
}

type shaper struct {
	*json.Decoder // of valid JSON: Token can't fail
	redactor      *redact.Redactor
	dst           []byte
	limit         int // of len(dst)
}

// value reads one value, and appends its shape if show.
func (s *shaper) value(show bool) {
	token, _ := s.Token()
	shape := "null"
	switch token := token.(type) {
	case json.Delim:
		if token == '{' {
			s.object(show)
		} else {
			s.array(show)
		}
		_, _ = s.Token()
		return
	case string:
		shape = fmt.Sprintf("string(%d)", utf8.RuneCountInString(token))
	case json.Number:
		shape = "integer"
		if strings.ContainsAny(token.String(), ".eE") {
			shape = "number"
		}
	case bool:
		shape = "boolean"
	}
	if show {
		s.word(shape)
	}
}

func (s *shaper) object(show bool) {
	if show {
		s.dst = append(s.dst, '{')
		defer func() { s.dst = append(s.dst, '}') }()
	}
	for first := true; s.More(); first = false {
		name, _ := s.Token()
		if show && !first {
			s.dst = append(s.dst, ',')
		}
		if show && len(s.dst) > s.limit {
			s.dst = append(s.dst, `"…":"…"`...)
			show = false
		} else if show {
			key := s.redactor.Text(name.(string))
			if len(key) > longestKey {
				key = strings.ToValidUTF8(key[:longestKey], "") + "…"
			}
			s.dst = append(s.redactor.AppendString(s.dst, key), ':')
		}
		s.value(show)
	}
}

func (s *shaper) array(show bool) {
	if show {
		s.dst = append(s.dst, '[')
		defer func() { s.dst = append(s.dst, ']') }()
	}
	n := 0
	for ; s.More(); n++ {
		s.value(show && n == 0 && len(s.dst) <= s.limit)
	}
	if show && n > 1 {
		if s.dst[len(s.dst)-1] != '[' {
			s.dst = append(s.dst, ',')
		}
		s.word(fmt.Sprintf("+%d", n-1))
	}
}

func (s *shaper) word(w string) { s.dst = append(append(append(s.dst, '"'), w...), '"') }
