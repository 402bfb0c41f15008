package main

import (
	"cmp"
	"maps"
	"slices"
)

const (
	mostFiles   = 10 // in report.Biggest
	mostMarkers = 20 // in report.Todos
)

type report struct {
	Files     int     `json:"files"`
	Lines     int     `json:"lines"`
	Binary    int     `json:"binary_files" jsonschema:"files that are not text and were not counted"`
	Languages []share `json:"languages" jsonschema:"by lines, the most first"`
	Biggest   []file  `json:"biggest_files" jsonschema:"the ten files with the most lines"`
	TodoCount int     `json:"todo_count"`
	Todos     []todo  `json:"todos" jsonschema:"the first twenty"`
}

type share struct {
	Language string  `json:"language"`
	Files    int     `json:"files"`
	Lines    int     `json:"lines"`
	Percent  float64 `json:"percent" jsonschema:"of all lines"`
}

type file struct {
	Path  string `json:"path"`
	Lines int    `json:"lines"`
	Bytes int64  `json:"bytes"`
}

type todo struct {
	Path string `json:"path"`
	Line int    `json:"line"`
	Text string `json:"text"`
}

// A tally becomes a report. It stays small however many files there are.
type tally struct {
	report
	byLanguage map[string]share
}

func (t *tally) add(f file, found []todo, count int) {
	if t.byLanguage == nil {
		t.byLanguage = map[string]share{}
	}
	s := t.byLanguage[language(f.Path)]
	s.Files++
	s.Lines += f.Lines
	t.byLanguage[language(f.Path)] = s
	t.Files++
	t.Lines += f.Lines
	t.TodoCount += count
	t.Todos = append(t.Todos, found[:min(len(found), mostMarkers-len(t.Todos))]...)

	at, _ := slices.BinarySearchFunc(t.Biggest, f, func(a, b file) int { return cmp.Compare(b.Lines, a.Lines) })
	t.Biggest = slices.Insert(t.Biggest, at, f)
	t.Biggest = t.Biggest[:min(len(t.Biggest), mostFiles)]
}

func (t *tally) done() report {
	r := t.report
	r.Languages = []share{} // [], not null, where there is nothing
	r.Biggest = append([]file{}, r.Biggest...)
	r.Todos = append([]todo{}, r.Todos...)
	for _, name := range slices.Sorted(maps.Keys(t.byLanguage)) {
		s := t.byLanguage[name]
		s.Language = name
		s.Percent = float64(1000*s.Lines/max(r.Lines, 1)) / 10
		r.Languages = append(r.Languages, s)
	}
	slices.SortStableFunc(r.Languages, func(a, b share) int { return cmp.Compare(b.Lines, a.Lines) })
	return r
}
