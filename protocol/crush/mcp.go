package crush

import "github.com/agents-hooks/agents-hooks/protocol"

var servers = &protocol.MCP{
	File:     mcpFile,
	Fields:   `{"type": "stdio"}`,
	Path:     func(protocol.Site) []string { return []string{"mcp"} },
	Spelling: "mcp_agents-hooks_TOOL",
	Source:   "observed",
}

func mcpFile(s protocol.Site) string {
	return s.ByScope(s.Join(s.Project, ".crush.json"), s.Join(folder(s), "crush.json"))
}
