package codex

import "github.com/agents-hooks/agents-hooks/protocol"

var servers = &protocol.MCP{
	File:     mcpFile,
	TOML:     true,
	Spelling: "mcp__agents_hooks__TOOL", // names may not have a dash; observed on 0.169.0
	Source:   "observed",
}

func mcpFile(s protocol.Site) string {
	return s.ByScope(s.Join(s.Project, ".codex", "config.toml"), s.Join(home(s), "config.toml"))
}
