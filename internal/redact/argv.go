package redact

import "strings"

// An argv follows the elements of an array that may be a command line.
type argv struct {
	command command
	flag    bool // the element before is a flag whose value is secret
	pair    bool // it is a flag that takes user:password
}

// hides reports whether the next element, the string of which raw is the JSON, is
// secret as a whole.
func (a *argv) hides(raw string) bool {
	if len(raw) < 3 {
		return false
	}
	if a.flag && raw[1] != '-' {
		return true
	}
	text := raw[1 : len(raw)-1]
	if _, ok := pairOf(text); ok && a.pair {
		return true
	}
	_, joined := a.command.takes(text)
	return joined
}

// pass takes note of the element at index i, of which raw is the JSON. A command is
// one of the first words of its line, after env, sudo or docker exec.
func (a *argv) pass(i int, raw string) {
	a.flag, a.pair = false, false
	if raw[0] != '"' {
		return
	}
	text := raw[1 : len(raw)-1]
	if text == "" || text[0] != '-' {
		if i < 6 && len(text) < 64 {
			if c, ok := commandOf(text); ok {
				a.command = c
			}
		}
		return
	}
	a.pair = takesPair(text)
	a.flag, _ = a.command.takes(text)
	a.flag = a.flag || !strings.ContainsAny(text, "=: ") && isSecretString(raw)
}

// active reports whether the next element must be looked at before it is read.
func (a *argv) active() bool { return a.flag || a.pair || a.command.letter != 0 }
