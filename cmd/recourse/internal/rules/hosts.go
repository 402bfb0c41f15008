package rules

import "time"

const patientCap = 30 * time.Minute

// hosts are clients known to wait longer than 60 s for a tool, by the start of
// clientInfo.name. Where the host's own limit is 5 min, ours ends before it.
var hosts = []struct {
	prefix string
	idle   time.Duration
}{
	// MCP_TOOL_TIMEOUT, default 100,000,000 ms: code.claude.com/docs/en/env-vars, anthropics/claude-code#70441.
	{"claude-code", 5 * time.Minute},
	// DEFAULT_TOOL_TIMEOUT 300 s: openai/codex codex-rs/codex-mcp/src/rmcp_client.rs.
	{"codex-mcp-client", 5*time.Minute - 10*time.Second},
	// MCP_DEFAULT_TIMEOUT_MSEC 10 min: google-gemini/gemini-cli packages/core/src/tools/mcp-client.ts.
	{"gemini-cli-mcp-client", 5 * time.Minute},
	// The same constant in a fork: QwenLM/qwen-code packages/core/src/tools/mcp-client.ts.
	{"qwen-cli-mcp-client", 5 * time.Minute},
	// No timer on requests: microsoft/vscode src/vs/workbench/contrib/mcp/common/mcpServerRequestHandler.ts.
	{"Visual Studio Code", 5 * time.Minute},
	{"Visual-Studio-Code", 5 * time.Minute},
	// DEFAULT_EXTENSION_TIMEOUT 300 s: block/goose crates/goose/src/config/extensions.rs.
	{"goose", 5*time.Minute - 10*time.Second},
}
