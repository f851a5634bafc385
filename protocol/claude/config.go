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
	Windows: protocol.QuoteNone, // a line would need Git Bash: without it each is given to PowerShell, and blocks
	Label:   `{"statusMessage": "agents-hooks"}`,
	Closed:  `{"onFailure": "block"}`,
	Off:     off,
}

// folder is where Claude Code keeps what belongs to its user.
func folder(s protocol.Site) string {
	return cmp.Or(s.Getenv("CLAUDE_CONFIG_DIR"), s.Join(s.Home, ".claude"))
}

// file is the user's settings or, of a project, the ones that git leaves out.
func file(s protocol.Site) string {
	return s.ByScope(s.Join(s.Project, ".claude", "settings.local.json"), s.Join(folder(s), "settings.json"))
}

func off(settings protocol.Object) string {
	if settings.Bool("disableAllHooks") {
		return "disableAllHooks is set in its settings"
	}
	return ""
}
