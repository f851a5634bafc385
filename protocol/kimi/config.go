package kimi

import (
	"cmp"
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/kimilike"
)

// config has the form that kimi-code/12 requires: the program rejects a file in which an entry has
// any key but event, matcher, command and timeout.
var config = &protocol.Config{
	Shape:   protocol.BlockTOML,
	Events:  "hooks",
	File:    func(s protocol.Site) string { return kimilike.File(s, folder(s)) },
	Unit:    time.Second,
	Windows: protocol.QuoteCmd,
}

// folder is where Kimi Code keeps a user's files.
func folder(s protocol.Site) string {
	return cmp.Or(s.Getenv("KIMI_CODE_HOME"), s.Join(s.Home, ".kimi-code"))
}
