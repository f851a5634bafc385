package cursor

import "github.com/agents-hooks/agents-hooks/protocol"

var servers = &protocol.MCP{
	File:   mcpFile,
	Shared: true,
	Fields: `{"type": "stdio"}`,
	Source: "documentation",
}

func mcpFile(s protocol.Site) string {
	if s.Scope == protocol.ProjectScope {
		return s.Join(s.Project, ".cursor", "mcp.json")
	}
	return s.Join(folder(s), "mcp.json")
}
