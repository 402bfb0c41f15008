package relay

import (
	"bytes"

	"github.com/recourse-dev/recourse/cmd/recourse/internal/wire"
)

// A method is what the relay has to know of a request's method.
type method uint8

const (
	methodOther method = iota
	methodCall
	methodInitialize
	methodPing
	methodTools
	methodPrompts
	methodResources
	methodTemplates
	methodDiscover
	methodListen
	methodTaskResult
	methodTask  // others about one task
	methodTasks // their list
	methodRead  // others that change nothing
	methodLevel
	methodSubscribe
	methodUnsubscribe
)

// known is a method that has a name.
type known struct {
	method
	name string
}

var methods = func() map[string]known {
	table := map[string]known{}
	for m, names := range map[method][]string{
		methodCall:        {"tools/call"},
		methodInitialize:  {"initialize"},
		methodPing:        {"ping"},
		methodTools:       {"tools/list"},
		methodPrompts:     {"prompts/list"},
		methodResources:   {"resources/list"},
		methodTemplates:   {"resources/templates/list"},
		methodDiscover:    {"server/discover"},
		methodListen:      {"subscriptions/listen"},
		methodTaskResult:  {"tasks/result"},
		methodTask:        {"tasks/get", "tasks/cancel", "tasks/update"},
		methodRead:        {"resources/read", "prompts/get", "completion/complete"},
		methodTasks:       {"tasks/list"},
		methodLevel:       {"logging/setLevel"},
		methodSubscribe:   {"resources/subscribe"},
		methodUnsubscribe: {"resources/unsubscribe"},
	} {
		for _, name := range names {
			table[name] = known{m, name}
		}
	}
	return table
}()

// methodOf returns what is known of a method, and its name.
func methodOf(lit []byte) (method, string) {
	if k, ok := methods[string(bytes.Trim(lit, `"`))]; ok {
		return k.method, k.name
	}
	name := wire.Unquote(lit)
	return methods[name].method, name // "tools\/call" is a spelling of tools/call
}

// reads reports whether a second request does what one does.
func (m method) reads() bool {
	switch m {
	case methodPing, methodTools, methodPrompts, methodResources, methodTemplates, methodDiscover, methodListen,
		methodTasks, methodRead, methodLevel, methodSubscribe, methodUnsubscribe, methodInitialize:
		return true
	}
	return false
}

// clients reports whether only clients ask for it.
func (m method) clients() bool {
	switch m {
	case methodOther, methodPing, methodTask, methodTaskResult, methodTasks:
		return false
	}
	return true
}

// empty reports whether the result of a method has nothing in it.
func (m method) empty() bool {
	return m == methodPing || m == methodLevel || m == methodSubscribe || m == methodUnsubscribe
}

// member returns the name of the list that a method returns, "" if it returns
// none.
func (m method) member() string {
	switch m {
	case methodTools:
		return "tools"
	case methodPrompts:
		return "prompts"
	case methodResources:
		return "resources"
	case methodTemplates:
		return "resourceTemplates"
	}
	return ""
}
