package upstream

import (
	"slices"
	"strings"
)

// Excerpt returns the last few telling lines of a standard error: no stack
// frames, which say nothing to a model and name the inside of somebody's
// machine, and at most 600 bytes.
func Excerpt(stderr string) string {
	kept := undumped(stderr)
	if i := lastPanic(kept); i >= 0 {
		kept = kept[i:min(i+2, len(kept))]
	}
	kept = kept[max(0, len(kept)-10):]
	s := strings.Join(kept, "\n")
	for len(s) > 600 && len(kept) > 1 {
		kept = kept[1:]
		s = strings.Join(kept, "\n")
	}
	return strings.ToValidUTF8(ends(s, 400, 200), "\uFFFD")
}

// Headline returns the line of a standard error that says most: a Go panic and
// npm begin with it, others end with it, give or take what a runtime adds. Only
// with last is the last line taken if none has a word of trouble.
func Headline(stderr string, last bool) string {
	return ends(headline(undumped(stderr), last), 200, 100)
}

// ends shortens what is too long to its start, where most say what went wrong,
// and its end.
func ends(s string, head, tail int) string {
	if len(s) <= head+tail {
		return s
	}
	return strings.ToValidUTF8(s[:head], "") + " … " + strings.ToValidUTF8(s[len(s)-tail:], "")
}

func headline(lines []string, last bool) string {
	if len(lines) == 0 {
		return ""
	}
	if i := lastPanic(lines); i >= 0 {
		return lines[i]
	}
	lines = lines[max(0, len(lines)-20):]
	for _, line := range lines {
		for _, npm := range []string{"npm error ", "npm ERR! "} {
			if reason, ok := strings.CutPrefix(line, npm); ok && !strings.HasPrefix(reason, "code ") {
				return line
			}
		}
	}
	for _, line := range slices.Backward(lines) {
		lower := strings.ToLower(line)
		if slices.ContainsFunc(telling, func(word string) bool { return strings.Contains(lower, word) }) {
			return line
		}
	}
	if last {
		return lines[len(lines)-1]
	}
	return ""
}

var telling = []string{"error", "exception", "fatal", "not found", "cannot", "can't", "required", "denied", "refused", "missing", "failed", "invalid"}

// undumped returns the lines that are no part of a stack.
func undumped(stderr string) []string {
	var kept []string
	for line := range strings.Lines(stderr) {
		if line = strings.TrimRight(line, " \t\r\n"); !isDump(line) {
			kept = append(kept, line)
		}
	}
	return kept
}

// isDump recognises the lines of Go, Python, JavaScript, Java and Rust stacks.
func isDump(line string) bool {
	trimmed := strings.TrimLeft(line, " \t")
	switch {
	case trimmed == "", strings.HasPrefix(line, "\t"):
		return true
	case strings.HasPrefix(line, `{"v":1,"type":`):
		return true // a server's own call log, by recourse.LogTo: about other calls
	case strings.HasPrefix(line, " ") && (strings.HasPrefix(trimmed, "at ") || strings.HasPrefix(trimmed, `File "`) || strings.HasPrefix(line, "    ")):
		return true
	case strings.HasPrefix(line, "goroutine ") && strings.HasSuffix(line, ":"):
		return true
	case strings.HasPrefix(line, "created by "), strings.HasPrefix(line, "Traceback (most recent"):
		return true
	case trimmed == "^", trimmed == "throw err;", strings.HasPrefix(line, "node:internal/"), strings.HasPrefix(line, "Node.js v"):
		return true
	}
	// A Go frame: main.handler(0xc000012345, ...)
	return strings.HasSuffix(line, ")") && strings.Contains(line, "(0x") || strings.HasSuffix(line, "(...)") || strings.HasSuffix(line, ".main()")
}

// lastPanic finds the line with which a Go runtime begins to die: what follows
// it is a dump, what stands before it is older.
func lastPanic(lines []string) int {
	for i, line := range slices.Backward(lines) {
		if strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ") {
			return i
		}
	}
	return -1
}
