package relay

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

const (
	initialized = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
	setLevel    = `{"jsonrpc":"2.0","id":%d,"method":"logging/setLevel","params":{"level":%q}}`
	subscribe   = `{"jsonrpc":"2.0","id":%d,"method":"resources/subscribe","params":{"uri":%q}}`
	unsubscribe = `{"jsonrpc":"2.0","id":%d,"method":"resources/unsubscribe","params":{"uri":%q}}`
)

// What the client set is for the next server if it was accepted. What was on its
// way is answered by that one, once.
func TestSettingsOnTheirWayAtADeath(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.handshake(find)
		s.grant("3", fmt.Sprintf(subscribe, 3, "a:1"))
		for _, line := range []string{fmt.Sprintf(setLevel, 4, "info"), fmt.Sprintf(subscribe, 5, "b:2"), fmt.Sprintf(unsubscribe, 6, "a:1")} {
			s.ask(line)
			s.hear()
		}
		s.server.die(1, "")
		s.revived()
		s.told(`"resources/subscribe","params":{"uri":"a:1"}`)
		s.told(`"params":{"level":"info"}`, `"resources/subscribe","params":{"uri":"b:2"}`, `"resources/unsubscribe","params":{"uri":"a:1"}`)
		for _, id := range []string{"4", "5", "6"} {
			s.want(`"id":` + id + `,"result":{}`)
		}
		s.listed(find)
		s.silent(time.Minute)
		s.server.die(1, "")
		s.revived()
		s.told(`"params":{"level":"info"}`, `"resources/subscribe","params":{"uri":"b:2"}`, "tools/list")
	})
}

func TestLevelThatWasRefusedIsNotReplayed(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.handshake(find)
		s.grant("3", fmt.Sprintf(setLevel, 3, "warning"))
		s.ask(fmt.Sprintf(setLevel, 4, "loud"))
		s.answer(`{"jsonrpc":"2.0","id":` + s.hear().id + `,"error":{"code":-32602,"message":"no such level"}}`)
		s.want(`"id":4`, "no such level")
		s.server.die(1, "")
		s.revived()
		s.told(`"params":{"level":"warning"}`, "tools/list")
	})
}

// The order is that of the first use; what was ended and begun again is last.
func TestSubscriptionsAreReplayedOnceEach(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.handshake(find)
		for i, step := range []struct{ format, uri string }{
			{subscribe, "a:1"}, {subscribe, "b:2"}, {subscribe, "a:1"}, {subscribe, "c:3"},
			{unsubscribe, "b:2"}, {subscribe, "d:4"}, {unsubscribe, "z:9"}, {subscribe, "b:2"},
			{subscribe, "e:5"}, {unsubscribe, "e:5"},
		} {
			s.grant(fmt.Sprint(10+i), fmt.Sprintf(step.format, 10+i, step.uri))
		}
		s.server.die(1, "")
		s.revived()
		s.told(`{"uri":"a:1"}`, `{"uri":"c:3"}`, `{"uri":"d:4"}`, `{"uri":"b:2"}`, "tools/list")
	})
}

// Somebody waits for news of a resource: a server that left in peace is started
// again at once then, and not before the next request otherwise.
func TestSubscriptionNeedsAServer(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.handshake(find)
		s.grant("3", fmt.Sprintf(subscribe, 3, "a:1"))
		begun := time.Now()
		s.server.die(0, "")
		s.revived()
		if took := time.Since(begun); took > time.Second {
			t.Errorf("it took %v", took)
		}
		s.told(`{"uri":"a:1"}`, "tools/list")
		s.answer(`{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"a:1"}}`)
		s.want("resources/updated", "a:1")
		s.grant("4", fmt.Sprintf(unsubscribe, 4, "a:1"))
		s.server.die(0, "")
		s.pass(time.Hour)
		if len(s.lives) != 2 {
			t.Errorf("it was started %d times", len(s.lives))
		}
	})
}

// The server hears notifications/initialized once, after its own initialize,
// whenever the client says it; from a client that never does, not at all.
func TestInitializedIsSaidOnce(t *testing.T) {
	for _, when := range []string{"before the death", "while it starts", "during the replay", "when it is ready", "never"} {
		t.Run(when, func(t *testing.T) {
			play(t, nil, func(s *stage) { sayInitialized(s, when) })
		})
	}
}

func sayInitialized(s *stage, when string) {
	moment := func(now string) {
		if now == when {
			s.ask(initialized)
			s.wait()
		}
	}
	s.ask(hello)
	s.answer(fmt.Sprintf(welcome, s.hear().id))
	s.want(`"id":1`)
	s.grant("2", fmt.Sprintf(setLevel, 2, "info"))
	if moment("before the death"); when == "before the death" {
		s.hear()
	}
	s.server.die(1, "")
	s.wait()
	moment("while it starts")
	var heard []string
	for {
		m := s.hear()
		if m.Method == "tools/list" { // for the call that follows
			s.answer(`{"jsonrpc":"2.0","id":` + m.id + `,"result":{"tools":[]}}`)
			continue
		}
		heard = append(heard, m.Method)
		switch m.Method {
		case "initialize":
			s.answer(fmt.Sprintf(welcome, m.id))
			continue
		case "logging/setLevel":
			moment("during the replay")
			s.answer(`{"jsonrpc":"2.0","id":` + m.id + `,"result":{}}`)
			s.wait()
			moment("when it is ready")
			s.ask(callLine("3", "find"))
			continue
		case "tools/call":
		default:
			continue
		}
		break
	}
	const notice = "notifications/initialized"
	want := []string{"initialize", "logging/setLevel", notice, "tools/call"}
	switch when {
	case "before the death", "while it starts":
		want = []string{"initialize", notice, "logging/setLevel", "tools/call"}
	case "never":
		want = []string{"initialize", "logging/setLevel", "tools/call"}
	}
	if !slices.Equal(heard, want) {
		s.t.Errorf("the new server was told %q, not %q", heard, want)
	}
}

// An error stops no replay.
func TestReplayThatIsRefused(t *testing.T) {
	play(t, nil, func(s *stage) {
		s.handshake(find, write)
		s.grant("3", fmt.Sprintf(setLevel, 3, "info"))
		s.grant("4", fmt.Sprintf(subscribe, 4, "a:1"))
		s.grant("5", fmt.Sprintf(subscribe, 5, "b:2"))
		begun := time.Now()
		s.server.die(1, "")
		s.revived()
		for _, part := range []string{`"level":"info"`, `"uri":"a:1"`} {
			m := s.hear()
			if !strings.Contains(m.line, part) {
				t.Fatalf("the server was told %s", m.line)
			}
			s.answer(`{"jsonrpc":"2.0","id":` + m.id + `,"error":{"code":-32601,"message":"no more"}}`)
		}
		s.told(`"uri":"b:2"`)
		s.ask(callLine("6", "write"))
		s.listed(find, write)
		s.reply(s.hear().id, "done")
		s.want(`"id":6`, `"done"`)
		if took := time.Since(begun); took > time.Second {
			t.Errorf("it took %v", took)
		}
		if said := strings.Join(s.said, "\n"); !strings.Contains(said, "logging/setLevel") || strings.Count(said, "resources/subscribe") != 1 {
			t.Errorf("the operator was told %q", s.said)
		}
	})
}

// Silence is waited for once, not once for each subscription.
func TestReplayToAMuteServer(t *testing.T) {
	const many = 30
	for _, tt := range []struct {
		name string
		mute int // the first that it does not answer; 0: the level
	}{{"the level", 0}, {"the first subscription", 1}, {"one in the middle", 15}} {
		t.Run(tt.name, func(t *testing.T) {
			play(t, nil, func(s *stage) {
				s.handshake(find, write)
				s.grant("3", fmt.Sprintf(setLevel, 3, "info"))
				for i := range many {
					s.grant(fmt.Sprint(100+i), fmt.Sprintf(subscribe, 100+i, fmt.Sprintf("r:%d", i)))
				}
				s.server.die(1, "")
				s.wait()
				begun := time.Now()
				s.ask(callLine("4", "write"))
				s.revived()
				for i := range many + 1 {
					m := s.hear()
					part := `"level":"info"`
					if i > 0 {
						part = fmt.Sprintf(`"uri":"r:%d"`, i-1)
					}
					if !strings.Contains(m.line, part) {
						t.Fatalf("the server was told %s, not %s", m.line, part)
					}
					if i < tt.mute {
						s.answer(`{"jsonrpc":"2.0","id":` + m.id + `,"result":{}}`)
					}
				}
				m := s.hear()
				if m.Method != "tools/call" {
					t.Fatalf("the server was told %s", m.line)
				}
				s.reply(m.id, "done")
				s.want(`"id":4`, `"done"`)
				if took := time.Since(begun); took > 2500*time.Millisecond {
					t.Errorf("it took %v", took)
				}
			})
		})
	}
}

// A server that comes back as another is served, and the operator learns what is
// different. The client goes on in the revision that it was told first.
func TestServerThatComesBackAsAnother(t *testing.T) {
	const offers = `"tools":{},"logging":{},"prompts":{}`
	another := strings.NewReplacer("2025-06-18", "2025-03-26", `"version":"0"`, `"version":"2"`).Replace(welcome)
	play(t, nil, func(s *stage) {
		s.ask(hello)
		s.answer(fmt.Sprintf(strings.Replace(welcome, `"tools":{}`, offers, 1), s.hear().id))
		s.want(`"id":1`)
		s.ask(initialized)
		s.hear()
		s.ask(`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`)
		s.listed(find, write)
		s.want(`"id":2`)
		for range 2 {
			s.server.die(1, "")
			s.wait()
			m := s.hear()
			if !strings.Contains(m.line, `"protocolVersion":"2025-06-18"`) {
				t.Errorf("the server was told %s", m.line)
			}
			s.answer(fmt.Sprintf(another, m.id))
			s.told("notifications/initialized")
			s.want("notifications/message", `"level":"warning"`)
			s.listed(find, write)
			s.ask(callLine("3", "write"))
			s.reply(s.hear().id, "done")
			s.want(`"id":3`, `"done"`)
			s.pass(2 * time.Minute)
		}
		said := strings.Join(s.said, "\n")
		for _, part := range []string{
			"it speaks 2025-03-26 now, no longer 2025-06-18",
			"it is fake/2 now, no longer fake/0",
			"it no longer offers logging", "it no longer offers prompts",
		} {
			if !strings.Contains(said, part) {
				t.Errorf("the operator was told %q, not that %s", s.said, part)
			}
		}
		if strings.Contains(said, "offers tools") || strings.Count(said, "fake/2") != 1 {
			t.Errorf("the operator was told %q", s.said)
		}
	})
}

// Where a start hangs, the calls that wait for it are answered at the first limit.
func TestCallThatWaitsForASlowStart(t *testing.T) {
	play(t, func(r *Relay) {
		if err := r.Rules.StartMax.UnmarshalText([]byte("2s")); err != nil {
			t.Fatal(err)
		}
	}, func(s *stage) {
		s.handshake(find, write)
		s.server.die(1, "")
		s.wait()
		begun := time.Now()
		s.ask(callLine("3", "write"))
		m := s.want(`"id":3`, "no answer to initialize within 2s")
		if took := time.Since(begun); took < 2*time.Second || took > 2500*time.Millisecond || !*m.Retryable || m.Outcome != "" {
			t.Errorf("after %v the client heard %s", took, m.line)
		}
	})
}

// Two deaths alike prove something only if both came soon.
func TestServerThatEndsLateBeforeItsInitializeAnswer(t *testing.T) {
	for _, tt := range []struct {
		after time.Duration
		lives int
	}{
		{sameDeath - 100*time.Millisecond, 2},
		{sameDeath + 100*time.Millisecond, 3},
	} {
		play(t, nil, func(s *stage) {
			s.ask(hello)
			for range tt.lives {
				s.hear()
				s.pass(tt.after)
				s.server.die(1, "Error: no luck")
				s.wait()
			}
			s.want(`"id":1`, "no luck")
			if s.pass(time.Second); len(s.lives) != tt.lives {
				t.Errorf("after %v: %d starts", tt.after, len(s.lives))
			}
		})
	}
}
