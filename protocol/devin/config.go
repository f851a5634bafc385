package devin

import (
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
)

var config = &protocol.Config{
	Shape:    protocol.NestedJSON,
	Events:   "hooks",
	EventsIn: eventsIn,
	File:     file,
	Unit:     time.Second,
	Windows:  protocol.QuoteCmd,
}

// eventsIn is the member that holds the events (devin-cli/6).
func eventsIn(_ protocol.Site, file string) string {
	if strings.HasSuffix(file, "hooks.v1.json") {
		return ""
	}
	return "hooks"
}

// folder is where Devin keeps a user's files.
func folder(s protocol.Site) string {
	if dir := s.Getenv("APPDATA"); s.GOOS == "windows" && dir != "" {
		return s.Join(dir, "devin")
	}
	if dir := s.Getenv("XDG_CONFIG_HOME"); s.GOOS != "windows" && dir != "" {
		return s.Join(dir, "devin")
	}
	return s.Join(s.Home, ".config", "devin")
}

func file(s protocol.Site) string {
	return s.ByScope(s.Join(s.Project, ".devin", "hooks.v1.json"), s.Join(folder(s), "config.json"))
}
