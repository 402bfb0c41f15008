package gosdk_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/recourse-dev/recourse"
	"github.com/recourse-dev/recourse/gosdk"
)

// BenchmarkCall is a whole call from client to server and back, in memory, by the
// SDK alone and under guard, on a server with 20 tools.
func BenchmarkCall(b *testing.B) {
	for _, way := range []string{"SDK", "AddTool", "Middleware"} {
		b.Run(way, func(b *testing.B) {
			g := &recourse.Guard{Log: func(recourse.Record) {}}
			s := mcp.NewServer(&mcp.Implementation{Name: "s"}, nil)
			add := "Middleware"
			switch way {
			case "AddTool":
				add = way
			case "Middleware":
				s.AddReceivingMiddleware(gosdk.Middleware(g))
			}
			for i := range 20 {
				register(s, g, add, &mcp.Tool{Name: fmt.Sprint("tool", i)}, func(_ context.Context, _ *mcp.CallToolRequest, q query) (*mcp.CallToolResult, forecast, error) {
					return nil, forecast{q.City, 1}, nil
				})
			}
			near, far := mcp.NewInMemoryTransports()
			if _, err := s.Connect(context.Background(), far, nil); err != nil {
				b.Fatal(err)
			}
			session, err := mcp.NewClient(&mcp.Implementation{Name: "c"}, nil).Connect(context.Background(), near, nil)
			if err != nil {
				b.Fatal(err)
			}
			defer session.Close()
			b.ReportAllocs()
			for b.Loop() {
				params := &mcp.CallToolParams{Name: "tool7", Arguments: json.RawMessage(`{"city":"Oslo","days":3}`)}
				if _, err := session.CallTool(context.Background(), params); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
