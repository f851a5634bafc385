package install

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/connect"
	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/setup"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/internal/text"
)

// report prints the result for each agent; a failure makes the command fail.
func report(sh *shell.Shell, command string, done connect.Outcome, dry, asJSON bool) error {
	err := sh.Answer(asJSON, map[string]any{"schema": 1, "dry_run": dry, "agents": done.Agents}, func() {
		if done.File != "" && !dry {
			sh.Printf("%s: switched on in %s\n", strings.Join(done.With, ", "), sh.Short(done.File))
		}
		for _, r := range done.Agents {
			printInstalled(sh, command, r, dry)
		}
		if len(done.Agents) == 0 {
			sh.Printf("%s\n", none[command])
		}
	})
	if err == nil && slices.ContainsFunc(done.Agents, func(r connect.Installed) bool { return r.Error != "" }) {
		return shell.ErrReported
	}
	return err
}

// none is the answer to --all where it meets no agent.
var none = map[string]string{
	"install":   "no agent was found on this machine, so nothing was written; agents-hooks agents AGENT shows where one is looked for",
	"uninstall": "no entry of ours stands in an agent's configuration",
}

func printInstalled(sh *shell.Shell, command string, r connect.Installed, dry bool) {
	switch {
	case r.Error != "":
		sh.Say("%s %s: %s", command, r.Agent, r.Error)
		sh.Hints(r.Hints)
		return
	case r.Covered && !r.Changed:
		sh.Printf("%s: nothing written\n", r.Name)
	case !r.Changed:
		sh.Printf("%s: nothing to change\n", r.Name)
	case dry:
		sh.Printf("%s", r.Diff)
		return
	default:
		for _, f := range r.Files {
			sh.Printf("%s: %s\n", r.Name, sentence(sh.Host, command, f))
		}
	}
	for _, n := range r.Notes {
		sh.Printf("  %s\n", text.Wrap(n, sh.Columns()-2, "  "))
	}
}

// sentence says what happened to a file.
func sentence(h host.Host, command string, f setup.ChangedFile) string {
	path := h.Short(f.Path)
	said := ""
	switch {
	case f.Action == "restore":
		said = path + " is what it was before, to the byte"
	case f.Action == "remove" && f.Restored:
		said = path + " removed, as it was not there before"
	case f.Action == "remove":
		said = path + " removed, since nothing else was in it"
	case command == "uninstall":
		said = "our entries taken out of " + path
	case f.Action == "create":
		said = path + " written"
	default:
		said = path + " changed"
	}
	if f.Backup != "" {
		said += "\n  backup: " + h.Short(filepath.Clean(f.Backup))
	}
	return said
}
