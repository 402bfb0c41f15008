package interop

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

// clock is what server-everything writes into its dynamic resources.
var clock = regexp.MustCompile(`\d{1,2}:\d{2}:\d{2}(\.\d+)?( [AP]M)?`)

// difference compares two lines of a client and returns "" if only times
// differ, or if an error has gained an envelope.
func difference(direct, proxied []byte) string {
	direct, proxied = clock.ReplaceAll(direct, []byte("CLOCK")), clock.ReplaceAll(proxied, []byte("CLOCK"))
	if bytes.Equal(direct, proxied) {
		return ""
	}
	var d, p map[string]any
	if err := decode(direct, &d); err != nil {
		return err.Error()
	}
	if err := decode(proxied, &p); err != nil {
		return err.Error()
	}
	if result, _ := d["result"].(map[string]any); result["isError"] == true {
		withoutEnvelope(p["result"])
	} else if enveloped(d["error"], p["error"]) {
		return ""
	}
	if reflect.DeepEqual(d, p) {
		return ""
	}
	return "not the same"
}

// decode keeps numbers as they are written.
func decode(b []byte, v any) error {
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.UseNumber()
	return dec.Decode(v)
}

// withoutEnvelope removes from a failed result what recourse may add to it:
// a first block with the envelope, and its copy in _meta.
func withoutEnvelope(result any) {
	r, _ := result.(map[string]any)
	content, _ := r["content"].([]any)
	if len(content) > 1 && strings.Contains(text(content[0]), `retryable`) {
		r["content"] = content[1:]
	}
	if meta, ok := r["_meta"].(map[string]any); ok {
		delete(meta, "dev.recourse/error")
		if len(meta) == 0 {
			delete(r, "_meta")
		}
	}
}

// enveloped reports whether the JSON-RPC error through is direct with an
// envelope as its data. The code stays; the words may be recourse's.
func enveloped(direct, through any) bool {
	d, _ := direct.(map[string]any)
	p, _ := through.(map[string]any)
	data, _ := p["data"].(map[string]any)
	envelope, _ := data["error"].(map[string]any)
	return d != nil && envelope["suggestion"] != nil && reflect.DeepEqual(d["code"], p["code"])
}

func text(v any) string {
	b, _ := json.Marshal(v)
	return string(b)
}

func short(line []byte) string {
	const most = 1500
	if len(line) <= most {
		return string(line)
	}
	return fmt.Sprintf("%s… (%d bytes)", line[:most], len(line))
}

func tail(s string) string {
	return s[max(0, len(s)-2000):]
}

// fixture returns a folder for the file servers: a big file and twenty small ones.
func fixture(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{"big.txt": strings.Repeat("0123456789abcdef", 1<<16), "new.txt": ""}
	for i := range 20 {
		files[fmt.Sprintf("%d.txt", i)] = fmt.Sprintf("file %d\n", i)
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
