// Package relay is the walk of a call: one client in front, one server behind.
//
// ask takes what the client says, answer what the server says. Both run under
// one lock, on the goroutine that read the frame, and leave bytes in the two
// queues; a single timer ends the calls whose deadline has passed.
package relay

import (
	"fmt"
	"io"
	"math"
	"runtime/debug"
	"sync"
	"time"

	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/cmd/recourse/internal/calllog"
	"github.com/recourse-dev/recourse/cmd/recourse/internal/rules"
	"github.com/recourse-dev/recourse/cmd/recourse/internal/upstream"
	"github.com/recourse-dev/recourse/cmd/recourse/internal/wire"
	"github.com/recourse-dev/recourse/internal/policy"
	"github.com/recourse-dev/recourse/internal/redact"
)

// Sizes, in bytes.
const (
	maxRequest = 64 << 20
	frontRoom  = 32 << 20 // waiting for the client; above it the server is not read
	backRoom   = 64 << 20 // waiting for the server; above it calls are refused, at twice that the client is not read
	holdRoom   = 1 << 20  // server's messages from before its initialize answer
	maxCalls   = 1 << 14  // requests in flight
	maxAsked   = 1 << 12  // requests of the server that the client has not answered
)

// A Relay joins a client and a server. Set its fields before Run.
type Relay struct {
	In  io.Reader // what the client says
	Out io.Writer // what the client hears

	// Start begins a life of the server.
	Start func() (upstream.Conn, error)

	// Legacy says that the server knows no server/discover. OnLegacy, if not nil,
	// is called when that shows, and when the server refuses initialize instead.
	Legacy   bool
	OnLegacy func(bool)

	Server  string           // name of the server, in texts and in the log
	Rules   rules.Rules      // limits
	Observe bool             // change nothing; the log says what would have been done
	Log     *calllog.Log     // if nil, no log
	Redact  *redact.Redactor // for what is quoted from the server; if nil, one without listed secrets
	Say     func(string)     // tells the operator a sentence; if nil, nobody

	mu     sync.Mutex
	front  *queue // to the client
	server *life  // the server's present life; nil if there is none
	ends   ends
	client client
	timer  timer

	state     state
	since     time.Time     // of the state
	down      *down         // why the last life ended; nil: none has
	last      upstream.Conn // whose end is ours; nil: none
	revival   policy.Revival
	retry     alarm // the next try
	idle      bool  // the server left when it had nothing to do: the next request starts it
	restarts  int
	untold    bool     // no answer has told the client yet of a restart
	changes   []string // what is different since the restart
	session   session
	backlog   backlog
	comparing *comparison
	tasks     tasks

	engine policy.Engine
	waits  policy.Deadlines  // of asked; they go on while the engine's stand still
	calls  map[int64]*call   // in flight to the server, by our id
	tokens map[string]*call  // those with a progress token, by its literal; nil: of a task
	asked  map[int64]*asking // in flight to the client, by our id
	index  index             // calls by the client's id
	copies int               // bytes of requests that are kept for another attempt
	lastID int64             // given to the server
	lastQ  int64             // given to the client
	spare  []*call

	endings [64]ending // the last, by our id
	lates   int        // answers that nobody waited for

	records, room []calllog.Record // of finished calls, for the log; room is empty

	table   table
	outputs map[string]bool    // outputSchemas that were listed: can they be used?
	held    hold               // calls that wait until the tools are known
	loops   map[uint64]repeats // calls that have failed
	livedAt time.Time          // when a server that had returned nothing was last seen to have its tools
	others  [3]list            // of prompts, resources and resource templates
	starts  starts
	ending  sync.WaitGroup // lives that are being ended

	remains int                 // lives of which something is left
	next    func(now time.Time) // to be called when that is gone; may be nil

	probed bool  // we have said that the server knows no server/discover
	doubt  doubt // whether that is true
	digits []byte
	din    din
	losses losses
	batch  *batch // the array that is being read; nil: none
	unsaid bool   // answers were lost, not for want of a client
	panics int

	done, failures int // tool calls that have been answered, and those with an error
}

// Run serves until the client has gone or a signal came, and returns the exit
// status that recourse should have. stop delivers the numbers of signals that
// ask it to end; a second one means at once.
func (r *Relay) Run(stop <-chan int) int {
	r.mu.Lock()
	r.init()
	r.begin(time.Now())
	r.mu.Unlock()
	defer r.timer.stop()
	go r.readClient()
	defer r.flush()
	return r.wait(stop)
}

func (r *Relay) init() {
	r.front = newQueue(r.Out, r.clientGone)
	r.calls = map[int64]*call{}
	r.tokens = map[string]*call{}
	r.asked = map[int64]*asking{}
	r.engine.Slots.Limit = maxCalls
	r.client.session = calllog.NewID(time.Now())
	r.know(implementation{})
	r.ends.init()
	r.initLists()
	r.since = time.Now()
	r.timer.fire = r.expire
	if r.Redact == nil {
		r.Redact = &redact.Redactor{}
	}
}

func (r *Relay) say(sentence string) {
	if r.Say != nil {
		r.Say(sentence)
	}
}

// readClient feeds ask until the client has said its last.
func (r *Relay) readClient() {
	in := wire.NewReader(r.In, r.most(maxRequest))
	in.Exact = r.Observe
	for {
		f, err := in.Next()
		if err != nil {
			r.flush()
			r.ends.eof.close()
			return
		}
		r.take(&f, nil)
		if !in.Ready() {
			r.flush()
		}
		r.restrain()
	}
}

// restrain stops the reading of a client that sends more than it, or the
// server, takes. Requests are refused before that; what can't be refused waits
// in the client's pipe.
func (r *Relay) restrain() {
	if r.front.size() > 2*frontRoom {
		r.front.flush()
		_ = r.front.await(frontRoom)
	}
	r.mu.Lock()
	l := r.server
	r.mu.Unlock()
	if l != nil && l.back.size() > 2*backRoom {
		l.back.flush()
		_ = l.back.await(backRoom)
	}
}

// readServer feeds answer until the server can say no more.
func (r *Relay) readServer(l *life) {
	in := wire.NewReader(l, r.most(r.maxFrame()))
	in.Eager, in.Exact = !r.Observe, r.Observe
	for {
		f, err := in.Next()
		if err != nil {
			r.flush()
			l.mute.close()
			return
		}
		r.take(&f, l)
		if !in.Ready() {
			r.flush()
			r.throttle(l)
		}
	}
}

// take handles one line of the server l or, if that is nil, of the client. A fault
// of ours must not end the session: the line is lost then, and its call is answered
// with that.
func (r *Relay) take(f *wire.Frame, l *life) {
	r.mu.Lock()
	defer r.mu.Unlock()
	defer func() {
		if fault := recover(); fault != nil {
			r.panics++
			r.say(fmt.Sprintf("a line was lost by a fault of recourse; please report it: %v\n%s", fault, debug.Stack()))
			r.ownUp(f, l)
		}
	}()
	switch {
	case l == nil:
		r.ask(f, time.Now())
	case l == r.server && !l.over.closed():
		r.hear(f, time.Now())
	}
}

// ownUp answers for a call whose line was lost by a fault of ours.
func (r *Relay) ownUp(f *wire.Frame, l *life) {
	defer func() { _ = recover() }() // then it runs into its limit
	var c *call
	if l != nil {
		c = r.answered(f.ID)
	} else {
		c = r.find(f.ID)
	}
	if c == nil || c.own {
		return
	}
	e := &recourse.Error{
		Code:    recourse.InternalError,
		Message: "recourse itself failed on this call.",
		Related: map[string]any{},
	}
	e.Suggestion = r.checkFirst(c, e) + "Tell the user: recourse has a fault, which its standard error describes."
	r.fail(c, &fault{err: e, outcome: "failed", blame: "process"}, policy.Ignored, time.Now())
}

// maxFrame is the longest answer that the client gets.
func (r *Relay) maxFrame() int {
	if most := r.Rules.MaxFrame.Or(wire.DefaultMax); most > 0 {
		return int(most)
	}
	return math.MaxInt
}

// most is the longest line that is read: who changes nothing has no limit.
func (r *Relay) most(limit int) int {
	if r.Observe {
		return math.MaxInt
	}
	return limit
}

// throttle stops the reading of the server while the client does not read: its
// calls can't be answered then, so their clocks stand still.
func (r *Relay) throttle(l *life) {
	if r.front.size() <= frontRoom {
		return
	}
	l.throttled.Store(true)
	defer l.throttled.Store(false)
	r.say("the client does not read its answers; the server has to wait")
	r.mu.Lock()
	r.engine.Freeze(time.Now())
	r.mu.Unlock()
	_ = r.front.await(frontRoom / 2)
	r.mu.Lock()
	r.engine.Thaw(time.Now())
	r.arm()
	r.mu.Unlock()
}

// flush writes what both directions have, as far as it fits, and then the log.
func (r *Relay) flush() {
	r.front.flush()
	r.mu.Lock()
	l, finished := r.server, len(r.records) > 0
	r.mu.Unlock()
	if l != nil {
		l.back.flush()
	}
	if finished {
		r.log()
	}
}

// A latch is a channel that many may close.
type latch struct {
	once *sync.Once
	ch   chan struct{}
}

func newLatch() latch { return latch{once: new(sync.Once), ch: make(chan struct{})} }

func (l latch) closed() bool {
	select {
	case <-l.ch:
		return true
	default:
		return false
	}
}

func (l latch) close() { l.once.Do(func() { close(l.ch) }) }
