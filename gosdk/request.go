package gosdk

import (
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/recourse-dev/recourse"
)

// request says what is known of a call.
func request(req *mcp.CallToolRequest, a *mcp.ToolAnnotations) recourse.Request {
	r := recourse.Request{Tool: req.Params.Name, Arguments: req.Params.Arguments}
	if req.Session != nil {
		r.Session = req.Session.ID()
	}
	// req.ClientInfo would say the same for 32 kB of garbage.
	if c, ok := req.Params.Meta[mcp.MetaKeyClientInfo].(map[string]any); ok {
		name, _ := c["name"].(string)
		version, _ := c["version"].(string)
		r.Client = name + "/" + version
	} else if c := req.ClientInfo(); c != nil {
		r.Client = c.Name + "/" + c.Version
	}
	// One who says read-only and destructive has not thought about either.
	if a != nil && !(a.ReadOnlyHint && a.DestructiveHint != nil && *a.DestructiveHint) {
		r.ReadOnly, r.Idempotent = a.ReadOnlyHint, a.IdempotentHint
	}
	return r
}
