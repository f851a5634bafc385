package augment

import (
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
)

var config = &protocol.Config{
	Shape:   protocol.NestedJSON,
	Events:  "hooks",
	File:    file,
	Direct:  true,             // augment/15
	Unit:    time.Millisecond, // augment/13
	Windows: protocol.QuoteCmd,
}

// folder is where Augment keeps a user's files.
func folder(s protocol.Site) string { return s.Join(s.Home, ".augment") }

// file is the user's settings or, for a project, the ones that git ignores.
func file(s protocol.Site) string {
	return s.ByScope(s.Join(s.Project, ".augment", "settings.local.json"), s.Join(folder(s), "settings.json"))
}
