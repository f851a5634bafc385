package install

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/agentarg"
	"github.com/agents-hooks/agents-hooks/cmd/internal/connect"
	"github.com/agents-hooks/agents-hooks/cmd/internal/setup"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/install"
)

// askAll lists the agents that --all found, and asks.
func askAll(sh *shell.Shell, yes bool, command, question string, agents []*protocol.Dialect) error {
	var lines []string
	for _, d := range agents {
		p := setup.PresenceOf(sh.Host, d)
		where := cmp.Or(p.Program, p.Folder)
		line := d.Name
		if where != "" {
			line += "  " + sh.Short(where)
		}
		lines = append(lines, line)
	}
	return sh.Confirm(yes, question+"\n"+strings.Join(lines, "\n")+"\ngo on?", command+" --all")
}

// everywhere are the configurations that uninstall --all cleans: the user's, and those of this
// project and the projects in receipts.
func everywhere(sh *shell.Shell, o connect.Options) []connect.Options {
	list := []connect.Options{o}
	for _, project := range append([]string{o.Project}, setup.ProjectsWithEntries(sh.Host.State)...) {
		of := connect.Options{Scope: protocol.ProjectScope, Project: project, Dry: o.Dry}
		if project == "" || slices.ContainsFunc(list[1:], func(l connect.Options) bool { return l.Project == project }) {
			continue
		}
		if of.Agents = standingIn(sh, of); len(of.Agents) > 0 {
			list = append(list, of)
		}
	}
	return list
}

// standingIn are the agents whose configuration contains something of ours.
func standingIn(sh *shell.Shell, o connect.Options) (agents []*protocol.Dialect) {
	site, own := o.Site(sh.Host), connect.Options{Scope: protocol.UserScope}.Site(sh.Host)
	for _, d := range agentarg.Installable() {
		if o.Scope == protocol.ProjectScope && setup.OneFile(d.Config.File(site), d.Config.File(own)) {
			continue // the project is the user's home
		}
		if stands(d, site) {
			agents = append(agents, d)
		}
	}
	return agents
}

func stands(d *protocol.Dialect, site protocol.Site) bool {
	_, ok := setup.EntryIn(d, site)
	if !ok {
		_, ok, _ = install.InspectMCP(d, site)
	}
	return ok
}

// tellKept says what a purge left.
func tellKept(sh *shell.Shell, kept []string, asJSON bool) {
	say := func(line string) { sh.Printf("%s\n", line) }
	if asJSON {
		say = func(line string) { sh.Say("%s", line) }
	}
	if len(kept) == 0 {
		say("nothing of agents-hooks is left here")
	} else {
		say("kept:")
	}
	for _, line := range kept {
		say("  " + line)
	}
	say("hooks, memory and workspaces in projects stay: they are the projects'")
}

// fitting refuses flags of uninstall that are only valid with others.
func fitting(all, purge bool, also []string) error {
	switch {
	case purge && !all:
		return shell.Usagef("uninstall: --purge needs --all")
	case len(also) > 0 && !purge:
		return shell.Usagef("uninstall: --also needs --purge")
	}
	for _, word := range also {
		if err := setup.AlsoWord(word); err != nil {
			return shell.Usagef("uninstall: %v", err)
		}
	}
	return nil
}

// askLeaving lists what uninstall --all removes, and what a purge deletes, and asks.
func askLeaving(sh *shell.Shell, yes bool, list []connect.Options, purge bool, also []string) error {
	var lines []string
	for _, o := range list {
		for _, d := range o.Agents {
			lines = append(lines, d.Name+"  "+sh.Short(d.Config.File(o.Site(sh.Host))))
		}
	}
	question := "our entries leave:\n" + strings.Join(lines, "\n")
	if len(lines) == 0 {
		question = "no entry of ours stands"
	}
	if purge {
		if err := setup.OwnPlaces(sh.Host); err != nil {
			return fmt.Errorf("uninstall: --purge: %w", err)
		}
		question += "\nand this is forgotten: " + setup.Purged(sh.Host, also)
	} else if len(lines) == 0 {
		return nil
	}
	return sh.Confirm(yes, question+"\ngo on?", "uninstall --all")
}
