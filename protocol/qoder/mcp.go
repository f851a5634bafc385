package qoder

import "github.com/agents-hooks/agents-hooks/protocol"

var servers = &protocol.MCP{
	File:     mcpFile,
	Spelling: "mcp__agents-hooks__TOOL",
	Source:   "observed",
}

// mcpFile is the user's settings or, of a project, the file that agents share.
func mcpFile(s protocol.Site) string {
	return s.ByScope(s.Join(s.Project, ".mcp.json"), s.Join(folder(s), "settings.json"))
}
