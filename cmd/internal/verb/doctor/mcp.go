package doctor

import (
	"fmt"

	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/setup"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/install"
)

// server reports on our MCP server in an agent: whether it is in its configuration, and whether
// the hooks' texts agree with that.
func server(h host.Host, a *protocol.Dialect, site protocol.Site) []check {
	if a.MCP == nil || a.MCP.File(site) == "" || site.Scope == protocol.ProjectScope && site.Project == "" {
		return nil
	}
	m, stands, err := install.InspectMCP(a, site)
	if err != nil {
		return rows("mcp", checkError, "fix "+h.Short(a.MCP.File(site)), "%v", err)
	}
	again := fmt.Sprintf("agents-hooks install %s --mcp --%s", a.ID, site.Scope)
	switch told := setup.ServerTold(h.State, a.ID, setup.ProjectOf(site)); {
	case stands && m.Problem != "":
		return rows("mcp", checkWarn, "switch it on there, or: agents-hooks uninstall "+a.ID, "%s:%d: the MCP server: %s", h.Short(m.File), m.Line, m.Problem)
	case stands && !setup.Starts(h, m.Argv[0]):
		return rows("mcp", checkError, again, "%s:%d: the MCP server's program is gone: %s", h.Short(m.File), m.Line, m.Argv[0])
	case stands && !told:
		return rows("mcp", checkWarn, again, "%s:%d: the MCP server is registered, but hooks do not know it and name commands", h.Short(m.File), m.Line)
	case stands:
		return rows("mcp", checkOK, "", "MCP server in %s", h.Short(m.File))
	case told:
		return rows("mcp", checkError, again+", or agents-hooks uninstall "+a.ID, "hooks name tools of the MCP server, which is not in %s any more", h.Short(a.MCP.File(site)))
	}
	return nil
}
