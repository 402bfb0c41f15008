package main

import (
	"fmt"
	"math/rand/v2"
	"strconv"
)

// A call is a request and all that the server sends because of it. It follows
// from the seed and its number alone, so that each side knows what the other
// must have written.
type call struct {
	n       int
	id      string // the client's literal
	method  string
	layout  int   // of the request
	text    piece // sent along, and returned
	tail    piece // added by the server
	shape   int   // of the result
	wrap    int   // of the answer around it
	notices int   // notifications before the answer
	asks    bool  // whether the server asks the client something first
}

const (
	layouts = 5
	shapes  = 5
	wraps   = 5
)

func (c *corpus) call(seed uint64, n int) call {
	rng := rand.New(rand.NewPCG(seed, uint64(n)+1))
	k := call{
		n: n, id: literal(rng, n), method: "tools/call",
		layout: rng.IntN(layouts), text: c.pick(rng), tail: c.pick(rng),
		shape: rng.IntN(shapes), wrap: rng.IntN(wraps),
		asks: rng.IntN(100) == 0,
	}
	switch rng.IntN(10) {
	case 0:
		k.method = "resources/read"
	case 1:
		k.method = "bench/mirror"
	}
	if rng.IntN(40) == 0 {
		k.notices = 1 + rng.IntN(4)
	}
	return k
}

// literal returns the id of call n as it stands in the request, of one of the
// kinds that JSON-RPC admits; no two calls have the same.
func literal(rng *rand.Rand, n int) string {
	d := strconv.Itoa(n)
	switch rng.IntN(10) {
	case 0:
		return `"` + d + `"`
	case 1:
		return `"call-` + d + `"`
	case 2:
		return `"é\u00e9\"\\` + d + `"`
	case 3:
		return strconv.Itoa(1<<53 + 1 + n)
	case 4:
		return "1234567890" + fmt.Sprintf("%020d", n)
	case 5:
		return d + ".5"
	case 6:
		return d + ".25E+2"
	case 7:
		return "-" + d + "1"
	}
	return d
}

// request appends the line that makes the call. Members "id" inside of params
// are there to be mistaken for the id.
func (k *call) request(b []byte, c *corpus) []byte {
	switch k.layout {
	case 0:
		b = fmt.Appendf(b, `{"jsonrpc":"2.0","id":%s,"method":"%s","params":`, k.id, k.method)
		b = append(k.params(b, c), "}\n"...)
	case 1:
		b = fmt.Appendf(b, `{"method":"%s","params":`, k.method)
		b = fmt.Appendf(k.params(b, c), `,"jsonrpc":"2.0","id":%s}`+"\n", k.id)
	case 2:
		b = fmt.Appendf(b, `{ "id" : %s , "jsonrpc" : "2.0" , "method" : "%s" , "params" : `, k.id, k.method)
		b = append(k.params(b, c), " }\n"...)
	case 3:
		b = fmt.Appendf(b, `{"jsonrpc":"2.0","\u0069d":%s,"method":"%s","params":`, k.id, k.method)
		b = append(k.params(b, c), "}\n"...)
	case 4:
		b = fmt.Appendf(b, `{"x-trace":["id",1.0],"jsonrpc":"2.0","method":"%s","params":`, k.method)
		b = fmt.Appendf(k.params(b, c), `,"id":%s,"x-last":null}`+"\n", k.id)
	}
	return b
}

// paramsEnd closes the params of every call; a text can't contain it.
const paramsEnd = `"tail":0}`

func (k *call) params(b []byte, c *corpus) []byte {
	b = fmt.Appendf(b, `{"name":"mirror","uri":"bench://mirror","_meta":{"progressToken":%s,"id":[{"id":%d}]},`, k.token(), k.n)
	b = fmt.Appendf(b, `"arguments":{"id":"decoy","n":%d,"text":"`, k.n)
	b = append(b, c.cut(k.text)...)
	return append(b, `"},`+paramsEnd...)
}

func (k *call) token() string {
	if k.n%2 == 0 {
		return strconv.Itoa(k.n)
	}
	return `"token-` + strconv.Itoa(k.n) + `"`
}
