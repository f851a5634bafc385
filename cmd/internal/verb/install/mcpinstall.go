package install

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/setup"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/cmd/internal/tools"
	"github.com/agents-hooks/agents-hooks/internal/callname"
	"github.com/agents-hooks/agents-hooks/internal/statefile"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/install"
)

// mcpArgv is the command that an agent starts our server with. Like that of its
// hooks it holds the user's directories, so that server and hooks work on the
// same files whatever environment the agent gives to either.
func (in *installing) mcpArgv(d *protocol.Dialect) ([]string, error) {
	program, err := wholeProgram(in.Shell)
	if err != nil {
		return nil, err
	}
	argv := []string{program, "mcp", "--agent=" + d.ID, "--config=" + in.Host.Config, "--state=" + in.Host.State}
	if in.Host.Getenv("XDG_DATA_HOME") != "" {
		argv = append(argv, "--data="+in.Host.Data)
	}
	if len(in.mcpTools) > 0 {
		argv = append(argv, "--tools="+strings.Join(in.mcpTools, ","))
	}
	if in.scope == protocol.ProjectScope {
		argv = append(argv, "--dir="+in.project)
	}
	return argv, nil
}

// wholeProgram is the absolute path of the program with all commands, as the PATH
// has it if it has it.
func wholeProgram(sh *shell.Shell) (string, error) {
	real, err := filepath.EvalSymlinks(sh.Host.Self)
	if err != nil || !filepath.IsAbs(sh.Host.Self) {
		return "", fmt.Errorf("cannot tell where this program lies: %q", sh.Host.Self)
	}
	if setup.Passing(sh, real) {
		return "", shell.WithHint(fmt.Errorf("%s will be gone soon: it is of Go's build cache", real), setup.InstallHint)
	}
	if found := setup.SameOnPath(sh, sh.Host.Self); found != "" {
		return found, nil
	}
	return sh.Host.Self, nil
}

// planMCP is what registering the server changes, after the edits of the entry;
// the notes say why it is not registered. clean says that it does not stand there
// yet.
func (in *installing) planMCP(d *protocol.Dialect, site protocol.Site, before []protocol.Edit) (edits []protocol.Edit, notes []string, clean bool, err error) {
	if !in.mcp {
		return before, nil, true, nil
	}
	argv, err := in.mcpArgv(d)
	if err != nil {
		return nil, nil, false, err
	}
	switch {
	case d.MCP == nil:
		return before, []string{fmt.Sprintf("where %s keeps its MCP servers is not known for certain, so ours was not registered; its command is: %s", d.Name, strings.Join(argv, " "))}, true, nil
	case d.MCP.File(site) == "":
		return before, []string{fmt.Sprintf("%s has no MCP servers of a %s that we know of, so ours was not registered", d.Name, in.scope)}, true, nil
	}
	site.Read = readAfter(site.Read, before)
	_, stands, err := install.InspectMCP(d, site)
	if err != nil {
		return nil, nil, false, err
	}
	more, err := install.AddMCP(d, site, argv)
	if err != nil {
		return nil, nil, false, err
	}
	if len(more) > 0 {
		notes = append(notes, "the MCP server is started with the agent's next session")
		notes = append(notes, d.MCP.Notes...)
		if d.MCP.Source != "observed" {
			notes = append(notes, "where its MCP servers stand is known from its documentation only: look whether it lists "+protocol.Server)
		}
		if in.scope == protocol.ProjectScope && d.MCP.Shared {
			notes = append(notes, fmt.Sprintf("%s is shared through the repository, but the server is a program of this machine: do not commit it", in.Short(d.MCP.File(site))))
		}
	}
	return merged(before, more), notes, !stands, nil
}

// merged are edits, and further ones that were made after them.
func merged(edits, more []protocol.Edit) []protocol.Edit {
	edits = slices.Clone(edits)
	for _, m := range more {
		if i := slices.IndexFunc(edits, func(e protocol.Edit) bool { return e.Path == m.Path }); i >= 0 {
			edits[i].After = m.After
		} else {
			edits = append(edits, m)
		}
	}
	return edits
}

// noteMCP keeps in mind what an agent calls our tools, for the hooks' texts: the
// server as it stands in the agent's configuration now.
func (in *installing) noteMCP(d *protocol.Dialect, site protocol.Site) error {
	path := callname.File(in.Host.State, d.ID)
	m, stands, err := install.InspectMCP(d, site)
	if err != nil {
		return err
	}
	project := ""
	if in.scope == protocol.ProjectScope {
		project = in.project
	}
	if old, _ := statefile.Read(path); old == nil && !stands {
		return nil
	}
	return statefile.UpdateDurable(path, setup.InstallWait, func(old []byte) ([]byte, error) {
		list := slices.DeleteFunc(callname.Parse(old), func(s callname.Server) bool { return s.Project == project })
		if stands {
			names, err := tools.OfferedBy(in.Shell, argOf(m.Argv, "tools"))
			if err != nil {
				return nil, err
			}
			list = append(list, callname.Server{Project: project, Spelling: d.MCP.Tool(), Tools: names})
		}
		if b := callname.Format(list); b != nil {
			return b, nil
		}
		return []byte("{}\n"), nil
	})
}

// argOf is the value of --NAME=VALUE in a command, as words.
func argOf(argv []string, name string) []string {
	for _, a := range argv {
		if v, ok := strings.CutPrefix(a, "--"+name+"="); ok && v != "" {
			return []string{v}
		}
	}
	return nil
}

// takeMCP is what uninstalling changes, the server's entry included.
func takeMCP(d *protocol.Dialect, site protocol.Site, before []protocol.Edit) ([]protocol.Edit, error) {
	site.Read = readAfter(site.Read, before)
	more, err := install.RemoveMCP(d, site)
	return merged(before, more), err
}
