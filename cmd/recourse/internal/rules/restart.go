package rules

// OnRestart says what the client gets to know when its server had to be started
// anew: the handshake is replayed, but a page, a login or a transaction that the
// server kept in memory is gone. The zero value means Tell.
type OnRestart string

// The values of an OnRestart.
const (
	Tell  OnRestart = "tell"  // an error does, or the first answer afterwards, in one more text block
	Quiet OnRestart = "quiet" // only the log does: for a server that keeps nothing in memory
	Fail  OnRestart = "fail"  // the first call afterwards fails without being sent: for one whose calls build on each other
)
