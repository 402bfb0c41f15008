package main

import (
	"math"
	"math/rand/v2"
	"slices"
)

// tokens are what the texts are made of, as they stand inside a JSON string:
// every kind of escape, characters of one to four bytes, and what looks like
// the structure of a message.
var tokens = []string{
	"alpha", "beta", "gamma", "delta", " ", " ", " ", " ", ", ", ". ", "0", "17", "-1.5e3",
	`\n`, `\t`, `\"`, `\\`, `\/`, `\b`, `\f`, `\r`, `\u0000`, `\u001b`, `\u00e9`, `\u2028`, `\ud83d\ude00`,
	"é", "ß", "Ω", "日本語", "한국어", "עברית", "😀", "👩‍👩‍👧", "\u2028", "\u200b", "\u007f",
	"{", "}", "[", "]", ":", ",", "null", "true",
	`\"id\":7,`, `{\"jsonrpc\":\"2.0\",`, `\"result\":{}}`, `\\\"`, `\\n`, `\"method\":\"tools/call\"`,
}

const (
	corpusSize = 6 << 20
	common     = 256 << 10 // the usual longest text, bytes
	longest    = 2 << 20   // of the few long ones
)

// A corpus is a long JSON string literal without its quotes. Texts are cut
// from it where no token is torn.
type corpus struct {
	text []byte
	cuts []int // offsets where a text may begin or end
}

// A piece is a text of the corpus.
type piece struct{ from, to int }

func newCorpus(seed uint64) *corpus {
	rng := rand.New(rand.NewPCG(seed, 0))
	c := &corpus{text: make([]byte, 0, corpusSize)}
	for len(c.text) < corpusSize-64 {
		c.cuts = append(c.cuts, len(c.text))
		c.text = append(c.text, tokens[rng.IntN(len(tokens))]...)
	}
	return c
}

// pick returns a text; half of them are at most 1 KiB, few more than common,
// and within each kind every order of magnitude is as likely as any other.
func (c *corpus) pick(rng *rand.Rand) piece {
	size := 0
	switch kind := rng.IntN(4000); {
	case kind < 200:
	case kind < 2000:
		size = scale(rng, 1, 1<<10)
	case kind < 3998:
		size = scale(rng, 1, common)
	default:
		size = scale(rng, longest/2, longest)
	}
	first := rng.IntN(len(c.cuts) / 2)
	from := c.cuts[first]
	last, exact := slices.BinarySearch(c.cuts, from+size)
	if !exact {
		last--
	}
	return piece{from, c.cuts[last]}
}

func (c *corpus) cut(p piece) []byte { return c.text[p.from:p.to] }

// scale returns a number from low to high, uniform in its logarithm.
func scale(rng *rand.Rand, low, high float64) int {
	return int(low * math.Exp(rng.Float64()*math.Log(high/low)))
}
