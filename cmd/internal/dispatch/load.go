package dispatch

import (
	"cmp"
	"context"
	"io"
	"path/filepath"
	"strings"

	builtinhooks "github.com/agents-hooks/agents-hooks/builtin-hooks"
	"github.com/agents-hooks/agents-hooks/cmd/internal/builtin"
	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/runner"
)

// loaded is an event with the hooks that may run for it.
type loaded struct {
	event *protocol.Event
	set   *discovery.Set
	world *builtinhooks.Runtime // of the built-in hooks
	notes []runner.Warning
}

// load finds an event's hooks, and then makes the runtime of the built-in ones. tools are the
// names of the event's tool, nil if it may be any.
func (c call) load(ctx context.Context, from speaker, ev *protocol.Event, tools []string) loaded {
	src := builtin.Sources(c.host.Sources(), c.host, from.specForm())
	src.NoProject = src.NoProject || c.opt.noProject
	src.Ctx, src.Memo = ctx, c.memo
	src.Tools = tools
	if !from.specForm() {
		src.Agent = from.dialect.ID
	}
	src.Off = src.Off || c.tooDeep() // locked hooks judge even so
	begins := ev.Type == protocol.PreSession && ev.Fields.Text("source") == "startup"
	if !begins {
		src.Kept = runner.Roots(c.host.State, ev.SessionID)
	}
	set := discovery.LoadEvent(src, ev.Type, ev.WorkDir)
	w := builtin.Runtime(c.host, c.host.State, builtin.SettingsOf(set, src, c.host, ev.WorkDir))
	w.Approved = func(string) func(name, dir string) (string, bool) { return set.ApprovedCopy }
	w.Always = func(string) bool { return set.Always() }
	w.NoProject = src.NoProject
	l := loaded{ev, set, w, c.keepRoot(ev, set, begins)}
	if !from.specForm() {
		w.Usage = func() protocol.Usage { return usageOf(ev, from.dialect) }
		if from.dialect.Final != nil {
			w.Final = func() string { return finalOf(ev, from.dialect) }
		}
		w.Headless = func() (bool, bool) { return headless(ev, from.dialect, c.told(from.dialect)) }
	}
	if !ev.Type.IsTool() {
		l.tellTail(from)
	}
	return l
}

// keepRoot records where the session began, and where else it was: the project's guards still
// apply when the agent goes to another folder.
func (c call) keepRoot(ev *protocol.Event, set *discovery.Set, begins bool) []runner.Warning {
	roots, changed := set.Roots()
	if !changed && !(begins && len(runner.Roots(c.host.State, ev.SessionID)) > 0) {
		return nil
	}
	if err := runner.KeepRoots(c.host.State, ev.SessionID, roots); err != nil {
		return []runner.Warning{note("state", "where this session began cannot be kept: %v", err)}
	}
	return nil
}

// deduplicates reports whether a call must be answered only once even if it arrives twice: an
// agent may run two entries of ours.
func (l loaded) deduplicates(from speaker) bool {
	return l.event.Call != nil && !from.specForm() && l.set.Waits(l.event.Type)
}

// said is what the event says about its call: its input, its folder and its result, but not how
// long it took.
func (l loaded) said() string {
	o := protocol.Object{{Name: "tool", Value: protocol.Quote(l.event.Call.NativeName)}, {Name: "work_dir", Value: protocol.Quote(l.event.WorkDir)}}
	for _, m := range l.event.Fields {
		switch m.Name {
		case "tool_input", "tool_response", "error":
			o = append(o, m)
		}
	}
	if l.event.Unread != "" {
		o = append(o, protocol.Member{Name: "unread", Value: protocol.Raw("true")})
	}
	return string(o.Raw())
}

// lend adds the description that an agent left out of a subagent's event: it was in the tool
// call that started the subagent.
func (l loaded) lend(from speaker, ses *runner.Session) {
	task, starts := runner.TaskOf(l.event)
	f := &l.event.Fields
	lacks := l.event.Type == protocol.PreSubagent && f.Text("task_description") == ""
	if from.specForm() || !starts && !lacks || !l.set.Exists() {
		return
	}
	if starts {
		ses.RememberTask(task)
		return
	}
	if task, ok := ses.TakeTask(f.Text("subagent_type")); ok {
		f.SetText("task_description", task.Prompt)
		if f.Text("subagent_name") == "" && task.Description != "" {
			f.SetText("subagent_name", task.Description)
		}
	}
}

// supervise runs the async hooks of an event that was answered.
func supervise(h host.Host, args []string, stdin io.Reader) (exit int) {
	return runner.Supervise(stdin, h.Given, func(name, state string) runner.Builtin {
		o := parseArgs(args)
		o.entry.State = state
		h := o.place(h, o.agent == "")
		src := h.Sources()
		src.NoProject = src.NoProject || o.noProject
		// Settings are read again, from the dispatcher's directories.
		return builtin.Find(h, builtin.Runtime(h, state, builtin.Settings(src, h)))(name)
	})
}

// brief are the arguments that the supervisor of async hooks needs.
func (c call) brief(specForm bool) []string {
	var args []string
	if !specForm {
		args = append(args, "--agent="+cmp.Or(c.opt.agent, "any")) // which one does not matter
	}
	args = append(args, c.host.Entry().Args()...)
	if c.opt.noProject {
		args = append(args, "--no-project")
	}
	return args
}

// place is the host for this call: closed in agent form, whether the agent was named or
// recognized by its payload, because a repository can set an agent's environment.
func (o *options) place(h host.Host, specForm bool) host.Host {
	if specForm {
		return h.At(o.entry)
	}
	return h.Closed(o.entry)
}

// unread warns of variables that are set for us but ignored in agent form, if there are hooks
// that they could have been meant for; and of another home, whose hooks are not looked for.
func (c call) unread(set *discovery.Set) (told []runner.Warning) {
	if other := c.host.OtherHome(); other != "" {
		told = append(told, note("environment", "the home is %s here, not %s as HOME says, since a repository can set an agent's environment: install writes the home into the entry, and --home DIR says it by hand", c.host.Home, other))
	}
	if set.Found == 0 || !c.host.Dropped() {
		return told
	}
	names := c.host.Unread(func(behaviour, key string) any { return set.Settings.Builtin[behaviour][key] })
	if len(names) == 0 {
		return told
	}
	return append(told, note("environment", "%s: set in the environment and not read, since a repository can set an agent's environment. What is yours belongs in %s (agents-hooks disable, agents-hooks enable), a directory in the entry (agents-hooks install)",
		strings.Join(names, ", "), filepath.Join(c.host.Config, "hooks.toml")))
}
