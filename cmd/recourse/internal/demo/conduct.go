package demo

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// A conduct is how the bad server meets a tools/call. It returns 0, or the exit
// status with which the server dies.
type conduct func(s *server, id json.RawMessage) (exit int)

// Secrets as servers let them slip, and none of anybody's.
const (
	fakeToken    = "ghp_" + "not0a0token0of0anybody0000000000demo"
	fakePassword = "nobodys-word"
)

// hang never answers.
func hang(*server, json.RawMessage) int { return 0 }

// die does part of the work, says why on standard error, and is gone.
func die(s *server, _ json.RawMessage) int {
	_, _ = io.WriteString(s.err, `panic: ledger.post: 401 Unauthorized for token=`+fakeToken+`

goroutine 34 [running]:
main.(*ledger).post(0xc0001f2000, {0xc000124010, 0x5})
	/srv/shop/ledger.go:88 +0x1d4
created by main.serve in goroutine 1
	/srv/shop/main.go:41 +0x9c
`)
	return 3
}

// throw answers with whatever the exception printed.
func throw(s *server, id json.RawMessage) int {
	trace, _ := json.Marshal(`Traceback (most recent call last):
  File "/srv/shop/stock.py", line 88, in lookup
    connect("postgres://app:` + fakePassword + `@db")
psycopg2.OperationalError: connection refused by db, port 5432`)
	fmt.Fprintf(s.out, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32603,"message":%s}}`+"\n", id, trace)
	return 0
}

// reserve is strict: a list has to come as a list, and a number as a number.
func reserve(s *server, id json.RawMessage) int {
	var args struct {
		Items []string `json:"items"`
		Days  int      `json:"days"`
	}
	if json.Unmarshal(s.args, &args) != nil {
		s.fail(id, `MCP error -32602: Input validation error: Invalid arguments for tool reserve_items: [
  {
    "code": "invalid_type",
    "expected": "array",
    "received": "string",
    "path": [
      "items"
    ],
    "message": "Expected array, received string"
  },
  {
    "code": "invalid_type",
    "expected": "number",
    "received": "string",
    "path": [
      "days"
    ],
    "message": "Expected number, received string"
  }
]`)
		return 0
	}
	s.text(id, fmt.Sprintf("%d items are reserved for %d days", len(args.Items), args.Days))
	return 0
}

// rate knows how many calls have reached it.
func rate(s *server, id json.RawMessage) int {
	s.calls++
	var args struct {
		Stars int `json:"stars"`
	}
	_ = json.Unmarshal(s.args, &args)
	if args.Stars > 5 {
		s.fail(id, fmt.Sprintf(`Error executing tool rate_item: 1 validation error for rate_itemArguments
stars
  Input should be less than or equal to 5 [type=less_than_equal, input_value=%d, input_type=int]
    For further information visit https://errors.pydantic.dev/2.11/v/less_than_equal`, args.Stars))
		return 0
	}
	s.text(id, fmt.Sprintf("rated with %d stars, in call %d that reached the server", args.Stars, s.calls))
	return 0
}

const pretence = `{"success":false,"error":"API rate limit exceeded, retry in 20 seconds"}`

// pretend says in a good answer that it failed.
func pretend(s *server, id json.RawMessage) int {
	s.text(id, pretence)
	return 0
}

// page has the words of an error in it, and is none.
func page(s *server, id json.RawMessage) int {
	s.text(id, `# Limits of the API

More than 60 calls a minute are refused:

    Error: API rate limit exceeded, retry in 20 seconds

Wait for so long, then go on.`)
	return 0
}

const invoiceData = `{"number":17,"eur":1200.50}`

// invoice has the data in its text, and nowhere else.
func invoice(s *server, id json.RawMessage) int {
	s.text(id, invoiceData)
	return 0
}

// export can write one format only, and has a bug where it should say so.
func export(s *server, id json.RawMessage) int {
	if bytes.Contains(s.args, []byte(`"csv"`)) {
		s.text(id, "month,eur\n1,2400\n2,1800")
	} else {
		s.fail(id, "TypeError: Cannot read properties of undefined (reading 'sheet')")
	}
	return 0
}

// deafTime is how long the deaf server works: past every patience here.
const deafTime = patience + time.Second

// ignore works without a look at its input, where a cancellation waits, and
// answers when nobody waits any more. It takes a tenth of a processor, so that
// it is seen to work: one that stands still would be taken for frozen.
func ignore(s *server, id json.RawMessage) int {
	for end := time.Now().Add(deafTime); time.Now().Before(end); time.Sleep(18 * time.Millisecond) {
		for busy := time.Now().Add(2 * time.Millisecond); time.Now().Before(busy); {
			_ = digest(id)
		}
	}
	s.text(id, "mail sent")
	return 0
}

// freeze is all that this process does from now on. Another one serves.
func freeze(*server, json.RawMessage) int {
	time.Sleep(time.Hour)
	return 0
}

func parcel(s *server, id json.RawMessage) int {
	s.text(id, fmt.Sprintf("parcel 7 is on its way, says process %d", s.life))
	return 0
}

// ledger is the file in which a booking outlives its server.
const ledger = "bookings"

// bookAndDie writes the booking and is killed before it can say so.
func bookAndDie(s *server, id json.RawMessage) int {
	f, err := os.OpenFile(ledger, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = f.WriteString("room 12\n")
	}
	if err != nil {
		s.text(id, err.Error())
		return 1
	}
	killSelf()
	return 1
}

func bookings(s *server, id json.RawMessage) int {
	text, _ := os.ReadFile(ledger) // none: no booking
	n := bytes.Count(text, []byte("\n"))
	s.text(id, fmt.Sprintf("%d booking of room 12, says process %d", n, s.life))
	return 0
}

// addAndDie has a cart in its memory, and is killed after the answer.
func addAndDie(s *server, id json.RawMessage) int {
	s.text(id, "1 item in the cart")
	killSelf()
	return 1
}

// cart meets a cart that nobody has filled in this process.
func cart(s *server, id json.RawMessage) int {
	s.text(id, fmt.Sprintf("the cart is empty, says process %d", s.life))
	return 0
}

func priceAndDie(s *server, id json.RawMessage) int {
	s.text(id, "12.50 EUR")
	return 1
}

func nothing(*server, json.RawMessage) int { return 1 }

// killSelf is kill -9, or what Windows has for it.
func killSelf() {
	if p, err := os.FindProcess(os.Getpid()); err == nil {
		_ = p.Kill()
	}
	time.Sleep(time.Hour) // until it takes effect
}

func greet(s *server, id json.RawMessage) int {
	s.text(id, "ready, after all")
	return 0
}

// large answers with 1 MiB in which whoever decodes and encodes again would
// change something: order, spelling of numbers and strings, unknown members.
func large(s *server, id json.RawMessage) int {
	const size = 1 << 20
	const head = `{"zeta":1.50e+02,"big":9007199254740993,"unknown":{"b":[ ],"a":null},"content":[{"text":"`
	const tail = `","type":"text"}]}`
	const row = `caf\u00e9 \/ \ud83d\ude00 <b>row<\/b> `
	fill := size - len(head) - len(tail)
	s.result(id, head+strings.Repeat(row, fill/len(row))+strings.Repeat(".", fill%len(row))+tail)
	return 0
}
