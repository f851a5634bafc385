package droid

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
	Files:    files,
	Unit:     time.Second,
	Windows:  protocol.QuotePowerShell,
}

// folder is where Droid keeps a user's files.
func folder(s protocol.Site) string { return s.Join(s.Home, ".factory") }

// file is the settings (factory-droid/12).
func file(s protocol.Site) string {
	return s.ByScope(s.Join(s.Project, ".factory", "settings.json"), s.Join(folder(s), "settings.json"))
}

// files are the settings, and hooks.json where there is one (factory-droid/4).
func files(s protocol.Site) []string {
	settings := file(s)
	if hooks := strings.TrimSuffix(settings, "settings.json") + "hooks.json"; s.Has(hooks) {
		return []string{hooks, settings}
	}
	return []string{settings}
}

// eventsIn is the member that holds the events; in a hooks.json there is none, they
// are at the top (factory-droid/5).
func eventsIn(_ protocol.Site, file string) string {
	if strings.HasSuffix(file, "hooks.json") {
		return ""
	}
	return "hooks"
}
