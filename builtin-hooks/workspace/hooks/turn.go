package hooks

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/behaviour"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/originals"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace/remind"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// again is after how long the original's second agent is told the context anew,
// because what it is told with a prompt holds for that prompt (WS-11).
const again = 10 * time.Minute

// begin is workspace-context. Where the agent takes no text as a session begins,
// nothing is lost: a bound session is told with its first prompt, another one
// when its prompt is about workspaces (3.3, resolution 2).
func begin(c *behaviour.Call) error {
	if c.Session() == "" || !c.Can("context") {
		return nil // WS-8
	}
	p := placeOf(c)
	s, ok, err := bound(c, p)
	if err != nil {
		return err // WS-17
	}
	t := textsOf(c)
	if !ok {
		if s.Workspace.ID != "" {
			return nil // bound to what is archived
		}
		c.Say(t.Info(), "")
		if list := suggested(c, p); len(list) > 0 {
			c.Say(t.Suggestion(list), "")
		}
		return note(c, func(o *protocol.Object) { o.Set("told", protocol.Raw("true")) })
	}
	w := described(s)
	text := t.Context(w)
	c.Say(text, more(t, w))
	return join(given(c, key(c, s, text)), p.Seen(s.Binding, c.Now))
}

// suggested are the active workspaces whose project contains the working
// directory.
func suggested(c *behaviour.Call, p workspace.Place) (list []remind.Workspace) {
	if !c.Settings.Of("suggest_by_cwd").Bool {
		return nil
	}
	const most = 5
	for _, e := range p.At(c.WorkDir()) {
		if len(list) == most {
			break
		}
		list = append(list, remind.Workspace{ID: e.ID, Name: e.Name, Goal: p.Goal(e)})
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
		return err // WS-17
	case ok:
		err = remindOf(c, p, s)
		return join(err, p.Seen(s.Binding, c.Now))
	case s.Workspace.ID == "":
		return keyword(c)
	}
	return nil
}

// keyword tells an unbound session how to bind if its prompt is about
// workspaces (WS-12).
func keyword(c *behaviour.Call) error {
	if source := c.Event.Text("source"); source != "" && source != "user" {
		return nil // not the person's words
	}
	if !remind.Keywords(c.Event.Text("prompt"), c.Settings.Of("keywords").List) {
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

// remindOf tells a bound session the context if that is news, and what the
// focused node calls for (WS-11, WS-13).
func remindOf(c *behaviour.Call, p workspace.Place, s workspace.State) error {
	kind, due := dueOf(c, s)
	t, w := textsOf(c), described(s)
	text := t.Context(w)
	now := key(c, s, text)
	if !fresh(c, now) {
		text = ""
	}
	reminder := ""
	if due {
		reminder = t.Smart(kind, w)
	}
	err := deliver(c)
	if text == "" && reminder == "" {
		return err
	}
	err = join(err, sayBoth(c, contextKind, text, reminder, more(t, w)))
	if text != "" {
		err = join(err, given(c, now))
	}
	// A problem is named every time; that need not be written every time.
	if due && !remind.Throttled(kind, times(s.Binding), c.Now, remind.Throttle) {
		err = join(err, p.Reminded(c.Session(), string(kind), c.Now))
	}
	return err
}

// dueOf is the reminder that is due. Without a focus there is none (WS-17).
func dueOf(c *behaviour.Call, s workspace.State) (remind.Kind, bool) {
	f := s.Focus
	if f == nil {
		return "", false
	}
	wanted := []remind.Kind{}
	for _, name := range c.Settings.Of("reminders").List {
		wanted = append(wanted, remind.Named(name))
	}
	return remind.Due(remind.State{
		Type: f.Type, Status: f.Status, BelowRoot: f.ParentIsRoot, Children: f.Children, ChildrenDone: f.AllTerminal,
		Logs: f.Logs, LastLog: f.LastLog, Started: f.StartedAt, Problem: f.Problem != "", Docs: f.Docs,
	}, times(s.Binding), c.Now, wanted)
}

// times are when a session was reminded of what.
func times(b workspace.Binding) (list []remind.Time) {
	for name, at := range b.Reminders {
		list = append(list, remind.Time{Kind: remind.Kind(name), At: at})
	}
	return list
}

// key tells what of the context is news: another workspace, another binding,
// another focus, other rules. Where the context is to be repeated, anything.
func key(c *behaviour.Call, s workspace.State, text string) string {
	parts := []string{s.Workspace.ID, strconv.FormatInt(s.Binding.BoundAt.UnixMilli(), 36), s.RulesHash, ""}
	if s.Focus != nil {
		parts[3] = s.Focus.ID
	}
	if repeats(c) {
		parts = append(parts, text)
	}
	sum := sha256.Sum256([]byte(strings.Join(parts, "\n")))
	return hex.EncodeToString(sum[:8])
}

// repeats reports whether the agent is the one that the original told the whole
// context with every prompt.
func repeats(c *behaviour.Call) bool {
	return c.Event.Sub("context").Text("agent") == originals.WorkspaceRepeats
}

// fresh reports whether the session was not told the context yet as it is now.
func fresh(c *behaviour.Call, key string) bool {
	o := c.State.Read(stateName)
	if o.Text("given") != key {
		return true
	}
	if !repeats(c) {
		return false
	}
	return c.Settings.Of(originals.WorkspaceContext).Text == "always" || c.Now.Sub(moment(o, "given_at")) >= again
}

// given notes that the session was told the context.
func given(c *behaviour.Call, key string) error {
	unanswered(c, func() { _ = note(c, forget) })
	return note(c, func(o *protocol.Object) {
		o.SetText("given", key)
		set(o, "given_at", c.Now)
	})
}

// forget makes the context news again.
func forget(o *protocol.Object) { o.Delete("given") }

func note(c *behaviour.Call, change func(o *protocol.Object)) error {
	return c.State.Update(stateName, func(o protocol.Object) protocol.Object {
		change(&o)
		return o
	})
}
