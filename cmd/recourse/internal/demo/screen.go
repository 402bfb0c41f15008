package demo

import (
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"
)

const (
	widest  = 132 // longer lines are hard to read
	twoCols = 100 // from this width on, the two ways stand side by side
)

// A screen shows a demonstration to a person.
type screen struct {
	w     io.Writer
	width int
	color bool
}

func (s *screen) say(rows ...row) {
	for _, l := range s.column(rows, s.width) {
		fmt.Fprintln(s.w, l.printed)
	}
}

// rule begins a section.
func (s *screen) rule(title string) {
	line := strings.Repeat("─", max(0, s.width-len(title)-2))
	fmt.Fprintf(s.w, "\n%s  %s\n", s.paint(bold, title), s.paint(dim, line))
}

func (s *screen) head() {
	s.say(
		row{text: "recourse: every call of a tool ends, in time, as data or as an error that the model can act on.", style: bold},
		row{},
		row{text: fmt.Sprintf("Here a bad server gets the same calls twice: directly, and through recourse. All of them are real processes. "+
			"Only time is short: this client gives up after %s, where real ones wait for 60"+hard+"s, and recourse is told --timeout %s, where its default is 50s.", span(patience), limit)},
	)
}

// result shows case i of n.
func (s *screen) result(i, n int, r Result) {
	c := r.Case
	s.rule(fmt.Sprintf("%d/%d  %s", i+1, n, c.Name))
	s.say(row{text: c.title}, row{text: "→ " + c.tool + " " + c.args, style: dim})
	fmt.Fprintln(s.w)

	direct, through := directRows(r), throughRows(r)
	if s.width < twoCols {
		s.box("directly", direct)
		fmt.Fprintln(s.w)
		s.box("through recourse", through)
		return
	}
	left := s.width * 2 / 5
	a := s.column(append([]row{{text: "directly", style: dim}}, direct...), left)
	b := s.column(append([]row{{text: "through recourse", style: dim}}, through...), s.width-left-3)
	for i := range max(len(a), len(b)) {
		var l, r line
		if i < len(a) {
			l = a[i]
		}
		if i < len(b) {
			r = b[i]
		}
		fmt.Fprintln(s.w, strings.TrimRight(l.printed+strings.Repeat(" ", left-l.width)+" "+s.paint(dim, "│")+" "+r.printed, " "))
	}
}

// box shows one way, under the other.
func (s *screen) box(title string, rows []row) {
	fmt.Fprintln(s.w, s.paint(dim, "┌ "+title))
	for _, l := range s.column(rows, s.width-2) {
		fmt.Fprintln(s.w, strings.TrimRight(s.paint(dim, "│")+" "+l.printed, " "))
	}
}

// progress rewrites the last line.
func (s *screen) progress(waiting []Case, since time.Duration) {
	var names []string
	for _, c := range waiting {
		names = append(names, c.Name)
	}
	text := fmt.Sprintf("… %.1f s  waiting for %s", since.Seconds(), strings.Join(names, ", "))
	if utf8.RuneCountInString(text) >= s.width {
		text = string([]rune(text)[:s.width-1])
	}
	fmt.Fprint(s.w, "\r\x1b[K"+s.paint(yellow, text))
}

// clear takes the progress away.
func (s *screen) clear() { fmt.Fprint(s.w, "\r\x1b[K") }

// summary shows which facts held, and what to do next.
func (s *screen) summary(results []Result, took time.Duration) {
	s.rule("what had to hold")
	held, all := 0, 0
	for _, r := range results {
		checks := r.checks()
		for _, c := range checks {
			all++
			if c.OK {
				held++
			}
		}
		s.tally(r.Case.Name, checks)
	}
	look, mark := green, "✓"
	if held < all {
		look, mark = red, "✗"
	}
	s.say(
		row{},
		row{text: fmt.Sprintf("%s %d of %d hold, in %s.", mark, held, all, span(took)), style: look},
		row{},
		row{text: "Next: build it (CGO_ENABLED=0 go build ./cmd/recourse) and put it before a server of your own, in your client's settings:"},
		row{text: "    recourse run -- npx -y @modelcontextprotocol/server-everything", style: bold},
	)
}

// Widths of the table's first two columns.
const (
	nameWidth = 11
	codeWidth = 23
)

// tally shows the line of one case in the table.
func (s *screen) tally(name string, checks []check) {
	var facts []string
	for _, c := range checks {
		facts = append(facts, mark(c.OK)+hard+strings.ReplaceAll(c.Fact, " ", hard)+hard)
	}
	first := s.paintMarks(strings.ReplaceAll(facts[0], hard, " "))
	indent := strings.Repeat(" ", nameWidth+codeWidth)
	lead := s.paint(bold, pad(name, nameWidth)) + first + strings.Repeat(" ", max(1, codeWidth-utf8.RuneCountInString(facts[0])))
	if s.width < twoCols {
		fmt.Fprintln(s.w, strings.TrimRight(lead, " "))
		indent = strings.Repeat(" ", nameWidth)
		lead = indent
	}
	for _, l := range wrap(strings.Join(facts[1:], " "), s.width-len(indent)) {
		if l = strings.TrimRight(strings.ReplaceAll(l, hard, " "), " "); l != "" {
			fmt.Fprintln(s.w, lead+s.paintMarks(l))
			lead = indent
		}
	}
}

func mark(ok bool) string {
	if ok {
		return "✓"
	}
	return "✗"
}

// paintMarks colours the marks in a text.
func (s *screen) paintMarks(text string) string {
	return strings.NewReplacer("✓", s.paint(green, "✓"), "✗", s.paint(red, "✗")).Replace(text)
}
