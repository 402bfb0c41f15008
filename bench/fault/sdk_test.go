//go:build faults

package fault

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// goClient is that of the Go SDK. It asks for the newest revision with a handshake,
// as those of TypeScript do.
func goClient(s session) (h heard) {
	p, err := s.start()
	if err != nil {
		h.Hello.Failed = err.Error()
		return h
	}
	g := &goSession{wait: s.wait}
	defer func() {
		if g.session != nil {
			go g.session.Close() // it may wait for a server that does not listen
		}
		if !p.end() {
			h.wrong = append(h.wrong, "the process did not end within 5 s after its input")
		}
	}()
	h.Hello = g.try(func(ctx context.Context) (any, error) {
		var err error
		g.session, err = mcp.NewClient(&mcp.Implementation{Name: "go", Version: "1"}, nil).
			Connect(ctx, &mcp.IOTransport{Reader: p.out, Writer: p.in}, &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
		return struct{}{}, err
	})
	if h.Hello.Result == nil {
		return h
	}
	h.List = g.ask("tools/list", nil)
	if s.row.On == "echoed" {
		h.Before = g.ask("tools/call", echoArgs("before"))
	}
	all := s.row.All()
	h.Asks = make([]outcome, len(all))
	done := make(chan struct{})
	for i, a := range all {
		go func() {
			h.Asks[i] = g.ask(a.Request())
			done <- struct{}{}
		}()
	}
	for range all {
		<-done
	}
	for ; ; h.Tries++ {
		h.Next = g.ask("tools/call", echoArgs("next"))
		if good(h.Next, "next") || h.Tries >= s.row.Tries {
			return h
		}
		<-time.After(h.Next.pause())
	}
}

type goSession struct {
	session *mcp.ClientSession
	wait    time.Duration
}

// try waits no longer than it may, also for what ignores its context.
func (g *goSession) try(f func(context.Context) (any, error)) outcome {
	ctx, cancel := context.WithTimeout(context.Background(), g.wait)
	defer cancel()
	start, ended := time.Now(), make(chan outcome, 1)
	go func() {
		result, err := f(ctx)
		ended <- outcomeOf(result, err)
	}()
	o := outcome{Failed: "no answer"}
	select {
	case o = <-ended:
	case <-time.After(g.wait + time.Second):
	}
	o.Ms = time.Since(start).Seconds() * 1000
	return o
}

func outcomeOf(result any, err error) (o outcome) {
	var e *jsonrpc.Error
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		o.Failed = "no answer"
	case errors.As(err, &e):
		o.Error = &rpcError{Code: int(e.Code), Message: e.Message, Data: e.Data}
	case err != nil:
		o.Failed = err.Error()
	default:
		if o.Result, err = json.Marshal(result); err != nil {
			o.Failed = err.Error()
		}
	}
	return o
}

func (g *goSession) ask(method string, params json.RawMessage) outcome {
	return g.try(func(ctx context.Context) (any, error) {
		if params == nil {
			params = json.RawMessage("{}")
		}
		switch method {
		case "tools/list":
			return with(ctx, params, g.session.ListTools)
		case "tools/call":
			return with(ctx, params, g.session.CallTool)
		case "resources/list":
			return with(ctx, params, g.session.ListResources)
		case "resources/templates/list":
			return with(ctx, params, g.session.ListResourceTemplates)
		case "resources/read":
			return with(ctx, params, g.session.ReadResource)
		case "prompts/list":
			return with(ctx, params, g.session.ListPrompts)
		case "prompts/get":
			return with(ctx, params, g.session.GetPrompt)
		case "completion/complete":
			return with(ctx, params, g.session.Complete)
		case "ping":
			return struct{}{}, g.session.Ping(ctx, nil)
		}
		return nil, fmt.Errorf("no method %s", method)
	})
}

// with makes a request with params as they are in the table.
func with[P, R any](ctx context.Context, params json.RawMessage, request func(context.Context, *P) (R, error)) (any, error) {
	p := new(P)
	if err := json.Unmarshal(params, p); err != nil {
		return nil, err
	}
	return request(ctx, p)
}
