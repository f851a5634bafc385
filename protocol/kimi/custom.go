package kimi

import (
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
)

var custom = &protocol.Custom{
	Files:    files,
	Speaks:   "claude-code",
	Own:      []string{"tool_call_id", "tool_output", "client_type", "agent_name", ".tool_input.path"},
	Limit:    30 * time.Second,
	Subjects: []string{"UserPromptSubmit", "SessionStart", "SubagentStart", "SubagentStop", "PreCompact", "PostCompact", "Notification"},
}

// files are the user's configuration and its predecessor's.
func files(s protocol.Site) []string {
	if s.Scope == protocol.ProjectScope {
		return nil
	}
	return []string{config.File(s), s.Join(s.Home, ".kimi", "config.toml")}
}
