package relay

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// A hearing keeps what a client is told.
type hearing struct {
	mu  sync.Mutex
	all []byte
}

func (h *hearing) Write(b []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.all = append(h.all, b...)
	return len(b), nil
}

// lines returns what was told so far. What comes after the last line end, or lacks
// one, is one more: half a message.
func (h *hearing) lines() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	text, whole := strings.CutSuffix(string(h.all), "\n")
	switch lines := strings.Split(text, "\n"); {
	case text == "" && !whole:
		return nil
	case !whole:
		return append(lines, "(no line end)")
	default:
		return lines
	}
}

func (h *hearing) forget() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.all = nil
}

// A reading is one message as its client reads it.
type reading struct {
	line           string
	id, method     string // literals; the method unquoted
	result, failed json.RawMessage
	text           string // of the first block of content
	answer         bool   // it has no method
	ours           bool   // an error that recourse made
}

// What a client has asked: the methods of its requests by their ids. A nil one has
// asked anything.
type asked map[string]string

// judge wants one answer for each request, and nothing that no client would take.
// A line may be an array only if batches are spoken.
func (a asked) judge(lines []string, batches bool) ([]reading, error) {
	all, err := a.hear(lines, batches)
	count := answers(all)
	for id, method := range a {
		if n := count[id]; n != 1 {
			err = errors.Join(err, fmt.Errorf("%s with the id %s has %d answers", method, id, n))
		}
	}
	return all, err
}

// answers counts them by their ids.
func answers(all []reading) map[string]int {
	count := map[string]int{}
	for _, h := range all {
		if h.answer {
			count[h.id]++
		}
	}
	return count
}

// hear reads what a client has heard, and tells what no client would take.
func (a asked) hear(lines []string, batches bool) (all []reading, err error) {
	var wrong []error
	for _, line := range lines {
		messages, err := readLine(line, batches)
		for _, m := range messages {
			h, e := a.read(m)
			all = append(all, h)
			err = errors.Join(err, e)
		}
		if err != nil {
			wrong = append(wrong, fmt.Errorf("the client heard\n%.2000s\n%w", line, err))
		}
	}
	return all, errors.Join(wrong...)
}

// readLine returns the messages of a line. An id is given back as its owner has
// spelled it, whatever that is.
func readLine(line string, batches bool) (messages []json.RawMessage, err error) {
	text := strings.Replace(line, string(objectOf(json.RawMessage(line))["id"]), "0", 1)
	switch {
	case !utf8.ValidString(text):
		return nil, errors.New("is no UTF-8")
	case !json.Valid([]byte(line)):
		return nil, errors.New("is no JSON")
	case deep(line) > 1000:
		return nil, errors.New("is nested too deeply for the Go SDK")
	case strings.Contains(text, `\u`) && lone(text):
		return nil, errors.New("has half a surrogate pair")
	case strings.HasPrefix(line, "["):
		if !batches {
			return nil, errors.New("is an array")
		}
		err := json.Unmarshal([]byte(line), &messages)
		return messages, err
	}
	return []json.RawMessage{json.RawMessage(line)}, nil
}

// deep returns how many levels of valid JSON are in one another.
func deep(line string) (most int) {
	depth, text := 0, false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\\':
			i++
		case c == '"':
			text = !text
		case !text && (c == '{' || c == '['):
			depth++
			most = max(most, depth)
		case !text && (c == '}' || c == ']'):
			depth--
		}
	}
	return most
}

// lone reports whether valid JSON has an escaped surrogate without its other half.
func lone(line string) bool {
	high := false // an escaped one stands right before
	for i := 0; i < len(line); i++ {
		unit := uint64(0)
		if line[i] == '\\' {
			if i++; line[i] == 'u' {
				unit, _ = strconv.ParseUint(line[i+1:i+5], 16, 16)
				i += 4
			}
		}
		if low := unit >= 0xdc00 && unit < 0xe000; low != high {
			return true
		}
		high = unit >= 0xd800 && unit < 0xdc00
	}
	return high
}

// read takes a message as a strict client does.
func (a asked) read(m json.RawMessage) (reading, error) {
	h := reading{line: string(m)}
	members := objectOf(m)
	if members == nil {
		return h, errors.New("is no object")
	}
	if string(members["jsonrpc"]) != `"2.0"` {
		return h, errors.New("is not JSON-RPC 2.0")
	}
	h.id = string(members["id"])
	h.result, h.failed = members["result"], members["error"]
	if id := h.id; id != "" && !strings.ContainsAny(id[:1], `"-0123456789`) && (a != nil || id != "null" || h.failed == nil) {
		return h, fmt.Errorf("has the id %s", id)
	}
	if name, ok := members["method"]; ok {
		err := json.Unmarshal(name, &h.method)
		if err != nil || h.result != nil || h.failed != nil {
			return h, errors.New("is neither a request nor an answer")
		}
		if params, ok := members["params"]; ok && params[0] != '{' && params[0] != '[' {
			return h, errors.New("has params that are neither object nor array")
		}
		return h, nil
	}
	h.answer = true
	method, ok := a[h.id]
	switch {
	case !ok && a != nil:
		return h, errors.New("answers nothing that was asked")
	case (h.result == nil) == (h.failed == nil):
		return h, errors.New("has no result or error, or both")
	case h.failed != nil:
		return h, h.readError()
	case h.result[0] != '{' || objectOf(h.result).lacks("_meta"):
		return h, errors.New("has a result that TypeScript clients drop")
	case method == "tools/call":
		return h, h.readResult()
	}
	return h, nil
}

// An object has its members by their names, which differ by case as well.
type object map[string]json.RawMessage

func objectOf(value json.RawMessage) (o object) {
	_ = json.Unmarshal(value, &o)
	return o
}

// text returns a member that is a string.
func (o object) text(name string) (text string, ok bool) {
	ok = strings.HasPrefix(string(o[name]), `"`) && json.Unmarshal(o[name], &text) == nil
	return text, ok
}

// lacks reports whether a member is there, and no object.
func (o object) lacks(name string) bool { return o[name] != nil && o[name][0] != '{' }

func (h *reading) readError() error {
	e := objectOf(h.failed)
	h.ours = strings.Contains(string(e["data"]), `"suggestion"`)
	code, err := strconv.ParseInt(string(e["code"]), 10, 32)
	if message, ok := e.text("message"); !ok || message == "" || err != nil {
		return fmt.Errorf("has an error without a number (%d) or without a message", code)
	}
	return nil
}

func (h *reading) readResult() error {
	r := objectOf(h.result)
	if s := string(r["resultType"]); strings.HasPrefix(s, `"`) && s != `"complete"` {
		return nil // it is no final result
	}
	h.ours = objectOf(r["_meta"])["dev.recourse/error"] != nil
	if flag := string(r["isError"]); flag != "" && flag != "true" && flag != "false" {
		return fmt.Errorf("has an isError that is %s", flag)
	}
	if r["resultType"] == nil && string(r["structuredContent"]) == "null" {
		return errors.New("has structuredContent that is null")
	}
	var content []json.RawMessage
	if err := json.Unmarshal(r["content"], &content); err != nil || len(content) == 0 {
		return fmt.Errorf("has no content: %v", err)
	}
	for n, b := range content {
		text, err := readBlock(b)
		if err != nil {
			return fmt.Errorf("%w: %s", err, b)
		}
		if n == 0 {
			h.text = text
		}
	}
	return nil
}

// readBlock takes what the schemas of the TypeScript SDK take, and of texts only
// such as the interfaces of models take: they refuse empty ones.
func readBlock(block json.RawMessage) (text string, err error) {
	b := objectOf(block)
	ok := false
	switch kind, _ := b.text("type"); kind {
	case "text":
		text, ok = b.text("text")
		ok = ok && strings.TrimSpace(text) != ""
	case "image", "audio":
		_, ok = b.text("mimeType")
		ok = ok && b.base64("data")
	case "resource":
		resource := objectOf(b["resource"])
		_, named := resource.text("uri")
		_, ok = resource.text("text")
		ok = named && (ok || resource.base64("blob"))
	case "resource_link":
		_, named := b.text("uri")
		_, ok = b.text("name")
		ok = ok && named
	}
	if !ok || b.lacks("annotations") || b.lacks("_meta") {
		return text, errors.New("has a block that clients refuse")
	}
	return text, nil
}

func (o object) base64(name string) bool {
	data, ok := o.text(name)
	_, err := base64.StdEncoding.DecodeString(data)
	return ok && err == nil
}

// questions returns what the server asks of the client.
func questions(all []reading) []reading {
	return slices.DeleteFunc(slices.Clone(all), func(h reading) bool { return h.answer || h.id == "" })
}
