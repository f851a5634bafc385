package cursor

import (
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
)

var config = &protocol.Config{
	Shape:   protocol.FlatJSON,
	Events:  "hooks",
	Head:    `{"version": 1}`,
	File:    file,
	Unit:    time.Second,
	Windows: protocol.QuotePowerShell,
}

// folder is where Cursor keeps a user's files.
func folder(s protocol.Site) string { return s.Join(s.Home, ".cursor") }

func file(s protocol.Site) string {
	return s.ByScope(s.Join(s.Project, ".cursor", "hooks.json"), s.Join(folder(s), "hooks.json"))
}
