package qoder

import (
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
)

var custom = &protocol.Custom{
	Files:   files,
	Private: ".local.json",
	Speaks:  "claude-code",
	Own:     []string{"QODER_ENV_FILE", "parent_request_set_id"},
	Project: "QODER_PROJECT_DIR",
	Variables: []protocol.Renamed{
		{Name: "QODER_PROJECT_DIR", As: "CLAUDE_PROJECT_DIR"}, {Name: "QODER_PLUGIN_ROOT", As: "CLAUDE_PLUGIN_ROOT"},
	},
	Limit:   600 * time.Second,
	Grouped: true,
	Subjects: []string{
		"SessionStart", "SessionEnd", "StopFailure", "PermissionRequest", "SubagentStart", "SubagentStop",
		"PreCompact", "PostCompact", "Notification",
	},
}

// files are the user's settings or, for a project, the shared and the personal ones.
func files(s protocol.Site) []string {
	if s.Scope == protocol.ProjectScope {
		return []string{s.Join(s.Project, folderName(s), "settings.json"), file(s)}
	}
	return []string{file(s)}
}
