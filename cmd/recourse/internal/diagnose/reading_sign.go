package diagnose

import (
	"strconv"
	"strings"

	"github.com/recourse-dev/recourse"
)

// A sign is what is known of a failure beside its words.
type sign struct {
	rpc    int // JSON-RPC's code, 0 if there is none
	status int // HTTP's
}

// allows reports whether words may say something else than the status. Some
// statuses stand for so much that nearly any words say more.
func (s sign) allows(c recourse.Code) bool {
	switch s.status {
	case 0:
		return true
	case 400, 422:
		return c != recourse.InternalError && c != recourse.UpstreamError
	case 403:
		return c != recourse.InvalidArgument && c != recourse.NotFound && c != recourse.InternalError && c != recourse.MissingArgument
	case 409:
		return c == recourse.DuplicateEntry || c == recourse.ResourceBusy || c == recourse.PreconditionFailed || c == recourse.QuotaExceeded
	case 404:
		return c == recourse.UnknownTool
	case 500:
		return c != recourse.InternalError && c != recourse.ExecutionFailed && c != recourse.NotFound
	}
	return false
}

// byStatus returns the code of an HTTP status from 400 to 599.
func byStatus(status int) recourse.Code { return recourse.CodeOf(statusError(status)) }

// A statusError is what SDKs return for an answer with such a status.
type statusError int

func (s statusError) Error() string   { return "status " + strconv.Itoa(int(s)) }
func (s statusError) StatusCode() int { return int(s) }

// A stateError is what drivers of databases return for a SQLSTATE.
type stateError string

func (s stateError) Error() string    { return "SQLSTATE " + string(s) }
func (s stateError) SQLState() string { return string(s) }

// sqlState returns the code of the SQLSTATE in a text, "" if there is none that
// is known.
func sqlState(text string) recourse.Code {
	for _, mark := range []string{"SQLSTATE", "sqlstate", "SqlState"} {
		_, rest, _ := strings.Cut(text, mark)
		rest = strings.TrimLeft(rest, " :=([\"'")
		if len(rest) >= 5 && isState(rest[:5]) {
			return known(rest[:5])
		}
	}
	// Of PostgreSQL's own messages, "ERROR: 42P01: …" has one, and so has what
	// MySQL's client prints, "ERROR 1146 (42S02): …".
	for rest := text[:min(len(text), 200)]; ; {
		_, after, ok := strings.Cut(rest, "RROR")
		if !ok {
			return ""
		}
		rest = after
		after = strings.TrimLeft(after, ": ")
		if n, more, ok := strings.Cut(after, " ("); ok && len(n) == 4 && strings.Trim(n, "0123456789") == "" {
			after = more
		}
		if len(after) > 5 && isState(after[:5]) && (after[5] == ':' || after[5] == ')') {
			return known(after[:5])
		}
	}
}

func known(state string) recourse.Code {
	if c := recourse.CodeOf(stateError(state)); c != recourse.UnknownError {
		return c
	}
	return ""
}

func isState(s string) bool {
	digits := 0
	for i := range len(s) {
		switch {
		case '0' <= s[i] && s[i] <= '9':
			digits++
		case s[i] < 'A' || s[i] > 'Z':
			return false
		}
	}
	return digits >= 2
}

// preambles are what SDKs and authors put in front of a message, up to a colon.
var preambles = []string{
	"error executing tool", "error calling tool", "error running tool", "error in tool", "error invoking tool",
	"tool execution failed", "tool execution error", "tool call failed", "tool error", "tool failed",
	"failed to call tool", "failed to execute tool", "mcp error", "mcperror", "mcp.shared.exceptions.mcperror",
	"fastmcp.exceptions.toolerror", "toolerror", "error", "err", "fatal", "exception", "failed", "failure",
}

// unwrap strips what is around a message, layer by layer, and returns the code
// that JSON-RPC has in there. A wrapper that is all there is stays.
func unwrap(text string) (string, int) {
	rpc := 0
	for range maxLayers {
		text = strings.TrimLeftFunc(text, ornament)
		low := strings.ToLower(text[:min(len(text), 40)])
		i := -1
		for _, w := range preambles {
			if strings.HasPrefix(low, w) && len(text) > len(w) && strings.IndexByte(" :]", text[len(w)]) >= 0 {
				i = len(w)
				break
			}
		}
		if i < 0 {
			break
		}
		label, rest, ok := strings.Cut(text[i:min(len(text), i+100)], ":")
		if bracket := strings.HasPrefix(text[i:], "]"); bracket {
			label, rest, ok = "", text[i+1:], true
		} else if ok {
			rest = text[i+len(label)+1:]
		}
		if n, err := strconv.Atoi(strings.Trim(label, " ()")); err == nil && n < 0 {
			rpc = n
		} else if ok && (low[:i] == "error" || low[:i] == "mcp error" || low[:i] == "err" || low[:i] == "fatal" || low[:i] == "exception" || low[:i] == "failed" || low[:i] == "failure") && strings.TrimSpace(label) != "" {
			break // "Error while reading x: …" is a part of the message
		}
		if !ok || strings.TrimSpace(rest) == "" {
			break
		}
		text = rest
		if n, after, ok := strings.Cut(strings.TrimLeft(text, " "), ":"); ok { // "MCP error: -32602: …"
			if code, err := strconv.Atoi(n); err == nil && code < -31000 && strings.TrimSpace(after) != "" {
				rpc, text = code, after
			}
		}
	}
	return strings.TrimSpace(text), rpc
}

const maxLayers = 6

// ornament reports signs that stand before a message and say nothing.
func ornament(r rune) bool {
	return r <= ' ' || r == '[' || r == '*' || r == '#' || r == '>' || r == '-' || r > 0x2000 && r < 0x2E00 || r >= 0xFE00 && r <= 0xFE0F || r >= 0x1F000
}
