package relay

import (
	"encoding/json"
	"hash/maphash"
	"strings"
	"time"

	"github.com/recourse-dev/recourse/cmd/recourse/internal/diagnose"
	"github.com/recourse-dev/recourse/cmd/recourse/internal/wire"
)

// A list is what was seen of one of the lists of a server.
type list struct {
	notice   string // by which the server announces a change
	promised bool   // the client was told that it would be announced

	announced bool   // since the restart, and the client has not heard it
	version   int    // counts the announcements
	complete  bool   // a walk from the first page to the last was seen, and no change since
	seen      bool   // such a walk was ever seen
	sum       uint64 // of the last one's items, whatever their order
	walks     [2]walk
}

// A walk is a way through the pages: the client's, or our own.
type walk struct {
	version int
	next    string // cursor that goes on; empty: no walk
	seen    []json.RawMessage
}

// A page is a request for one page of a list.
type page struct {
	cursor  string
	version int
	own     int // 1: ours
}

// Limits of a walk of our own.
const (
	walkPages = 100
	walkTime  = 5 * time.Second
	leastLife = 10 * time.Second // of a list that says how long it holds; we ask again no sooner
)

// ask reads the params of a request for a page.
func (l *list) ask(params []byte) page {
	var p struct {
		Cursor string `json:"cursor"`
	}
	_ = json.Unmarshal(params, &p)
	return page{cursor: p.Cursor, version: l.version}
}

// changed notes that the list is another now: a walk begun before proves
// nothing.
func (l *list) changed() {
	l.version++
	l.complete = false
}

// learn reads one page. It returns the items that are certain to be in the list:
// those of the page or, if it ends a walk, of the whole list.
func (l *list) learn(p page, result []byte) (items []json.RawMessage, whole bool, next string, ok bool) {
	var r struct {
		Tools             []json.RawMessage `json:"tools"`
		Prompts           []json.RawMessage `json:"prompts"`
		Resources         []json.RawMessage `json:"resources"`
		ResourceTemplates []json.RawMessage `json:"resourceTemplates"`
		NextCursor        string            `json:"nextCursor"`
	}
	if json.Unmarshal(result, &r) != nil {
		return nil, false, "", false
	}
	for _, items = range [][]json.RawMessage{r.Tools, r.Prompts, r.Resources, r.ResourceTemplates} {
		if items != nil {
			break
		}
	}
	if items == nil {
		return nil, false, "", false
	}
	w := &l.walks[p.own]
	switch {
	case p.cursor == "":
		*w = walk{version: p.version}
	case p.cursor != w.next || p.version != w.version:
		return items, false, r.NextCursor, true
	}
	w.seen = append(w.seen, items...)
	w.next = r.NextCursor
	if r.NextCursor != "" || w.version != l.version {
		return items, false, r.NextCursor, true
	}
	items, *w = w.seen, walk{}
	l.complete, l.seen, l.sum = true, true, sum(items)
	return items, true, "", true
}

var seed = maphash.MakeSeed()

// sum is the same for the same items in another order.
func sum(items []json.RawMessage) (s uint64) {
	for _, item := range items {
		s += maphash.Bytes(seed, item)
	}
	return s
}

// list returns the list that a method asks for.
func (r *Relay) list(m method) *list {
	if m == methodTools {
		return &r.table.list
	}
	return &r.others[m-methodPrompts]
}

// listMethods are the methods that ask for a list.
var listMethods = [...]method{methodTools, methodPrompts, methodResources, methodTemplates}

var listNames = [...]string{"tools/list", "prompts/list", "resources/list", "resources/templates/list"}

// listNotices are the announcements of a change, by what offers the list.
var listNotices = map[string]string{
	"tools":     "notifications/tools/list_changed",
	"prompts":   "notifications/prompts/list_changed",
	"resources": "notifications/resources/list_changed",
}

// initLists gives the lists their names.
func (r *Relay) initLists() {
	for i, offer := range []string{"tools", "prompts", "resources", "resources"} {
		r.list(listMethods[i]).notice = listNotices[offer]
	}
}

// learn reads a page of the list that m asks for, as a client gets it.
func (r *Relay) learn(m method, p page, result []byte, now time.Time) (next string, ok bool) {
	if m == methodTools {
		if life := diagnose.Lifetime(result); life > 0 {
			r.table.stale = now.Add(max(life, leastLife))
		}
		defer r.findNamed()
		return r.table.learn(p, result)
	}
	_, _, next, ok = r.list(m).learn(p, result)
	return next, ok
}

// walk goes through a list by requests of our own, from the cursor on. done
// hears whether the list is known whole now.
func (r *Relay) walk(m method, cursor string, pages int, now time.Time, done func(whole bool, now time.Time)) {
	l := r.list(m)
	members := []string{}
	if cursor != "" {
		members = append(members, `"cursor":`+quoted(cursor))
	}
	if r.client.stateless {
		members = append(members, `"_meta":`+string(r.client.meta))
	}
	params := "{" + strings.Join(members, ",") + "}"
	p := page{cursor: cursor, version: l.version, own: 1}
	r.own(listNames[m-methodTools], []byte(params), walkTime, now, func(f *wire.Frame, now time.Time) {
		if f == nil || f.Bytes == nil || f.Msg.Kind != wire.Result {
			done(false, now)
			return
		}
		result, _ := diagnose.List(f.Msg.Result.Of(f.Bytes), m.member())
		next, ok := r.learn(m, p, result, now)
		if ok && next != "" && pages < walkPages {
			r.walk(m, next, pages+1, now, done)
			return
		}
		done(ok && l.complete, now)
	})
}

// announced notes a server's word that a list has changed. It reports whether
// the client must not hear it yet.
func (r *Relay) announced(notice string) (held bool) {
	for _, m := range listMethods {
		if l := r.list(m); l.notice == notice {
			l.changed()
			held = !r.server.greeted || r.state == restarting || r.comparing != nil
			l.announced = held
		}
	}
	if notice == r.table.notice {
		r.table.own = false
	}
	return held && r.client.opened && !r.Observe
}
