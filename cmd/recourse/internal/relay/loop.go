package relay

import (
	"encoding/json"
	"fmt"
	"hash/maphash"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/internal/redact"
)

// A repeats is a call that fails again and again.
type repeats struct {
	n           int
	since, last time.Time
}

// A model that repeats a call in spite of its error is told so with the third failure
// within this time.
const (
	loopTime  = 2 * time.Minute
	loopCount = 3
	maxLoops  = 256
)

// key tells calls apart by their tool and arguments. Spaces and the order of the
// arguments are no difference: models send both as they come.
func (c *call) key() uint64 {
	args := c.arguments()
	var members map[string]json.RawMessage
	if json.Unmarshal(args, &members) == nil {
		if sorted, err := json.Marshal(members); err == nil {
			args = sorted
		}
	}
	var h maphash.Hash
	h.SetSeed(seed)
	_, _ = h.WriteString(c.tool)
	_ = h.WriteByte(0)
	_, _ = h.Write(args)
	return h.Sum64()
}

// dissuade counts a failure, and says of the third of identical calls that another one
// will fail too. What may be repeated after a wait is not meant by that.
func (r *Relay) dissuade(c *call, e *recourse.Error, now time.Time) {
	if c.frame == nil || e.Retryable() && (e.NotRun || e.Code != recourse.Timeout) {
		return
	}
	for key, l := range r.loops {
		if now.Sub(l.since) > loopTime {
			delete(r.loops, key)
		}
	}
	if r.loops == nil || len(r.loops) >= maxLoops {
		r.loops = map[uint64]repeats{}
	}
	key := c.key()
	l := r.loops[key]
	if l.n == 0 {
		l.since = now
	}
	if c.at.Before(l.last) {
		return // it was sent before the last one had failed
	}
	l.n++
	l.last = now
	r.loops[key] = l
	if l.n < loopCount {
		return
	}
	e.MaxRetries = -1
	if e.Related == nil {
		e.Related = map[string]any{}
	}
	e.Related["identical_failures"] = l.n
	advice := fmt.Sprintf("Do not send this again: the same call has failed %d times within two minutes. ", l.n)
	if t := r.table.tools[c.tool]; t != nil && t.good != nil {
		advice += difference(c.arguments(), t.good)
	}
	e.Suggestion = strings.TrimSpace(advice + e.Suggestion)
}

// worked notes that a call has ended well.
func (r *Relay) worked(c *call) {
	if c.frame == nil {
		return
	}
	if len(r.loops) > 0 {
		delete(r.loops, c.key())
	}
	if t := r.table.tools[c.tool]; t != nil && c.size <= maxGood {
		t.good = append(t.good[:0], c.arguments()...)
	}
}

// maxGood is the size of arguments that are kept of a call that worked.
const maxGood = 2 << 10

// difference says in what arguments differ from those of a call that worked.
func difference(sent, good []byte) string {
	var a, b map[string]json.RawMessage
	if json.Unmarshal(sent, &a) != nil || json.Unmarshal(good, &b) != nil {
		return ""
	}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(b)) {
		value, ok := a[name]
		hidden := redact.SecretName(name) || len(b[name]) > maxShown || len(value) > maxShown
		switch {
		case string(value) == string(b[name]):
		case hidden:
			parts = append(parts, "had another "+strconv.Quote(name))
		case !ok:
			parts = append(parts, fmt.Sprintf("had %q %s", name, b[name]))
		default:
			parts = append(parts, fmt.Sprintf("had %q %s instead of %s", name, b[name], value))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(a)) {
		if _, ok := b[name]; !ok {
			parts = append(parts, "had no "+strconv.Quote(name))
		}
	}
	if len(parts) == 0 || len(parts) > 4 {
		return ""
	}
	return "The last call of this tool that worked " + strings.Join(parts, ", ") + ". "
}

// maxShown is the size of a value that is shown, in bytes.
const maxShown = 60
