package demo

import (
	"slices"
	"time"

	"github.com/recourse-dev/recourse"
)

// A Case is one way in which a server is bad, and what has to come of it.
type Case struct {
	Name  string
	title string // what the server does
	harm  string // what that means without recourse; empty: none

	tool   string
	args   string // JSON
	input  string // the tool's inputSchema; empty: any object
	output string // its outputSchema; empty: none
	reads  bool   // the tool is said to be read-only
	start  time.Duration
	serve  conduct

	next  *step  // what the client asks after that; nil: nothing
	again string // what each later process of the server says before it dies at once; empty: it lives

	code  recourse.Code // of the error; empty: the answer is data
	facts func() []fact
}

// A step is a further call, of the same tool or of one that only reads.
type step struct {
	pause time.Duration // before it, in which a model would think
	tool  string
	args  string  // JSON
	serve conduct // nil: that of the tool's first call
	next  *step   // nil: it is the last
}

// Cases are all of them, in the order in which they are shown: the swift ones
// first, so that nobody looks at an empty screen. Their facts are functions, so
// that a recourse which shows nothing makes none of them when it starts.
var Cases = []Case{{
	Name:  "exit",
	title: "The server dies in the middle of a call.",
	harm:  "The model can't tell whether the invoice exists, and the session is over.",
	tool:  "create_invoice",
	args:  `{"customer":"acme","eur":1200}`,
	serve: die,
	code:  recourse.ServiceUnavailable,
	facts: func() []fact {
		return []fact{
			is("outcome", "unknown"),
			is("retryable", false),
			is("exit_status", 3),
			says("stderr", "401 Unauthorized"),
			says("suggestion", "may have run"),
			hides(fakeToken),
			noStack(),
			within(limit),
			alive(),
		}
	},
}, {
	Name:  "kill",
	title: "The server is killed while it writes, then asked what it wrote.",
	harm:  "The room is booked, but the model can't know that and can't look: every later call fails, too.",
	tool:  "create_booking",
	args:  `{"room":12}`,
	serve: bookAndDie,
	next:  &step{tool: "get_booking", args: `{"room":12}`, serve: bookings},
	code:  recourse.ServiceUnavailable,
	facts: func() []fact {
		return []fact{
			is("outcome", "unknown"),
			is("retryable", false),
			is("verify_with", "get_booking"),
			within(limit),
			then(ends("")),
			then(data("1 booking")),
			then(data("process 2")),
			alive(),
		}
	},
}, {
	Name:  "between",
	title: "The server is killed between two calls.",
	harm:  "Nothing ran when it died, and still the session is over.",
	tool:  "add_to_cart",
	args:  `{"item":"A-17"}`,
	serve: addAndDie,
	next:  &step{tool: "get_cart", args: `{}`, serve: cart},
	facts: func() []fact {
		return []fact{
			same(),
			then(ends("")),
			then(data("process 2")),
			then(told("The server restarted since your last call")),
			then(within(limit)),
			alive(),
		}
	},
}, {
	Name:  "exception",
	title: "The server answers with a raw exception.",
	harm:  "A stack trace and a password go into the conversation; no word on what to do.",
	tool:  "check_stock",
	args:  `{"item":"A-17"}`,
	reads: true,
	serve: throw,
	code:  recourse.ServiceUnavailable,
	facts: func() []fact {
		return []fact{
			says("message", ""),
			says("suggestion", "Wait"),
			is("retryable", true),
			says("upstream.text", "connection refused"),
			hides(fakePassword),
			noStack(),
			alive(),
		}
	},
}, {
	Name:  "strings",
	title: "The model sends texts where the server wants a list and a number.",
	harm:  "Nothing is reserved. The model has a validator's dump to read, and another call to make.",
	tool:  "reserve_items",
	args:  `{"items":"[\"A-17\",\"B-04\"]","days":"3"}`,
	input: `{"type":"object","properties":{"items":{"type":"array","items":{"type":"string"}},"days":{"type":"integer"}},"required":["items","days"]}`,
	serve: reserve,
	facts: func() []fact {
		return []fact{
			data("2 items are reserved for 3 days"),
			repaired("items"),
			repaired("days"),
			within(limit),
			alive(),
		}
	},
}, {
	Name:  "dump",
	title: "The server refuses an argument with its validator's dump.",
	harm:  "The model has to find in it what to do, and the same mistake costs the server another call.",
	tool:  "rate_item",
	args:  `{"item":"A-17","stars":11}`,
	input: `{"type":"object","properties":{"item":{"type":"string"},"stars":{"type":"integer","minimum":1,"maximum":5}},"required":["item","stars"]}`,
	serve: rate,
	next: &step{tool: "rate_item", args: `{"item":"B-04","stars":9}`, next: &step{
		tool: "rate_item", args: `{"item":"B-04","stars":5}`,
	}},
	code: recourse.OutOfRange,
	facts: func() []fact {
		return []fact{
			is("field", "/stars"),
			is("value", 11),
			says("constraint", "5"),
			says("suggestion", "stars"),
			spares("pydantic"),
			then(ends(recourse.OutOfRange)),
			then(is("value", 9)),
			last(data("call 2 that reached the server")),
			alive(),
		}
	},
}, {
	Name:  "disguise",
	title: "The server calls a failure a success, then returns a page about such failures.",
	harm:  "To a client that goes by isError both are data: the failure, too.",
	tool:  "get_exchange_rate",
	args:  `{"from":"EUR","to":"USD"}`,
	reads: true,
	serve: pretend,
	next:  &step{tool: "read_page", args: `{"page":"limits"}`, serve: page},
	code:  recourse.RateLimited,
	facts: func() []fact {
		return []fact{
			is("retryable", true),
			is("retry_after_seconds", 20),
			says("suggestion", "Wait"),
			noted(pretence),
			then(ends("")),
			then(same()),
			alive(),
		}
	},
}, {
	Name:   "promise",
	title:  "The server promises structured data, and sends them as text only.",
	harm:   "The clients of the TypeScript and Python SDKs refuse such an answer whole.",
	tool:   "get_invoice",
	args:   `{"number":17}`,
	output: `{"type":"object","properties":{"number":{"type":"integer"},"eur":{"type":"number"}},"required":["number","eur"]}`,
	reads:  true,
	serve:  invoice,
	facts: func() []fact {
		return []fact{
			data(`"eur":1200.50`),
			structured(invoiceData),
			within(limit),
			alive(),
		}
	},
}, {
	Name:  "loop",
	title: "The model makes the same failing call again and again.",
	harm:  "Each time it reads the same words, and nothing that would stop it.",
	tool:  "export_sales",
	args:  `{"year":2025,"format":"csv"}`,
	reads: true,
	serve: export,
	next: &step{tool: "export_sales", args: `{"year":2025,"format":"xlsx"}`, next: &step{
		tool: "export_sales", args: `{"year":2025,"format":"xlsx"}`, next: &step{
			tool: "export_sales", args: `{"year":2025,"format":"xlsx"}`,
		},
	}},
	facts: func() []fact {
		return []fact{
			same(),
			then(ends(recourse.InternalError)),
			then(is("retryable", false)),
			last(says("suggestion", "Do not send this again")),
			last(says("suggestion", `"format" "csv" instead of "xlsx"`)),
			last(within(limit)),
			alive(),
		}
	},
}, {
	Name:  "hang",
	title: "The server never answers.",
	harm:  "The model hears “timed out” after the longest wait there is, and tends to try the very same again.",
	tool:  "search_orders",
	args:  `{"query":"*"}`,
	reads: true,
	serve: hang,
	code:  recourse.Timeout,
	facts: func() []fact {
		return []fact{
			atLeast("waited_seconds", limit.Seconds()),
			is("limit", "--timeout"),
			is("retryable", true),
			is("max_retries", 1),
			says("suggestion", "narrow"),
			within(patience),
			alive(),
		}
	},
}, {
	Name:  "deaf",
	title: "The server ignores a cancellation and answers too late.",
	harm:  "The mail was sent, but the model can't know that, and may well send it again.",
	tool:  "send_mail",
	args:  `{"to":"ada@example.com"}`,
	serve: ignore,
	code:  recourse.Timeout,
	facts: func() []fact {
		return []fact{
			atLeast("waited_seconds", limit.Seconds()),
			is("outcome", "unknown"),
			is("retryable", false),
			says("suggestion", "Check"),
			noStray(),
			within(patience),
			alive(),
		}
	},
}, {
	Name:  "crash",
	title: "The server worked, died, and now dies at each start.",
	harm:  "No word on why, nor on when another try is worth while.",
	tool:  "get_price",
	args:  `{"item":"A-17"}`,
	reads: true,
	serve: priceAndDie,
	next:  &step{pause: settled, tool: "get_stock", args: `{"item":"A-17"}`, serve: nothing},
	again: "shop.db: no space left on device",
	facts: func() []fact {
		return []fact{
			same(),
			then(ends(recourse.ServiceUnavailable)),
			then(is("state", "waiting")),
			then(atLeast("retry_after_seconds", 1)),
			then(says("message", "no space left")),
			then(says("suggestion", "")),
			then(within(limit)),
			alive(),
		}
	},
}, {
	Name:  "freeze",
	title: "The server freezes: it answers no call and no ping.",
	harm:  "It stays so: every later call costs the longest wait there is.",
	tool:  "get_route",
	args:  `{"to":"Köln"}`,
	reads: true,
	serve: freeze,
	next:  &step{pause: thought, tool: "get_parcel", args: `{"id":7}`, serve: parcel},
	code:  recourse.Timeout,
	facts: func() []fact {
		return []fact{
			atLeast("waited_seconds", limit.Seconds()),
			is("retryable", true),
			within(patience),
			then(ends("")),
			then(data("process 2")),
			then(told("The server restarted since your last call")),
			then(within(limit)),
			alive(),
		}
	},
}, {
	Name:  "slow",
	title: "The server needs two seconds to start.",
	tool:  "greet",
	args:  `{}`,
	reads: true,
	start: 2 * time.Second,
	serve: greet,
	facts: func() []fact { return []fact{startsAfter(2 * time.Second), same(), alive()} },
}, {
	Name:  "large",
	title: "A good answer of 1 MiB, in a spelling of its own.",
	tool:  "export_orders",
	args:  `{"year":2025}`,
	reads: true,
	serve: large,
	facts: func() []fact { return []fact{size(1 << 20), same(), alive()} },
}}

// Names returns the names of all cases.
func Names() (names []string) {
	for _, c := range Cases {
		names = append(names, c.Name)
	}
	return names
}

func find(name string) *Case {
	if i := slices.Index(Names(), name); i >= 0 {
		return &Cases[i]
	}
	return nil
}
