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

	tool  string
	args  string // JSON
	reads bool   // the tool is said to be read-only
	start time.Duration
	serve conduct

	next  *step  // what the client asks after that; nil: nothing
	again string // what each later process of the server says before it dies at once; empty: it lives

	code  recourse.Code // of the error; empty: the answer is data
	facts []fact
}

// A step is a second call, of a tool that only reads.
type step struct {
	pause time.Duration // before it, in which a model would think
	tool  string
	args  string // JSON
	serve conduct
}

// Cases are all of them, in the order in which they are shown: the swift ones
// first, so that nobody looks at an empty screen. In those with a second call
// a server dies or freezes, and the question is who answers that.
var Cases = []Case{{
	Name:  "exit",
	title: "The server dies in the middle of a call.",
	harm:  "The model can't tell whether the invoice exists, and the session is over.",
	tool:  "create_invoice",
	args:  `{"customer":"acme","eur":1200}`,
	serve: die,
	code:  recourse.ServiceUnavailable,
	facts: []fact{
		is("outcome", "unknown"),
		is("retryable", false),
		is("exit_status", 3),
		says("stderr", "401 Unauthorized"),
		says("suggestion", "may have run"),
		hides(fakeToken),
		noStack(),
		within(limit),
		alive(),
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
	facts: []fact{
		is("outcome", "unknown"),
		is("retryable", false),
		is("verify_with", "get_booking"),
		within(limit),
		then(ends("")),
		then(data("1 booking")),
		then(data("process 2")),
		alive(),
	},
}, {
	Name:  "between",
	title: "The server is killed between two calls.",
	harm:  "Nothing ran when it died, and still the session is over.",
	tool:  "add_to_cart",
	args:  `{"item":"A-17"}`,
	serve: addAndDie,
	next:  &step{tool: "get_cart", args: `{}`, serve: cart},
	facts: []fact{
		same(),
		then(ends("")),
		then(data("process 2")),
		then(told("The server restarted since your last call")),
		then(within(limit)),
		alive(),
	},
}, {
	Name:  "exception",
	title: "The server answers with a raw exception.",
	harm:  "A stack trace and a password go into the conversation; no word on what to do.",
	tool:  "check_stock",
	args:  `{"item":"A-17"}`,
	reads: true,
	serve: throw,
	code:  recourse.InternalError,
	facts: []fact{
		says("message", ""),
		says("suggestion", ""),
		is("retryable", false),
		says("upstream.text", "connection refused"),
		hides(fakePassword),
		noStack(),
		alive(),
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
	facts: []fact{
		atLeast("waited_seconds", limit.Seconds()),
		is("limit", "--timeout"),
		is("retryable", true),
		is("max_retries", 1),
		says("suggestion", "narrow"),
		within(patience),
		alive(),
	},
}, {
	Name:  "deaf",
	title: "The server ignores a cancellation and answers too late.",
	harm:  "The mail was sent, but the model can't know that, and may well send it again.",
	tool:  "send_mail",
	args:  `{"to":"ada@example.com"}`,
	serve: ignore,
	code:  recourse.Timeout,
	facts: []fact{
		atLeast("waited_seconds", limit.Seconds()),
		is("outcome", "unknown"),
		is("retryable", false),
		says("suggestion", "Check"),
		noStray(),
		within(patience),
		alive(),
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
	facts: []fact{
		same(),
		then(ends(recourse.ServiceUnavailable)),
		then(is("state", "waiting")),
		then(atLeast("retry_after_seconds", 1)),
		then(says("message", "no space left")),
		then(says("suggestion", "")),
		then(within(limit)),
		alive(),
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
	facts: []fact{
		atLeast("waited_seconds", limit.Seconds()),
		is("retryable", true),
		within(patience),
		then(ends("")),
		then(data("process 2")),
		then(told("The server restarted since your last call")),
		then(within(limit)),
		alive(),
	},
}, {
	Name:  "slow",
	title: "The server needs two seconds to start.",
	tool:  "greet",
	args:  `{}`,
	reads: true,
	start: 2 * time.Second,
	serve: greet,
	facts: []fact{startsAfter(2 * time.Second), same(), alive()},
}, {
	Name:  "large",
	title: "A good answer of 1 MiB, in a spelling of its own.",
	tool:  "export_orders",
	args:  `{"year":2025}`,
	reads: true,
	serve: large,
	facts: []fact{size(1 << 20), same(), alive()},
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
