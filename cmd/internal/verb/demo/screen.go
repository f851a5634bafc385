package demo

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/agentarg"
	"github.com/agents-hooks/agents-hooks/cmd/internal/eventlog"
	"github.com/agents-hooks/agents-hooks/cmd/internal/keep"
	"github.com/agents-hooks/agents-hooks/cmd/internal/setup"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
)

// A screen prints a demo as it happens, for a terminal with 80 columns.
type screen struct {
	*shell.Shell
	out   io.Writer
	m     *machine
	hooks []*discovery.Hook
}

func newScreen(sh *shell.Shell, m *machine) *screen {
	set := discovery.Load(discovery.Sources{User: m.config(), Home: m.home, State: m.state, NoProject: true, GOOS: sh.Host.GOOS}, m.dir)
	return &screen{sh, sh.Screen(), m, set.Hooks}
}

func (s *screen) printf(format string, args ...any) { fmt.Fprintf(s.out, format, args...) }

func (s *screen) opening() {
	agent, _ := agents.Lookup(s.m.script.Steps[0].Agent)
	about := fmt.Sprintf("A session of %s %s, as it was captured, played through this program. All of it happens in %s.", agent.Name, agent.Observed, s.m.root)
	s.printf("%s\n\n", text.Wrap(about, 78, ""))
	s.printf("%s in %s\n", s.Paint(shell.Bold, "three hooks"), s.below(filepath.Join(s.m.config(), "hooks")))
	for _, h := range s.hooks {
		how := ""
		if h.Async {
			how = ", async"
		}
		s.printf("  %-11s %s%s\n", h.Name, h.Trigger, how)
		s.printf("              %s\n", s.Paint(shell.Dim, text.Wrap(h.Description, 64, "              ")))
	}
	s.printf("\n%s\n", s.Paint(shell.Bold, "the session"))
}

// below is a path of the temporary machine, relative to its root.
func (s *screen) below(path string) string {
	if rel, err := filepath.Rel(s.m.root, path); err == nil {
		return filepath.ToSlash(rel)
	}
	return path
}

// step prints one event: when, what, which hooks, and what the agent was told.
func (s *screen) step(r result) {
	event := r.Native
	if len(r.lines) > 0 {
		event = r.lines[0].Event + " " + s.Paint(shell.Dim, "("+r.Native+")")
	} else if d, ok := agents.Lookup(r.Agent); ok {
		if n, ok := d.Native(r.Native); ok {
			event = string(n.MapsTo[0]) + " " + s.Paint(shell.Dim, "("+r.Native+")")
		}
	}
	s.printf("\n%8s  %s\n", eventlog.Spent(r.took), event)
	s.printf("          %s\n", text.Wrap(r.step.Says, 68, "          "))
	if len(r.lines) > 0 {
		for _, h := range r.lines[0].Hooks {
			s.printf("          %-10s  %s\n", h.Name, eventlog.Ending(s.Shell, h))
		}
		for _, name := range r.lines[0].Async {
			s.printf("          %-10s  started, async\n", name)
		}
	}
	s.told(r)
}

// told prints what the agent was told, verbatim, and what is wrong with that.
func (s *screen) told(r result) {
	const indent = "          "
	verdict := s.Paint(shell.Yellow, "told")
	if len(r.lines) > 0 && r.lines[0].Decision == "block" {
		verdict = s.Paint(shell.Red, "told no")
	}
	if r.noOpinion() {
		s.printf("%s%s\n", indent, s.Paint(shell.Dim, s.whyNothing(r)+"told nothing"))
	} else {
		s.printf("%s%s\n%s  %s\n", indent, verdict, indent, text.Wrap(shell.Plain(r.Stdout), 76-len(indent), indent+"  "))
	}
	for _, p := range r.Problems {
		s.printf("%s%s %s\n", indent, s.Paint(shell.Red, "not as it should be:"), text.Wrap(shell.Plain(p), 46, indent))
	}
}

// whyNothing says why no hook ran in a step, "" if one did.
func (s *screen) whyNothing(r result) string {
	if len(r.lines) == 0 {
		return "no hook has this trigger; "
	}
	l := r.lines[0]
	if len(l.Hooks)+len(l.Async) > 0 {
		return ""
	}
	var names []string
	for _, h := range s.hooks {
		if string(h.Trigger) == l.Event {
			names = append(names, h.Name)
		}
	}
	if len(names) == 0 {
		return "no hook has this trigger; "
	}
	return "does not match " + strings.Join(names, ", ") + "; "
}

func (s *screen) wrote(what string) {
	s.printf("\n%s meanwhile wrote into home/calls.log\n          %s\n", s.Paint(shell.Bold, "call-log"), text.Wrap(shell.Plain(what), 68, "          "))
	for _, l := range s.m.async {
		for _, h := range l.Hooks {
			if h.Async {
				s.printf("          %s\n", s.Paint(shell.Dim, fmt.Sprintf("it took %s, which nobody waited for", eventlog.Spent(h.Duration))))
			}
		}
	}
}

func (s *screen) others() {
	s.printf("\n%s\n", s.Paint(shell.Bold, "the blocked call, as other agents would have been told"))
}

func (s *screen) other(r result) {
	d, _ := agents.Lookup(r.Agent)
	s.printf("\n%8s  %s %s %s\n", eventlog.Spent(r.took), d.Name, d.Observed, s.Paint(shell.Dim, "("+r.Native+")"))
	s.told(r)
}

// closing says how it went and what to type next.
func (s *screen) closing(r played, kept bool) {
	if r.OK {
		s.printf("\n%s\n", s.Paint(shell.Green, "All of it went as it should."))
	}
	if kept {
		s.printf("\nkept: %s\n", s.m.root)
	}
	if !r.OK {
		return
	}
	s.printf("\n%s\n", s.Paint(shell.Bold, "next"))
	if keep.Passing(s.Host, s.Host.Self) {
		s.printf("  %s\n", setup.InstallHint)
	}
	var here []string
	for _, d := range agentarg.Installable() {
		if setup.PresenceOf(s.Host, d).Found() {
			here = append(here, d.ID)
		}
	}
	if len(here) == 0 {
		here = append(here, "AGENT")
	}
	s.printf("  agents-hooks install %-24s the one entry\n", strings.Join(here, " "))
	s.printf("  agents-hooks new my-guard                     a hook of your own\n")
	s.printf("  agents-hooks doctor --probe                   is all of it alive\n")
}
