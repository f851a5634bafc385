package main

import (
	"fmt"

	"github.com/agents-hooks/agents-hooks/discovery"
)

// problemText is a problem on one line: place, field, message, fix. Quoted parts
// come from a file of a stranger, so that it is made safe to show.
func (t *tool) problemText(p discovery.Problem) string {
	p.File = t.short(p.File)
	return plain(p.String())
}

// problem says one on stderr.
func (t *tool) problem(p discovery.Problem) {
	fmt.Fprintf(t.err, "agents-hooks: %s: %s\n", p.Severity, t.problemText(p))
}
