package relay

import (
	"maps"
	"slices"

	"github.com/recourse-dev/recourse/cmd/recourse/internal/wire"
)

// An index finds calls by the client's id. It is brought up to date only when
// somebody looks: calls are many and cancels are few, but ten thousand cancels
// must not each look at ten thousand calls.
type index struct {
	youngest map[string]int64 // by the client's id, our number of the last call with it
	upTo     int64            // calls up to this number are in it
}

// find returns the youngest call whose id the client spelled so.
func (r *Relay) find(id []byte) *call {
	r.index.update(r)
	key := idKey(id)
	n, ok := r.index.youngest[key]
	if !ok {
		return nil
	}
	if c := r.calls[n]; c != nil {
		return c
	}
	// It has ended; an older one with the same id may still run.
	delete(r.index.youngest, key)
	var found *call
	for _, c := range r.calls {
		if !c.own && (found == nil || c.n > found.n) && wire.EqualID(c.id, id) {
			found = c
		}
	}
	return found
}

func (x *index) update(r *Relay) {
	if behind := r.lastID - x.upTo; x.youngest == nil || behind > int64(2*len(r.calls)) || len(x.youngest) > 2*len(r.calls)+1000 {
		x.youngest = make(map[string]int64, len(r.calls))
		for _, n := range slices.Sorted(maps.Keys(r.calls)) {
			x.add(r.calls[n])
		}
	} else {
		for n := x.upTo + 1; n <= r.lastID; n++ {
			x.add(r.calls[n])
		}
	}
	x.upTo = r.lastID
}

func (x *index) add(c *call) {
	if c != nil && !c.own {
		x.youngest[idKey(c.id)] = c.n
	}
}

// idKey is the same for two ids exactly if they are equal: a number as it is
// spelled, a string with its escapes undone.
func idKey(id []byte) string {
	if len(id) > 0 && id[0] == '"' {
		return `"` + wire.Unquote(id)
	}
	return string(id)
}
