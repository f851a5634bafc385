package junie

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
	Direct:  true, // not known whether a shell runs it
	Windows: protocol.QuoteCmd,
}

// folder is where Junie keeps a user's files.
func folder(s protocol.Site) string {
	return cmp.Or(s.Getenv("JUNIE_HOME"), s.Join(s.Home, ".junie"))
}

// file is the user's; Junie does not use a project's (junie/6).
func file(s protocol.Site) string {
	return s.ByScope("", s.Join(folder(s), "config.json"))
}
