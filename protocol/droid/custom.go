package droid

import (
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
)

var custom = &protocol.Custom{
	Files:   both,
	Speaks:  "claude-code",
	Own:     []string{"file_text", "old_str", "new_str"},
	Project: "FACTORY_PROJECT_DIR",
	Variables: []protocol.Renamed{
		{Name: "FACTORY_PROJECT_DIR", As: "CLAUDE_PROJECT_DIR"}, {Name: "DROID_PROJECT_DIR", As: "CLAUDE_PROJECT_DIR"},
		{Name: "DROID_PLUGIN_ROOT", As: "CLAUDE_PLUGIN_ROOT"},
	},
	Limit:    time.Minute,
	Lists:    true,
	Subjects: []string{"SessionStart", "SessionEnd", "PreCompact", "Notification"},
}

// both are the settings and hooks.json: if the latter exists, hooks in the former are
// not read (factory-droid/4).
func both(s protocol.Site) []string { return files(s)[:1] }
