package status

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// visible returns a text on one line, without anything that a terminal might
// obey, and at most 500 characters of it: clients and servers say what they like.
func visible(text string) string {
	const most = 500
	text = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, text)
	text = strings.Join(strings.Fields(text), " ")
	if utf8.RuneCountInString(text) > most {
		text = string([]rune(text)[:most-1]) + "…"
	}
	return text
}

// known writes a number, and nothing for 0.
func known(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// span writes a duration for people: its two largest units.
func span(d time.Duration) string {
	s := max(0, int(d.Round(time.Second).Seconds()))
	m, h := s/60, s/3600
	switch {
	case m == 0:
		return fmt.Sprintf("%ds", s)
	case h == 0:
		return fmt.Sprintf("%dm%ds", m, s%60)
	case h < 48:
		return fmt.Sprintf("%dh%dm", h, m%60)
	}
	return fmt.Sprintf("%dd%dh", h/24, h%24)
}

// hard is a space at which no line ends. It is in no visible text.
const hard = "\u00a0"

// wrap breaks a text between words, and within one that is longer than a line.
// Without a width it stays whole.
func wrap(text string, width int) (lines []string) {
	line := ""
	for word := range strings.SplitSeq(text, " ") {
		word = strings.ReplaceAll(word, hard, " ")
		switch {
		case line == "":
			line = word
		case width <= 0 || utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) <= width:
			line += " " + word
		default:
			lines = append(lines, line)
			line = word
		}
		for width > 0 && utf8.RuneCountInString(line) > width {
			head := string([]rune(line)[:width])
			lines = append(lines, head)
			line = line[len(head):]
		}
	}
	return append(lines, line)
}
