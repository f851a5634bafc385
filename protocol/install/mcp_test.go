package install_test

import (
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/claude"
	"github.com/agents-hooks/agents-hooks/protocol/codex"
	"github.com/agents-hooks/agents-hooks/protocol/install"
)

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
