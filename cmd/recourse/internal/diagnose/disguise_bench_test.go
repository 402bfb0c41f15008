package diagnose

import (
	"maps"
	"strings"
	"testing"
)

// disguises are answers of the sizes that count: nearly all are good ones.
func disguises() map[string][]byte {
	prose := "The weekly report lists what was sold in each of the shops and when it was sent. "
	m := map[string][]byte{
		"plain/1KiB":    answering(strings.Repeat(prose, 1<<10/len(prose))),
		"lines/1KiB":    answering(strings.Repeat(prose+"\n", 1<<10/len(prose))),
		"error/100B":    answering("Failed to fetch the page: the host did not answer in time"),
		"word/1KiB":     answering("No error was found in it. " + strings.Repeat(prose, 1<<10/len(prose))),
		"object/1KiB":   answering(`{"rows":[` + strings.Repeat(`{"id":12,"name":"a shop"},`, 38) + `{}]}`),
		"traceback/8KB": answering(pythons + "\n" + strings.Repeat("  File \"/app/a.py\", line 4, in f\n    return g(h)\n", 160) + "KeyError: 'a'"),
		"page/100KiB":   answering("<!doctype html><html><head><title>Shop</title></head><body>" + strings.Repeat("<p>"+prose+"</p>", 100<<10/len(prose))),
	}
	maps.Copy(m, load())
	m["plain/100KiB"] = answering(strings.Repeat(prose, 100<<10/len(prose)))
	return m
}

func BenchmarkDisguised(b *testing.B) {
	for name, result := range disguises() {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(result)))
			b.ReportAllocs()
			var m Memory
			for b.Loop() {
				Disguised(result, Unknown, &m, false, nil)
			}
		})
	}
}

func BenchmarkLearn(b *testing.B) {
	for name, result := range disguises() {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			var m Memory
			for b.Loop() {
				m.Learn(result)
			}
		})
	}
}
