package main

import (
	"context"
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// addClientTools adds the tools that need something of the client.
func addClientTools(s *server.MCPServer) {
	s.AddTool(mcp.NewTool("ask_model", mcp.WithString("text", mcp.Required())), askModel)
	s.AddTool(mcp.NewTool("ask_user"), askUser)
	s.AddTool(mcp.NewTool("list_roots"), listRoots)
	s.AddTool(mcp.NewTool("log"), logThrice)
	s.AddTool(mcp.NewTool("touch"), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		s.SendNotificationToAllClients(mcp.MethodNotificationResourceUpdated, map[string]any{"uri": note})
		return mcp.NewToolResultText("touched"), nil
	})
}

func askModel(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if a := server.SamplingResponse(r.Params.InputResponses, "model"); a != nil {
		return mcp.NewToolResultText("the model says: " + mcp.GetTextFromContent(a.Content)), nil
	}
	return server.NewInputRequestBuilder("").Sample("model", mcp.CreateMessageParams{
		MaxTokens: 10,
		Messages:  []mcp.SamplingMessage{{Role: mcp.RoleUser, Content: mcp.NewTextContent(r.GetString("text", ""))}},
	}).ToolResult(), nil
}

func askUser(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if a := server.ElicitationResponse(r.Params.InputResponses, "user"); a != nil {
		content, _ := a.Content.(map[string]any)
		return mcp.NewToolResultText(fmt.Sprintf("%s: %v", a.Action, content["name"])), nil
	}
	return server.NewInputRequestBuilder("").Elicit("user", mcp.ElicitationParams{
		Message: "Who are you?",
		RequestedSchema: map[string]any{
			"type": "object", "required": []string{"name"},
			"properties": map[string]any{"name": map[string]any{"type": "string"}},
		},
	}).ToolResult(), nil
}

func listRoots(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if a := server.RootsResponse(r.Params.InputResponses, "roots"); a != nil {
		return mcp.NewToolResultText("root: " + a.Roots[0].URI), nil
	}
	return server.NewInputRequestBuilder("").Roots("roots").ToolResult(), nil
}

func logThrice(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	for i := range 3 {
		n := mcp.NewLoggingMessageNotification(mcp.LoggingLevelInfo, "interop", fmt.Sprint("line ", i))
		if err := server.ServerFromContext(ctx).SendLogMessageToClient(ctx, n); err != nil {
			return nil, err
		}
	}
	return mcp.NewToolResultText("logged"), nil
}
