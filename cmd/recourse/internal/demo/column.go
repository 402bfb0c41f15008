package demo

import (
	"strings"
	"unicode/utf8"
)

// A style is how a piece of text looks, as the parameters of an ANSI sequence.
type style string

const (
	plain  style = ""
	bold   style = "1"
	dim    style = "2"
	red    style = "31"
	green  style = "32"
	yellow style = "33"
)

// paint returns text in a style, or as it is without colours.
func (s *screen) paint(st style, text string) string {
	if !s.color || st == plain || text == "" {
		return text
	}
	return "\x1b[" + string(st) + "m" + text + "\x1b[0m"
}

// A row is a paragraph of a column, with an optional label before it.
type row struct {
	label string
	text  string
	style style
}

// A line is one of a column: as wide as it looks, and as it is printed.
type line struct {
	width   int
	printed string
}

// column breaks rows into lines of at most width characters. All labels take as
// much room as the longest.
func (s *screen) column(rows []row, width int) (lines []line) {
	indent := 0
	for _, r := range rows {
		if r.label != "" {
			indent = max(indent, utf8.RuneCountInString(r.label)+2)
		}
	}
	for _, r := range rows {
		in := 0
		if r.label != "" {
			in = indent
		}
		for i, text := range wrap(r.text, width-in) {
			text = strings.ReplaceAll(text, hard, " ")
			label := ""
			if i == 0 {
				label = r.label
			}
			gap := strings.Repeat(" ", in-utf8.RuneCountInString(label))
			lines = append(lines, line{in + utf8.RuneCountInString(text), s.paint(dim, label) + gap + s.paint(r.style, text)})
		}
	}
	return lines
}

// hard is a space at which no line ends.
const hard = "\u00a0"

// wrap breaks a text at its line ends, between words, and within words that are
// longer than a line.
func wrap(text string, width int) (lines []string) {
	for paragraph := range strings.SplitSeq(text, "\n") {
		body := strings.TrimLeft(paragraph, " ")
		current := paragraph[:min(len(paragraph)-len(body), width/2)]
		fresh := true
		for word := range strings.FieldsFuncSeq(body, func(r rune) bool { return r == ' ' || r == '\t' }) {
			switch gap := width - utf8.RuneCountInString(current); {
			case fresh:
				current += word
			case utf8.RuneCountInString(word) < gap:
				current += " " + word
			default:
				lines = append(lines, current)
				current = word
			}
			fresh = false
			for utf8.RuneCountInString(current) > width {
				head := string([]rune(current)[:width])
				lines = append(lines, head)
				current = current[len(head):]
			}
		}
		lines = append(lines, current)
	}
	return lines
}

func pad(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-utf8.RuneCountInString(text)))
}
