// Package agentarg handles an agent as a word of a command line: which words name one,
// the error for a word that does not, and completion. A word is the id of an agent or
// an alias; the agent's [protocol.Dialect] has both.
package agentarg

import (
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
)

// Installable are the agents in which an entry can be installed.
func Installable() []*protocol.Dialect {
	var list []*protocol.Dialect
	for _, d := range agents.All() {
		if d.Config != nil {
			list = append(list, d)
		}
	}
	return list
}

// Lookup is the agent that a word names.
func Lookup(word string) (*protocol.Dialect, error) {
	var ids []string
	for _, d := range Installable() {
		if d.Is(word) {
			return d, nil
		}
		ids = append(ids, d.ID)
	}
	err := shell.Usagef("no such agent: %q", word)
	if hint, near := agents.Meant(word); near {
		return nil, shell.WithHint(err, hint)
	}
	return nil, shell.WithHint(err, "agents-hooks agents lists the agents: "+strings.Join(ids, ", "))
}

// LookupAll are the agents that words name.
func LookupAll(words []string) ([]*protocol.Dialect, error) {
	var list []*protocol.Dialect
	for _, word := range words {
		d, err := Lookup(word)
		if err != nil {
			return nil, err
		}
		list = append(list, d)
	}
	return list, nil
}

// LookupFormat is the dialect that a word names: an agent's, or the format's own
// form, for which nothing can be installed.
func LookupFormat(word string) (*protocol.Dialect, error) {
	if d, ok := agents.Lookup(word); ok {
		return d, nil
	}
	return Lookup(word)
}

// Words completes the id of an agent.
func Words(cli.Line) (list []cli.Suggestion, kind cli.Kind) {
	for _, d := range Installable() {
		list = append(list, cli.Suggestion{Word: d.ID, Text: d.Name})
	}
	return list, ""
}
