package gosdk_test

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/gosdk"
)

// What a handler does through its session works under guard: progress, log
// messages, sampling and elicitation.
func TestSession(t *testing.T) {
	for _, way := range ways {
		g := new(recourse.Guard)
		s := mcp.NewServer(&mcp.Implementation{Name: "s"}, nil)
		if way != "AddTool" {
			s.AddReceivingMiddleware(gosdk.Middleware(g))
		}
		register(s, g, way, &mcp.Tool{Name: "talk"}, func(ctx context.Context, req *mcp.CallToolRequest, _ any) (*mcp.CallToolResult, any, error) {
			if err := req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: req.Params.GetProgressToken(), Progress: 1}); err != nil {
				return nil, nil, err
			}
			if err := req.Session.Log(ctx, &mcp.LoggingMessageParams{Level: "info", Data: "halfway"}); err != nil {
				return nil, nil, err
			}
			model, err := req.Session.CreateMessage(ctx, &mcp.CreateMessageParams{MaxTokens: 1, Messages: []*mcp.SamplingMessage{}})
			if err != nil {
				return nil, nil, err
			}
			user, err := req.Session.Elicit(ctx, &mcp.ElicitParams{Message: "sure?"})
			if err != nil {
				return nil, nil, err
			}
			return say(model.Model + " " + user.Action), nil, nil
		})
		var heard sync.WaitGroup
		heard.Add(2)
		session := connect(t, s, legacy, &mcp.ClientOptions{
			CreateMessageHandler: func(context.Context, *mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
				return &mcp.CreateMessageResult{Model: "parrot", Role: "assistant", Content: &mcp.TextContent{Text: "hi"}}, nil
			},
			ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
				return &mcp.ElicitResult{Action: "accept"}, nil
			},
			ProgressNotificationHandler: func(context.Context, *mcp.ProgressNotificationClientRequest) { heard.Done() },
			LoggingMessageHandler:       func(context.Context, *mcp.LoggingMessageRequest) { heard.Done() },
		})
		session.SetLoggingLevel(t.Context(), &mcp.SetLoggingLevelParams{Level: "info"})
		params := &mcp.CallToolParams{Name: "talk", Arguments: map[string]any{}}
		params.SetProgressToken("p")
		res, err := session.CallTool(t.Context(), params)
		if err != nil {
			t.Fatal(err)
		}
		if got := texts(res); !slices.Equal(got, []string{"parrot accept"}) {
			t.Errorf("%s: %q", way, got)
		}
		heard.Wait()
	}
}

// A result that asks for input is no failure, and its answer no second call.
func TestInputRequired(t *testing.T) {
	for _, era := range eras {
		for _, way := range ways {
			l := new(journal)
			g := &recourse.Guard{Log: l.add}
			s := mcp.NewServer(&mcp.Implementation{Name: "s"}, nil)
			if way != "AddTool" {
				s.AddReceivingMiddleware(gosdk.Middleware(g))
			}
			register(s, g, way, &mcp.Tool{Name: "ask"}, func(_ context.Context, req *mcp.CallToolRequest, _ any) (*mcp.CallToolResult, any, error) {
				if r, ok := req.Params.InputResponses["sure"].(*mcp.ElicitResult); ok {
					return say("you said " + r.Action), nil, nil
				}
				return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"sure": &mcp.ElicitParams{Message: "sure?"}}}, nil, nil
			})
			session := connect(t, s, era, &mcp.ClientOptions{
				ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
					return &mcp.ElicitResult{Action: "accept"}, nil
				},
			})
			if got := texts(call(t, session, "ask", `{}`)); !slices.Equal(got, []string{"you said accept"}) {
				t.Errorf("%s, %s: %q", era, way, got)
			}
			var outcomes []string
			for _, r := range l.all {
				outcomes = append(outcomes, r.Outcome)
			}
			want := []string{"input_required", "ok"}
			if era == legacy && way != "AddTool" {
				want = []string{"ok"} // the SDK asks the client below Middleware
			}
			if !slices.Equal(outcomes, want) {
				t.Errorf("%s, %s: logged %q, want %q", era, way, outcomes, want)
			}
		}
	}
}

// A panic in another method becomes an error of the protocol.
func TestPanicInAPrompt(t *testing.T) {
	var told strings.Builder
	defer slog.SetDefault(slog.Default())
	slog.SetDefault(slog.New(slog.NewTextHandler(&told, nil)))
	for _, era := range eras {
		s := stage(nil, "both", nil)
		s.AddPrompt(&mcp.Prompt{Name: "p"}, func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) { panic(errSecret) })
		session := connect(t, s, era, nil)
		_, err := session.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "p"})
		var wire *jsonrpc.Error
		if !errors.As(err, &wire) || wire.Code != 500 || !strings.Contains(string(wire.Data), `"INTERNAL_ERROR"`) || strings.Contains(string(wire.Data)+wire.Message, "10.0.0.5") {
			t.Errorf("%s: %v", era, err)
		}
		call(t, session, "forecast", `{"city":"Oslo"}`)
		if !strings.Contains(told.String(), "panic in prompts/get") || !strings.Contains(told.String(), "session_test.go") {
			t.Errorf("the operator is told %q", told.String())
		}
	}
}

func TestUnknownTool(t *testing.T) {
	for _, era := range eras {
		l := new(journal)
		session := connect(t, stage(&recourse.Guard{Log: l.add}, "both", nil), era, nil)
		_, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "forcast"})
		var wire *jsonrpc.Error
		if !errors.As(err, &wire) || wire.Code != jsonrpc.CodeInvalidParams || !strings.Contains(wire.Message, "Did you mean forecast") {
			t.Fatalf("%s: %v", era, err)
		}
		var e recourse.Error
		if err := e.UnmarshalJSON(wire.Data); err != nil || e.Code != recourse.UnknownTool {
			t.Errorf("%s: data %s: %v", era, wire.Data, err)
		}
		if r := l.last(t); r.Code != recourse.UnknownTool || r.Fault != "caller" {
			t.Errorf("%s: logged %+v", era, r)
		}
	}
}

func TestUnknownToolWithSeveralNear(t *testing.T) {
	cases := []struct {
		tools []string
		want  string
	}{
		{[]string{"get_price"}, `There is no tool "get_prise". Did you mean get_price?`},
		{[]string{"get_price", "get_price_br"}, `There is no tool "get_prise". Did you mean get_price or get_price_br?`},
		{[]string{"get_price", "get_price_br", "get_price_de"}, `There is no tool "get_prise". Did you mean get_price, get_price_br or get_price_de?`},
		{[]string{"list_orders"}, `There is no tool "get_prise".`},
	}
	for _, era := range eras {
		for _, c := range cases {
			s := mcp.NewServer(&mcp.Implementation{Name: "s"}, nil)
			s.AddReceivingMiddleware(gosdk.Middleware(nil))
			for _, name := range c.tools {
				gosdk.AddTool(s, nil, &mcp.Tool{Name: name}, returns(*say("1"), nil))
			}
			_, err := connect(t, s, era, nil).CallTool(t.Context(), &mcp.CallToolParams{Name: "get_prise"})
			var wire *jsonrpc.Error
			if !errors.As(err, &wire) || wire.Message != c.want {
				t.Errorf("%s: %v", era, err)
			}
		}
	}
}
