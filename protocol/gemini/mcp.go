package gemini

import "github.com/agents-hooks/agents-hooks/protocol"

var servers = &protocol.MCP{
	File:     mcpFile,
	Spelling: "mcp_agents-hooks_TOOL",
	Source:   "observed",
}

func mcpFile(s protocol.Site) string {
	return s.ByScope(s.Join(s.Project, ".gemini", "settings.json"), s.Join(folder(s), "settings.json"))
}
