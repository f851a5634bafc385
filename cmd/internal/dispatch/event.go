package dispatch

import (
	"context"

	"github.com/agents-hooks/agents-hooks/cmd/internal/builtin"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/runner"
)

// events runs what one native event became. Only the first event decides; the
// others are told of what happened, unless the agent is made to go on, in which
// case it did not happen. One deadline holds for all.
func (c *call) events(ctx context.Context, events []*protocol.Event) protocol.Reply {
	ses := c.session(events[0])
	if events[0].Type == protocol.PreAgentTurn && c.prompt(ses, events[0]) {
		return c.noOpinion()
	}
	reply, goesOn := c.first(ctx, ses, events[0])
	for _, ev := range events[1:] {
		if goesOn {
			break
		}
		c.observe(ctx, ses, ev)
	}
	return reply
}

// session is the memory of an agent's session; spec form has none, because a
// dispatcher inside another one must not count twice.
func (c *call) session(ev *protocol.Event) *runner.Session {
	if c.specForm() {
		return nil
	}
	return runner.OpenSession(c.opt.state, ev.Agent, ev.SessionID)
}

// prompt tells the session of a person's prompt, and reports whether it is no
// prompt at all but the continuation that we asked for ourselves.
func (c *call) prompt(ses *runner.Session, ev *protocol.Event) bool {
	if ev.Fields.Text("source") != "user" {
		return false
	}
	return ses.PromptArrived(ev.Fields.Text("prompt")) && c.dialect.Echoes
}

// first runs the event that decides, and encodes the answer.
func (c *call) first(ctx context.Context, ses *runner.Session, ev *protocol.Event) (reply protocol.Reply, goesOn bool) {
	set := c.load(ev)
	c.tasks(ses, ev, set)
	due := len(set.Ready(ev.Type)) > 0
	if due && ev.Call != nil && !c.specForm() {
		answer, release, hit := ses.Dedup(ctx, ev.NativeEvent, ev.Call.ID)
		if hit {
			return unpack(answer), false
		}
		defer func() { release(pack(reply)) }()
	}
	rep := c.run(ctx, ses, ev, set)
	outcome, losses := c.fit(rep, set)
	reply, lost := c.dialect.Encode(rep.Event, outcome)
	notices := append(c.notices(rep, set, losses, lost), ses.Warnings()...)
	notices = append(notices, c.logReport(rep, set, outcome, notices)...)
	switch {
	case c.specForm():
		reply.Stderr = append(warningLines(notices), reply.Stderr...)
	case c.announce(ses, ev, &outcome, notices):
		reply, _ = c.dialect.Encode(rep.Event, outcome)
	}
	c.later(rep, set)
	c.take(ev, rep, set, outcome)
	if reply.Continue != "" {
		ses.Continued(reply.Continue)
	}
	return reply, reply.Continue != "" && ev.Type == protocol.PreAgentTurnStop
}

// load finds the hooks of an event, the built-in ones among them.
func (c *call) load(ev *protocol.Event) *discovery.Set {
	var set *discovery.Set
	c.world = builtin.World(c.host, c.opt.state, func(behaviour, _ string) map[string]any { return set.Settings.Builtin[behaviour] })
	c.world.Vouch = func(_, name, dir string) bool { return set.Vouches(name, dir) }
	src := builtin.Sources(c.opt.sources(c.host, c.specForm()), c.host, c.world, c.specForm())
	c.world.NoProject = src.NoProject
	if !c.specForm() {
		builtin.Confine(c.world, src)
	}
	set = discovery.LoadEvent(src, ev.Type, ev.WorkDir)
	return set
}

// fit cuts an outcome down to what the answer can carry. Of a changed input that
// is known only now that it is there.
func (c *call) fit(rep runner.Report, set *discovery.Set) (protocol.Outcome, []protocol.Loss) {
	ev := rep.Event
	if in := rep.Outcome.ModifiedInput; in != nil && ev.Call != nil && c.dialect.Applies != nil {
		if native, _ := ev.Call.NativeInputOf(in); native == nil || !c.dialect.Applies(ev.Call, native) {
			ev = ev.Clone()
			ev.SetCan(ev.Can &^ protocol.CanModify)
		}
	}
	return protocol.Fit(ev, rep.Outcome, set.Settings.OnUnsupported)
}

// observe runs an event that decides nothing.
func (c *call) observe(ctx context.Context, ses *runner.Session, ev *protocol.Event) {
	set := c.load(ev)
	rep := c.run(ctx, ses, ev, set)
	outcome, losses := c.fit(rep, set)
	c.logReport(rep, set, outcome, c.notices(rep, set, losses, nil))
	c.later(rep, set)
}

func (c *call) runner(ses *runner.Session) *runner.Runner {
	return &runner.Runner{
		Env: c.host.Env, State: c.opt.state, Self: c.host.Self, Brief: c.opt.brief(c.specForm()),
		Session: ses, StopMax: c.dialect.StopMax,
	}
}

func (c *call) run(ctx context.Context, ses *runner.Session, ev *protocol.Event, set *discovery.Set) runner.Report {
	rep := c.runner(ses).Run(ctx, ev, set)
	if rep.Outcome.Decision == protocol.Block && rep.Event.Can.Has(protocol.CanBlock) {
		c.world.Dropped() // a block drops contexts
	}
	return rep
}

// later starts the async hooks once the answer is out (R13).
func (c *call) later(rep runner.Report, set *discovery.Set) {
	if len(rep.Async) == 0 {
		return
	}
	c.after = append(c.after, func() { c.runner(nil).Start(rep.Async, set) })
}

// tasks lends a subagent's event the description that its agent left out: it
// stood in the tool call that started the subagent.
func (c *call) tasks(ses *runner.Session, ev *protocol.Event, set *discovery.Set) {
	if c.specForm() || len(set.Layers) == 0 {
		return
	}
	if task, ok := runner.TaskOf(ev); ok {
		ses.RememberTask(task)
		return
	}
	if ev.Type != protocol.PreSubagent || ev.Fields.Text("task_description") != "" {
		return
	}
	if task, ok := ses.TakeTask(ev.Fields.Text("subagent_type")); ok {
		ev.Fields.SetText("task_description", task.Prompt)
		if ev.Fields.Text("subagent_name") == "" && task.Description != "" {
			ev.Fields.SetText("subagent_name", task.Description)
		}
	}
}

// pack and unpack are the reply as the second caller of a doubly registered
// event gets it (R9).
func pack(r protocol.Reply) []byte {
	var o protocol.Object
	o.Set("exit", protocol.Raw(itoa(r.Exit)))
	o.SetText("stdout", string(r.Stdout))
	o.SetText("stderr", string(r.Stderr))
	return o.Raw()
}

func unpack(b []byte) protocol.Reply {
	o, err := protocol.ParseObject(b)
	if err != nil {
		return protocol.Reply{}
	}
	return protocol.Reply{
		Stdout: []byte(o.Text("stdout")),
		Stderr: []byte(o.Text("stderr")),
		Exit:   atoi(string(o.Get("exit"))),
	}
}
