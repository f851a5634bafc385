package kimilike

import (
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// Config is how an entry is written into the user's config.toml, which lies in folder;
// projects have none. The programs reject a file in which an entry has any key but event,
// matcher, command and timeout.
func Config(folder func(protocol.Site) string) *protocol.Config {
	return &protocol.Config{
		Shape:   protocol.BlockTOML,
		Events:  "hooks",
		File:    func(s protocol.Site) string { return s.ByScope("", s.Join(folder(s), "config.toml")) },
		Unit:    time.Second,
		Windows: protocol.QuoteCmd,
	}
}
