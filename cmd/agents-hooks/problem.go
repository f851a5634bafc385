package main

import (
	"fmt"
	"path/filepath"
	"strings"

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

// tidy is a text that names paths, made safe and short to show.
func (t *tool) tidy(text string) string {
	if t.host.Home != "" {
		text = strings.ReplaceAll(text, t.host.Home+string(filepath.Separator), "~"+string(filepath.Separator))
	}
	return plain(text)
}
