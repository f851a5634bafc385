package claude

import "github.com/agents-hooks/agents-hooks/protocol"

var servers = &protocol.MCP{
	File:     mcpFile,
	Path:     mcpPath,
	Fields:   `{"type": "stdio"}`,
	Spelling: "mcp__agents-hooks__TOOL",
	Source:   "observed", // claude mcp add, 2.1.329
	Notes:    []string{"it asks before each call of a tool, unless \"permissions\": {\"allow\": [\"mcp__agents-hooks\"]} stands in its settings; without a person there it refuses the call"},
}

// mcpFile is the user's state file: beside the settings folder or, if that was moved,
// in it.
func mcpFile(s protocol.Site) string {
	if dir := s.Getenv("CLAUDE_CONFIG_DIR"); dir != "" {
		return s.Join(dir, ".claude.json")
	}
	return s.Join(s.Home, ".claude.json")
}

// mcpPath is for all projects, or for one project and this user alone ("local"),
// which is identified by the root of its repository.
func mcpPath(s protocol.Site) []string {
	if s.Scope == protocol.ProjectScope {
		return []string{"projects", s.Project, "mcpServers"}
	}
	return []string{"mcpServers"}
}
