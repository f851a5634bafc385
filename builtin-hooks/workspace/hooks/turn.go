package hooks

import (
	"strconv"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/behaviour"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/compat"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace/reminder"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// again is after how long the original's second agent is told the context anew,
// because what it is told with a prompt holds for that prompt (BW-TEL-05).
const again = 10 * time.Minute

// begin is workspace-context. If the agent takes no text at the start of a session,
// nothing is lost: a bound session is told with its first prompt, another one when its
// prompt is about workspaces.
func begin(c *behaviour.Call) error {
	if c.Session() == "" || !c.Can("context") {
		return nil // BW-TEL-01
	}
	p := placeOf(c)
	s, ok, err := bound(c, p)
	if err != nil {
		return err // BW-TEL-12
	}
	t := textsOf(c)
	if !ok {
		tellDamage(c, p.Damage())
		if s.Workspace.ID != "" || unboundByRequest(c) {
			return nil
		}
		tellStrays(c, p)
		c.Say(t.Info(), "")
		if list := suggested(c, p); len(list) > 0 {
			c.Say(t.Suggestion(list), "")
		}
		return note(c, func(o *protocol.Object) { o.Set("told", protocol.Raw("true")) })
	}
	w := described(c, p, s)
	parts := reminder.Whole()
	// What is resumed has its history, with how it works here in it.
	parts.How = c.Event.Text("source") != "resume" || !c.State.Read(stateName).Bool("how")
	c.Say(t.Context(w, parts, ""), more(t, w))
	return join(given(c, s, w, parts), p.Seen(s.Binding, agentOf(c), c.Now))
}

// unboundByRequest reports whether somebody unbound the session: then it hears
// nothing of workspaces until it is bound again.
func unboundByRequest(c *behaviour.Call) bool { return c.State.Read(stateName).Bool("unbound") }

// suggested are the active workspaces whose project contains the working
// directory.
func suggested(c *behaviour.Call, p workspace.Place) (list []reminder.Workspace) {
	if !c.Settings.Of("suggest_by_cwd").Bool {
		return nil
	}
	const most = 5
	for _, e := range p.At(c.WorkDir()) {
		if len(list) == most {
			break
		}
		list = append(list, reminder.Workspace{ID: e.ID, Name: e.Name, Goal: p.Goal(e)})
	}
	return list
}

// prompt is workspace-reminder.
func prompt(c *behaviour.Call) error {
	if c.Session() == "" {
		return nil
	}
	p := placeOf(c)
	s, ok, err := bound(c, p)
	switch {
	case err != nil:
		return err // BW-TEL-12
	case ok:
		err = remindOf(c, p, s)
		return join(err, p.Seen(s.Binding, agentOf(c), c.Now))
	case s.Workspace.ID == "":
		tellDamage(c, p.Unreadable())
		return keyword(c, p)
	}
	return nil
}

// keyword tells an unbound session how to bind if its prompt is about workspaces and
// its folder has one. If somebody unbound it, they want to hear nothing.
func keyword(c *behaviour.Call, p workspace.Place) error {
	if source := c.Event.Text("source"); source != "" && source != "user" {
		return nil // not the person's words
	}
	said, words := c.Event.Text("prompt"), c.Settings.Of("keywords").List
	if !reminder.Mentions(said, words) || unboundByRequest(c) {
		return nil
	}
	var names []string
	for _, e := range p.At(c.WorkDir()) {
		names = append(names, e.Name)
	}
	if names == nil || !reminder.About(said, words, names) {
		return nil
	}
	if minutes := c.Settings.Of("keyword_minutes").Int; minutes > 0 {
		if due, err := rarely(c, "keyword", time.Duration(minutes)*time.Minute); !due {
			return err
		}
	}
	t := textsOf(c)
	info := ""
	if !c.State.Read(stateName).Bool("told") {
		info = t.Info()
	}
	return sayBoth(c, reminderKind, info, t.Keyword(), "")
}

// remindOf tells a bound session what of the context is news, and what the focused
// node calls for.
func remindOf(c *behaviour.Call, p workspace.Place, s workspace.State) error {
	kind, due := dueOf(c, s)
	if due && kind == reminder.Problem {
		var err error
		if due, err = insists(c, s); err != nil {
			return err
		}
	}
	t, w := textsOf(c), described(c, p, s)
	err := deliver(c) // before what is news, since a text that does not hold any more is news again
	parts, changed := news(c, s, w)
	says := kind == reminder.Problem && due && parts.Problem
	if says {
		parts.Problem = false // the reminder does
	}
	text, nudge := "", ""
	if parts.Any() || changed != "" {
		text = t.Context(w, parts, changed)
	}
	if due {
		nudge = t.Smart(kind, w)
	}
	if text == "" && nudge == "" {
		return err
	}
	err = join(err, sayBoth(c, contextKind, text, nudge, more(t, w)))
	if text != "" || says {
		err = join(err, given(c, s, w, parts))
	}
	// A problem is repeated more often than that is written.
	if due && !reminder.Throttled(kind, times(s.Binding), c.Now, reminder.Throttle) {
		err = join(err, p.Reminded(c.Session(), string(kind), c.Now))
	}
	return err
}

// insists reports whether an open problem is named with this prompt, and counts the
// prompts that met it. Another problem is counted anew.
func insists(c *behaviour.Call, s workspace.State) (bool, error) {
	n := 0
	err := c.State.Update(stateName, func(o protocol.Object) protocol.Object {
		which := digest(s.Focus.ID, s.Focus.Problem)
		if o.Text("problem") == which {
			n, _ = strconv.Atoi(string(o.Get("met")))
		}
		n++
		o.SetText("problem", which)
		o.Set("met", strconv.AppendInt(nil, int64(n), 10))
		return o
	})
	return reminder.Insists(n), err
}

// dueOf is the reminder that is due. Without a focus there is none (BW-TEL-12).
func dueOf(c *behaviour.Call, s workspace.State) (reminder.Kind, bool) {
	f := s.Focus
	if f == nil {
		return "", false
	}
	wanted := []reminder.Kind{}
	for _, name := range c.Settings.Of("reminders").List {
		wanted = append(wanted, reminder.Named(name))
	}
	return reminder.Due(reminder.State{
		Type: f.Type, Status: f.Status, BelowRoot: f.ParentIsRoot, Children: f.Children, ChildrenDone: f.AllTerminal,
		Logs: f.Logs, LastLog: f.LastLog, Started: f.StartedAt, Docs: f.Docs,
		Problem: reminder.Open(f.Problem), Noted: f.Problem != "" || f.NextStep != "" || f.NoProblem,
	}, times(s.Binding), c.Now, wanted)
}

// times are when a session was reminded of what.
func times(b workspace.Binding) (list []reminder.Time) {
	for name, at := range b.Reminders {
		list = append(list, reminder.Time{Kind: reminder.Kind(name), At: at})
	}
	return list
}

// repeats reports whether the agent is the one that the original told the whole
// context with every prompt.
func repeats(c *behaviour.Call) bool {
	return c.Event.Sub("context").Text("agent") == compat.WorkspaceRepeats
}

func note(c *behaviour.Call, change func(o *protocol.Object)) error {
	return c.State.Update(stateName, func(o protocol.Object) protocol.Object {
		change(&o)
		return o
	})
}
