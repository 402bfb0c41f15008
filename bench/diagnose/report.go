package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

// A report is what was measured.
type report struct {
	Figures []figure `json:"figures"`
	Misses  []miss   `json:"misses"`
}

// A miss is one case that a figure lost.
type miss struct {
	What string `json:"what"`
	ID   string `json:"id"`
	Got  string `json:"got"`
	Want string `json:"want"`
	Text string `json:"text"`
}

func (r *report) measure(s *stage, cases []sample) error {
	if err := r.measureResults(s, cases); err != nil {
		return err
	}
	if err := r.measureArguments(s, cases); err != nil {
		return err
	}
	if len(r.Figures) == 0 && len(cases) > 0 {
		return errors.New("all cases are soft: there is nothing to score")
	}
	return nil
}

// add notes a figure that is a share. Without a case there is none.
func (r *report) add(name string, c count, b bound) {
	r.addValue(name, float64(c.hit)/float64(max(1, c.of)), c, b)
}

func (r *report) addValue(name string, v float64, c count, b bound) {
	if c.of > 0 {
		r.Figures = append(r.Figures, figure{name, v, c.hit, c.of, b.text, b.holds == nil || b.holds(v)})
	}
}

// note keeps a miss if it is one.
func (r *report) note(missed bool, what, id, got, want, text string) {
	if missed {
		r.Misses = append(r.Misses, miss{what, id, got, want, text})
	}
}

func (r *report) holds() bool {
	return !slices.ContainsFunc(r.Figures, func(f figure) bool { return !f.OK })
}

func (r *report) writeJSON(out io.Writer) error {
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

func (r *report) write(out io.Writer, verbose bool) error {
	if verbose {
		for _, m := range r.Misses {
			fmt.Fprintf(out, "%s: %s: got %s, want %s\n    %s\n", m.What, m.ID, cut(m.Got), cut(m.Want), cut(m.Text))
		}
		fmt.Fprintln(out)
	}
	w := tabwriter.NewWriter(out, 0, 0, 3, ' ', 0)
	fmt.Fprintln(w, "measure\tvalue\tcases\ttarget\t")
	for _, f := range r.Figures {
		cases, verdict := fmt.Sprintf("%d of %d", f.Hit, f.Of), "ok"
		if f.Hit == 0 && f.Value > 0 { // no share
			cases = fmt.Sprint(f.Of)
		}
		switch {
		case !f.OK:
			verdict = "MISSED"
		case f.Target == "":
			verdict = ""
		}
		fmt.Fprintf(w, "%s\t%.4f\t%s\t%s\t%s\n", f.Name, f.Value, cases, f.Target, verdict)
	}
	return w.Flush()
}

// cut shows a text on one line.
func cut(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > 160 {
		return string(r[:160]) + "…"
	}
	return s
}
