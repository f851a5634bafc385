package install_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
	"github.com/agents-hooks/agents-hooks/protocol/claude"
	"github.com/agents-hooks/agents-hooks/protocol/codex"
	"github.com/agents-hooks/agents-hooks/protocol/install"
	"github.com/agents-hooks/agents-hooks/protocol/internal/dialecttest"
)

// What each agent's configuration is once our server is in it.
func TestServersOfAgents(t *testing.T) {
	var b strings.Builder
	for _, d := range agents.All() {
		if d.MCP == nil {
			continue
		}
		files := disk{}
		edits, err := install.AddMCP(d, files.site(t), []string{"/usr/local/bin/agents-hooks", "mcp"})
		must.Do(t, err)
		for _, e := range edits {
			fmt.Fprintf(&b, "%s\n%s\n", e.Path, e.After)
		}
	}
	dialecttest.Golden(t, "testdata/servers.txt", []byte(b.String()))
}

// Our MCP server goes from a file without anything else in it, and a file that holds nothing
// but it goes with it.
func TestAServerGoesWithNothingElse(t *testing.T) {
	argv := []string{"/usr/local/bin/agents-hooks", "mcp"}
	for _, d := range []*protocol.Dialect{claude.Dialect, codex.Dialect} {
		for _, text := range []string{"", map[bool]string{true: "# mine\nmodel = \"x\"\n", false: "{\n  \"a\": 1 // mine\n}\n"}[d == codex.Dialect]} {
			t.Run(d.ID+": "+text, func(t *testing.T) {
				files := disk{}
				path := d.MCP.File(files.site(t))
				if text != "" {
					files[path] = text
				}
				edits, err := install.AddMCP(d, files.site(t), argv)
				must.Do(t, err)
				files.apply(t, edits)
				if m, there, err := install.InspectMCP(d, files.site(t)); err != nil || !there || strings.Join(m.Argv, " ") != strings.Join(argv, " ") {
					t.Errorf("%v %+v %v in\n%s", there, m, err, files[path])
				}
				edits, err = install.RemoveMCP(d, files.site(t))
				must.Do(t, err)
				files.apply(t, edits)
				if got, there := files[path]; got != text || there != (text != "") {
					t.Errorf("left %q", got)
				}
			})
		}
	}
}
