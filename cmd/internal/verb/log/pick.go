package log

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/agentarg"
	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/eventarg"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/runlog"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/cmd/internal/when"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
)

// pickFlags are the flags that select lines.
func pickFlags(sh *shell.Shell) []cli.Flag {
	times := shell.Fixed("today", "yesterday", "2h", "1d", "1w")
	return []cli.Flag{
		cli.Offer(&cli.StringFlag{Name: "since", Usage: "from `TIME` on: 2h, 3d, yesterday, 14:05, 2026-11-23"}, times),
		cli.Offer(&cli.StringFlag{Name: "until", Usage: "up to `TIME`; a day with all of it"}, times),
		cli.Offer(&cli.StringFlag{Name: "hook", Usage: "with this hook (`NAME`) only"}, hookset.Words(sh)),
		cli.Offer(&cli.StringFlag{Name: "agent", Usage: "only one `AGENT`"}, agentarg.Words),
		cli.Offer(&cli.StringFlag{Name: "event", Usage: "only one `EVENT`, by its portable name or the agent's"}, eventarg.NativeWords),
		cli.Offer(&cli.StringFlag{Name: "project", Usage: "only one project: a `FOLDER`, or its name"}, shell.Folders),
		cli.Offer(&cli.StringFlag{Name: "tool", Usage: "only calls of one `TOOL`"}, eventarg.ToolWords),
		&cli.StringFlag{Name: "session", Usage: "only the session `ID`, or its beginning; last: the newest"},
		&cli.BoolFlag{Name: "blocked", Usage: "what was blocked"},
		&cli.BoolFlag{Name: "asked", Usage: "what a person was asked about"},
		&cli.BoolFlag{Name: "allowed", Usage: "what a hook permitted in your place"},
		&cli.BoolFlag{Name: "changed", Usage: "where a hook changed an input"},
		&cli.BoolFlag{Name: "failed", Usage: "where a hook failed, or took too long"},
		&cli.BoolFlag{Name: "late", Usage: "where a hook took too long"},
		&cli.BoolFlag{Name: "warned", Usage: "where something was warned of"},
	}
}

// pickOptions are their values, and the name of the command.
type pickOptions struct {
	command                           string
	since, until                      string
	hook, agent, event, project, tool string
	session                           string
	became                            runlog.Became
}

func readPick(c *cli.Context) (o pickOptions, err error) {
	for _, flag := range c.Command.Flags {
		name := flag.Names()[0]
		if _, ok := flag.(*cli.StringFlag); ok && c.IsSet(name) && strings.TrimSpace(c.String(name)) == "" {
			return o, shell.WithHint(shell.Usagef("%s: --%s needs a value, but it is empty", c.Command.Name, name), c.Command.FullName+" --help")
		}
	}
	return pickOptions{
		command: c.Command.Name, since: c.String("since"), until: c.String("until"), hook: c.String("hook"), agent: c.String("agent"),
		event: c.String("event"), project: c.String("project"), tool: c.String("tool"), session: c.String("session"),
		became: runlog.Became{
			Blocked: c.Bool("blocked"), Asked: c.Bool("asked"), Allowed: c.Bool("allowed"), Changed: c.Bool("changed"),
			Failed: c.Bool("failed"), Late: c.Bool("late"), Warned: c.Bool("warned"),
		},
	}, nil
}

// picks reports whether a flag leaves lines out.
func (o pickOptions) picks() bool { return o != pickOptions{command: o.command} }

// filter is the filter for these options.
func (o pickOptions) filter(sh *shell.Shell) (f runlog.Filter, err error) {
	f = runlog.Filter{Session: o.session, Hook: o.hook, Tool: o.tool, Became: o.became}
	if o.agent != "" {
		d, err := agentarg.Lookup(o.agent)
		if err != nil {
			return f, err
		}
		f.Agent = d.ID
	}
	if o.event != "" {
		if f.Events = agents.EventsCalled(o.event); len(f.Events) == 0 {
			return f, unknownEvent(o.command, o.event)
		}
	}
	if o.project != "" {
		f.Project = projects(sh.Host, o.project)
	}
	if o.session == "last" {
		if f.Session, err = lastSession(o.command, sh.Host.State, f); err != nil {
			return f, err
		}
	}
	return f, o.times(sh.Host.Now().Local(), &f)
}

func unknownEvent(command, word string) error {
	if near := agents.NearestEvent(word); near != "" {
		return shell.WithHint(shell.Usagef("%s: no such event: %q", command, word), "did you mean "+near+"?")
	}
	return eventarg.Unknown(command, word)
}

// times reads since and until.
func (o pickOptions) times(now time.Time, f *runlog.Filter) error {
	span := func(flag, word string) (when.Span, error) {
		s, err := when.Parse(word, now)
		if err != nil {
			return s, shell.WithHint(shell.Usagef("%s: --%s: %v", o.command, flag, err), "a time is one of "+when.Forms)
		}
		return s, nil
	}
	if o.since != "" {
		s, err := span("since", o.since)
		if err != nil {
			return err
		}
		if f.Since = s.From; f.Since.After(now) {
			return shell.Usagef("%s: --since %s is in the future: now it is %s", o.command, o.since, now.Format(time.DateTime))
		}
	}
	if o.until != "" {
		s, err := span("until", o.until)
		if err != nil {
			return err
		}
		f.Until = s.To
	}
	if !f.Until.IsZero() && !f.Since.Before(f.Until) && when.Weekday(o.since) {
		f.Since = f.Since.AddDate(0, 0, -7) // from monday to wednesday, said on a Monday
	}
	if !f.Until.IsZero() && !f.Since.Before(f.Until) {
		return shell.Usagef("%s: --until ends at %s, before --since begins at %s", o.command, f.Until.Format(time.DateTime), f.Since.Format(time.DateTime))
	}
	return nil
}

// projects are the folders that a word may mean: for a path its project, through any links; for
// a name every project that has it.
func projects(h host.Host, word string) (list []string) {
	dir := word
	switch {
	case word == "~" || strings.HasPrefix(word, "~/"):
		dir = filepath.Join(h.Home, word[1:])
	case !filepath.IsAbs(word):
		dir = filepath.Join(h.WorkDir, word)
		if name := filepath.Clean(word); name != "." && !strings.HasPrefix(name, "..") && !strings.HasPrefix(word, ".") {
			list = append(list, name)
		}
	}
	dir = filepath.Clean(dir)
	if !shell.IsFolder(dir) {
		return append(list, dir)
	}
	project, root := discovery.FindProject(dir, h.Home)
	list = append(list, dir, project, root)
	list = slices.DeleteFunc(list, func(d string) bool { return d == "" })
	slices.Sort(list)
	return slices.Compact(list)
}

// lastSession is the id of the newest session.
func lastSession(command, state string, f runlog.Filter) (string, error) {
	f.Session = ""
	for l, err := range runlog.Backward(state, f) {
		if err == nil && l.Session != "" {
			return l.Session, nil
		}
	}
	return "", fmt.Errorf("%s: no session in the log matches", command)
}

// whyNothing reports that no line was found; naming a hook that neither exists here nor is in
// the log is an error.
func whyNothing(sh *shell.Shell, o pickOptions, f runlog.Filter) error {
	command := o.command
	if !o.picks() {
		sh.Say("%s: nothing recorded", command)
		sh.Hints([]string{
			"an event is recorded once a hook exists that could serve it: agents-hooks list",
			"whether agents call at all: agents-hooks doctor --probe",
		})
		return nil
	}
	if f.Hook != "" {
		names := hookNames(sh, f.Agent)
		if !slices.Contains(names, f.Hook) {
			err := fmt.Errorf("%s: no hook %q here, or in the log", command, f.Hook)
			if near := nearHooks(f.Hook, names); near != "" {
				return shell.WithHint(err, "did you mean "+protocol.Plain(near)+"?")
			}
			return shell.WithHint(err, "agents-hooks list --all")
		}
	}
	if strings.ContainsAny(o.project, `/\`) && !slices.ContainsFunc(f.Project, shell.IsFolder) {
		err := fmt.Errorf("%s: neither a folder nor a project in the log: %s", command, o.project)
		return shell.WithHint(err, "the log knows the projects "+strings.Join(projectNames(sh), ", "))
	}
	sh.Say("%s: nothing in the log matches these flags", command)
	var hints []string
	if len(f.Project) > 0 {
		if known := projectNames(sh); len(known) > 0 {
			hints = append(hints, "the log knows the projects "+strings.Join(known, ", "))
		}
	}
	if first := runlog.First(sh.Host.State); !f.Until.IsZero() && f.Until.Before(first) {
		hints = append(hints, "the log begins with "+first.Local().Format(time.DateOnly))
	}
	sh.Hints(hints)
	return nil
}

// nearHooks are the hooks that a word was probably meant to be: the nearest name, else the
// names that contain it.
func nearHooks(word string, names []string) string {
	if near := text.Nearest(word, names, 2); near != "" {
		return near
	}
	var parts []string
	for _, name := range names {
		if len(word) > 2 && strings.Contains(name, word) && len(parts) < 5 {
			parts = append(parts, name)
		}
	}
	slices.Sort(parts)
	return strings.Join(slices.Compact(parts), ", ")
}

// mostLooked is how many lines are read for a hint.
const mostLooked = 50_000

// hookNames are the names of all hooks that exist here, or that are in the newest lines of the
// log.
func hookNames(sh *shell.Shell, agent string) (names []string) {
	for _, h := range hookset.All(sh.Host, sh.Host.WorkDir).Hooks {
		names = append(names, h.Name)
	}
	seen := map[string]bool{}
	looked := 0
	for l := range runlog.Backward(sh.Host.State, runlog.Filter{Agent: agent}) {
		if looked++; looked > mostLooked {
			break
		}
		for _, h := range l.Hooks {
			if !seen[h.Name] {
				seen[h.Name] = true
				names = append(names, h.Name)
			}
		}
	}
	return names
}

// projectNames are the projects in the log, the newest first, at most a few.
func projectNames(sh *shell.Shell) (names []string) {
	const most = 5
	looked := 0
	for l := range runlog.Backward(sh.Host.State, runlog.Filter{}) {
		if looked++; looked > mostLooked {
			break
		}
		if name := shell.Plain(sh.Short(l.Project)); l.Project != "" && !slices.Contains(names, name) {
			if names = append(names, name); len(names) == most {
				break
			}
		}
	}
	return names
}
