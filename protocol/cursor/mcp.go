package cursor

import "github.com/agents-hooks/agents-hooks/protocol"

var servers = &protocol.MCP{
	File:   mcpFile,
	Fields: `{"type": "stdio"}`,
	Source: "documentation",
}

func mcpFile(s protocol.Site) string {
	return s.ByScope(s.Join(s.Project, ".cursor", "mcp.json"), s.Join(folder(s), "mcp.json"))
}
