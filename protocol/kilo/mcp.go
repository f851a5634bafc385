package kilo

import "github.com/agents-hooks/agents-hooks/protocol"

var servers = &protocol.MCP{
	File:     mcpFile,
	Path:     func(protocol.Site) []string { return []string{"mcp"} },
	Row:      true,
	Fields:   `{"type": "local"}`,
	More:     `{"enabled": true}`,
	Spelling: "agents-hooks_TOOL",
	Source:   "documentation",
}

// mcpFile is the configuration: the one with comments if it exists.
func mcpFile(s protocol.Site) string {
	if s.Scope == protocol.ProjectScope {
		return "" // it is not certain which name counts in a project
	}
	dir := folder(s)
	if s.Read != nil {
		if _, err := s.Read(s.Join(dir, "kilo.jsonc")); err == nil {
			return s.Join(dir, "kilo.jsonc")
		}
	}
	return s.Join(dir, "kilo.json")
}
