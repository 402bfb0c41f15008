package demo

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"time"
)

// report is the demonstration for machines.
type report struct {
	OK       bool         `json:"ok"`
	Seconds  float64      `json:"seconds"`
	Patience float64      `json:"client_patience_seconds"`
	Limit    float64      `json:"recourse_timeout_seconds"`
	Cases    []caseReport `json:"cases"`
}

type caseReport struct {
	Case    string      `json:"case"`
	OK      bool        `json:"ok"`
	Checks  []check     `json:"checks"`
	Direct  sightReport `json:"direct"`
	Through sightReport `json:"through_recourse"`
}

type sightReport struct {
	Ready  float64         `json:"ready_seconds"`
	Took   float64         `json:"took_seconds"`
	Answer json.RawMessage `json:"answer,omitempty"` // absent: none came, or it is over 4 KiB
	Bytes  int             `json:"bytes"`
	SHA256 string          `json:"sha256,omitempty"`
	Closed bool            `json:"closed"`
	Open   bool            `json:"open_afterwards"`
	Late   int             `json:"late_answers"`
	Next   *sightReport    `json:"next,omitempty"` // the call after it
}

func writeJSON(w io.Writer, results []Result, took time.Duration) error {
	rep := report{
		OK:       verdict(results) == nil,
		Seconds:  took.Seconds(),
		Patience: patience.Seconds(),
		Limit:    limit.Seconds(),
	}
	for _, r := range results {
		rep.Cases = append(rep.Cases, caseReport{
			Case:    r.Case.Name,
			OK:      verdict([]Result{r}) == nil,
			Checks:  r.checks(),
			Direct:  r.Direct.report(),
			Through: r.Through.report(),
		})
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(rep)
}

func (s *Sight) report() sightReport {
	rep := sightReport{
		Ready:  s.Ready.Seconds(),
		Took:   s.Took.Seconds(),
		Bytes:  len(s.Answer),
		Closed: s.Closed,
		Open:   s.Open,
		Late:   len(s.Late),
	}
	if s.Answer != nil {
		rep.SHA256 = digest(s.Answer)
	}
	if len(s.Answer) <= 4<<10 {
		rep.Answer = s.Answer
	}
	if s.Next != nil {
		next := s.Next.report()
		rep.Next = &next
	}
	return rep
}

func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
