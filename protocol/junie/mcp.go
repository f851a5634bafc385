package junie

import "github.com/agents-hooks/agents-hooks/protocol"

var servers = &protocol.MCP{
	File:   mcpFile,
	Source: "documentation",
}

func mcpFile(s protocol.Site) string {
	return s.ByScope(s.Join(s.Project, ".junie", "mcp", "mcp.json"), s.Join(folder(s), "mcp", "mcp.json"))
}
