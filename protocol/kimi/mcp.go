package kimi

import "github.com/agents-hooks/agents-hooks/protocol"

var servers = &protocol.MCP{
	File:     mcpFile,
	Spelling: "mcp__agents-hooks__TOOL",
	Source:   "documentation",
}

func mcpFile(s protocol.Site) string {
	return s.ByScope(s.Join(s.Project, ".kimi-code", "mcp.json"), s.Join(folder(s), "mcp.json"))
}
