package crush

import "github.com/agents-hooks/agents-hooks/protocol"

var servers = &protocol.MCP{
	File:   mcpFile,
	Shared: true,
	Fields: `{"type": "stdio"}`,
	Path:   func(protocol.Site) []string { return []string{"mcp"} },
	Source: "documentation",
}

func mcpFile(s protocol.Site) string {
	if s.Scope == protocol.ProjectScope {
		return s.Join(s.Project, ".crush.json")
	}
	return s.Join(folder(s), "crush.json")
}
