package hookset

import (
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
)

// Installable are the agents that an entry can be installed in.
func Installable() []*protocol.Dialect {
	var list []*protocol.Dialect
	for _, d := range agents.All() {
		if d.Config != nil {
			list = append(list, d)
		}
	}
	return list
}

// Chosen looks up the agents of a command line.
func Chosen(ids []string) ([]*protocol.Dialect, error) {
	var list []*protocol.Dialect
	for _, id := range ids {
		d, err := LookupAgent(id)
		if err != nil {
			return nil, err
		}
		list = append(list, d)
	}
	return list, nil
}

func LookupAgent(id string) (*protocol.Dialect, error) {
	var ids []string
	for _, d := range Installable() {
		if d.Is(id) {
			return d, nil
		}
		ids = append(ids, d.ID)
	}
	err := shell.Usagef("no such agent: %q", id)
	if near := shell.Nearest(id, ids); near != "" {
		return nil, shell.WithHint(err, "did you mean "+near+"?", "agents-hooks agents")
	}
	return nil, shell.WithHint(err, "agents-hooks agents lists the agents: "+strings.Join(ids, ", "))
}
