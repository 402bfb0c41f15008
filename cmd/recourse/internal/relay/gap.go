package relay

import "slices"

// A gap is where a frame was that has been taken out of a queue.
type gap struct {
	at  int64 // position
	sum int64 // bytes of this gap and of all before it
}

// Gaps are those of a queue, in their order. To move every position behind a frame
// that is taken out would make ten thousand of them as many passes over all calls.
type gaps struct {
	base int64 // bytes of those that were forgotten
	list []gap
}

func (g *gaps) sum() int64 {
	if n := len(g.list); n > 0 {
		return g.list[n-1].sum
	}
	return g.base
}

// place returns where pos would be if what was taken out had never been there.
func (g *gaps) place(pos int64) int64 {
	if i := g.search(pos); i > 0 {
		return pos - g.list[i-1].sum
	}
	return pos - g.base
}

func (g *gaps) search(pos int64) int {
	i, _ := slices.BinarySearchFunc(g.list, pos, func(have gap, pos int64) int {
		if have.at < pos {
			return -1
		}
		return 1
	})
	return i
}

func (g *gaps) add(at, n int64) {
	i := g.search(at)
	before := g.base
	if i > 0 {
		before = g.list[i-1].sum
	}
	g.list = slices.Insert(g.list, i, gap{at, before})
	for k := i; k < len(g.list); k++ {
		g.list[k].sum += n
	}
}

// maxPipe is the most that lies unread in a pipe, in bytes: fs.pipe-max-size of
// Linux, unless root has raised it.
const maxPipe = 1 << 20

// forget lets go of gaps that lie before a place, if all do. Nobody asks any more
// exactly where something before it is.
func (g *gaps) forget(place int64) {
	if n := len(g.list); n > 0 && g.place(g.list[n-1].at) < place {
		g.base, g.list = g.list[n-1].sum, nil
	}
}
