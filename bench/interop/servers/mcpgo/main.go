// Command mcpgo is a server built with mcp-go. It offers the same tools,
// resources and prompts as sdk.py and fast.py beside it.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

const note = "note://today"

func main() {
	log.SetFlags(0)
	s := server.NewMCPServer("interop-mcpgo", "1",
		server.WithToolCapabilities(true), server.WithPromptCapabilities(true),
		server.WithResourceCapabilities(true, true), server.WithLogging(),
		server.WithElicitation(), server.WithRoots(), server.WithCompletions(),
		server.WithPromptCompletionProvider(names{}))
	s.EnableSampling()
	addTools(s)
	addClientTools(s)
	s.AddResource(mcp.NewResource(note, "today", mcp.WithMIMEType("text/plain")), read)
	s.AddResourceTemplate(mcp.NewResourceTemplate("note://{day}", "note"), read)
	s.AddPrompt(mcp.NewPrompt("greet", mcp.WithArgument("name", mcp.RequiredArgument())), greet)
	if err := server.ServeStdio(s); err != nil && !errors.Is(err, context.Canceled) {
		log.Fatal(err)
	}
}

func read(_ context.Context, r mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
	return []mcp.ResourceContents{mcp.TextResourceContents{
		URI: r.Params.URI, MIMEType: "text/plain", Text: "Nothing on " + strings.TrimPrefix(r.Params.URI, "note://") + ".",
	}}, nil
}

func greet(_ context.Context, r mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	text := mcp.NewTextContent("Greet " + r.Params.Arguments["name"] + ".")
	return mcp.NewGetPromptResult("a greeting", []mcp.PromptMessage{mcp.NewPromptMessage(mcp.RoleUser, text)}), nil
}

type names struct{}

func (names) CompletePromptArgument(_ context.Context, _ string, a mcp.CompleteArgument, _ mcp.CompleteContext) (*mcp.Completion, error) {
	c := mcp.Completion{Values: []string{}}
	for _, n := range []string{"Ada", "Alan", "Grace"} {
		if strings.HasPrefix(n, a.Value) {
			c.Values = append(c.Values, n)
		}
	}
	return &c, nil
}

func addTools(s *server.MCPServer) {
	s.AddTool(mcp.NewTool("echo", mcp.WithString("text", mcp.Required())),
		func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return mcp.NewToolResultText(r.GetString("text", "")), nil
		})
	s.AddTool(mcp.NewTool("add", mcp.WithInteger("a", mcp.Required()), mcp.WithInteger("b", mcp.Required())),
		func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			var in struct{ A, B int64 }
			if err := r.BindArguments(&in); err != nil {
				return mcp.NewToolResultError(err.Error()), nil
			}
			sum := fmt.Sprint(in.A + in.B)
			return mcp.NewToolResultStructured(map[string]any{"result": in.A + in.B}, sum), nil
		})
	s.AddTool(mcp.NewTool("fail"), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultError("this tool fails"), nil
	})
	s.AddTool(mcp.NewTool("big"), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultText(strings.Repeat("0123456789abcdef", 1<<16)), nil
	})
	released, stopped := make(chan struct{}, 1), make(chan struct{}, 1)
	s.AddTool(mcp.NewTool("count", mcp.WithInteger("to", mcp.Required())),
		func(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			to := r.GetInt("to", 0)
			for i := range to {
				if err := progress(ctx, r, i+1, to); err != nil {
					return nil, err
				}
			}
			return after(released, fmt.Sprintf("counted to %d", to))
		})
	s.AddTool(mcp.NewTool("release"), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		released <- struct{}{}
		return mcp.NewToolResultText("released"), nil
	})
	s.AddTool(mcp.NewTool("slow"), func(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if err := progress(ctx, r, 1, 2); err != nil {
			return nil, err
		}
		<-ctx.Done()
		stopped <- struct{}{}
		return nil, ctx.Err()
	})
	s.AddTool(mcp.NewTool("cancelled"), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return after(stopped, "slow was cancelled")
	})
}

// after answers with text once something has come out of c.
func after(c <-chan struct{}, text string) (*mcp.CallToolResult, error) {
	select {
	case <-c:
		return mcp.NewToolResultText(text), nil
	case <-time.After(10 * time.Second):
		return mcp.NewToolResultError("waited in vain"), nil
	}
}

func progress(ctx context.Context, r mcp.CallToolRequest, n, total int) error {
	if r.Params.Meta == nil || r.Params.Meta.ProgressToken == nil {
		return nil
	}
	return server.ServerFromContext(ctx).SendNotificationToClient(ctx, "notifications/progress",
		map[string]any{"progressToken": r.Params.Meta.ProgressToken, "progress": n, "total": total})
}
