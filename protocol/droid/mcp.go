package droid

import "github.com/agents-hooks/agents-hooks/protocol"

var servers = &protocol.MCP{
	File:     mcpFile,
	Fields:   `{"type": "stdio"}`,
	Spelling: "mcp__agents-hooks__TOOL",
	Source:   "observed",
}

func mcpFile(s protocol.Site) string {
	return s.ByScope(s.Join(s.Project, ".factory", "mcp.json"), s.Join(folder(s), "mcp.json"))
}
