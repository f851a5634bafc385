package setup

import (
	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/install"
)

// A Policy is what the administrator of this machine says of an agent's hooks.
type Policy struct {
	install.Rule
	Entry string // where hooks of the administrator go, "" where that is not known
}

// Policies are the administrator's files that there are for an agent.
func Policies(h host.Host, d *protocol.Dialect) (list []Policy) {
	for _, r := range install.Rules(d, Site(h, protocol.UserScope, "")) {
		list = append(list, Policy{r, d.Managed.Entry(h.GOOS)})
	}
	return list
}

// KeptOut is why an administrator's file keeps our entry in a person's configuration
// from running, and which; "" if none does.
func KeptOut(h host.Host, d *protocol.Dialect) (why, file string) {
	for _, p := range Policies(h, d) {
		if p.Off != "" {
			return p.Off, p.File
		}
	}
	return "", ""
}
