package windsurf

import (
	"github.com/agents-hooks/agents-hooks/protocol"
)

var custom = &protocol.Custom{
	Files: files,
	Why:   "its hooks read a payload of its own (agent_action_name, tool_info), which we do not speak",
}

// files are the editor's and the one of the plugin for other editors.
func files(s protocol.Site) []string {
	if s.Scope == protocol.ProjectScope {
		return []string{file(s)}
	}
	return []string{file(s), s.Join(s.Home, ".codeium", "hooks.json")}
}
