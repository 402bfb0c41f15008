package relay

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

const (
	toolsChanged     = `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`
	promptsChanged   = `{"jsonrpc":"2.0","method":"notifications/prompts/list_changed"}`
	resourcesChanged = `{"jsonrpc":"2.0","method":"notifications/resources/list_changed"}`
)

// lists are the items that a server has, by the method that asks for them.
type lists map[string]string

// first is what a client has seen before the restart.
var first = lists{
	"tools/list":               `{"tools":[{"name":"find","inputSchema":{"type":"object"}}]}`,
	"prompts/list":             `{"prompts":[{"name":"p"}]}`,
	"resources/list":           `{"resources":[{"uri":"a:1"}]}`,
	"resources/templates/list": `{"resourceTemplates":[{"uriTemplate":"a:{x}"}]}`,
}

// survey makes the handshake with a server that announces changes, lets the client
// read all lists, and starts the server again.
func (s *stage) survey() {
	s.t.Helper()
	const promise = `"tools":{"listChanged":true},"prompts":{"listChanged":true},"resources":{"listChanged":true}`
	s.ask(hello)
	s.answer(fmt.Sprintf(strings.Replace(welcome, `"tools":{}`, promise, 1), s.hear().id))
	s.met = s.server
	s.want(`"id":1`)
	s.ask(initialized)
	s.hear()
	for i, method := range listNames {
		s.ask(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q}`, 2+i, method))
		s.show(first)
		s.want(fmt.Sprintf(`"id":%d`, 2+i))
	}
	s.server.die(1, "")
	s.wait()
}

// show answers the next request for a list, if there is one of it.
func (s *stage) show(l lists) message {
	s.t.Helper()
	m := s.hear()
	if first[m.Method] == "" {
		s.t.Fatalf("the server was told %s", m.line)
	}
	if result := l[m.Method]; result != "" {
		s.answer(`{"jsonrpc":"2.0","id":` + m.id + `,"result":` + result + `}`)
	}
	return m
}

// unheard returns what has been said to a client that has not read for a while.
func (s *stage) unheard() string {
	s.wait()
	s.relay.front.mu.Lock()
	defer s.relay.front.mu.Unlock()
	return string(s.relay.front.bytes.head())
}

// with returns the lists of a server that has come back with other ones; an empty
// one is not answered.
func (l lists) with(others lists) lists {
	all := lists{}
	for method, result := range l {
		all[method] = result
		if other, ok := others[method]; ok {
			all[method] = other
		}
	}
	return all
}

// Each announcement is made once, also where two lists share it, and only for what
// differs.
func TestAnnouncementsAfterARestart(t *testing.T) {
	other := lists{
		"tools/list":               `{"tools":[]}`,
		"prompts/list":             `{"prompts":[{"name":"p"},{"name":"q"}]}`,
		"resources/list":           `{"resources":[{"uri":"b:1"}]}`,
		"resources/templates/list": `{"resourceTemplates":[{"uriTemplate":"b:{x}"}]}`,
	}
	for _, tt := range []struct {
		name  string
		after lists
		want  []string
	}{
		{"nothing", nil, nil},
		{"prompts", lists{"prompts/list": other["prompts/list"]}, []string{promptsChanged}},
		{"resources", lists{"resources/list": other["resources/list"]}, []string{resourcesChanged}},
		{"templates", lists{"resources/templates/list": other["resources/templates/list"]}, []string{resourcesChanged}},
		{"all", other, []string{toolsChanged, promptsChanged, resourcesChanged}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			play(t, nil, func(s *stage) {
				s.survey()
				s.revived()
				for range first {
					s.show(first.with(tt.after))
				}
				heard := strings.SplitAfter(s.unheard(), "\n")
				for _, line := range tt.want {
					if at := slices.Index(heard, line+"\n"); at >= 0 {
						heard = slices.Delete(heard, at, at+1)
					} else {
						t.Fatalf("the client hears nothing of %s", line)
					}
					s.want()
				}
				if more := strings.Join(heard, ""); more != "" {
					t.Errorf("the client hears also %q", more)
				}
				s.silent(10 * time.Second)
			})
		})
	}
}

// What a server has announced and does not show is passed on when it has been
// waited for, once. A late list changes nothing about that.
func TestAnnouncementThatCantBeVerified(t *testing.T) {
	for _, tt := range []struct {
		name   string
		mute   []string // lists that are not shown
		notice string
		early  bool // it comes before the server is ready
	}{
		{"tools", []string{"tools/list"}, toolsChanged, false},
		{"tools, early", []string{"tools/list"}, toolsChanged, true},
		{"prompts", []string{"prompts/list"}, promptsChanged, false},
		{"resources", []string{"resources/list"}, resourcesChanged, false},
		{"templates", []string{"resources/templates/list"}, resourcesChanged, false},
		{"both", []string{"resources/list", "resources/templates/list"}, resourcesChanged, false},
		{"tools, while prompts are mute", []string{"prompts/list"}, toolsChanged, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			play(t, nil, func(s *stage) {
				mute := lists{}
				for _, method := range tt.mute {
					mute[method] = ""
				}
				s.survey()
				if tt.early {
					s.answer(tt.notice)
				}
				s.revived()
				var asked []message
				for range first {
					asked = append(asked, s.show(first.with(mute)))
				}
				if !tt.early {
					s.answer(tt.notice)
				}
				s.silent(compareLimit - time.Millisecond)
				s.pass(time.Millisecond)
				if got := s.unheard(); got != tt.notice+"\n" {
					t.Fatalf("the client hears %q, not once %s", got, tt.notice)
				}
				s.want(tt.notice)
				for _, m := range asked {
					if slices.Contains(tt.mute, m.Method) {
						s.answer(`{"jsonrpc":"2.0","id":` + m.id + `,"result":{"tools":[],"prompts":[],"resources":[],"resourceTemplates":[]}}`)
					}
				}
				s.silent(10 * time.Second)
			})
		})
	}
}

// An announcement that comes while lists are under way makes both walks void that
// it is about.
func TestAnnouncementDuringTheComparison(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.survey()
		s.revived()
		var asked []message
		for range first {
			asked = append(asked, s.hear())
		}
		s.answer(resourcesChanged)
		for _, m := range asked {
			s.answer(`{"jsonrpc":"2.0","id":` + m.id + `,"result":` + first[m.Method] + `}`)
		}
		for range 2 {
			s.show(first.with(lists{
				"tools/list": "", "prompts/list": "", // these are not asked for again
				"resources/templates/list": `{"resourceTemplates":[]}`,
			}))
		}
		if got := s.unheard(); got != resourcesChanged+"\n" {
			t.Fatalf("the client hears %q, not once %s", got, resourcesChanged)
		}
		s.want(resourcesChanged)
		s.silent(10 * time.Second)
	})
}
