package antigravity

import (
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
)

var config = &protocol.Config{
	Shape:   protocol.NestedJSON,
	Events:  "agents-hooks", // antigravity/9
	File:    file,
	Unit:    time.Second,
	Direct:  true, // not known whether a shell runs it
	Windows: protocol.QuoteCmd,
	Off:     off,
}

// folder is where Antigravity keeps its configuration.
func folder(s protocol.Site) string { return s.Join(s.Home, ".gemini", "config") }

func file(s protocol.Site) string {
	return s.ByScope(s.Join(s.Project, ".agents", "hooks.json"), s.Join(folder(s), "hooks.json"))
}

func off(settings protocol.Object) string {
	if string(settings.Sub("agents-hooks").Get("enabled")) == "false" {
		return "agents-hooks is not enabled in its hooks.json"
	}
	return ""
}
