package hooks

import (
	"bytes"
	"cmp"
	"errors"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/behaviour"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/locale"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/session"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace/reminder"
	"github.com/agents-hooks/agents-hooks/internal/ledger"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/internal/toolref"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// What the session's directory holds of ours.
const (
	// stateName is what was said and when: given, given_at, parts, how and sight (the
	// context, see context.go), told (the session's id), unbound (by request), keyword,
	// edited, shell and stop (times of reminders), problem and met (which problem, and
	// how many prompts met it), damage (what cannot be read, as the person was told).
	stateName = "workspace"
	// spoolName has a line for each changed file ({"file": …}) and failed command
	// ({"failed": …}).
	spoolName = "workspace"
)

// Kinds of deferred items, and how long they wait.
const (
	contextKind  = "workspace-context"
	reminderKind = "workspace-reminder"

	contextLife  = 2 * time.Hour
	reminderLife = 10 * time.Minute
)

// placeOf is where the user's workspaces are.
func placeOf(c *behaviour.Call) workspace.Place {
	p := workspace.Find(c.Runtime.Home, c.Runtime.Data, c.Settings.Of("data_dir").Text, c.Now.Location(), c.Getenv)
	p.Opener, p.Known = c.Below, c.Ledger
	return p
}

// bound is what the session of a call works on. An archived workspace does not count.
func bound(c *behaviour.Call, p workspace.Place) (s workspace.State, ok bool, err error) {
	s, ok, err = p.Bound(c.Session(), c.Now)
	tellWaiting(c, s)
	tellDamage(c, err)
	return s, ok && s.Workspace.Status != workspace.Archived, err
}

// tellWaiting says to the person, and to nobody else, that the workspace has texts
// which this machine did not write: once, until there are others.
func tellWaiting(c *behaviour.Call, s workspace.State) {
	if len(s.Foreign.Waiting) == 0 || c.Runtime.NoProject || !c.Can("message") {
		return
	}
	digest := ledger.Digest([]ledger.File{{Name: s.Workspace.ID, Keys: s.Foreign.Waiting}})
	if s.Ledger.Once(workspace.TrustName, digest) {
		c.Answer.UserMessage = waiting(locale.Of(c.Settings.Of("language").Text, c.Getenv), s.Workspace.Name)
	}
}

// tellStrays says to the person, once, that the project came with workspaces which
// nobody looked at.
func tellStrays(c *behaviour.Call, p workspace.Place) {
	if c.Runtime.NoProject || !c.Can("message") {
		return
	}
	for _, s := range p.StraysAt(c.WorkDir()) {
		if s.Mine || s.Was != "" && !s.Gone {
			continue
		}
		in := locale.Of(c.Settings.Of("language").Text, c.Getenv)
		if p.Known(s.ProjectRoot).Once(workspace.TrustName, ledger.Digest([]ledger.File{{Name: "stray " + s.ID}})) {
			c.Answer.UserMessage = in.Pick("this project came with a workspace that was not written on this machine, so no agent is told of it. Look at it and let it in: agents-hooks trust",
				"这个项目带有一个不是在本机写下的工作区，因此不会告诉任何 Agent。查看并放行：agents-hooks trust")
			return
		}
	}
}

// tellDamage tells the user what cannot be read: once a session, until it is something
// else.
func tellDamage(c *behaviour.Call, err error) {
	if err == nil || !c.Can("message") {
		return
	}
	said := text.Clip(text.OneLine(protocol.Plain(err.Error())), 400)
	if which := digest(said); c.State.Read(stateName).Text("damage") != which {
		if note(c, func(o *protocol.Object) { o.SetText("damage", which) }) == nil {
			c.Answer.UserMessage = damage(locale.Of(c.Settings.Of("language").Text, c.Getenv), said, errors.Is(err, workspace.ErrNewer))
		}
	}
}

// damage tells the user of files that cannot be read; what a newer version wrote is not
// repaired.
func damage(in locale.Language, said string, newer bool) string {
	if newer {
		return in.Pick("workspace: "+said+"; nothing was written over it. Update agents-hooks, or go on with the program that wrote it",
			"工作区："+said+"；没有覆盖任何内容。请更新 agents-hooks，或继续使用写下它的程序")
	}
	return in.Pick(
		"workspace: "+said+"; nothing was written over it. agents-hooks doctor says more; agents-hooks doctor --fix keeps it aside and goes on with what of it is whole",
		"工作区："+said+"；没有覆盖任何内容。agents-hooks doctor 查看详情；agents-hooks doctor --fix 会把它另存，并用其中完好的部分继续")
}

// waiting tells the person of texts that no agent is told of.
func waiting(in locale.Language, name string) string {
	name = text.Clip(text.OneLine(protocol.Plain(name)), 80)
	return in.Pick(
		"workspace "+name+": something in it was not written by agents-hooks on this machine (by others, by hand, or before this version), so no agent is told of it. Look at it and let it in: agents-hooks trust; or, if it is yours: agents-hooks workspace accept",
		"工作区 "+name+"：其中有内容不是 agents-hooks 在本机写下的（他人所写、手工编辑，或来自旧版本），因此不会告诉任何 Agent。查看并放行：agents-hooks trust；如果是你自己写的：agents-hooks workspace accept")
}

// textsOf are the texts in the language of a call, with the names that its agent
// knows.
func textsOf(c *behaviour.Call) reminder.Texts {
	names := c.Names()
	return reminder.Texts{
		Lang: locale.Of(c.Settings.Of("language").Text, c.Getenv), Session: c.Session(), Call: caller(names),
		Help: func(tool string) string {
			if _, ok := names.Tool(tool); ok {
				return ""
			}
			return names.Command(command(tool) + " --help")
		},
	}
}

// caller spells calls by the names that an agent knows.
func caller(names toolref.Names) func(tool string, args ...string) string {
	return func(tool string, args ...string) string {
		list := make([]toolref.Arg, 0, len(args)/2)
		for i := 0; i+1 < len(args); i += 2 {
			switch name, value := args[i], args[i+1]; {
			case value == "true":
				list = append(list, toolref.Flag(name))
			case value == "...":
				list = append(list, toolref.Text(name, value))
			case name == "nodeId" && (tool == "node_begin" || tool == "node_done"):
				list = append(list, toolref.Word(name, value).As("-"))
			default:
				list = append(list, toolref.Word(name, value))
			}
		}
		return names.Call(tool, command(tool), list...)
	}
}

// command is what stands for a tool on the command line: workspace_get is
// "workspace get", log_append is "workspace log append".
func command(tool string) string {
	switch tool {
	case "workspace_update_rules":
		tool = "rules"
	case "get_pending_changes":
		tool = "changes"
	case "tanmi_help":
		tool = "guide"
	case "tanmi_prompt":
		tool = "phrase"
	case "plugin_path":
		tool = "paths"
	case "node_dispatch":
		tool = "dispatch_node"
	case "node_dispatch_complete":
		tool = "dispatch_complete"
	case "dispatch_disable_execute":
		tool = "dispatch_finish"
	case "node_begin", "node_done", "node_next", "node_claim", "node_ready":
		tool = strings.TrimPrefix(tool, "node_")
	case "plan_create":
		tool = "create"
	}
	return "workspace " + strings.Replace(strings.TrimPrefix(tool, "workspace_"), "_", " ", 1)
}

// more says how to get what did not fit.
func more(t reminder.Texts, w reminder.Workspace) string {
	return t.Call("context_get", "workspaceId", cmp.Or(w.Ref, w.ID), "nodeId", cmp.Or(w.Node.ID, workspace.RootID))
}

// say tells the agent a text, now or with the next event that can carry one.
func say(c *behaviour.Call, kind, text, more string) error {
	if c.Can("context") {
		c.Say(text, more)
		return nil
	}
	life := reminderLife
	if kind == contextKind {
		life = contextLife
	}
	return c.State.Defer(session.Item{Kind: kind, Text: behaviour.Cut(text, c.Runtime.TextBudget, more), Expires: c.Now.Add(life)})
}

// sayBoth tells two texts, the first of which gives way if there is not enough room for
// both; either may be empty.
func sayBoth(c *behaviour.Call, kind, first, second, more string) error {
	if first != "" && second != "" {
		first = behaviour.Cut(first, c.Runtime.TextBudget-utf8.RuneCountInString(second)-2, more)
	}
	switch {
	case first == "":
		return say(c, reminderKind, second, "")
	case second != "":
		first += "\n\n" + second
	}
	return say(c, kind, first, more)
}

// deliver gives the agent what no event before could carry.
func deliver(c *behaviour.Call) error {
	if !c.Can("context") || !c.State.Waiting() {
		return nil
	}
	items, err := c.State.Take(c.Now, contextKind, reminderKind)
	if err != nil || len(items) == 0 {
		return err
	}
	for _, item := range items {
		if item.Kind != contextKind {
			c.Say(item.Text, "")
			continue
		}
		err = join(err, sayContext(c, item.Text))
	}
	unanswered(c, func() {
		for _, item := range items {
			_ = c.State.Defer(item)
		}
	})
	return err
}

// sayContext tells a context that waited or, if it is another one now, that: nobody is told what
// was deleted since, or is not let in any more.
func sayContext(c *behaviour.Call, waited string) error {
	p := placeOf(c)
	s, ok, err := p.Bound(c.Session(), c.Now)
	if err != nil || !ok || s.Workspace.Status == workspace.Archived {
		return err
	}
	w, o := described(c, p, s), c.State.Read(stateName)
	if o.Text("given") == binding(s) && bytes.Equal(o.Sub("parts").Raw(), digests(w).Raw()) {
		c.Say(waited, "")
		return nil
	}
	t, whole := textsOf(c), reminder.Whole()
	c.Say(t.Context(w, whole, ""), more(t, w))
	return given(c, s, w, whole)
}

// unanswered adds to what is undone if the answer cannot be given.
func unanswered(c *behaviour.Call, undo func()) {
	before := c.Unanswered
	c.Unanswered = func() {
		if before != nil {
			before()
		}
		undo()
	}
}

// rarely reports whether something was last done apart ago or longer, and notes
// that it is done now.
func rarely(c *behaviour.Call, name string, apart time.Duration) (due bool, err error) {
	at := reminder.Time{Kind: reminder.Kind(name), At: moment(c.State.Read(stateName), name)}
	if reminder.Throttled(at.Kind, []reminder.Time{at}, c.Now, apart) {
		return false, nil
	}
	err = c.State.Update(stateName, func(o protocol.Object) protocol.Object {
		at.At = moment(o, name)
		if due = !reminder.Throttled(at.Kind, []reminder.Time{at}, c.Now, apart); !due {
			return nil
		}
		set(&o, name, c.Now)
		return o
	})
	return due, err
}

func moment(o protocol.Object, name string) time.Time {
	n, err := strconv.ParseInt(string(o.Get(name)), 10, 64)
	if err != nil {
		return time.Time{}
	}
	return time.UnixMilli(n)
}

func set(o *protocol.Object, name string, t time.Time) {
	o.Set(name, strconv.AppendInt(nil, t.UnixMilli(), 10))
}

// join is errors.Join, except that no errors stay nil.
func join(a, b error) error {
	if a == nil {
		return b
	}
	return errors.Join(a, b)
}
