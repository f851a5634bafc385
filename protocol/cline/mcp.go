package cline

import "github.com/agents-hooks/agents-hooks/protocol"

var servers = &protocol.MCP{
	File:   mcpFile,
	Source: "documentation",
}

// mcpFile is the command line's; the extension of an editor has its own.
func mcpFile(s protocol.Site) string {
	if s.Scope == protocol.ProjectScope {
		return ""
	}
	if file := s.Getenv("CLINE_MCP_SETTINGS_PATH"); file != "" {
		return file
	}
	return s.Join(s.Home, ".cline", "data", "settings", "cline_mcp_settings.json")
}
