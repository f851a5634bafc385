package copilot

import "github.com/agents-hooks/agents-hooks/protocol"

var servers = &protocol.MCP{
	File:     mcpFile,
	Fields:   `{"type": "local", "tools": ["*"]}`,
	Spelling: "agents-hooks-TOOL",
	Source:   "observed",
}

func mcpFile(s protocol.Site) string {
	return s.ByScope("", s.Join(folder(s), "mcp-config.json"))
}
