package relay

import (
	"fmt"
	"testing"
	"time"
)

// That a server is old is remembered only when its next life has shown that it was
// neither slow nor ill.
func TestOldServersAreRemembered(t *testing.T) {
	silent := func(s *stage) { s.pass(6 * time.Second) }
	dies := func(s *stage) { s.server.die(1, "") }
	for _, tt := range []struct {
		name string
		does func(*stage)  // at server/discover
		then time.Duration // from initialize to its answer; 0: it dies
		want string
	}{
		{"silent, then quick", silent, time.Second, "[true]"},
		{"silent, then slow", silent, 10 * time.Second, "[]"},
		{"silent, then dead", silent, 0, "[]"},
		{"dead, then quick", dies, time.Second, "[true]"},
		{"dead, then slow", dies, 10 * time.Second, "[true]"},
		{"dead, then dead", dies, 0, "[]"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			remembered := []bool{}
			play(t, func(r *Relay) { r.OnLegacy = func(old bool) { remembered = append(remembered, old) } }, func(s *stage) {
				s.ask(discover)
				s.hear()
				tt.does(s)
				s.want(`"id":"d"`, "-32601")
				s.ask(hello)
				s.wait()
				m := s.hear()
				if s.pass(tt.then); tt.then == 0 {
					s.server.die(1, "")
					s.wait()
				} else {
					s.answer(fmt.Sprintf(welcome, m.id))
					s.want(`"id":1`)
				}
				if got := fmt.Sprint(remembered); got != tt.want {
					t.Errorf("remembered %s, want %s", got, tt.want)
				}
			})
		})
	}
}

// One that works and has said nothing yet is still starting.
func TestServerThatStartsSlowlyIsNotOld(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.wait()
		s.server.cpu = 300 * time.Millisecond
		s.ask(discover)
		id := s.hear().id
		s.silent(20 * time.Second)
		s.answer(`{"jsonrpc":"2.0","id":` + id + `,"result":{"supportedVersions":["2026-07-28"]}}`)
		s.want(`"id":"d"`, "supportedVersions")
	})
}

// A server that is remembered as old is not asked; if it refuses initialize, it
// was not.
func TestRememberedServer(t *testing.T) {
	var remembered []bool
	play(t, func(r *Relay) {
		r.Legacy = true
		r.OnLegacy = func(old bool) { remembered = append(remembered, old) }
	}, func(s *stage) {
		s.ask(discover)
		s.want(`"id":"d"`, "-32601")
		s.ask(hello)
		s.answer(`{"jsonrpc":"2.0","id":` + s.hear().id + `,"error":{"code":-32022,"message":"unsupported"}}`)
		s.want(`"id":1`, "-32022")
		if got := fmt.Sprint(remembered); got != "[false]" {
			t.Errorf("remembered %s", got)
		}
	})
}
