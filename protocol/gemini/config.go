package gemini

import (
	"slices"
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// named is the name under which Gemini CLI lists and switches our hook.
const named = "agents-hooks"

var config = &protocol.Config{
	Shape:   protocol.NestedJSON,
	Events:  "hooks",
	File:    file,
	Unit:    time.Millisecond, // gemini-cli/12
	Named:   named,
	Windows: protocol.QuotePowerShell,
	Shell:   func(protocol.Site) []string { return []string{"bash", "-c"} },
	Off:     off,
}

// folder is where Gemini CLI keeps a user's files. GEMINI_CLI_HOME
// stands for the home directory, not for the folder in it.
func folder(s protocol.Site) string {
	if home := s.Getenv("GEMINI_CLI_HOME"); home != "" {
		return s.Join(home, ".gemini")
	}
	return s.Join(s.Home, ".gemini")
}

func file(s protocol.Site) string {
	return s.ByScope(s.Join(s.Project, ".gemini", "settings.json"), s.Join(folder(s), "settings.json"))
}

func off(settings protocol.Object) string {
	hooks := settings.Sub("hooksConfig")
	if string(hooks.Get("enabled")) == "false" {
		return "hooksConfig.enabled is false in its settings"
	}
	if slices.Contains(skipped(settings), named) {
		return "hooksConfig.disabled names " + named + " in its settings"
	}
	return ""
}

// skipped are the hooks that are switched off individually.
func skipped(settings protocol.Object) []string {
	return protocol.TextsOf(settings.Sub("hooksConfig").Get("disabled"))
}
