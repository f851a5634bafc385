package hookset

import (
	builtinhooks "github.com/agents-hooks/agents-hooks/builtin-hooks"
	"github.com/agents-hooks/agents-hooks/cmd/internal/builtin"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// World is that of built-in hooks which run outside the dispatcher: their
// settings are read for the folder that they work in.
func World(sh *shell.Shell) *builtinhooks.World {
	src := sh.Host.Sources()
	w := builtin.World(sh.Host, sh.Host.State, builtin.Settings(src))
	w.Vouch = func(workDir, name, dir string) bool {
		return discovery.LoadEvent(src, protocol.PostSession, workDir).Vouches(name, dir)
	}
	return w
}
