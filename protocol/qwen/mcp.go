package qwen

import "github.com/agents-hooks/agents-hooks/protocol"

var servers = &protocol.MCP{
	File:     mcpFile,
	Spelling: "mcp__agents-hooks__TOOL",
	Source:   "observed",
}

func mcpFile(s protocol.Site) string {
	return s.ByScope(s.Join(s.Project, ".qwen", "settings.json"), s.Join(folder(s), "settings.json"))
}
