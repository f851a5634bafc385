package agents_test

import (
	"testing"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
	"github.com/agents-hooks/agents-hooks/protocol/install"
)

// Removing our entry from a file that was empty leaves an empty file.
func TestAnEmptyFileStays(t *testing.T) {
	t.Parallel()
	for _, d := range agents.All() {
		for _, content := range []string{"", "\n \n", "\ufeff"} {
			site := protocol.Site{Scope: protocol.UserScope, Home: "/h", GOOS: "linux", Env: func(string) string { return "" }, Read: func(string) ([]byte, error) { return []byte(content), nil }}
			edits, err := install.Remove(d, site)
			if err != nil || len(edits) > 0 {
				t.Errorf("%s, %q: %v, %+v", d.ID, content, err, edits)
			}
		}
	}
}
