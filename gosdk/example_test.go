package gosdk_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/gosdk"
)

type newUser struct {
	Email string `json:"email"`
	Name  string `json:"name"`
}

type user struct {
	ID string `json:"id"`
}

func createUser(_ context.Context, _ *mcp.CallToolRequest, u newUser) (*mcp.CallToolResult, user, error) {
	return nil, user{}, &recourse.Error{
		Code:       recourse.DuplicateEntry,
		Message:    "A user with this email already exists.",
		Field:      "/email",
		Value:      u.Email,
		Suggestion: "Use update_user with existing_id, or choose another email.",
		Related:    map[string]any{"existing_id": "usr_1"},
	}
}

func ExampleAddTool() {
	s := mcp.NewServer(&mcp.Implementation{Name: "users", Version: "1"}, nil)
	g := new(recourse.Guard) // one for all tools of the server
	s.AddReceivingMiddleware(gosdk.Middleware(g))
	gosdk.AddTool(s, g, &mcp.Tool{
		Name: "create_user",
		// A second call changes nothing, since an email is taken only once. So a call
		// that may have run can be repeated.
		Annotations: &mcp.ToolAnnotations{IdempotentHint: true},
	}, createUser)

	ask := client(s)
	fmt.Println(ask("create_user", map[string]any{"email": "ada@example.com", "name": "Ada"}))

	var e recourse.Error
	text := ask("create_user", map[string]any{"e-mail": "ada@example.com"})
	if err := json.Unmarshal([]byte(text), &e); err == nil {
		fmt.Println(e.Code, e.Suggestion)
	}

	fmt.Println(ask("create_usr", nil)) // Middleware answers this
	// Output:
	// {"error":{"code":"DUPLICATE_ENTRY","message":"A user with this email already exists.","suggestion":"Use update_user with existing_id, or choose another email.","field":"/email","value":"ada@example.com","retryable":false,"existing_id":"usr_1"}}
	// MISSING_ARGUMENT Use email instead of e-mail. Add name and set it to a text.
	// calling "tools/call": There is no tool "create_usr". Did you mean create_user?
}

func ExampleMiddleware() {
	s := mcp.NewServer(&mcp.Implementation{Name: "users", Version: "1"}, nil)
	s.AddReceivingMiddleware(gosdk.Middleware(new(recourse.Guard)))
	tool := &mcp.Tool{Name: "delete_user", InputSchema: &jsonschema.Schema{Type: "object"}}
	s.AddTool(tool, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		panic("no database") // without Middleware this ends the process
	})

	fmt.Println(client(s)("delete_user", nil))
	// Output:
	// {"error":{"code":"INTERNAL_ERROR","message":"The tool itself broke.","suggestion":"Don't send this call again unchecked: first find out, with a tool that only reads, whether it took effect.","retryable":false,"outcome":"unknown"}}
}

// client returns what calls a tool of s and returns what a model reads.
func client(s *mcp.Server) func(tool string, arguments any) string {
	ctx := context.Background()
	near, far := mcp.NewInMemoryTransports()
	if _, err := s.Connect(ctx, far, nil); err != nil {
		log.Fatal(err)
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "client"}, nil).Connect(ctx, near, nil)
	if err != nil {
		log.Fatal(err)
	}
	return func(tool string, arguments any) string {
		res, err := session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: arguments})
		if err != nil {
			return err.Error()
		}
		return res.Content[0].(*mcp.TextContent).Text
	}
}
