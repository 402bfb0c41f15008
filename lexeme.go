package recourse

import (
	"bytes"
	"encoding/json"
	"iter"
	"strconv"
)

// A lexeme is a name or the beginning of a value in a JSON text.
type lexeme struct {
	path     string // of the value, as in servers[2].port
	name     bool   // it is the name of a member, key
	key      string
	again    bool // its object has had this name before
	from, to int  // its place in the text
}

// A level is an object or array that a walk is in.
type level struct {
	path  string
	list  bool
	n     int    // elements so far, of a list
	key   string // of the member that is on
	named bool   // key stands
	seen  map[string]bool
}

// lexemes walks through a text that is valid JSON.
func lexemes(text []byte) iter.Seq[lexeme] {
	return func(yield func(lexeme) bool) {
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber()
		levels := []level{{}} // the outermost holds the text's one value
		for end := 0; ; {
			word, err := d.Token()
			if err != nil {
				return
			}
			t := lexeme{from: end + len(text[end:]) - len(bytes.TrimLeft(text[end:], " \t\r\n,:")), to: int(d.InputOffset())}
			end = t.to
			delim, _ := word.(json.Delim)
			if delim == '}' || delim == ']' {
				levels = levels[:len(levels)-1]
				levels[len(levels)-1].next()
				continue
			}
			in := &levels[len(levels)-1]
			if in.seen != nil && !in.named {
				t.key, t.name = word.(string)
				t.again = in.seen[t.key]
				in.key, in.named, in.seen[t.key] = t.key, true, true
			}
			t.path = in.at()
			if !yield(t) {
				return
			}
			switch {
			case t.name:
			case delim == '{':
				levels = append(levels, level{path: t.path, seen: map[string]bool{}})
			case delim == '[':
				levels = append(levels, level{path: t.path, list: true})
			default:
				in.next()
			}
		}
	}
}

// next notes that a value has ended.
func (l *level) next() {
	l.n++
	l.named = false
}

// at returns the path of the value that is on.
func (l *level) at() string {
	switch {
	case l.list:
		return l.path + "[" + strconv.Itoa(l.n) + "]"
	case l.path != "" && l.named:
		return l.path + "." + l.key
	}
	return l.path + l.key
}
