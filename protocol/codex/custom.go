package codex

import (
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
)

var custom = &protocol.Custom{
	Files:  files,
	Speaks: "claude-code",
	Own:    []string{"apply_patch", "turn_id"},
	Limit:  600 * time.Second,
	Limits: []protocol.EventLimit{
		{Event: "SessionEnd", Limit: time.Second},
		{Event: "Interrupt", Limit: time.Second},
	},
	Subjects: []protocol.Subject{
		{Event: "SessionStart", Member: "source"},
		{Event: "PermissionRequest", Member: "tool_name"},
		{Event: "SubagentStart", Member: "agent_type"},
		{Event: "SubagentStop", Member: "agent_type"},
		{Event: "PreCompact", Member: "trigger"},
		{Event: "PostCompact", Member: "trigger"},
	},
	Notify:    "notify",
	NotifyWhy: "it is given what happened as an argument, in a form of its own, and no hook is called so",
}

// files are hooks.json and the configuration, which may have a table of hooks.
func files(s protocol.Site) []string {
	hooks := file(s)
	return []string{hooks, hooks[:len(hooks)-len("hooks.json")] + "config.toml"}
}
