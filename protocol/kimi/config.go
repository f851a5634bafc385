package kimi

import (
	"cmp"
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// config has the form that kimi-code/12 requires.
var config = &protocol.Config{
	Shape:   protocol.BlockTOML,
	Events:  "hooks",
	File:    file,
	Unit:    time.Second,
	Windows: protocol.QuoteCmd,
}

// folder is where Kimi Code keeps a user's files.
func folder(s protocol.Site) string {
	return cmp.Or(s.Getenv("KIMI_CODE_HOME"), s.Join(s.Home, ".kimi-code"))
}

// file is the user's; projects have none.
func file(s protocol.Site) string {
	return s.ByScope("", s.Join(folder(s), "config.toml"))
}
