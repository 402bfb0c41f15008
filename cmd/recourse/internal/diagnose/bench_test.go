package diagnose

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"

	"github.com/recourse-dev/recourse/cmd/recourse/internal/wire"
)

// load are good results, as nearly all are.
func load() map[string][]byte {
	rows := func(n int) string {
		return "[" + strings.Repeat(`{"id":1234567,"name":"row","score":99.5,"tags":["a","b"]},`, n/58) + `{}]`
	}
	block := func(b string) []byte { return []byte(`{"content":[` + b + `]}`) }
	text := func(s string) []byte { return block(string(text(quote(s)))) }
	image := func(n int) []byte {
		data := base64.StdEncoding.EncodeToString([]byte("\x89PNG\r\n\x1a\n" + strings.Repeat("recourse.", n/12)))
		return block(`{"type":"image","data":"` + data + `","mimeType":"image/png"}`)
	}
	return map[string][]byte{
		"text/100B":       text(strings.Repeat("word ", 14)),
		"text/10KiB":      text(strings.Repeat("a line of a log with some words in it\n", 10<<10/38)),
		"text/1MiB":       text(strings.Repeat("a line of a log with some words in it\n", 1<<20/38)),
		"json/1MiB":       text(rows(1 << 20 * 3 / 4)),
		"image/1MiB":      image(1 << 20),
		"blocks/1MiB":     block(strings.Repeat(`{"type":"text","text":"one of many"},`, 1<<20/37) + `{"type":"text","text":"last"}`),
		"structured/1MiB": []byte(`{"content":[{"type":"text","text":"rows"}],"structuredContent":{"rows":` + rows(1<<20) + `}}`),
	}
}

func BenchmarkExamine(b *testing.B) {
	for name, result := range load() {
		run := func(what string, once func()) {
			b.Run(name+"/"+what, func(b *testing.B) {
				b.SetBytes(int64(len(result)))
				b.ReportAllocs()
				for b.Loop() {
					once()
				}
			})
		}
		run("examine", func() {
			if s := Examine(result, "find"); s.Result != nil {
				b.Fatal(s.Notes)
			}
		})
		run("skip", func() { wire.Past(result, 0) })
		run("json.Valid", func() { json.Valid(result) })
	}
}
