package dispatch

import (
	"cmp"
	"context"
	"io"

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
	world *builtinhooks.World // of the built-in ones
}

// load finds the hooks of an event, and then makes the world of the built-in ones
// of what was found.
func (c call) load(ctx context.Context, from speaker, ev *protocol.Event) loaded {
	src := builtin.Sources(c.opt.sources(c.host, from.specForm()), c.host, from.specForm())
	src.Ctx = ctx
	set := discovery.LoadEvent(src, ev.Type, ev.WorkDir)
	w := builtin.World(c.host, c.opt.state, builtin.SettingsOf(set))
	w.Vouch = func(string) func(name, dir string) bool { return set.Vouches }
	w.NoProject = src.NoProject
	if !from.specForm() {
		builtin.Confine(w, src)
	}
	return loaded{ev, set, w}
}

// deduplicates reports whether a call has to be answered once only, even if it
// comes twice: an agent may run two entries of ours.
func (l loaded) deduplicates(from speaker) bool {
	return l.event.Call != nil && !from.specForm() && len(l.set.Ready(l.event.Type)) > 0
}

// said is what the event says of its call: how, where, and with which result. How
// long it took is no part of that.
func (l loaded) said() string {
	o := protocol.Object{{Name: "tool", Value: protocol.Quote(l.event.Call.NativeName)}, {Name: "work_dir", Value: protocol.Quote(l.event.WorkDir)}}
	for _, m := range l.event.Fields {
		switch m.Name {
		case "tool_input", "tool_response", "error":
			o = append(o, m)
		}
	}
	return string(o.Raw())
}

// lend gives a subagent's event the description that its agent left out: it stood
// in the tool call that started the subagent.
func (l loaded) lend(from speaker, ses *runner.Session) {
	if from.specForm() || len(l.set.Layers) == 0 {
		return
	}
	if task, ok := runner.TaskOf(l.event); ok {
		ses.RememberTask(task)
		return
	}
	f := &l.event.Fields
	if l.event.Type != protocol.PreSubagent || f.Text("task_description") != "" {
		return
	}
	if task, ok := ses.TakeTask(f.Text("subagent_type")); ok {
		f.SetText("task_description", task.Prompt)
		if f.Text("subagent_name") == "" && task.Description != "" {
			f.SetText("subagent_name", task.Description)
		}
	}
}

// supervise runs async hooks whose event is over.
func supervise(h host.Host, args []string, stdin io.Reader) (exit int) {
	return runner.Supervise(stdin, h.Env, func(name, state string) runner.Builtin {
		o := parseArgs(args, "")
		o.state = state
		src := o.sources(h, o.agent == "")
		// Settings are read anew, where the dispatcher read them.
		w := builtin.World(h, state, builtin.Settings(src, h))
		if o.agent != "" {
			builtin.Confine(w, src)
		}
		return builtin.Find(h.Behaviours, w)(name)
	})
}

// brief is what the supervisor of async hooks has to know of the arguments.
func (o *options) brief(specForm bool) []string {
	var args []string
	if !specForm {
		args = append(args, "--agent="+cmp.Or(o.agent, "any")) // which one does not matter
	}
	if o.config != "" {
		args = append(args, "--config="+o.config)
	}
	if o.trust {
		args = append(args, "--trust=always")
	}
	if o.noProject {
		args = append(args, "--no-project")
	}
	return args
}

// sources are the places that hooks come from for this call. In agent form,
// whether the agent was named or told by its payload, the environment cannot
// grant trust, because a repository can set an agent's environment; a
// flag of the entry, or the user's file, can.
func (o *options) sources(h host.Host, specForm bool) discovery.Sources {
	src := h.Sources()
	if !specForm {
		src.TrustAlways = false
	}
	if o.trust {
		src.TrustAlways = true
	}
	if o.config != "" {
		src.User = o.config
	}
	if o.state != "" {
		src.State = o.state
	}
	src.NoProject = src.NoProject || o.noProject
	return src
}
