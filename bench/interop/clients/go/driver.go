package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A driver is a client that answers a server's requests and keeps what it is told.
type driver struct {
	client  *mcp.Client
	session *mcp.ClientSession

	mu       sync.Mutex
	changed  chan struct{} // closed and replaced at each notification
	progress map[string][]any
	logs     []any
	updated  []any
}

func newDriver() *driver {
	d := &driver{changed: make(chan struct{}), progress: map[string][]any{}}
	d.client = mcp.NewClient(&mcp.Implementation{Name: "interop", Version: "1"}, &mcp.ClientOptions{
		CreateMessageHandler: sample,
		ElicitationHandler:   elicit,
		ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
			d.note(func() {
				token := fmt.Sprint(r.Params.ProgressToken)
				d.progress[token] = append(d.progress[token], []float64{r.Params.Progress, r.Params.Total})
			})
		},
		LoggingMessageHandler: func(_ context.Context, r *mcp.LoggingMessageRequest) {
			d.note(func() { d.logs = append(d.logs, map[string]any{"level": r.Params.Level, "data": r.Params.Data}) })
		},
		ResourceUpdatedHandler: func(_ context.Context, r *mcp.ResourceUpdatedNotificationRequest) {
			d.note(func() { d.updated = append(d.updated, r.Params.URI) })
		},
	})
	d.client.AddRoots(&mcp.Root{URI: "file:///interop", Name: "interop"})
	return d
}

func sample(_ context.Context, r *mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
	var asked strings.Builder
	for _, m := range r.Params.Messages {
		if t, ok := m.Content.(*mcp.TextContent); ok {
			asked.WriteString(t.Text)
		}
	}
	return &mcp.CreateMessageResult{
		Model: "parrot", Role: "assistant", StopReason: "endTurn",
		Content: &mcp.TextContent{Text: "You said: " + asked.String()},
	}, nil
}

func elicit(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
	content := map[string]any{"name": "Ada", "username": "ada", "email": "ada@example.com"}
	return &mcp.ElicitResult{Action: "accept", Content: content}, nil
}

// note runs keep under the lock and wakes those who wait.
func (d *driver) note(keep func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	keep()
	close(d.changed)
	d.changed = make(chan struct{})
}

// wait returns once ready, called under the lock, says so.
func (d *driver) wait(ctx context.Context, ready func() bool) error {
	for {
		d.mu.Lock()
		ok, changed := ready(), d.changed
		d.mu.Unlock()
		if ok {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// offered reports whether the server's capabilities and tools admit e.
func (d *driver) offered(ctx context.Context, e exercise) bool {
	c := d.session.InitializeResult().Capabilities
	switch e.Do {
	case "resources", "templates", "read":
		return c.Resources != nil
	case "subscribe":
		return c.Resources != nil && c.Resources.Subscribe
	case "prompts", "prompt":
		return c.Prompts != nil
	case "complete":
		return c.Completions != nil
	case "log":
		return c.Logging != nil
	case "call", "cancel", "concurrent":
		if strings.HasPrefix(e.Tool, "no_such_") {
			return true
		}
		for t, err := range d.session.Tools(ctx, nil) {
			if err == nil && t.Name == e.Tool {
				return true
			}
		}
		return false
	}
	return true
}

// collect gathers all pages, or the first error.
func collect[T any](pages iter.Seq2[T, error]) (any, error) {
	all := []T{}
	for v, err := range pages {
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	return all, nil
}

// wireError keeps of err what the other side sent.
func wireError(err error) any {
	if e, ok := errors.AsType[*jsonrpc.Error](err); ok {
		return map[string]any{"code": e.Code, "message": e.Message, "data": e.Data}
	}
	return map[string]any{"message": err.Error()}
}
