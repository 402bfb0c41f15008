package main

import (
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The schemas say all that a schema can say: each limit here is one that a model
// is told before it calls, and that no handler has to check.

var createTool = &mcp.Tool{
	Name:        "create_record",
	Description: "Create a customer's record. No two records have the same e-mail address.",
	InputSchema: json.RawMessage(`{"type": "object", "additionalProperties": false, "required": ["name", "email"], "properties": {
		"name": {"type": "string", "minLength": 1, "maxLength": 80, "description": "full name"},
		"email": {"type": "string", "minLength": 3, "maxLength": 254, "description": "address that no other record has, such as ada@example.com"},
		"plan": {"enum": ["free", "team", "enterprise"], "default": "free"},
		"seats": {"type": "integer", "minimum": 1, "maximum": 500, "default": 1, "description": "at most 3 on the free plan"}}}`),
	Annotations: &mcp.ToolAnnotations{DestructiveHint: new(false)},
}

var updateTool = &mcp.Tool{
	Name:        "update_record",
	Description: "Change some members of a record. A version that is not the newest is refused.",
	InputSchema: json.RawMessage(`{"type": "object", "additionalProperties": false, "required": ["id", "version"], "properties": {
		"id": {"type": "string", "pattern": "^rec_[a-z0-9]+$", "examples": ["rec_abc123"], "description": "from find_records"},
		"version": {"type": "integer", "minimum": 1, "description": "version that the change is made to, from find_records"},
		"name": {"type": "string", "minLength": 1, "maxLength": 80},
		"email": {"type": "string", "minLength": 3, "maxLength": 254},
		"plan": {"enum": ["free", "team", "enterprise"]},
		"seats": {"type": "integer", "minimum": 1, "maximum": 500}}}`),
	// The version makes it so: the second of two same changes is refused.
	Annotations: &mcp.ToolAnnotations{IdempotentHint: true},
}

var findTool = &mcp.Tool{
	Name:        "find_records",
	Description: "Find the record with an id, or else those with a text in name or e-mail address.",
	InputSchema: json.RawMessage(`{"type": "object", "additionalProperties": false, "properties": {
		"id": {"type": "string", "pattern": "^rec_[a-z0-9]+$", "examples": ["rec_abc123"]},
		"text": {"type": "string", "maxLength": 100, "description": "part of a name or e-mail address; not beside id; if both are absent, all records are found"},
		"limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 20}}}`),
	Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true},
}
