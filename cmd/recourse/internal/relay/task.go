package relay

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/cmd/recourse/internal/wire"
	"github.com/recourse-dev/recourse/internal/policy"
)

// Tasks are those that the server has begun, by id. A task lives in the memory
// of its server; the next one may give the same id to another.
type tasks struct {
	dead map[string]bool // true: its server has ended
}

// learn notes the task in an answer.
func (t *tasks) learn(result []byte) {
	var p struct {
		Task struct {
			ID string `json:"taskId"`
		} `json:"task"`
		ID string `json:"taskId"`
	}
	if json.Unmarshal(result, &p) != nil {
		return
	}
	if p.Task.ID != "" {
		p.ID = p.Task.ID
	}
	if p.ID == "" || len(t.dead) >= maxCalls {
		return
	}
	if t.dead == nil {
		t.dead = map[string]bool{}
	}
	t.dead[p.ID] = false
}

func (t *tasks) die() {
	for id := range t.dead {
		t.dead[id] = true
	}
}

// deadTask answers a request about a task whose server has ended.
func (r *Relay) deadTask(c *call, params []byte, now time.Time) bool {
	if c.method != methodTask && c.method != methodTaskResult || r.Observe {
		return false
	}
	var p struct {
		ID string `json:"taskId"`
	}
	_ = json.Unmarshal(params, &p)
	if !r.tasks.dead[p.ID] {
		return false
	}
	r.give(c, wire.AppendProtocolError(nil, c.id, wire.InvalidParams, fmt.Sprintf("The task %s is gone: the server that ran it has ended.", p.ID), &recourse.Error{
		Code:       recourse.NotFound,
		Message:    "The task is gone: the server that ran it has ended.",
		Suggestion: "Check with a tool that reads what the task has done, then call its tool again if need be.",
		MaxRetries: -1,
		Related:    map[string]any{"outcome": "unknown", "reason": "server_restarted"},
	}))
	r.drop(c, policy.Ignored, now)
	return true
}
