package diagnose

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/recourse-dev/recourse/cmd/recourse/internal/wire"
)

// A tally is what an object says of a batch: how much of it was done, and how much not.
type tally struct {
	done, lost int
	counts     bool // it says how much was done, if only 0
	part       bool // it says itself that it is a part
	state      bool // of something that was asked about
}

// take looks at one member.
func (t *tally) take(name string, value []byte) bool {
	switch name {
	case "partial", "ispartial", "partialsuccess", "partialfailure", "partialfailureerror", "partialresults":
		t.part = t.part || !hollow(value)
		return true
	case "complete", "iscomplete":
		t.part = t.part || value[0] == 'f'
		return false
	case "state", "phase":
		t.state = t.state || value[0] == '"'
		return false
	}
	n, ok := size(value)
	if !ok {
		return false
	}
	switch counted(name) {
	case "success", "successes", "succeeded", "successful", "successfully", "ok", "processed", "imported", "created", "updated", "inserted",
		"upserted", "deleted", "removed", "sent", "delivered", "copied", "moved", "uploaded", "downloaded", "migrated", "written",
		"saved", "loaded", "indexed", "synced", "completed", "added", "accepted", "affected", "modified", "applied", "exported", "archived", "published",
		"converted", "fetched", "done", "merged", "enqueued", "queued", "scheduled", "matched",
		"nmodified", "nmatched", "ninserted", "nremoved", "nupserted":
		t.done, t.counts = max(t.done, n), true
		return true
	case "failed", "fail", "failure", "failures", "failedentry", "rejected", "error", "errors", "notprocessed", "unprocessed":
		if value[0] != '[' {
			t.lost = max(t.lost, n)
			return name != "error"
		}
	}
	return false
}

// some reports a batch of which a part was done.
func (t *tally) some() bool { return t.part || t.done > 0 && t.done != t.lost }

// vain reports one of which nothing was done, and that there was something to do.
func (t *tally) vain() bool { return t.counts && t.lost > 0 && !t.some() }

// counted takes off a name of a count what it says of counting.
func counted(name string) string {
	for _, before := range [...]string{"num", "numberof", "rows", "records", "items", "total", "count", "documents", "messages", "files"} {
		if rest, ok := strings.CutPrefix(name, before); ok && len(rest) > 3 {
			name = rest
			break
		}
	}
	for _, behind := range [...]string{"count", "rows", "records", "items", "total", "files", "messages", "bytes"} {
		name = strings.TrimSuffix(name, behind)
	}
	return name
}

// size returns how much a whole number or a list is.
func size(value []byte) (n int, ok bool) {
	switch c := value[0]; {
	case c == '[':
		for range wire.Elements(value) {
			n++
		}
		return n, true
	case '0' <= c && c <= '9':
		n, err := strconv.Atoi(string(value))
		return n, err == nil
	}
	return 0, false
}

// names takes the members of an object that gives things to show their names, colours
// or files: a dictionary, a palette, a form.
func (a *account) names(name string, value []byte) bool {
	if value[0] != '"' {
		return false
	}
	switch name {
	case "success", "ok":
		switch string(bytes.ToLower(bytes.Trim(value, `"`))) {
		case "true", "false", "yes", "no", "0", "1", "":
			return false
		}
	case "warning", "warn", "cancel", "save", "submit", "confirm", "button", "placeholder", "welcome", "greeting", "pattern", "layout", "template":
	default:
		return false
	}
	a.label = true
	return true
}

// mute reports the value of an error member that names how an error is shown: a colour,
// a sign, a file, the word itself.
func mute(value []byte) bool {
	if value[0] != '"' {
		return false
	}
	word := strings.ToLower(string(label(value)))
	if strings.ContainsAny(word, " \t") {
		return false
	}
	switch word {
	case "error", "errors", "err", "fehler", "erreur", "erro", "errore":
		return true
	}
	if strings.HasPrefix(word, "#") || strings.HasPrefix(word, "http://") || strings.HasPrefix(word, "https://") {
		return true
	}
	at := strings.LastIndexByte(word, '.')
	if at < 0 {
		return false
	}
	switch word[at+1:] {
	case "html", "htm", "log", "txt", "md", "json", "js", "ts", "tsx", "jsx", "vue", "png", "svg", "ico", "gif", "mp3", "wav", "css", "ejs", "hbs", "php", "xml":
		return true
	}
	return false
}

// declares reports an error member's value that says of what type an error is, as a JSON
// Schema does.
func declares(object []byte) bool {
	if member(object, "$ref") != nil {
		return true
	}
	switch string(bytes.Trim(member(object, "type"), `"`)) {
	case "string", "integer", "number", "boolean", "object", "array", "null":
		return true
	}
	return false
}
