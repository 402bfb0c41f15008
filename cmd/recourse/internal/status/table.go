package status

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// A Table shows Processes to a person.
type Table struct {
	Now   time.Time
	Width int  // characters of a line; 0: as many as it takes
	Color bool // with ANSI sequences
}

// columns are those of the table. Where they have no room, the last ones are
// named below the row instead.
var columns = []struct {
	head string
	cell func(Process) string
}{
	{"SERVER", func(p Process) string { return visible(p.Server) }},
	{"STATE", func(p Process) string { return visible(p.State) }},
	{"PID", func(p Process) string { return strconv.Itoa(p.PID) }},
	{"UP", func(p Process) string { return span(time.Duration(p.Uptime) * time.Second) }},
	{"CALLS", func(p Process) string { return strconv.Itoa(p.Calls) }},
	{"FAILED", func(p Process) string { return strconv.Itoa(p.Failed) }},
	{"RUNNING", func(p Process) string { return strconv.Itoa(p.Running) }},
	{"RESTARTS", func(p Process) string { return strconv.Itoa(p.Restarts) }},
	{"SERVER PID", func(p Process) string { return known(p.Status.PID) }},
	{"CLIENT", func(p Process) string { return visible(p.Client) }},
}

const (
	certain = 3  // columns that are never left out, and are known of every process
	widest  = 24 // characters of a server's name, if there is a limit at all
)

// Write writes the table, and below each row what else is to be told.
func (t Table) Write(w io.Writer, all []Process) error {
	rows := [][]string{nil}
	for _, c := range columns {
		rows[0] = append(rows[0], c.head)
	}
	for _, p := range all {
		row := make([]string, len(columns))
		for i, c := range columns {
			if p.Problem == "" || i < certain {
				row[i] = c.cell(p)
			}
		}
		rows = append(rows, row)
	}
	widths := t.fit(rows)
	out := bufio.NewWriter(w)
	t.line(out, rows[0], widths, dim)
	for i, p := range all {
		row := rows[i+1]
		t.line(out, row, widths, colors[p.State])
		for _, text := range t.notes(p, row[len(widths):]) {
			for _, line := range wrap(text, t.Width-2) {
				fmt.Fprintln(out, "  "+t.paint(dim, line))
			}
		}
	}
	return out.Flush()
}

// fit returns the widths of the columns that have room.
func (t Table) fit(rows [][]string) []int {
	widths := make([]int, len(columns))
	total := -gap
	for i := range widths {
		for _, row := range rows {
			widths[i] = max(widths[i], utf8.RuneCountInString(row[i]))
		}
		if i == 0 && t.Width > 0 {
			widths[0] = min(widths[0], widest)
		}
		total += widths[i] + gap
	}
	if t.Width == 0 {
		return widths
	}
	for len(widths) > certain && total > t.Width {
		total -= widths[len(widths)-1] + gap
		widths = widths[:len(widths)-1]
	}
	widths[0] = max(1, widths[0]-max(0, total-t.Width))
	return widths
}

const gap = 2 // between columns

// line writes a row, its second column in a style; the head is all in one.
func (t Table) line(out *bufio.Writer, row []string, widths []int, st style) {
	var b strings.Builder
	for i, width := range widths {
		text := row[i]
		if utf8.RuneCountInString(text) > width {
			text = string([]rune(text)[:width-1]) + "…"
		}
		space := strings.Repeat(" ", width-utf8.RuneCountInString(text)+gap)
		if i == 1 || st == dim {
			text = t.paint(st, text)
		}
		b.WriteString(text + space)
	}
	fmt.Fprintln(out, strings.TrimRight(b.String(), " "))
}

// notes tells what has no column; rest is what had no room in one.
func (t Table) notes(p Process, rest []string) []string {
	if p.Problem != "" {
		return []string{visible(p.Problem)}
	}
	var facts, notes []string
	for i, text := range rest {
		if text != "" {
			facts = append(facts, strings.ToLower(columns[len(columns)-len(rest)+i].head)+" "+text)
		}
	}
	if !p.Since.IsZero() && (p.State != "ready" || p.Restarts > 0) {
		facts = append(facts, visible(p.State)+" for "+span(t.Now.Sub(p.Since)))
	}
	switch {
	case p.NextTry != nil:
		facts = append(facts, "next try in "+span(p.NextTry.Sub(t.Now)))
	case p.State == "waiting":
		facts = append(facts, "next try with the next request")
	}
	if p.Mode == "observe" {
		facts = append(facts, "only observes")
	}
	for i := range facts {
		facts[i] = strings.ReplaceAll(facts[i], " ", hard)
	}
	if len(facts) > 0 {
		notes = append(notes, strings.Join(facts, ", "))
	}
	if p.Reason != "" {
		notes = append(notes, "last error: "+visible(p.Reason))
	}
	if p.Log != "" {
		notes = append(notes, "log: "+visible(p.Log))
	}
	return notes
}

// A style is how a piece of text looks, as the parameters of an ANSI sequence.
type style string

const dim style = "2"

var colors = map[string]style{
	"ready": "32", "starting": "33", "restarting": "33", "waiting": "33", "failed": "31", Unresponsive: "31",
}

func (t Table) paint(st style, text string) string {
	if !t.Color || st == "" || text == "" {
		return text
	}
	return "\x1b[" + string(st) + "m" + text + "\x1b[0m"
}
