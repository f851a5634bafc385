package doctor

import (
	"github.com/agents-hooks/agents-hooks/cmd/internal/setup"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// policy says what an administrator's settings mean for our entry in an agent.
func policy(p place, a *protocol.Dialect) (list []check) {
	for _, r := range setup.Policies(p.Host, a) {
		switch {
		case r.Instead != "":
			list = append(list, row("policy", checkOK, "", "%s: %s: the entry in %s is called in place of yours", p.Short(r.File), r.Off, p.Short(r.Instead)))
		case r.Off != "":
			fix := "ask whoever runs this machine"
			if r.Entry != "" {
				fix += " to add the entry to " + p.Short(r.Entry) + ": docs/team.md, Managed machines"
			}
			list = append(list, row("policy", checkError, fix, "%s: %s: no entry of yours is called", p.Short(r.File), r.Off))
		case r.Bad != "":
			list = append(list, row("policy", checkWarn, "", "%s cannot be read, so whether it lets hooks run is not known: %s", p.Short(r.File), r.Bad))
		default:
			list = append(list, row("policy", checkOK, "", "%s lets your hooks run", p.Short(r.File)))
		}
	}
	return list
}
