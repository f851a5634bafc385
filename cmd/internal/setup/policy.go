package setup

import (
	"slices"

	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/install"
)

// A Policy is what this machine's administrator says about an agent's hooks.
type Policy struct {
	install.Rule
	Entry   string // where the administrator's hooks go, "" if unknown
	Instead string // the administrator's file whose entry of ours runs in place of the user's
}

// Policies are the administrator's existing files for an agent.
func Policies(h host.Host, d *protocol.Dialect) (list []Policy) {
	for _, r := range install.Rules(d, Site(h, protocol.UserScope, "")) {
		list = append(list, Policy{Rule: r, Entry: d.Managed.Entry(h.GOOS)})
	}
	if i := slices.IndexFunc(list, func(p Policy) bool { return p.Ours }); i >= 0 {
		for at := range list {
			if list[at].Only {
				list[at].Instead = list[i].File
			}
		}
	}
	return list
}

// KeptOut says why an administrator's file keeps our entry in a user's configuration
// from running, and names the file; "" if none does, or if the administrator's entry
// runs instead.
func KeptOut(h host.Host, d *protocol.Dialect) (why, file string) {
	for _, p := range Policies(h, d) {
		if p.Off != "" && p.Instead == "" {
			return p.Off, p.File
		}
	}
	return "", ""
}
