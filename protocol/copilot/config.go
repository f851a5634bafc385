package copilot

import (
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
)

var config = &protocol.Config{
	Shape:          protocol.FlatJSON,
	Events:         "hooks",
	Head:           `{"version": 1}`,
	Fields:         `{"type": "command"}`,
	Command:        "bash",
	CommandWindows: "powershell",
	Timeout:        "timeoutSec",
	File:           file,
	Unit:           time.Second,
	Windows:        protocol.QuotePowerShell,
	Shell:          func(protocol.Site) []string { return []string{"bash", "-c"} },
	Off:            off,
}

// folder is where Copilot CLI keeps a user's files.
func folder(s protocol.Site) string {
	if home := s.Getenv("COPILOT_HOME"); home != "" {
		return home
	}
	return s.Join(s.Home, ".copilot")
}

func file(s protocol.Site) string {
	return s.ByScope(s.Join(s.Project, ".github", "hooks", "agents-hooks.json"), s.Join(folder(s), "hooks", "agents-hooks.json"))
}

func off(settings protocol.Object) string {
	if settings.Bool("disableAllHooks") {
		return "disableAllHooks is set in it"
	}
	return ""
}
