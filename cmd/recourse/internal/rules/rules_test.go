package rules

import (
	"strings"
	"testing"
	"time"

	"github.com/recourse-dev/recourse/internal/policy"
)

func TestSpan(t *testing.T) {
	const auto = 7 * time.Second
	for text, want := range map[string]time.Duration{
		"": auto, "auto": auto, "0": 0, "0s": 0, "90": 90 * time.Second, "1.5": 1500 * time.Millisecond, "90s": 90 * time.Second, "1h2m": time.Hour + 2*time.Minute,
	} {
		var s Span
		if err := s.UnmarshalText([]byte(text)); err != nil || s.Or(auto) != want {
			t.Errorf("%q: %v, %v; want %v", text, s.Or(auto), err, want)
		}
	}
	for _, text := range []string{"-1s", "-1", "soon", "1 m", "NaN", "Inf", "1e300", "99999999999h"} {
		var s Span
		if err := s.UnmarshalText([]byte(text)); err == nil || !strings.Contains(err.Error(), "90s") {
			t.Errorf("%q: %v, %v", text, s.Or(auto), err)
		}
	}
}

func TestCall(t *testing.T) {
	span := func(text string) (s Span) {
		if err := s.UnmarshalText([]byte(text)); err != nil {
			t.Fatal(err)
		}
		return s
	}
	usual := policy.Limits{Idle: 50 * time.Second, Cap: 10 * time.Minute}
	for _, tt := range []struct {
		client string
		rules  Rules
		want   policy.Limits
	}{
		{"", Rules{}, usual},
		{"claude-ai", Rules{}, usual},
		{"claude-code", Rules{}, policy.Limits{Idle: 5 * time.Minute, Cap: 30 * time.Minute}},
		{"gemini-cli-mcp-client-github", Rules{}, policy.Limits{Idle: 5 * time.Minute, Cap: 30 * time.Minute}},
		{"Visual Studio Code - Insiders", Rules{}, policy.Limits{Idle: 5 * time.Minute, Cap: 30 * time.Minute}},
		{"goose", Rules{}, policy.Limits{Idle: 290 * time.Second, Cap: 30 * time.Minute}},
		{"claude-code", Rules{Timeout: span("2s")}, policy.Limits{Idle: 2 * time.Second, Cap: 30 * time.Minute}},
		{"", Rules{Timeout: span("0"), MaxTime: span("0")}, policy.Limits{}},
		{"", Rules{Timeout: span("1h")}, policy.Limits{Idle: time.Hour, Cap: time.Hour}},
		{"", Rules{Timeout: span("1h"), MaxTime: span("5m")}, policy.Limits{Idle: time.Hour, Cap: 5 * time.Minute}},
	} {
		if got := tt.rules.Call(tt.client); got != tt.want {
			t.Errorf("%q %+v: %+v, want %+v", tt.client, tt.rules, got, tt.want)
		}
	}
}
