package opencode

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
	file := s.Join(s.ByScope(s.Project, folder(s)), "opencode.json")
	if s.Has(file + "c") {
		file += "c"
	}
	return file
}
