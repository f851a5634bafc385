// Package doctor is the doctor command: checks of the machine, of each agent's entry and of
// the behaviours, each with its fix; and status, a summary in ten lines. They change nothing,
// except for what --fix repairs.
//
// A check is a function that takes what it examines and returns rows, none if there is nothing
// to report; it prints nothing, and knows no command line. The files by subject:
//
//	verdict.go     the first row: whether guards work, and where not
//	status.go      the ten lines
//	machine.go     the program, its directories, what runs and is being recorded
//	hooks.go       the hooks that apply here, their settings and approvals
//	elsewhere.go   hooks in the settings of agents, which could be imported
//	behaviour.go   memory and the prompts of skills, whatever the agent
//	workspaces.go  the files of workspaces, and their repair
//	agent.go       an agent: is it installed, and which checks concern it
//	entry.go       our entries in it: do they exist, start, answer
//	duplicates.go  entries that an agent runs in addition to another one
//	mcp.go         our MCP server in it
//	policy.go      what an administrator's settings mean for our entry
//	team.go        what the team's manifest wants and is missing
//	strange.go     what it sent that we do not know
//	can.go         what the hooks here use and it does not support
//	selftest.go    whether the hooks' answers arrive, over two runs
package doctor

import (
	"slices"
	"sync"

	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"

	memoryops "github.com/agents-hooks/agents-hooks/builtin-hooks/memory/ops"
	skillops "github.com/agents-hooks/agents-hooks/builtin-hooks/skills/ops"
	"github.com/agents-hooks/agents-hooks/cmd/internal/agentarg"
	"github.com/agents-hooks/agents-hooks/cmd/internal/builtin"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/setup"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// Command is the group: its words are top-level commands.
func Command(sh *shell.Shell) *cli.Command {
	return shell.Group(doctorCommand(sh), statusCommand(sh))
}

func doctorCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name:      "doctor",
		Usage:     "check that everything is installed, connected and working",
		ArgsUsage: "[AGENT...]",
		Complete:  shell.Each(agentarg.Words),
		Description: "Looks at the program, its directories, the hooks that count here, and each\n" +
			"agent's entry; changes none of them. --probe starts each entry as its agent\n" +
			"would, with an event that runs no hook, and asks agents for their version.\n" +
			"--fix repairs the files of workspaces: what cannot be read is kept aside, and\n" +
			"what of it is whole goes on; nothing that somebody may have written is lost.\n" +
			"Exit 1 if one of the checks is an error.",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "self-test", Usage: "give new sessions a word; run again to find it in transcripts"},
			&cli.BoolFlag{Name: "fix", Usage: "repair files of workspaces"},
			&cli.BoolFlag{Name: "probe", Usage: "run each entry once, and say how long it took"},
			hookset.DirFlag(),
			shell.JSONFlag(),
		},
		Action: func(c *cli.Context) error {
			o, err := readDoctor(sh, c)
			if err != nil {
				return err
			}
			checks, err := examine(sh, placeAt(sh.Host, o.dir), o)
			if err != nil {
				return err
			}
			return report(sh, checks, c.Bool("json"))
		},
	}
}

type doctorOptions struct {
	agents   []*protocol.Dialect // none: all, and the machine
	dir      string              // the folder whose hooks are examined
	probe    bool
	fix      bool
	selfTest bool
}

func readDoctor(sh *shell.Shell, c *cli.Context) (doctorOptions, error) {
	list, err := agentarg.LookupAll(c.Args())
	if err != nil {
		return doctorOptions{}, err
	}
	dir, err := hookset.LookFrom(sh, c)
	return doctorOptions{agents: list, dir: dir, probe: c.Bool("probe"), fix: c.Bool("fix"), selfTest: c.Bool("self-test")}, err
}

// A place is a machine, and a folder on it, to be examined.
type place struct {
	host.Host
	set     *discovery.Set          // the hooks that apply in the folder
	entries []setup.Standing        // our entries in all agents
	skills  func() skillops.Catalog // loaded once, on first use
}

func placeAt(h host.Host, dir string) place {
	set := hookset.Set(h, dir)
	return place{h, set, setup.Entries(h, set.Root), sync.OnceValue(func() skillops.Catalog {
		return skillops.List(builtin.Standalone(h), builtin.Call(h, h.WorkDir))
	})}
}

// examine makes the requested checks, in the order in which they are shown.
func examine(sh *shell.Shell, p place, o doctorOptions) ([]check, error) {
	agents := o.agents
	if len(agents) == 0 {
		agents = agentarg.Installable()
	}
	if o.selfTest {
		return selfTest(sh.Host, agents)
	}
	checks := []check{}
	if len(o.agents) == 0 {
		checks = general(p, o.dir, memoryops.At(builtin.Standalone(sh.Host), builtin.Call(sh.Host, o.dir)))
		checks = append(checks, workspaces(sh.Host, o.dir, o.fix)...)
	}
	for _, a := range agents {
		checks = append(checks, about(a, examineAgent(p, a, len(o.agents) > 0, o.probe))...)
	}
	checks = append([]check{guards(p, agents, checks)}, checks...)
	for i := range checks {
		checks[i].Fix = sh.Carried(checks[i].Fix)
	}
	return checks, nil
}

// general are the checks that do not concern a single agent.
func general(p place, dir string, m memoryops.Memory) []check {
	return slices.Concat(
		program(p.Host, p.entries),
		stateDirectory(p.Host),
		layers(p.Host, p.set),
		settings(p.Host, p.set),
		hooks(p.Host, p.set),
		locks(p.Host, p.set),
		approvals(p.Host, p.set),
		wantedByTeam(p, dir),
		sandboxes(p.set),
		prompts(p.skills()),
		tooDeep(p.Host, p.set),
		foreignFile(p),
		elsewhere(p, dir),
		recordings(p.Host),
		exports(p.Host, p.set),
		private(p.Host, p.set.Root),
		steered(p.Host),
		memory(p.Host, p.set, m),
		running(p.Host),
	)
}
