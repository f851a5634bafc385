package connect

import (
	"fmt"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/setup"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/cmd/internal/tools"
	"github.com/agents-hooks/agents-hooks/internal/toolref"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/install"
)

// ServerTools are the tools that our server offers with a given --mcp-tools, and
// whether it knows that value.
func ServerTools(sh *shell.Shell, words []string) ([]string, error) {
	return tools.Offered(sh, words)
}

// serverArgv is the command with which an agent starts our server, with the tools
// that it offers and the project that it is for.
func serverArgv(h host.Host, d *protocol.Dialect, site protocol.Site, o InstallOptions) []string {
	argv, words := setup.ServerArgv(h, o.programs, d, o.Trust), o.MCPTools
	if len(words) > 0 {
		argv = append(argv, "--tools="+strings.Join(words, ","))
	}
	if site.Scope == protocol.ProjectScope {
		argv = append(argv, "--dir="+site.Project)
	}
	return argv
}

// planServer plans the server's registration, after the edits of the entry; notes say
// why it is not registered. clean says that it is not there yet.
func planServer(h host.Host, d *protocol.Dialect, site protocol.Site, o InstallOptions, before []protocol.Edit) (p plan, err error) {
	argv := serverArgv(h, d, site, o)
	p = plan{edits: before, clean: true}
	switch {
	case d.MCP == nil:
		p.notes = append(p.notes, fmt.Sprintf("where %s keeps its MCP servers is not known for certain, so ours was not registered; its command is: %s", d.Name, strings.Join(argv, " ")))
		return p, nil
	case d.MCP.File(site) == "":
		p.notes = append(p.notes, fmt.Sprintf("%s has no MCP servers of a %s that we know of, so ours was not registered", d.Name, site.Scope))
		return p, nil
	}
	after := site
	after.Read = readAfter(site.Read, before)
	_, stands, err := install.InspectMCP(d, after)
	if err != nil {
		return p, err
	}
	more, err := install.AddMCP(d, after, argv)
	if err != nil {
		return p, err
	}
	if len(more) > 0 {
		p.notes = serverNotes(h, d, site)
	}
	p.edits, p.clean = merged(before, more), !stands
	return p, nil
}

// serverNotes is what a user should know once the server is registered.
func serverNotes(h host.Host, d *protocol.Dialect, site protocol.Site) []string {
	notes := append([]string{"the MCP server is started with the agent's next session"}, d.MCP.Notes...)
	if d.MCP.Source != "observed" {
		notes = append(notes, "where its MCP servers stand is known from its documentation only: look whether it lists "+protocol.Server)
	}
	if file := d.MCP.File(site); site.Shares(file) {
		notes = append(notes, fmt.Sprintf("%s is shared through the repository, but the server is a program of this machine: do not commit it", h.Short(file)))
	}
	return notes
}

// withoutServer plans what uninstalling changes, including the server's entry.
func withoutServer(d *protocol.Dialect, site protocol.Site, before []protocol.Edit) ([]protocol.Edit, error) {
	site.Read = readAfter(site.Read, before)
	more, err := install.RemoveMCP(d, site)
	return merged(before, more), err
}

// tellHooks records an agent's names for our tools, for the hooks' texts: from the
// server that is now in the agent's configuration.
func tellHooks(sh *shell.Shell, d *protocol.Dialect, site protocol.Site) error {
	m, stands, err := install.InspectMCP(d, site)
	if err != nil {
		return err
	}
	project := setup.ProjectOf(site)
	if !stands {
		return setup.TellServer(sh.Host.State, d.ID, project, nil)
	}
	var words []string
	if w := setup.EntryFlag(m.Argv, "tools"); w != "" {
		words = []string{w}
	}
	names, err := ServerTools(sh, words)
	if err != nil {
		return err
	}
	return setup.TellServer(sh.Host.State, d.ID, project, &toolref.Server{Project: project, Spelling: d.MCP.Tool(), Tools: names})
}
