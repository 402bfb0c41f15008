package secret

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/recourse-dev/recourse/internal/redact"
)

// A value is an argument as models send them.
type value struct {
	Kind   string // what it is
	Value  string
	Secret string // the part that must be hidden; "": none
}

// values reads testdata/values.jsonl. In it <n> stands for n letters and digits, <xn>
// for hexadecimal ones, and so on: no token is written out, for scanners would report it.
func values(t *testing.T) (list []value) {
	t.Helper()
	data, err := os.ReadFile("testdata/values.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range bytes.Split(bytes.TrimSpace(data), []byte("\n")) {
		var v value
		if err := json.Unmarshal(line, &v); err != nil {
			t.Fatalf("line %d: %v", i+1, err)
		}
		v.Value, v.Secret = filled(v.Value), filled(v.Secret)
		list = append(list, v)
	}
	return list
}

// filled returns text with random-looking characters in place of <n>, <xn> and <dn>.
func filled(text string) string {
	sets := map[byte]string{'x': "b8e0527d9c41f3a6", 'd': "6180339887", 'u': "R5TZ2KQ7XW4MLC"}
	var b strings.Builder
	for {
		head, rest, ok := strings.Cut(text, "<")
		b.WriteString(head)
		if !ok {
			return b.String()
		}
		size, tail, _ := strings.Cut(rest, ">")
		set, n := "uX2cT9mEr0Kz5LwQ7aJv3BnG8sD1", 0
		if s, ok := sets[size[0]]; ok {
			set, size = s, size[1:]
		}
		if _, err := fmt.Sscan(size, &n); err != nil {
			b.WriteString("<" + rest)
			return b.String()
		}
		b.WriteString(strings.Repeat(set, n/len(set)+1)[:n])
		text = tail
	}
}

// TestValues puts each value where arguments have them: alone, in prose, in JSON
// within a string, in a header and in the query of a URL. The secret part must be gone
// everywhere; of what is harmless at most 2 in 100 may lose anything.
func TestValues(t *testing.T) {
	total, wrong := map[string]int{}, map[string][]string{}
	for _, v := range values(t) {
		inner, err := json.Marshal(map[string]string{"q": v.Value})
		if err != nil {
			t.Fatal(err)
		}
		texts := map[string]string{
			"alone": v.Value, "prose": "Please look at " + v.Value + " and tell me.", "JSON": string(inner), "header": "X-Data: " + v.Value + "\r\nAccept: */*",
		}
		if !strings.ContainsAny(v.Value, " \n") {
			texts["URL"] = "https://example.com/a?q=" + v.Value + "&page=2"
			if strings.ContainsAny(v.Value, "&?=#%/:@") {
				texts["URL"] = "https://example.com/a?q=" + url.QueryEscape(v.Value) + "&page=2"
			}
		}
		label := "harmless"
		if v.Secret != "" {
			label = "secret"
		}
		for where, text := range texts {
			arguments, err := json.Marshal(map[string]string{"text": text})
			if err != nil {
				t.Fatal(err)
			}
			out, _ := new(redact.Redactor).AppendJSON(nil, arguments)
			var got struct{ Text string }
			if err := json.Unmarshal(out, &got); err != nil {
				t.Fatal(err)
			}
			shows := strings.Contains(got.Text, v.Secret)
			if where == "URL" && url.QueryEscape(v.Secret) != v.Secret {
				continue // encoded twice, no form has a look any more
			}
			total[label]++
			if label == "secret" && shows || label == "harmless" && got.Text != text {
				wrong[label] = append(wrong[label], v.Kind+", "+where)
			}
		}
	}
	for _, label := range []string{"secret", "harmless"} {
		t.Logf("%d of %d %s values judged wrong: %q", len(wrong[label]), total[label], label, wrong[label])
		if len(wrong[label])*100 > total[label]*2 {
			t.Errorf("%d of %d %s values judged wrong", len(wrong[label]), total[label], label)
		}
	}
}
