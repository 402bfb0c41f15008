package mcpgo

import (
	"context"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"github.com/recourse-dev/recourse"
)

// request says what is known of a call.
func request(ctx context.Context, req mcp.CallToolRequest, a mcp.ToolAnnotation) recourse.Request {
	r := recourse.Request{
		Tool:       req.Params.Name,
		Arguments:  arguments(req),
		ReadOnly:   a.ReadOnlyHint != nil && *a.ReadOnlyHint,
		Idempotent: a.IdempotentHint != nil && *a.IdempotentHint,
	}
	// That a read-only tool is also called destructive says nothing here:
	// mcp.NewTool calls every tool so.
	session := server.ClientSessionFromContext(ctx)
	if session != nil {
		r.Session = session.SessionID()
	}
	if c := req.Params.Meta.ClientInfo(); c != nil {
		r.Client = c.Name + "/" + c.Version
	} else if known, ok := session.(server.SessionWithClientInfo); ok {
		if c := known.GetClientInfo(); c.Name != "" {
			r.Client = c.Name + "/" + c.Version
		}
	}
	return r
}
