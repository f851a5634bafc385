package doctor

import (
	"fmt"
	"slices"

	"github.com/agents-hooks/agents-hooks/cmd/internal/setup"
	"github.com/agents-hooks/agents-hooks/internal/callname"
	"github.com/agents-hooks/agents-hooks/internal/statefile"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/install"
)

// mcp tells of our MCP server in an agent: whether it stands in its
// configuration, and whether the texts of hooks agree with that.
func (d *doctor) mcp(a *protocol.Dialect, scope protocol.Scope) {
	site := setup.Site(d.Shell, scope, d.set.Root)
	if a.MCP == nil || a.MCP.File(site) == "" || scope == protocol.ProjectScope && site.Project == "" {
		return
	}
	m, stands, err := install.InspectMCP(a, site)
	again := fmt.Sprintf("agents-hooks install %s --mcp --%s", a.ID, scope)
	if err != nil {
		d.add("mcp", checkError, "mend "+d.Short(a.MCP.File(site)), "%v", err)
		return
	}
	project := ""
	if scope == protocol.ProjectScope {
		project = site.Project
	}
	b, _ := statefile.Read(callname.File(d.Host.State, a.ID))
	told := slices.ContainsFunc(callname.Parse(b), func(s callname.Server) bool { return s.Project == project })
	switch {
	case stands && m.Problem != "":
		d.add("mcp", checkWarn, "switch it on there, or: agents-hooks uninstall "+a.ID, "%s:%d: the MCP server: %s", d.Short(m.File), m.Line, m.Problem)
	case stands && !setup.Starts(d.Shell, m.Argv[0]):
		d.add("mcp", checkError, again, "%s:%d: the MCP server's program is gone: %s", d.Short(m.File), m.Line, m.Argv[0])
	case stands && !told:
		d.add("mcp", checkWarn, again, "%s:%d: the MCP server is registered, but hooks do not know it and name commands", d.Short(m.File), m.Line)
	case stands:
		d.add("mcp", checkOK, "", "MCP server in %s", d.Short(m.File))
	case told:
		d.add("mcp", checkError, again+", or agents-hooks uninstall "+a.ID, "hooks name tools of the MCP server, which is not in %s any more", d.Short(a.MCP.File(site)))
	}
}
