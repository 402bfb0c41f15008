package relay

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/recourse-dev/recourse/cmd/recourse/internal/diagnose"
	"github.com/recourse-dev/recourse/cmd/recourse/internal/wire"
	"github.com/recourse-dev/recourse/schema"
)

// Hints are a tool's annotations, as far as they count: a hint that contradicts
// another makes it unsafe, and one that is absent promises nothing.
type hints struct{ readOnly, idempotent bool }

func (h hints) repeatable() bool { return h.readOnly || h.idempotent }

// A table is what the lists of a server told of its tools. Only a complete walk
// removes tools from it: a page seen passing by adds and updates.
type table struct {
	list
	offered bool      // the server has tools
	own     bool      // a walk of ours is under way, or has failed
	named   bool      // the rules' tools were looked for
	walked  time.Time // when we last asked for the list ourselves
	stale   time.Time // when the list has to be asked for again; zero: never
	tools   map[string]*tool
	order   []string
	names   map[string]string // tools by name, so that a call needs no copy

	trusted map[string]hints // a hint that appears later, or comes back, does not count
	met     map[string]*tool // tools that were ever listed or called: what was learned of them stays

	gone  map[string]bool // tools that the last complete walk no longer had
	fresh []string        // and those that it had more
}

type listed struct {
	Name        string          `json:"name"`
	Annotations json.RawMessage `json:"annotations"`
	raw         json.RawMessage
}

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

// learn reads one page of the list, and returns the cursor of the next one.
func (t *table) learn(p page, result []byte) (next string, ok bool) {
	raws, whole, next, ok := t.list.learn(p, result)
	var items []listed
	for _, raw := range raws {
		item := listed{raw: raw}
		if json.Unmarshal(raw, &item) == nil && item.Name != "" {
			items = append(items, item)
		}
	}
	if whole {
		before := t.tools
		t.tools, t.order = nil, nil
		defer t.differ(before)
	}
	if ok {
		t.update(items)
	}
	return next, ok
}

// differ notes which tools have come and gone.
func (t *table) differ(before map[string]*tool) {
	t.gone, t.fresh = map[string]bool{}, nil
	for name := range before {
		if t.tools[name] == nil {
			t.gone[name] = true
		}
	}
	for _, name := range t.order {
		if before != nil && before[name] == nil {
			t.fresh = append(t.fresh, name)
		}
	}
}

// difference says what the last complete walk has changed.
func (t *table) difference() string {
	var parts []string
	if len(t.fresh) > 0 {
		parts = append(parts, "new tools: "+strings.Join(t.fresh, ", "))
	}
	if len(t.gone) > 0 {
		parts = append(parts, "tools that are gone: "+strings.Join(slices.Sorted(maps.Keys(t.gone)), ", "))
	}
	if parts == nil {
		return "the description of tools"
	}
	return strings.Join(parts, "; ")
}

func (t *table) update(items []listed) {
	if t.tools == nil {
		t.tools = map[string]*tool{}
	}
	for _, item := range items {
		if t.tools[item.Name] == nil {
			t.order = append(t.order, item.Name)
		}
		fresh := &tool{raw: slices.Clone(item.raw), hints: t.trust(item), name: item.Name}
		if old := t.met[item.Name]; old != nil && bytes.Equal(old.raw, item.raw) {
			old.hints, fresh = fresh.hints, old
		}
		t.tools[item.Name] = fresh
		t.meet(fresh)
	}
}

// meet keeps what is learned of a tool beyond the list that it stands in.
func (t *table) meet(one *tool) {
	if t.met == nil || len(t.met) > maxNames {
		t.met = map[string]*tool{}
	}
	t.met[one.name] = one
}

// trust returns the hints of a tool that have stood in every list so far: a
// server that once may have harmed by a repeat gets no second chance by changing
// its word.
func (t *table) trust(item listed) hints {
	var a struct {
		ReadOnly    bool `json:"readOnlyHint"`
		Destructive bool `json:"destructiveHint"`
		Idempotent  bool `json:"idempotentHint"`
	}
	if json.Unmarshal(item.Annotations, &a) != nil {
		a.Destructive = true // whatever it may say; there are servers that write []
	}
	h := hints{
		readOnly:   a.ReadOnly && !a.Destructive,
		idempotent: a.Idempotent && !a.Destructive,
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

// readers returns all tools, as far as it matters for a check of another's work.
func (t *table) readers() []diagnose.Tool {
	tools := make([]diagnose.Tool, 0, len(t.order))
	for _, name := range t.order {
		tools = append(tools, diagnose.Tool{Name: name, ReadOnly: t.tools[name].hints.readOnly})
	}
	return tools
}

// known returns the names of all tools, or nil if the list is not known whole.
func (t *table) known() []string {
	if !t.complete {
		return nil
	}
	return slices.Sorted(maps.Keys(t.tools))
}

// result returns the list as a result of tools/list.
func (t *table) result(modern bool) []byte {
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
	return append(b, '}')
}

// findNamed tells the operator, once the list is known, of rules that are for tools
// that are not in it.
func (r *Relay) findNamed() {
	if r.table.named || !r.table.complete {
		return
	}
	r.table.named = true
	known := r.table.known()
	for _, name := range r.Rules.Named() {
		if r.table.tools[name] != nil {
			continue
		}
		sentence := "a flag is for the tool " + name + ", which the server does not list"
		if near := schema.Nearest(name, known); len(near) > 0 {
			sentence += "; did you mean " + near[0] + "?"
		}
		r.say(sentence)
	}
}
