package mcpgo_test

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/mcpgo"
)

func ExampleAddTool() {
	s := server.NewMCPServer("users", "1")
	g := new(recourse.Guard) // one for all tools of the server
	tool := mcp.NewTool("create_user",
		mcp.WithString("email", mcp.Required()),
		mcp.WithString("name"),
		mcp.WithSchemaAdditionalProperties(false), // or a misspelt name would pass
		// A second call changes nothing, since an email is taken only once. So a call
		// that may have run can be repeated.
		mcp.WithIdempotentHintAnnotation(true),
	)
	mcpgo.AddTool(s, g, tool, func(_ context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return nil, &recourse.Error{
			Code:       recourse.DuplicateEntry,
			Message:    "A user with this email already exists.",
			Field:      "/email",
			Value:      req.GetString("email", ""),
			Suggestion: "Use update_user with existing_id, or choose another email.",
			Related:    map[string]any{"existing_id": "usr_1"},
		}
	})

	fmt.Println(read(s, `{"name":"create_user","arguments":{"email":"ada@example.com"}}`))
	fmt.Println(read(s, `{"name":"create_user","arguments":{"email":"ada@example.com","full_name":"Ada"}}`))
	// Output:
	// {"error":{"code":"DUPLICATE_ENTRY","message":"A user with this email already exists.","suggestion":"Use update_user with existing_id, or choose another email.","field":"/email","value":"ada@example.com","retryable":false,"existing_id":"usr_1"}}
	// {"error":{"code":"UNKNOWN_ARGUMENT","message":"There is no argument full_name.","suggestion":"Use name instead of full_name.","field":"/full_name","value":"Ada","constraint":"no such argument; did you mean name?","retryable":false,"near":["name"]}}
}

func ExampleMiddleware() {
	s := server.NewMCPServer("users", "1", server.WithToolHandlerMiddleware(mcpgo.Middleware(new(recourse.Guard))))
	s.AddTool(mcp.NewTool("delete_user"), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		panic("no database")
	})

	fmt.Println(read(s, `{"name":"delete_user"}`))
	// Output:
	// {"error":{"code":"INTERNAL_ERROR","message":"The tool itself broke.","suggestion":"Don't send this call again unchecked: first find out, with a tool that only reads, whether it took effect.","retryable":false,"outcome":"unknown"}}
}

// read calls a tool and returns what a model reads.
func read(s *server.MCPServer, params string) string {
	answer := s.HandleMessage(context.Background(), json.RawMessage(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":`+params+`}`))
	res := answer.(mcp.JSONRPCResponse).Result.(*mcp.CallToolResult)
	return res.Content[0].(mcp.TextContent).Text
}
