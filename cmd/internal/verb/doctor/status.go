package doctor

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/agentarg"
	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/text"
)

// statusCommand is what the program shows if it is started without arguments: in ten lines what
// is here, what does not work yet, and what to do next.
func statusCommand(sh *shell.Shell) *cli.Command {
	return &cli.Command{
		Name:  "status",
		Usage: "what is here and what to do next, in ten lines",
		Description: "The same as agents-hooks with no word. It is made of doctor's checks, and\n" +
			"changes nothing.",
		Flags: []cli.Flag{hookset.DirFlag(), shell.JSONFlag()},
		Action: func(c *cli.Context) error {
			dir, err := hookset.LookFrom(sh, c)
			if err != nil {
				return err
			}
			s, err := statusOf(sh, dir)
			if err != nil {
				return err
			}
			return sh.Answer(c.Bool("json"), s, func() { printStatus(sh, s) })
		},
	}
}

// A status is the state of this machine. Its JSON form is stable.
type status struct {
	Schema     int         `json:"schema"`
	Guards     check       `json:"guards"` // doctor's first row
	Agents     []agentHere `json:"agents"` // those found
	Hooks      []count     `json:"hooks"`  // in display order
	Behaviours []string    `json:"behaviours"`
	Off        []string    `json:"behaviours_off"`
	Wrong      []check     `json:"wrong"` // doctor's errors
	Next       string      `json:"next"`  // one command
}

type agentHere struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Holds bool   `json:"holds"` // it calls our entry
	Why   string `json:"why"`   // why not, "" if it does
}

type count struct {
	Status discovery.Status `json:"status"`
	Count  int              `json:"count"`
}

func statusOf(sh *shell.Shell, dir string) (status, error) {
	all := agentarg.Installable()
	p := placeAt(sh.Host, dir)
	checks, err := examine(sh, p, doctorOptions{dir: dir})
	if err != nil {
		return status{}, err
	}
	s := status{Schema: 1, Guards: checks[0], Agents: []agentHere{}, Hooks: []count{}, Behaviours: []string{}, Off: []string{}, Wrong: []check{}}
	unconnected := ""
	for _, a := range all {
		if h := holdingOf(a, checks); h.here {
			s.Agents = append(s.Agents, agentHere{a.ID, a.Name, h.holds, h.why})
			if !h.holds {
				unconnected = cmp.Or(unconnected, h.fix)
			}
		}
	}
	for _, st := range []discovery.Status{discovery.Ready, discovery.Disabled, discovery.Untrusted, discovery.Overridden, discovery.Broken} {
		if n := countHooks(p.set, st); n > 0 {
			s.Hooks = append(s.Hooks, count{st, n})
		}
	}
	for _, b := range p.Behaviours() {
		if ready(p.set, b.Name) {
			s.Behaviours = append(s.Behaviours, b.Name)
		} else {
			s.Off = append(s.Off, b.Name)
		}
	}
	for _, c := range checks {
		if c.Status == checkError {
			s.Wrong = append(s.Wrong, c)
		}
	}
	s.Next = sh.Carried(next(p, s, unconnected))
	return s, nil
}

// countHooks is the number of hooks with a status that are not built in.
func countHooks(set *discovery.Set, st discovery.Status) (n int) {
	for _, h := range set.Hooks {
		if h.Layer != discovery.BuiltinLayer && h.Status == st {
			n++
		}
	}
	return n
}

// firstGuard is a guard that everyone can use, for users without any.
const firstGuard = `agents-hooks new no-force-push --user --command '^git push\b.* (-[vqndu46]*f|--force( |$)|--mirror|\+)'`

// next is the one command that helps most: connect an agent, fix what is broken, approve, write
// a first guard, or, if all of that is done, look at the log.
func next(p place, s status, unconnected string) string {
	n := countGuards(p.set)
	idle, _ := n.idle()
	holds := slices.ContainsFunc(s.Agents, func(a agentHere) bool { return a.Holds })
	command := func(fix string) string {
		if strings.HasPrefix(fix, "agents-hooks ") {
			return fix
		}
		return "agents-hooks doctor"
	}
	switch {
	case len(s.Agents) == 0 && n.waiting == 0:
		return "agents-hooks demo"
	case len(s.Agents) == 0:
		return "agents-hooks trust"
	case !holds && len(s.Wrong) == 0:
		return "agents-hooks install --all"
	case len(s.Wrong) > 0:
		return command(s.Wrong[0].Fix)
	case n.waiting > 0:
		return "agents-hooks trust"
	case n.ready == 0 && idle != "":
		return command(s.Guards.Fix)
	case n.ready == 0:
		return firstGuard
	case unconnected != "":
		return command(unconnected)
	}
	return "agents-hooks log"
}

func printStatus(sh *shell.Shell, s status) {
	line := func(label, format string, args ...any) {
		sh.Printf("%-10s %s\n", label, text.Wrap(shell.Plain(fmt.Sprintf(format, args...)), sh.Columns()-11, strings.Repeat(" ", 11)))
	}
	sh.Printf("agents-hooks %s: one set of hooks for every coding agent\n", shell.ProgramVersion())
	sh.Printf("%s\n", text.Wrap(sentence(s.Guards.Message)+".", sh.Columns(), ""))
	line("agents", "%s", agentsLine(s))
	line("hooks", "%s", hooksLine(s))
	line("built in", "%s", behavioursLine(s))
	if len(s.Wrong) > 0 {
		line("wrong", "%s%s", text.Clip(s.Wrong[0].Message, 120), others(len(s.Wrong)-1))
	}
	sh.Printf("%-10s %s\n", "next", sh.Paint(shell.Bold, s.Next))
	line("more", "agents-hooks --help, agents-hooks doctor")
}

func agentsLine(s status) string {
	var with, without []string
	for _, a := range s.Agents {
		if a.Holds {
			with = append(with, a.Name)
		} else {
			without = append(without, a.Name)
		}
	}
	switch {
	case len(s.Agents) == 0:
		return fmt.Sprintf("none of %d was found on this machine", len(agentarg.Installable()))
	case len(with) == 0:
		return fmt.Sprintf("found %s; none calls us yet", brief(without))
	case len(without) == 0:
		return fmt.Sprintf("%s connected", brief(with))
	}
	return fmt.Sprintf("%s connected; %s not", brief(with), brief(without))
}

func hooksLine(s status) string {
	var words []string
	for _, c := range s.Hooks {
		words = append(words, fmt.Sprintf("%d %s", c.Count, c.Status))
	}
	return cmp.Or(strings.Join(words, ", "), "none of yours, none of a project here")
}

func behavioursLine(s status) string {
	switch {
	case len(s.Behaviours) == 0:
		return "off: " + strings.Join(s.Off, ", ")
	case len(s.Off) == 0:
		return "on: " + strings.Join(s.Behaviours, ", ")
	}
	return "on: " + strings.Join(s.Behaviours, ", ") + "; off: " + strings.Join(s.Off, ", ")
}

// brief is a list of at most four names.
func brief(names []string) string {
	const most = 4
	if len(names) > most {
		return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", len(names)-most)
	}
	return strings.Join(names, ", ")
}

func others(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" (and %d more: agents-hooks doctor)", n)
}

// sentence is a message with a capital first letter.
func sentence(s string) string {
	if s == "" {
		return ""
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
