package relay

import (
	"encoding/json"
	"maps"
	"slices"
	"time"

	"github.com/recourse-dev/recourse/cmd/recourse/internal/wire"
	"github.com/recourse-dev/recourse/internal/policy"
)

// A tool is what the server said of one.
type tool struct {
	raw   json.RawMessage // its item of tools/list, byte for byte
	hints hints
}

// Hints are a tool's annotations, as far as they count: a hint that contradicts
// another makes it unsafe, and one that is absent promises nothing.
type hints struct{ readOnly, idempotent bool }

func (h hints) repeatable() bool { return h.readOnly || h.idempotent }

// A table is what the lists of a server told of its tools. Only a complete walk
// removes tools from it: a page seen passing by adds and updates.
type table struct {
	offered  bool // the server has tools
	complete bool // a walk from the first page to the last was seen
	tools    map[string]*tool
	order    []string
	names    map[string]string // tools by name, so that a call needs no copy

	trusted map[string]hints // a hint that appears later, or comes back, does not count
	version int              // counts list changes
	walk    walk
	own     bool // a walk of ours is under way, or has failed
}

// A walk is a client's, or our, way through the pages.
type walk struct {
	version int
	next    string // cursor that goes on; empty: no walk
	seen    []listed
	pages   int
}

type listed struct {
	Name        string `json:"name"`
	Annotations struct {
		ReadOnly    *bool `json:"readOnlyHint"`
		Destructive *bool `json:"destructiveHint"`
		Idempotent  *bool `json:"idempotentHint"`
	} `json:"annotations"`
	raw json.RawMessage
}

// A page is a request for one page of the list.
type page struct {
	cursor  string
	version int
}

// Limits of a walk of our own.
const (
	walkPages = 100
	walkTime  = 5 * time.Second
)

// Bounds of the copies of names that no list has.
const (
	maxNames = 10_000
	maxName  = 256 // bytes
)

// intern returns a tool's name.
func (t *table) intern(lit []byte) string {
	if name, ok := t.names[string(lit)]; ok {
		return name
	}
	name := wire.Unquote(lit)
	if len(lit) > maxName {
		return name
	}
	if t.names == nil || len(t.names) > maxNames {
		t.names = map[string]string{}
	}
	t.names[string(lit)] = name
	return name
}

// ask reads the params of a tools/list request.
func (t *table) ask(params []byte) page {
	var p struct {
		Cursor string `json:"cursor"`
	}
	_ = json.Unmarshal(params, &p)
	return page{cursor: p.Cursor, version: t.version}
}

// changed notes that the list is another now: a walk begun before it proves
// nothing.
func (t *table) changed() {
	t.version++
	t.own = false
	t.complete = false
}

// learn reads one page of the list, and returns the cursor of the next one.
func (t *table) learn(p page, result []byte) (next string, ok bool) {
	var list struct {
		Tools      []json.RawMessage `json:"tools"`
		NextCursor string            `json:"nextCursor"`
	}
	if json.Unmarshal(result, &list) != nil || list.Tools == nil {
		return "", false
	}
	var items []listed
	for _, raw := range list.Tools {
		item := listed{raw: raw}
		if json.Unmarshal(raw, &item) == nil && item.Name != "" {
			items = append(items, item)
		}
	}
	switch {
	case p.cursor == "":
		t.walk = walk{version: p.version}
	case p.cursor != t.walk.next || p.version != t.walk.version:
		t.update(items)
		return list.NextCursor, true
	}
	t.walk.seen = append(t.walk.seen, items...)
	t.walk.next = list.NextCursor
	t.walk.pages++
	if list.NextCursor == "" && t.walk.version == t.version {
		t.tools, t.order, t.complete = nil, nil, true
		items, t.walk = t.walk.seen, walk{}
	}
	t.update(items)
	return list.NextCursor, true
}

func (t *table) update(items []listed) {
	if t.tools == nil {
		t.tools = map[string]*tool{}
	}
	for _, item := range items {
		if t.tools[item.Name] == nil {
			t.order = append(t.order, item.Name)
		}
		t.tools[item.Name] = &tool{
			raw:   slices.Clone(item.raw),
			hints: t.trust(item),
		}
	}
}

// trust returns the hints of a tool that have stood in every list so far: a
// server that once may have harmed by a repeat gets no second chance by changing
// its word.
func (t *table) trust(item listed) hints {
	yes := func(hint *bool) bool { return hint != nil && *hint }
	a := item.Annotations
	h := hints{
		readOnly:   yes(a.ReadOnly) && !yes(a.Destructive),
		idempotent: yes(a.Idempotent) && !yes(a.Destructive),
	}
	if before, ok := t.trusted[item.Name]; ok {
		h.readOnly = h.readOnly && before.readOnly
		h.idempotent = h.idempotent && before.idempotent
	}
	if t.trusted == nil {
		t.trusted = map[string]hints{}
	}
	t.trusted[item.Name] = h
	return h
}

func (t *table) hints(name string) hints {
	if tool := t.tools[name]; tool != nil {
		return tool.hints
	}
	return hints{}
}

// known returns the names of all tools, or nil if the list is not known whole.
func (t *table) known() []string {
	if !t.complete {
		return nil
	}
	return slices.Sorted(maps.Keys(t.tools))
}

// result returns the list as a result of tools/list, or false if none was seen.
func (t *table) result(modern bool) ([]byte, bool) {
	if t.tools == nil {
		return nil, false
	}
	b := []byte(`{"tools":[`)
	for i, name := range t.order {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, t.tools[name].raw...)
	}
	b = append(b, ']')
	if modern {
		b = append(b, `,"resultType":"complete","ttlMs":0,"cacheScope":"private"`...)
	}
	return append(b, '}'), true
}

// learnFirst begins a walk of our own if a call has come before any list. The
// call does not wait for it.
func (r *Relay) learnFirst(now time.Time) {
	t := &r.table
	if t.complete || t.own || !t.offered || !r.client.initialized || r.Observe {
		return
	}
	t.own = true
	r.walkOn("", now)
}

// walkOn asks for one page.
func (r *Relay) walkOn(cursor string, now time.Time) {
	params := `{}`
	if cursor != "" {
		quoted, _ := json.Marshal(cursor) // a string always encodes
		params = `{"cursor":` + string(quoted) + `}`
	}
	c := r.newCall(now)
	c.method, c.name = methodTools, methodNames[methodTools]
	c.page = page{cursor: cursor, version: r.table.version}
	r.engine.Deadlines.Begin(&c.Clock, policy.Limits{Cap: walkTime}, now)
	r.sendOwn(c, append([]byte(`{"jsonrpc":"2.0","id":`+string(r.number(c.n))+`,"method":"tools/list","params":`+params+`}`), '\n'))
}

// ownAnswer takes the answer to a request of ours.
func (r *Relay) ownAnswer(c *call, f *wire.Frame, now time.Time) {
	p, kind := c.page, c.method
	r.drop(c, policy.Ignored, now)
	if kind != methodTools || f.Bytes == nil || f.Msg.Kind != wire.Result {
		return
	}
	next, ok := r.table.learn(p, f.Msg.Result.Of(f.Bytes))
	if ok && next != "" && r.table.walk.pages < walkPages {
		r.walkOn(next, now)
	}
}
