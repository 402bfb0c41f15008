package redact

import (
	"strings"
	"testing"
)

var typical = `{"query":"acme corporation","limit":20,"filters":{"country":"de","since":"2026-01-01T00:00:00Z","tags":["a","b"]},` +
	`"path":"/home/ada/projects/acme/src/main.go","url":"https://example.com/search?q=acme&page=2","notes":"Please look for the latest invoices and send a summary."}`

func BenchmarkAppendJSON(b *testing.B) {
	prose := strings.Repeat("The quick brown fox jumps over the lazy dog, as it has done since 1885. ", 200)
	letters := make([]byte, 10<<10) // as in bench/stdio
	for i, x := 0, uint32(1); i < len(letters); i++ {
		x = x*1664525 + 1013904223
		letters[i] = "abcdefghijklmnopqrstuvwxyz ABCDE"[x>>27]
	}
	for name, src := range map[string]string{
		"letters": `{"text":"` + string(letters) + `"}`,
		"typical": typical,
		"prose":   `{"content":"` + prose + `"}`,
		"escaped": `{"content":"` + strings.ReplaceAll(prose, ". ", `.\n`) + `"}`,
		"numbers": `[` + strings.Repeat("12345,", 2000) + `0]`,
		"hidden":  `{"command":"curl -H 'Authorization: Bearer abcdef0123456789' https://h/","password":"x","n":1}`,
	} {
		b.Run(name, func(b *testing.B) {
			r, dst, in := &Redactor{Secrets: []string{"listed-value-1", "listed-value-2"}}, make([]byte, 0, 64<<10), []byte(src)
			b.SetBytes(int64(len(in)))
			b.ReportAllocs()
			for b.Loop() {
				r.AppendJSON(dst, in)
			}
		})
	}
}

func BenchmarkText(b *testing.B) {
	in := strings.Repeat("dial tcp 127.0.0.1:1: connect: connection refused; is the server running? ", 4)
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	for b.Loop() {
		new(Redactor).Text(in)
	}
}

func BenchmarkSecretName(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		SecretName("clientRequestName")
	}
}
