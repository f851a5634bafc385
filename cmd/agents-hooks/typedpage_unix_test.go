//go:build unix

package main

import (
	"regexp"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/slowtest"
)

// A typedPage is a page of the docs, and a home in which what it says is tried.
type typedPage struct {
	*testing.T
	stage *exampleStage
	text  string
}

// find are what stands in the page, which has to be there so often at least.
func (p *typedPage) find(least int, expr string) (found [][]string) {
	p.Helper()
	found = regexp.MustCompile(expr).FindAllStringSubmatch(p.text, -1)
	if len(found) < least {
		p.Fatalf("%d of %s in the page, want %d at least", len(found), expr, least)
	}
	return found
}

// run types a line, which has to end well.
func (p *typedPage) run(line string) string {
	p.Helper()
	out, err := p.stage.sh(p.T, line)
	if err != nil {
		p.Errorf("%s: %v\n%.600s", line, err, out)
	}
	return out
}

// pagesToType are the English page, and with -slow the Chinese one as well: that it has
// the same commands is another test.
func pagesToType(english, chinese string) []string {
	if slowtest.On() {
		return []string{english, chinese}
	}
	return []string{english}
}
