package schema

import (
	"cmp"
	"slices"
)

// sort puts the faults into the order of the schema.
func (c *check) sort(found []fault) []fault {
	type placed struct {
		fault
		meant, at []*path
		weight    int
	}
	all := make([]placed, 0, len(found))
	for _, f := range found {
		p := placed{fault: f, at: f.at.steps(), weight: f.weight()}
		if p.meant = p.at; f.kind == isRenamed {
			p.meant = f.at.up.member(f.names[0]).steps()
		}
		all = append(all, p)
	}
	slices.SortStableFunc(all, func(a, b placed) int {
		if n := cmp.Or(c.order(a.meant, b.meant), c.order(a.at, b.at), cmp.Compare(a.weight, b.weight), cmp.Compare(a.kind, b.kind)); n != 0 {
			return n
		}
		return cmp.Compare(a.schema.Location(), b.schema.Location())
	})
	for i, p := range all {
		found[i] = p.fault
	}
	return found
}

// single leaves one fault for each value: the most telling. More than one would
// contradict or repeat each other.
func (c *check) single(sorted []fault) []fault {
	return slices.CompactFunc(sorted, func(a, b fault) bool { return c.id(a.at) == c.id(b.at) })
}

// order compares places: by the schema's order of names, by index in a list.
func (c *check) order(a, b []*path) int {
	for i := range min(len(a), len(b)) {
		x, y := a[i], b[i]
		if x == y || x.index == y.index && x.key == y.key {
			continue
		}
		if x.index >= 0 || y.index >= 0 {
			return cmp.Compare(x.index, y.index)
		}
		return cmp.Or(cmp.Compare(c.rank(x.key), c.rank(y.key)), cmp.Compare(x.key, y.key))
	}
	return cmp.Compare(len(a), len(b))
}

func (c *check) rank(name string) int {
	if rank, ok := c.schema.rank[name]; ok {
		return rank
	}
	return len(c.schema.rank)
}

// weights says what has to be put right first; the rest comes last.
var weights = func() map[kind]int {
	all := map[kind]int{}
	for i, k := range []kind{
		isWrapper, isRenamed, isWrongType, isWrongValue, isMissing, isOneMissing, isDependent, isNoneOf, isSeveralOf,
		isFormat, isTooSmall, isTooLarge, isTooShort, isTooLong, isTooFew, isTooMany, isMismatch, isUneven,
	} {
		all[k] = i - 100
	}
	return all
}()

func (f fault) weight() int { return weights[f.kind] }

// join is append, but spares the copy where it can: faults go up through many
// levels.
func join(found, more []fault) []fault {
	if len(found) == 0 {
		return more
	}
	return append(found, more...)
}
