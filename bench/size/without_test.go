package main

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// A list whose lines are no longer known would say that nothing costs anything; and
// what is left of a source has the imports that it uses, and no other.
func TestWhatAProgramCanBeWithout(t *testing.T) {
	t.Parallel()
	for name, list := range listed {
		t.Run(name, func(t *testing.T) {
			text := must.Read(t, filepath.Join("..", "..", list.file))
			lines := list.line.FindAllStringSubmatch(text, -1)
			if len(lines) < 4 {
				t.Fatalf("%s: %d lines of %s are known", name, len(lines), list.file)
			}
			for _, line := range lines {
				text = without(text, line[0])
			}
			if list.line.MatchString(text) {
				t.Errorf("%s: a line is left in\n%s", name, text)
			}
			if _, err := parser.ParseFile(token.NewFileSet(), name, text, 0); err != nil {
				t.Fatalf("%s: %v\n%s", name, err, text)
			}
			if strings.Contains(text, `verb/demo"`) || strings.Contains(text, `memory/hooks"`) {
				t.Errorf("%s: an import is left that nothing uses", name)
			}
		})
	}
}
