package redact

import (
	"slices"
	"strings"
)

// A needle is a listed secret, and the place of its rarest byte, which is what is
// looked for: a search for a whole secret stops at each of its common first letters.
type needle struct {
	text string
	at   int
}

// list returns what of r's Secrets is to be hidden.
func (r *Redactor) list() []needle {
	if r == nil || len(r.Secrets) == 0 {
		return nil
	}
	r.once.Do(func() {
		for _, secret := range r.Secrets {
			if usable(secret) {
				r.needles = append(r.needles, needle{secret, rarest(secret)})
			}
		}
	})
	return r.needles
}

// usable excludes what would hide everything, or the marks themselves.
func usable(secret string) bool {
	return len(secret) >= 4 && !strings.Contains(keyMark, secret)
}

// rarest returns the place of the byte of s that is rare in arguments: anything
// but these, else what comes last among them.
func rarest(s string) int {
	const common = " etaoinsrhldcumfpgwybvkxjqz0123456789"
	best, rank := 0, -1
	for i := range len(s) {
		n := strings.IndexByte(common, s[i])
		if n < 0 {
			return i
		}
		if n > rank {
			best, rank = i, n
		}
	}
	return best
}

// index returns where s first holds n, or -1.
func (n needle) index(s string) int {
	for i, misses := n.at, 0; i < len(s); i++ {
		next := strings.IndexByte(s[i:], n.text[n.at])
		if next < 0 {
			return -1
		}
		i += next
		start := i - n.at
		if strings.HasPrefix(s[start:], n.text) {
			return start
		}
		// What is rare elsewhere may be common in s, and it must not take the
		// time of its length times that of s.
		if misses++; misses > 8+i/16 {
			if next = strings.Index(s[start:], n.text); next < 0 {
				return -1
			}
			return start + next
		}
	}
	return -1
}

// lists reports whether s holds one of r's Secrets.
func (r *Redactor) lists(s string) bool {
	return slices.ContainsFunc(r.list(), func(n needle) bool { return n.index(s) >= 0 })
}

// listed returns where s holds r's Secrets. They may overlap.
func (r *Redactor) listed(s string) (found []span) {
	for _, n := range r.list() {
		for at := 0; ; {
			i := n.index(s[at:])
			if i < 0 {
				break
			}
			found = append(found, span{at + i, at + i + len(n.text)})
			at += i + len(n.text)
		}
	}
	return found
}
