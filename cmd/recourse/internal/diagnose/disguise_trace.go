package diagnose

import (
	"bytes"
	"regexp"
	"strings"
	"sync"
)

// traces reports the beginning of a text that may be a traceback.
func traces(inside []byte) bool {
	for _, with := range [...]string{"Traceback (", "panic: ", "thread '", "goroutine ", "Unhandled ", "Uncaught "} {
		if bytes.HasPrefix(inside, []byte(with)) {
			return true
		}
	}
	return false
}

var raises = sync.OnceValue(func() (p struct{ name, frame, more, rust, call, input *regexp.Regexp }) {
	p.name = regexp.MustCompile(`^(Exception in thread \S+ |(Uncaught |Unhandled )?(exception: )?)?[\w$]+([.:]+[\w$]+)*(\s*\[[\w.:-]+\])?(: .*|:)?$`)
	p.frame = regexp.MustCompile(`^\s+at .`)
	p.more = regexp.MustCompile(`^(\s+\.\.\. \d+ (more|common)|\s*Caused by: |\s*Suppressed: |\s+\w+: |\s*\}?$|\s*-+>? |--- End of)`)
	p.rust = regexp.MustCompile(`^thread '[^']*' (\(\d+\) )?panicked at `)
	p.call = regexp.MustCompile(`^(Error (executing|running) tool \S+|Error calling tool ['"]?[\w./-]+['"]?|Unknown tool|Tool execution failed|Tool call failed|MCP error -?\d+|McpError|Input validation error|Output validation error|Invalid structured content|Invalid arguments for tool \S+|[Vv]alidating "?(arguments|input|root)"?|[Uu]nknown tool "\S+")(:|$| )|^Tool ['"]?[\w./-]+['"]? (not found|disabled|is disabled|does not exist)\.?$`)
	p.input = regexp.MustCompile(`^\d+ validation errors? for (\w+Arguments|call\[\w+\]|\w+)\n`)
	return p
})

// pythons is how a traceback of Python begins.
const pythons = "Traceback (most recent call last):"

// traceback reports a text that is one from its first line to its last: of Python,
// JavaScript, Java, .NET, Go or Rust.
func traceback(text string) bool {
	first, rest, _ := strings.Cut(text, "\n")
	first = strings.TrimRight(first, "\r")
	switch {
	case first == pythons:
		return python(rest)
	case strings.HasPrefix(first, "panic: "):
		return strings.Contains(rest, "goroutine ") || strings.Contains(rest, "[recovered]")
	case strings.HasPrefix(first, "thread '"):
		return raises().rust.MatchString(first) && strings.Count(rest, "\n") < 60
	case rest == "" || !raises().name.MatchString(first):
		return false
	}
	frames, before, behind := 0, 0, 0
	for line := range strings.Lines(rest) {
		line = strings.TrimRight(line, "\r\n")
		switch {
		case raises().frame.MatchString(line):
			frames++
		case line == "", frames > 0 && raises().more.MatchString(line):
		case frames == 0:
			before++
		default:
			behind++
		}
	}
	// A message may have lines of its own before the frames; behind them comes the
	// version of Node, and in a log the next traceback.
	return frames > 0 && before <= 3 && behind <= 1 && !strings.Contains(rest, "\n"+first)
}

// python wants frames behind the first line and an exception's name at the end.
func python(rest string) bool {
	frames, last := 0, ""
	for line := range strings.Lines(rest) {
		switch {
		case strings.HasPrefix(line, "  File "):
			frames++
		case line[0] != ' ' && line[0] != '\n' && line[0] != '\r':
			last = line
		}
	}
	name, _, _ := strings.Cut(last, ":")
	name = strings.TrimSpace(name)
	return frames > 0 && name != "" && !strings.ContainsAny(name, " \t/=()")
}

// raised returns what a traceback says: the line with the exception's name.
func raised(text string) string {
	const most = 500
	lines := strings.Split(text, "\n")
	line := lines[0]
	if strings.HasPrefix(line, "Traceback") {
		for _, l := range lines[1:] {
			if l != "" && l[0] != ' ' {
				line = l
			}
		}
	}
	if strings.HasPrefix(line, "thread '") && len(lines) > 1 {
		line += " " + lines[1]
	}
	return line[:min(len(line), most)]
}

// framed knows the sentences in which SDKs put what a tool threw.
func framed(text string) Suspicion {
	if !frames(text) {
		return Suspicion{}
	}
	first, _, _ := strings.Cut(text, "\n")
	if raises().call.MatchString(strings.TrimSpace(first)) || raises().input.MatchString(text) {
		return Suspicion{Tier: Structure, Text: text[:min(len(text), maxAnchored)], Rule: "sdk", framed: true}
	}
	return Suspicion{}
}

// frames reports the beginning of a text that may be such a sentence.
func frames(text string) bool {
	switch text[0] {
	case 'E', 'U', 'u', 'T', 'M', 'I', 'O', 'V', 'v':
		for _, with := range [...]string{"Error executing", "Error running", "Error calling", "Unknown tool", "unknown tool", "Tool ", "MCP error", "McpError",
			"Input validation", "Output validation", "Invalid structured", "Invalid arguments", "Validating ", "validating "} {
			if strings.HasPrefix(text, with) {
				return true
			}
		}
		return false
	}
	return '0' <= text[0] && text[0] <= '9'
}
