package opencode

import "github.com/agents-hooks/agents-hooks/protocol"

var servers = &protocol.MCP{
	File:     mcpFile,
	Shared:   true,
	Path:     func(protocol.Site) []string { return []string{"mcp"} },
	Row:      true,
	Fields:   `{"type": "local"}`,
	More:     `{"enabled": true}`,
	Spelling: "agents-hooks_TOOL",
	Source:   "documentation",
}

// mcpFile is the configuration: the one with comments if it exists.
func mcpFile(s protocol.Site) string {
	dir := folder(s)
	if s.Scope == protocol.ProjectScope {
		dir = s.Project
	}
	if s.Read != nil {
		if _, err := s.Read(s.Join(dir, "opencode.jsonc")); err == nil {
			return s.Join(dir, "opencode.jsonc")
		}
	}
	return s.Join(dir, "opencode.json")
}
