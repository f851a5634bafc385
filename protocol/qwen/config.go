package qwen

import (
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
)

var config = &protocol.Config{
	Shape:   protocol.NestedJSON,
	Events:  "hooks",
	File:    file,
	Unit:    time.Millisecond, // qwen-code/12
	Named:   "agents-hooks",
	Windows: protocol.QuoteCmd,
	Shell:   func(protocol.Site) []string { return []string{"bash", "-c"} },
	Off:     off,
}

// folder is where Qwen Code keeps a user's files.
func folder(s protocol.Site) string {
	switch home := s.Getenv("QWEN_HOME"); {
	case home == "~":
		return s.Home
	case strings.HasPrefix(home, "~/"):
		return s.Join(s.Home, home[2:])
	case home != "":
		return home
	}
	return s.Join(s.Home, ".qwen")
}

func file(s protocol.Site) string {
	return s.ByScope(s.Join(s.Project, ".qwen", "settings.json"), s.Join(folder(s), "settings.json"))
}

func off(settings protocol.Object) string {
	if settings.Bool("disableAllHooks") {
		return "disableAllHooks is set in its settings"
	}
	return ""
}
