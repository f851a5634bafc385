package hooks

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/behaviour"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/compat"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/locale"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace/reminder"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// described is a state as the texts need it.
func described(c *behaviour.Call, p workspace.Place, s workspace.State) reminder.Workspace {
	w := reminder.Workspace{ID: s.Workspace.ID, Ref: workspace.ShortID(s.Workspace.ID), Name: s.Workspace.Name, Goal: s.Goal, Rules: s.Rules, RulesHash: s.RulesHash}
	in := locale.Of(c.Settings.Of("language").Text, c.Getenv)
	w.Done, w.All = s.Graph.Progress()
	claims := p.Claims(s.Workspace.ID, c.Now)
	course := s.Graph.Course(func(id string) bool {
		held, is := claims[id]
		// What was handed over is not offered here: whether somebody works on it is
		// seen in its worktree, by node_next.
		return is && held.Session != c.Session() || s.Graph.Node(id).Sub("dispatch").Text("status") == "executing"
	})
	switch step := course.Next(); {
	case step != nil:
		w.Next = reminder.Next{ID: s.Graph.Short(step.Node), Title: s.Title(step.Node), Do: step.Do, Why: s.Graph.Why(*step, in.Pick, s.Title)}
	case len(course.Failed) > 0:
		w.Next.Waits = "“" + s.Title(course.Failed[0]) + "”" + in.Pick(" failed: retry it, or plan differently", " 已失败：重试或重新规划")
	case len(course.Waiting) > 0:
		w.Next.Waits = course.Waiting[0].WaitsFor(in.Pick, s.Title)
	case len(course.Held) > 0:
		w.Next.Waits = in.Pick("other sessions have what is left", "剩下的由其他会话负责")
	}
	if f := s.Focus; f != nil {
		w.Node = reminder.Node{ID: s.Graph.Short(f.Node), Title: f.Title, Status: f.Status, Requirement: f.Requirement, Over: workspace.Terminal(f.Status)}
		if reminder.Open(f.Problem) {
			w.Node.Problem, w.Node.Next = f.Problem, f.NextStep
		}
		for _, a := range f.Acceptance {
			w.Node.Acceptance = append(w.Node.Acceptance, a.When+" → "+a.Then)
		}
		if chain := s.Graph.Chain(f.Node); len(chain) > 2 && !w.Node.Over {
			for _, up := range chain[1 : len(chain)-1] {
				w.Node.Path = append(w.Node.Path, s.Title(up))
			}
		}
	}
	w.FromRepository = s.Foreign.Let || s.Letting()
	return w
}

// news are the parts of the context that the session was not told as they are now,
// and what changed, in words.
func news(c *behaviour.Call, s workspace.State, w reminder.Workspace) (parts reminder.Parts, changed string) {
	o := c.State.Read(stateName)
	if o.Text("given") != binding(s) {
		parts = reminder.Whole()
		parts.How = !o.Bool("how") || repeats(c)
		return parts, ""
	}
	told, now := o.Sub("parts"), digests(w)
	differs := func(name string) bool { return told.Text(name) != now.Text(name) }
	parts = reminder.Parts{Head: differs("head"), Rules: differs("rules"), Focus: differs("focus"), Problem: differs("problem") && w.Node.Problem != "", Next: differs("next")}
	changed = changes(c, s, w, o)
	if repeats(c) && (parts.Any() || changed != "" || c.Settings.Of(compat.WorkspaceContext).Text == "always" || c.Now.Sub(moment(o, "given_at")) >= again) {
		parts = reminder.Whole()
		parts.How = !o.Bool("how")
	}
	return parts, changed
}

// binding is what the session is bound to, and since when.
func binding(s workspace.State) string {
	return digest(s.Workspace.ID, strconv.FormatInt(s.Binding.BoundAt.UnixMilli(), 36))
}

// digests tell the parts of a context apart.
func digests(w reminder.Workspace) (o protocol.Object) {
	n := w.Node
	o.SetText("node", n.ID)
	o.SetText("head", digest(w.Name, w.Goal))
	o.SetText("rules", digest(w.Rules...))
	o.SetText("focus", digest(n.ID, n.Title, n.Status, n.Requirement, strings.Join(n.Acceptance, "\n"), strings.Join(n.Path, "\n")))
	if n.Problem != "" {
		o.SetText("problem", digest(n.ID, n.Problem, n.Next))
	}
	o.SetText("next", digest(w.Next.ID, w.Next.Do, w.Next.Waits, strconv.Itoa(w.Done), strconv.Itoa(w.All)))
	return o
}

func digest(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:6])
}

// changesRoom is how long the line of changes may be.
const changesRoom = 300

// changes is a line of what became of the workspace since the session last looked,
// whoever did it: its own commands and tools, other windows, a person's hand.
func changes(c *behaviour.Call, s workspace.State, w reminder.Workspace, o protocol.Object) string {
	if !o.Has("sight") {
		return ""
	}
	list, gone := s.Sight().Since(workspace.ParseSight(o.Text("sight")), s.Graph)
	in := locale.Of(c.Settings.Of("language").Text, c.Getenv)
	var order []string
	of := map[string][]string{}
	for _, n := range list {
		what := became(in, n.What)
		if of[what] == nil {
			order = append(order, what)
		}
		title := ""
		if len(of[what]) < 3 { // of the others the number is told
			title = text.Clip(protocol.Plain(s.Title(n.Node)), 50)
		}
		of[what] = append(of[what], title)
	}
	var said []string
	for _, what := range order {
		titles := of[what]
		line := what + " " + strings.Join(titles[:min(3, len(titles))], ", ")
		if more := len(titles) - 3; more > 0 {
			line += " +" + strconv.Itoa(more)
		}
		said = append(said, line)
	}
	if gone > 0 {
		said = append(said, in.Pick("deleted ", "已删除 ")+strconv.Itoa(gone))
	}
	told, now := o.Sub("parts"), digests(w)
	if w.Node.Problem == "" && told.Text("problem") != now.Text("problem") && told.Text("node") == w.Node.ID && !w.Node.Over {
		said = append(said, in.Pick("the problem is solved", "问题已解决"))
	}
	if told.Text("head") != now.Text("head") {
		said = append(said, in.Pick("the goal", "目标"))
	}
	if told.Text("rules") != now.Text("rules") {
		said = append(said, in.Pick("the rules", "规则"))
	}
	return text.Clip(text.OneLine(strings.Join(said, "; ")), changesRoom)
}

// became says what became of nodes.
func became(in locale.Language, what string) string {
	switch what {
	case "new":
		return in.Pick("new:", "新增：")
	case "moved":
		return in.Pick("moved:", "移动：")
	case "approved":
		return in.Pick("approved by the person:", "用户已批准：")
	case "changed":
		return in.Pick("text changed:", "内容改动：")
	case workspace.Pending:
		return in.Pick("not started any more:", "恢复为未开始：")
	case workspace.Implementing:
		return in.Pick("started:", "已开始：")
	case workspace.Planning:
		return in.Pick("being planned:", "规划中：")
	case workspace.Monitoring:
		return in.Pick("under way:", "推进中：")
	case workspace.Validating:
		return in.Pick("to be checked:", "待验证：")
	case workspace.Completed:
		return in.Pick("completed:", "已完成：")
	case workspace.Failed:
		return in.Pick("failed:", "失败：")
	}
	return in.Pick("cancelled:", "已取消：")
}

// given notes what the session was told.
func given(c *behaviour.Call, s workspace.State, w reminder.Workspace, parts reminder.Parts) error {
	unanswered(c, func() { _ = note(c, forget) })
	return note(c, func(o *protocol.Object) {
		o.SetText("given", binding(s))
		set(o, "given_at", c.Now)
		o.Set("parts", digests(w).Raw())
		o.SetText("sight", s.Sight().String())
		if parts.How {
			o.Set("how", protocol.Raw("true"))
		}
		o.Delete("unbound")
	})
}

// forget makes the context news again.
func forget(o *protocol.Object) {
	o.Delete("given")
	o.Delete("how")
}
