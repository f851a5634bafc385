package match

import (
	"testing"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/failure"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/gene"
)

// A phrase is found as whole words, on both sides, unless it says that a word may go on;
// and with a plural.
func TestPhrasesAreWholeWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text          string
		opens, closes bool
		want          int
	}{
		{"out of port", false, false, 7},
		{"port", false, false, 0},
		{"two ports", false, false, 4},
		{"a portal", false, false, -1},
		{"the import", false, false, -1},
		{"an airport5", false, false, -1},
		{"a portal", false, true, 2},
		{"an airport", true, false, 6},
		{"an airportal", true, true, 6},
		{"an airportal, a port", false, false, 16},
	} {
		t.Run(c.text, func(t *testing.T) {
			if got := index(c.text, "port", c.opens, c.closes); got != c.want {
				t.Errorf("%d, want %d", got, c.want)
			}
		})
	}
}

// An exit code says something of any program from those of shells on, and of curl below.
func TestExitCodesThatSaySomething(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		phrase, command string
		exit            int
		said            bool
	}{
		{"exit:124", "make", 124, true},
		{"exit:137", "make", 137, true},
		{"exit:123", "xargs make", 123, false},
		{"exit:7", "make", 7, false},
		{"exit:7", "curl -s localhost", 7, true},
		{"exit:7", "curl -s localhost", 6, false},
	} {
		t.Run(c.phrase+" of "+c.command, func(t *testing.T) {
			if got := weight(c.phrase, Case{Command: c.command, Failure: failure.Failure{Exit: c.exit}}, ""); got > 0 != c.said {
				t.Errorf("%d", got)
			}
		})
	}
}

// What a failure is about makes it another one, not what its message names besides: the host,
// or a package that the gene does not speak of.
func TestWhatMakesAnotherFailure(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name        string
		now, before []string
		another     bool
	}{
		{"another module", []string{"module:yaml"}, []string{"module:numpy"}, true},
		{"the same module", []string{"module:numpy"}, []string{"module:numpy"}, false},
		{"one of two", []string{"module:numpy"}, []string{"module:yaml", "module:numpy"}, false},
		{"another host", []string{"host:a"}, []string{"host:b"}, false},
		{"no module at all", []string{"host:a"}, []string{"module:numpy"}, false},
		{"another package", []string{"package:left"}, []string{"package:right"}, false},
		{"another package than the gene's", []string{"package:left"}, []string{"package:react"}, true},
		{"other ends of lines", nil, []string{"ending:crlf"}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := gene.Gene{Title: "Pin react", Strategy: []string{"Do it."}}
			if got := other(&g, &failure.Failure{Symbols: c.now}, &failure.Failure{Symbols: c.before}); got != c.another {
				t.Errorf("%v", got)
			}
		})
	}
}
