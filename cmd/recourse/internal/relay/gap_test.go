package relay

import (
	"math/rand/v2"
	"testing"
)

// A stream of frames of which some are taken out, in any order: the places of the
// others are those in the stream without them.
func TestGaps(t *testing.T) {
	for seed := range uint64(50) {
		random := rand.New(rand.NewPCG(seed, 0))
		var g gaps
		var frames []gap // at, and the length in place of the sum
		out := map[int]bool{}
		end := int64(0)
		for range 40 {
			n := 1 + random.Int64N(9)
			frames = append(frames, gap{end, n})
			end += n
		}
		for _, i := range random.Perm(len(frames))[:20] {
			g.add(frames[i].at, frames[i].sum)
			out[i] = true
			place := int64(0)
			for k, f := range frames {
				if out[k] {
					continue
				}
				if got := g.place(f.at); got != place {
					t.Fatalf("seed %d: frame %d at %d is at %d, want %d", seed, k, f.at, got, place)
				}
				place += f.sum
			}
			if end-g.sum() != place {
				t.Fatalf("seed %d: the end is at %d, want %d", seed, end-g.sum(), place)
			}
		}
		sum := g.sum()
		g.forget(end)
		if g.list != nil || g.sum() != sum || g.place(end) != end-sum {
			t.Errorf("seed %d: %+v after all was forgotten", seed, g)
		}
	}
}
