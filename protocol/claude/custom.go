package claude

import (
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
)

var custom = &protocol.Custom{
	Files:   files,
	Private: ".local.json",
	Speaks:  id,
	Lists:   true,
	Project: "CLAUDE_PROJECT_DIR",
	Limit:   600 * time.Second,
	Limits: []protocol.EventLimit{
		{Event: "UserPromptSubmit", Limit: 30 * time.Second},
		{Event: "SessionEnd", Limit: 1500 * time.Millisecond},
	},
	Subjects: subjects,
	Plugins: &protocol.Plugins{
		Manifest: ".claude-plugin/plugin.json",
		Hooks:    "hooks/hooks.json",
		Root:     "CLAUDE_PLUGIN_ROOT",
		Index:    func(s protocol.Site) string { return s.Join(folder(s), "plugins", "installed_plugins.json") },
		Switch:   "enabledPlugins",
	},
}

// files are the user's settings or, for a project, the shared and the personal ones.
func files(s protocol.Site) []string {
	if s.Scope == protocol.ProjectScope {
		return []string{s.Join(s.Project, ".claude", "settings.json"), s.Join(s.Project, ".claude", "settings.local.json")}
	}
	return []string{s.Join(folder(s), "settings.json")}
}

var subjects = []string{
	"SessionStart", "SessionEnd", "PermissionRequest", "SubagentStart", "SubagentStop", "PreCompact",
	"PostCompact", "Notification",
}
