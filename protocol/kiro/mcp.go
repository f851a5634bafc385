package kiro

import "github.com/agents-hooks/agents-hooks/protocol"

var servers = &protocol.MCP{
	File:   mcpFile,
	Source: "documentation",
}

func mcpFile(s protocol.Site) string {
	return s.ByScope(s.Join(s.Project, ".kiro", "settings", "mcp.json"), s.Join(folder(s), "settings", "mcp.json"))
}
