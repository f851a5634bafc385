package claude

import (
	"cmp"
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
)

var config = &protocol.Config{
	Shape:   protocol.NestedJSON,
	Events:  "hooks",
	File:    file,
	Unit:    time.Second,
	Windows: protocol.QuoteNone, // one line would need Git Bash: without it every line goes to PowerShell, and blocks
	Label:   `{"statusMessage": "agents-hooks"}`,
	Closed:  `{"onFailure": "block"}`,
	Off:     off,
}

// folder is where Claude Code keeps a user's files.
func folder(s protocol.Site) string {
	return cmp.Or(s.Getenv("CLAUDE_CONFIG_DIR"), s.Join(s.Home, ".claude"))
}

// file is the user's settings or, for a project, the ones that git ignores.
func file(s protocol.Site) string {
	return s.ByScope(s.Join(s.Project, ".claude", "settings.local.json"), s.Join(folder(s), "settings.json"))
}

func off(settings protocol.Object) string {
	if settings.Bool("disableAllHooks") {
		return "disableAllHooks is set in its settings"
	}
	return ""
}
