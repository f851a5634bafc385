// Command agents-hooks runs declarative hook folders for coding agents.
//
// A hook is a folder with a HOOK.md and a script. install writes one entry into an
// agent's configuration; after that every hook folder in ~/.config/agents/hooks or a
// project's .agents/hooks works in that agent.
//
// run dispatches one event; list, explain, validate, doctor, agents and log show what
// is there and why; new, test, trust, enable and install change things. Every command
// that shows something has --json.
package main

import (
	"io"
	"os"

	"github.com/agents-hooks/agents-hooks/cmd/internal/dispatch"
	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/libhost"
	"github.com/agents-hooks/agents-hooks/cmd/internal/opcli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/setup"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/cmd/internal/verb/about"
	"github.com/agents-hooks/agents-hooks/cmd/internal/verb/agents"
	"github.com/agents-hooks/agents-hooks/cmd/internal/verb/bring"
	"github.com/agents-hooks/agents-hooks/cmd/internal/verb/builtin"
	"github.com/agents-hooks/agents-hooks/cmd/internal/verb/conformance"
	"github.com/agents-hooks/agents-hooks/cmd/internal/verb/demo"
	"github.com/agents-hooks/agents-hooks/cmd/internal/verb/doctor"
	"github.com/agents-hooks/agents-hooks/cmd/internal/verb/event"
	"github.com/agents-hooks/agents-hooks/cmd/internal/verb/evolution"
	"github.com/agents-hooks/agents-hooks/cmd/internal/verb/export"
	"github.com/agents-hooks/agents-hooks/cmd/internal/verb/hooks"
	"github.com/agents-hooks/agents-hooks/cmd/internal/verb/hooktest"
	"github.com/agents-hooks/agents-hooks/cmd/internal/verb/install"
	"github.com/agents-hooks/agents-hooks/cmd/internal/verb/log"
	"github.com/agents-hooks/agents-hooks/cmd/internal/verb/mcp"
	"github.com/agents-hooks/agents-hooks/cmd/internal/verb/memory"
	"github.com/agents-hooks/agents-hooks/cmd/internal/verb/pack"
	"github.com/agents-hooks/agents-hooks/cmd/internal/verb/prompt"
	"github.com/agents-hooks/agents-hooks/cmd/internal/verb/record"
	"github.com/agents-hooks/agents-hooks/cmd/internal/verb/skills"
	"github.com/agents-hooks/agents-hooks/cmd/internal/verb/team"
	"github.com/agents-hooks/agents-hooks/cmd/internal/verb/trust"
	"github.com/agents-hooks/agents-hooks/cmd/internal/verb/upgrade"
	"github.com/agents-hooks/agents-hooks/cmd/internal/verb/view"
	"github.com/agents-hooks/agents-hooks/cmd/internal/verb/workspace"
)

// commandGroups are all commands, in the order of the help; opcli adds those of behaviours
// that have no group of their own.
func commandGroups() []shell.CommandGroup {
	return []shell.CommandGroup{
		{Topic: shell.Guards, Words: "new list explain validate", Command: hooks.Command},
		{Topic: shell.Guards, Words: "test", Command: hooktest.Command},
		{Topic: shell.Guards, Words: "trust untrust", Command: trust.Command},
		{Topic: shell.Guards, Words: "enable disable builtin", Command: builtin.Command},
		{Topic: shell.Guards, Words: "import", Command: bring.Command},
		{Topic: shell.Guards, Words: "add update remove verify", Command: pack.Command},
		{Topic: shell.Agents, Words: "install uninstall", Command: install.Command},
		{Topic: shell.Agents, Words: "doctor status", Command: doctor.Command},
		{Topic: shell.Agents, Words: "agents", Command: agents.Command},
		{Topic: shell.Agents, Words: "run", Command: event.Command},
		{Topic: shell.Agents, Words: "prompt", Command: prompt.Command},
		{Topic: shell.Look, Words: "log stats", Command: log.Command},
		{Topic: shell.Look, Words: "export", Command: export.Command},
		{Topic: shell.Look, Words: "view ui", Command: view.Command(doctor.Health)},
		{Topic: shell.Look, Words: "record replay", Command: record.Command},
		{Topic: shell.Look, Words: "demo", Command: demo.Command},
		{Topic: shell.Behaviours, Words: "memory", Command: memory.Command},
		{Topic: shell.Behaviours, Words: "workspace ws", Command: workspace.Command},
		{Topic: shell.Behaviours, Words: "evolution evolve", Command: evolution.Command},
		{Topic: shell.Behaviours, Words: "skills", Command: skills.Command},
		{Topic: shell.Behaviours, Words: "mcp", Command: mcp.Command},
		{Topic: shell.Team, Words: "setup", Command: team.Command},
		{Topic: shell.Program, Words: "upgrade", Command: upgrade.Command},
		{Topic: shell.Program, Words: "conformance", Command: conformance.Command},
		{Topic: shell.Program, Words: "spec completion __complete __manual version", Command: about.Command},
	}
}

func main() {
	if exit, ok := asShell(); ok {
		os.Exit(exit)
	}
	os.Exit(run(libhost.FromProcess(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run looks at the first word before anything is built: an event pays for no
// command line framework.
func run(h host.Host, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if len(args) > 0 && !asksHelp(args) {
		if exit, ok := dispatch.Verb(h, args, stdin, stdout, stderr); ok {
			return exit
		}
	}
	sh := shell.New("agents-hooks", h, stdin, stdout, stderr)
	sh.Meant, sh.Alone = elsewhere(), "status"
	if err := setup.Renew(sh); err != nil {
		sh.Say("warning: the copy that agents start could not be updated: %v", err)
	}
	return sh.Run(opcli.Groups(commandGroups(), h.Behaviours()), args)
}

// elsewhere are words that other tools have for what stands here.
func elsewhere() map[string]string {
	return map[string]string{
		"ls": "list", "show": "list", "hooks": "list", "why": "explain",
		"check": "validate", "lint": "validate", "health": "doctor", "state": "status",
		"create": "new", "init": "new", "make": "new", "approve": "trust", "allow": "trust",
		"on": "enable", "off": "disable", "get": "add", "fetch": "add",
		"connect": "install", "agent": "agents", "history": "log", "logs": "log", "tail": "log --follow",
		"autoupdate": "update", "setup-hooks": "install --all", "add-hook": "new", "hook": "list", "block": "new", "page": "view", "web": "ui", "dashboard": "ui", "stat": "stats", "usage": "stats",
		"log --all": "log -n all", "log --count": "stats", "log --path": "doctor, its row state: the log is log/ in there", "log --stats": "stats", "log --summary": "stats",
		"stats --unused": "stats, its last lines", "stats --never": "stats, its last lines", "stats --slowest": "stats --by p95", "stats --days": "stats --since 7d",
		"explain --hook": "explain --last: it names every hook, and why it did not run", "doctor --fix": "doctor: each row has its own fix", "enable --all": "list --all shows the names to enable", "disable --all": "list shows the names to disable",
		"config": "spec settings", "configure": "spec settings", "settings": "spec settings", "preferences": "spec settings",
		"explain --command": "explain 'git push', which says how", "explain --tool": "explain --input FILE, with the event",
		"mem": "memory", "ver": "version", "try": "demo", "delete": "remove", "rm": "remove",
	}
}

// asksHelp reports whether run is only asked what it is. An agent's entry has no
// such argument.
func asksHelp(args []string) bool {
	return len(args) == 2 && args[0] == "run" && (args[1] == "--help" || args[1] == "-h")
}
