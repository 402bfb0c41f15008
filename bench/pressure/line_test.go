//go:build faults && linux

package pressure

import (
	"strconv"
	"strings"
)

// idFirst begins every answer of the server, so that the client can tell a good
// one without decoding it.
const idFirst = `{"jsonrpc":"2.0","id":`

// An order is the argument of every tool.
type order struct {
	N     int    // the call's number
	Size  int64  `json:",omitempty"` // bytes
	Count int    `json:",omitempty"` // lines, or calls
	Kind  string `json:",omitempty"`
	Gate  string `json:",omitempty"` // a named pipe, at which the server waits

	length int64 // of the text that comes with it
}

const phrase = "the same words again and again, so that a lost byte is seen; "

var phrases = strings.Repeat(phrase, 1<<10)

// appendFill appends size bytes of text that differ from call to call.
func appendFill(dst []byte, n int, size int64) []byte {
	from := phrases[n%len(phrase):]
	for size > 0 {
		part := from[:min(int64(len(from)), size)]
		dst = append(dst, part...)
		size -= int64(len(part))
		from = phrases[(n+len(from))%len(phrase):]
	}
	return dst
}

// appendAnswer appends the answer to the nth call, with size bytes of text.
func appendAnswer(dst, id []byte, n int, size int64) []byte {
	dst = append(append(dst, idFirst...), id...)
	dst = append(dst, `,"result":{"content":[{"type":"text","text":"`...)
	dst = strconv.AppendInt(dst, int64(n), 10)
	dst = append(dst, ": "...)
	dst = appendFill(dst, n, size)
	return append(dst, "\"}]}}\n"...)
}

const (
	liveToken = "live"
	deadToken = "dead"
)

// appendFlood appends line i of a flood. The ids are only for the kinds that
// have one.
func appendFlood(dst []byte, kind string, i int, id []byte) []byte {
	number := func(before, after string) []byte {
		dst = strconv.AppendInt(append(dst, before...), int64(i), 10)
		return append(dst, after...)
	}
	switch kind {
	case "notifications":
		return number(`{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"flood:`, "\"}}\n")
	case "progress of a running call":
		return number(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"`+liveToken+`","progress":`, "}}\n")
	case "progress of no call":
		return number(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"`+deadToken+`","progress":`, "}}\n")
	case "log messages":
		return number(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"line `, "\"}}\n")
	case "JSON that never ends":
		if i == 0 {
			return append(dst, "{\n"...)
		}
		return number(`  "key `, "\": [true],\n")
	case "open braces":
		return append(dst, "{\n"...)
	case "noise":
		return number(`[info] request `, " handled in 3 ms\n")
	case "answers to ended calls":
		dst = append(append(dst, idFirst...), id...)
		return number(`,"result":{"content":[{"type":"text","text":"late `, "\"}]}}\n")
	case "answers to nothing":
		dst = strconv.AppendInt(append(dst, idFirst...), 1e12+int64(i), 10)
		return append(dst, ",\"result\":{\"content\":[]}}\n"...)
	case "pings":
		return number(idFirst+`"p`, "\",\"method\":\"ping\"}\n")
	case "questions that nobody answers":
		return number(idFirst+`"q`, "\",\"method\":\"sampling/createMessage\",\"params\":{\"messages\":[],\"maxTokens\":1}}\n")
	case "echoes of a request":
		dst = append(append(dst, idFirst...), id...)
		return number(`,"method":"tools/call","params":{"name":"flood","arguments":{"N":`, "}}}\n")
	}
	panic("no flood of " + kind)
}
