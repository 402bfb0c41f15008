package table

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestExpand(t *testing.T) {
	text := Text{IDs: []string{"7", `"b"`}, Len: 12, Line: []byte(`{"id":7}`)}
	for in, want := range map[string]string{
		"${id} ${id1} ${id2} ${id3}": `"b" 7 "b" null`,
		"${ok1}":                     `{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"done"}]}}`,
		"${len} ${line}":             `12 {"id":7}`,
		"${x EF BB BF}":              "\ufeff",
		"${ab*3}${**2}":              "ababab**",
		"${blocks 2}":                `{"type":"text","text":"block 1"},{"type":"text","text":"block 2"}`,
		"${items 15}":                `{\"n\":1},{\"n\":2}`,
		"${lines 28}":                `😀 line 1\n😀 line 2\nxxxx`,
		"$id ${unknown} {id}":        "$id ${unknown} {id}",
	} {
		if got := string(text.Expand(in)); got != want {
			t.Errorf("%s is %s, want %s", in, got, want)
		}
	}
}

func TestLinesHaveTheirSize(t *testing.T) {
	for _, size := range []int{1, 13, 14, 1000, 3 << 20} {
		var s string
		if err := json.Unmarshal([]byte(`"`+string(lines(size))+`"`), &s); err != nil || len(s) != size {
			t.Errorf("%d bytes, not %d: %v", len(s), size, err)
		}
	}
}

func TestLone(t *testing.T) {
	for text, want := range map[string]bool{
		`\ud83d\ude00`:         false,
		`\uD83D\uDE00\ud83d`:   true,
		`\ud83d`:               true,
		`\ude00`:               true,
		`\ude00\ud83d`:         true,
		`\ud83dx\ude00`:        true,
		`\ud83d\n`:             true,
		`\\ud83d`:              false,
		`\\\ud83d`:             true,
		`\u0041 😀 \u20ac`:      false,
		`\ud83`:                false,
		strings.Repeat("a", 9): false,
	} {
		if got := Lone([]byte(text)); got != want {
			t.Errorf("Lone(%s) is %v", text, got)
		}
	}
}
