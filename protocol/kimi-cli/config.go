package kimicli

import (
	"cmp"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/kimilike"
)

// config has the form that kimi-cli/6 requires.
var config = kimilike.Config(folder)

// folder is where Kimi CLI keeps a user's files.
func folder(s protocol.Site) string {
	return cmp.Or(s.Getenv("KIMI_SHARE_DIR"), s.Join(s.Home, ".kimi"))
}
