package kimi

import (
	"cmp"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/kimilike"
)

// config has the form that kimi-code/12 requires.
var config = kimilike.Config(folder)

// folder is where Kimi Code keeps a user's files.
func folder(s protocol.Site) string {
	return cmp.Or(s.Getenv("KIMI_CODE_HOME"), s.Join(s.Home, ".kimi-code"))
}
