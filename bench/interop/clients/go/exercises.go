package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// do does e and returns what the user would see of it.
func (d *driver) do(ctx context.Context, e exercise) (any, error) {
	s := d.session
	switch e.Do {
	case "initialize":
		return s.InitializeResult(), nil
	case "ping":
		return nil, s.Ping(ctx, nil)
	case "tools":
		return collect(s.Tools(ctx, nil))
	case "resources":
		return collect(s.Resources(ctx, nil))
	case "templates":
		return collect(s.ResourceTemplates(ctx, nil))
	case "prompts":
		return collect(s.Prompts(ctx, nil))
	case "read":
		return s.ReadResource(ctx, &mcp.ReadResourceParams{URI: e.URI})
	case "prompt":
		var args map[string]string
		if err := json.Unmarshal(e.Arguments, &args); err != nil {
			return nil, err
		}
		return s.GetPrompt(ctx, &mcp.GetPromptParams{Name: e.Prompt, Arguments: args})
	case "complete":
		return s.Complete(ctx, &mcp.CompleteParams{
			Ref:      &mcp.CompleteReference{Type: "ref/prompt", Name: e.Prompt},
			Argument: mcp.CompleteParamsArgument{Name: e.Argument, Value: e.Value},
		})
	case "call":
		return d.call(ctx, e)
	case "cancel":
		return d.cancel(ctx, e)
	case "concurrent":
		return d.concurrent(ctx, e)
	case "subscribe":
		return d.subscribe(ctx, e)
	case "log":
		return d.log(ctx, e)
	case "request":
		return d.request(ctx, e)
	}
	return nil, fmt.Errorf("no exercise %q", e.Do)
}

func params(e exercise) *mcp.CallToolParams {
	p := &mcp.CallToolParams{Name: e.Tool, Arguments: e.Arguments}
	if e.Progress > 0 {
		p.SetProgressToken(e.Name)
	}
	return p
}

// call waits for e.Progress notifications; once they are there it does e.Then,
// without which some tools don't end.
func (d *driver) call(ctx context.Context, e exercise) (any, error) {
	if e.Progress == 0 {
		return d.session.CallTool(ctx, params(e))
	}
	then := make(chan error, 1)
	go func() {
		err := d.wait(ctx, func() bool { return len(d.progress[e.Name]) >= e.Progress })
		if err == nil && e.Then != nil {
			_, err = d.do(ctx, *e.Then)
		}
		then <- err
	}()
	r, err := d.session.CallTool(ctx, params(e))
	if err := errors.Join(err, <-then); err != nil {
		return nil, err
	}
	return map[string]any{"progress": d.progress[e.Name][:e.Progress], "result": r}, nil
}

// cancel cancels a call once its first progress has come, then does e.Then.
func (d *driver) cancel(ctx context.Context, e exercise) (any, error) {
	callCtx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		_ = d.wait(ctx, func() bool { return len(d.progress[e.Name]) > 0 })
		cancel()
	}()
	_, err := d.session.CallTool(callCtx, params(e))
	then, thenErr := d.do(ctx, *e.Then)
	return map[string]any{"cancelled": err != nil && callCtx.Err() != nil, "then": then}, thenErr
}

// concurrent makes e.Count calls at once, each with its own number for $i.
func (d *driver) concurrent(ctx context.Context, e exercise) (any, error) {
	results := make([]any, e.Count)
	var wg sync.WaitGroup
	for i := range results {
		wg.Go(func() {
			one := e
			one.Arguments = json.RawMessage(strings.ReplaceAll(string(e.Arguments), "$i", fmt.Sprint(i)))
			r, err := d.call(ctx, one)
			if results[i] = r; err != nil {
				results[i] = wireError(err)
			}
		})
	}
	wg.Wait()
	return results, nil
}

// subscribe waits for the update of e.URI that e.Then provokes.
func (d *driver) subscribe(ctx context.Context, e exercise) (any, error) {
	if err := d.session.Subscribe(ctx, &mcp.SubscribeParams{URI: e.URI}); err != nil {
		return nil, err
	}
	then, err := d.do(ctx, *e.Then)
	if err != nil {
		return nil, err
	}
	err = d.wait(ctx, func() bool { return len(d.updated) > 0 })
	return map[string]any{"updated": d.updated[:1], "then": then}, err
}

// log waits for the messages that e.Then provokes, once the level is set.
func (d *driver) log(ctx context.Context, e exercise) (any, error) {
	level := mcp.LoggingLevel(e.Level)
	p := params(*e.Then)
	if d.session.InitializeResult().ProtocolVersion >= "2026-07-28" {
		p.Meta = mcp.Meta{mcp.MetaKeyLogLevel: level}
	} else if err := d.session.SetLoggingLevel(ctx, &mcp.SetLoggingLevelParams{Level: level}); err != nil {
		return nil, err
	}
	r, err := d.session.CallTool(ctx, p)
	if err != nil {
		return nil, err
	}
	var logs []any
	err = d.wait(ctx, func() bool {
		logs = slices.DeleteFunc(slices.Clone(d.logs), func(m any) bool { return !strings.Contains(fmt.Sprint(m), e.Value) })
		return len(logs) >= e.Logs
	})
	return map[string]any{"logs": logs, "result": r}, err
}

func (d *driver) request(ctx context.Context, e exercise) (any, error) {
	if err := mcp.AddSendingCustomMethod[*mcp.ListToolsParams, *mcp.ListToolsResult](d.client, e.Method); err != nil {
		return nil, err
	}
	return mcp.CallCustomMethod[*mcp.ListToolsParams, *mcp.ListToolsResult](ctx, d.session, e.Method, &mcp.ListToolsParams{})
}
