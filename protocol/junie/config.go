package junie

import (
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
)

var config = &protocol.Config{
	Shape:   protocol.NestedJSON,
	Events:  "hooks",
	File:    file,
	Unit:    time.Second,
	Direct:  true, // nothing tells what runs it
	Windows: protocol.QuoteCmd,
}

// folder is where Junie keeps what belongs to its user.
func folder(s protocol.Site) string {
	if dir := s.Getenv("JUNIE_HOME"); dir != "" {
		return dir
	}
	return s.Join(s.Home, ".junie")
}

// file is the user's; a project has none that would be used (junie/6).
func file(s protocol.Site) string {
	if s.Scope == protocol.ProjectScope {
		return ""
	}
	return s.Join(folder(s), "config.json")
}
