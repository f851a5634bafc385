package kiro

import (
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
)

var config = &protocol.Config{
	Shape:   protocol.ListJSON,
	Events:  "hooks",
	File:    file,
	Unit:    time.Second,
	Named:   "agents-hooks",
	Head:    `{"version": "v1"}`,
	Fields:  `{"enabled": true}`,
	Windows: protocol.QuoteCmd,
}

// folder is where Kiro keeps a user's files.
func folder(s protocol.Site) string { return s.Join(s.Home, ".kiro") }

func file(s protocol.Site) string {
	dir := folder(s)
	if s.Scope == protocol.ProjectScope {
		dir = s.Join(s.Project, ".kiro")
	}
	return s.Join(dir, "hooks", "agents-hooks.json")
}
