package ops

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/internal/linktest"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// BW-CMD-01, BW-CMD-02: every tool, a small core set, each with arguments that the
// command line can take, and descriptions in both languages.
func TestTools(t *testing.T) {
	t.Parallel()
	seen, core := map[string]bool{}, 0
	for _, tool := range operations() {
		if seen[tool.Name] || seen["command "+tool.Command] || tool.Command == "" {
			t.Errorf("%s (%s) stands twice, or has no command", tool.Name, tool.Command)
		}
		seen[tool.Name], seen["command "+tool.Command] = true, true
		if tool.Core {
			core++
		}
		if tool.run == nil || !both(tool.Model) || !both(tool.People) {
			t.Errorf("%s: not described in both languages", tool.Name)
		}
		for _, w := range tool.Words {
			if _, ok := tool.Arg(w); !ok {
				t.Errorf("%s: no argument %q", tool.Name, w)
			}
		}
		flags := map[string]bool{}
		for _, a := range tool.Args {
			if !both(a.Model) || flags[a.Flag()] {
				t.Errorf("%s %s: not described, or twice", tool.Name, a.Name)
			}
			flags[a.Flag()] = true
		}
		if tool.ReadOnly && tool.Destructive {
			t.Errorf("%s only reads and destroys", tool.Name)
		}
		if o := tool.Schema(false); protocol.ValidValue(o.Raw()) != nil || !o.Has("properties") {
			t.Errorf("%s: %s", tool.Name, o.Raw())
		}
	}
	if len(operations()) != 56 || core != 11 {
		t.Errorf("%d tools, %d in the core set", len(operations()), core)
	}
}

func both(t op.Text) bool { return t.English != "" && t.Chinese != "" && t.English != t.Chinese }

// BW-CMD-03: every refusal of arguments says what is wanted; what models write in
// place of numbers and lists is understood.
func TestArguments(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	ws := s.init()
	s.refused("INVALID_PARAMS", "workspace_gett")
	s.refused("INVALID_PARAMS", "workspace_get", "workspaceId", ws, "colour", "red")
	s.refused("INVALID_PARAMS", "workspace_get")
	s.refused("INVALID_PARAMS", "workspace_get", "workspaceId", 5)
	s.refused("INVALID_PARAMS", "workspace_status", "workspaceId", ws, "format", "pdf")
	s.refused("INVALID_PARAMS", "node_list", "workspaceId", ws, "depth", -1)
	s.refused("INVALID_PARAMS", "node_list", "workspaceId", ws, "depth", "two")
	s.refused("INVALID_PARAMS", "workspace_update_rules", "workspaceId", ws, "action", "replace", "rules", "[1]")
	s.refused("INVALID_PARAMS", "node_update", "workspaceId", ws, "nodeId", "root")
	s.refused("WORKSPACE_NOT_FOUND", "workspace_get", "workspaceId", "ws-none")
	s.call("node_list", "workspaceId", ws, "depth", "1", "rootId", nil)
	s.call("workspace_update_rules", "workspaceId", ws, "action", "replace", "rules", `["a","b"]`)
	if o := s.call("workspace_update_rules", "workspaceId", ws, "action", "replace", "rules", "one rule"); string(o.Get("rules")) != `["one rule"]` {
		t.Errorf("%s", o.Raw())
	}
	s.Session = "me"
	s.call("session_bind", "workspaceId", ws)
	if o := s.call("context_get", "nodeId", "root"); o.Sub("workspace").Text("goal") == "" {
		t.Errorf("a bound session need not name its workspace: %s", o.Raw())
	}
}

// BW-NOD-01: every row of both state machines, and every other pair refused.
func TestEveryTransition(t *testing.T) {
	t.Parallel()
	want := map[string]string{
		"execution pending start":         "implementing",
		"execution implementing submit":   "validating",
		"execution implementing complete": "completed",
		"execution implementing fail":     "failed",
		"execution validating complete":   "completed",
		"execution validating fail":       "failed",
		"execution failed retry":          "implementing",
		"execution completed reopen":      "implementing",
		"planning pending start":          "planning",
		"planning planning complete":      "completed",
		"planning planning cancel":        "cancelled",
		"planning monitoring complete":    "completed",
		"planning monitoring cancel":      "cancelled",
		"planning completed reopen":       "planning",
		"planning cancelled reopen":       "planning",
	}
	states := map[string][]string{
		"execution": {"pending", "implementing", "validating", "completed", "failed"},
		"planning":  {"pending", "planning", "monitoring", "completed", "cancelled"},
	}
	s := newStage(t)
	ws := s.init()
	rows := 0
	for kind, list := range states {
		node := s.add(ws, "root", kind, kind)
		for _, from := range list {
			for _, action := range []string{"start", "submit", "complete", "fail", "retry", "reopen", "cancel"} {
				s.force(ws, node, from)
				s.now = s.now.Add(time.Second)
				args := []any{"workspaceId", ws, "nodeId", node, "action", action, "conclusion", "c", "reason", "r"}
				to, ok := want[kind+" "+from+" "+action]
				if !ok {
					s.refused("INVALID_TRANSITION", "node_transition", args...)
					if have := s.status(ws, node); have != from {
						t.Errorf("%s %s %s was refused, and is %s", kind, from, action, have)
					}
					continue
				}
				rows++
				o := s.call("node_transition", args...)
				st := s.open(ws)
				n := st.Graph.Node(node)
				logs := st.Logs(n)
				last := logs[len(logs)-1].Event
				if n.Status() != to || o.Text("previousStatus") != from || o.Text("currentStatus") != to || !strings.HasSuffix(last, ": "+from+" → "+to+" (r)") {
					t.Errorf("%s %s %s: is %s, answer %s, log %q", kind, from, action, n.Status(), o.Raw(), last)
				}
				if page := s.file(filepath.Join(st.NodeDir(n), "Info.md")); !strings.Contains(page, "\nstatus: "+to+"\n") {
					t.Errorf("Info.md does not say %s", to)
				}
				began := action == "start" || action == "retry" || action == "reopen"
				if has := n.Text("startedAt") == workspace.Stamp(s.now); has != began {
					t.Errorf("%s: startedAt %q", action, n.Text("startedAt"))
				}
				if began && st.Graph.Focus() != node {
					t.Errorf("%s: the focus is %q", action, st.Graph.Focus())
				}
			}
		}
		s.force(ws, node, "completed")
	}
	if rows != len(want) {
		t.Errorf("%d rows of %d were tried", rows, len(want))
	}
}

// A begun is a workspace with a plan and its two tasks, of which the first was started.
type begun struct {
	*stage
	ws, plan, a, b string
}

func newBegun(t *testing.T) begun {
	s := newStage(t)
	g := begun{stage: s, ws: s.init()}
	g.plan = s.add(g.ws, "root", "planning", "plan")
	g.a, g.b = s.add(g.ws, g.plan, "execution", "a"), s.add(g.ws, g.plan, "execution", "b")
	s.call("node_transition", g.transition(g.plan, "start")...)
	s.call("node_transition", g.transition(g.a, "start")...)
	return g
}

func (g begun) transition(node, action string, kv ...any) []any {
	return append([]any{"workspaceId", g.ws, "nodeId", node, "action", action}, kv...)
}

// child are the arguments for another task of the plan, but for some of them.
func (g begun) child(kv ...any) []any {
	args := object("workspaceId", g.ws, "parentId", g.plan, "type", "execution", "title", "t", "requirement", "r")
	for i := 0; i < len(kv); i += 2 {
		args.Set(kv[i].(string), value(kv[i+1]))
	}
	var out []any
	for _, m := range args {
		out = append(out, m.Name, m.Value)
	}
	return out
}

// BW-NOD-02: every guard, with the original's code.
func TestGuardsOfTransitions(t *testing.T) {
	t.Parallel()
	s := newBegun(t)
	ws, plan, a, b, go1 := s.ws, s.plan, s.a, s.b, s.transition
	s.refused("CONCURRENT_EXECUTION", "node_transition", go1(b, "start")...)
	s.force(ws, b, "failed")
	s.refused("CONCURRENT_EXECUTION", "node_transition", go1(b, "retry")...)
	s.force(ws, b, "completed")
	s.refused("CONCURRENT_EXECUTION", "node_transition", go1(b, "reopen")...)
	s.force(ws, b, "pending")
	s.refused("CONCLUSION_REQUIRED", "node_transition", go1(a, "complete")...)
	s.refused("CONCLUSION_REQUIRED", "node_transition", go1(a, "fail", "conclusion", "  ")...)
	s.refused("CONCLUSION_REQUIRED", "node_transition", go1(plan, "cancel")...)
	s.refused("INVALID_CONTENT", "node_transition", go1(a, "complete", "conclusion", "x\n## y")...)
	s.refused("INCOMPLETE_CHILDREN", "node_transition", go1(plan, "complete", "conclusion", "c")...)
	s.refused("NODE_NOT_FOUND", "node_transition", go1("node-none", "start")...)
}

// BW-NOD-02.
func TestGuardsOfNewNodes(t *testing.T) {
	t.Parallel()
	s := newBegun(t)
	ws, plan, a, create := s.ws, s.plan, s.a, s.child
	s.refused("EXECUTION_CANNOT_HAVE_CHILDREN", "node_create", create("parentId", a)...)
	selected := func(node string) []any {
		return []any{"workspaceId", ws, "selected", []string{"intent"}, "nodeId", node}
	}
	s.refused("EXECUTION_CANNOT_HAVE_CHILDREN", "capability_select", selected(a)...)
	s.refused("NODE_NOT_FOUND", "capability_select", selected("node-none")...)
	if o := s.call("capability_select", selected(plan)...); o.Text("nodeId") != plan {
		t.Errorf("added below another node: %s", o.Raw())
	}
	s.refused("PARENT_NOT_FOUND", "node_create", create("parentId", "node-none")...)
	s.refused("INVALID_PARAMS", "node_create", create("type", "dream")...)
	s.refused("INVALID_CONTENT", "node_create", create("title", "two\nlines")...)
	s.refused("INVALID_CONTENT", "node_create", create("requirement", "## no")...)
	s.refused("INVALID_PARAMS", "node_create", create("title", " ")...)
	s.call("workspace_update_rules", "workspaceId", ws, "action", "add", "rule", "no tabs")
	s.refused("RULES_HASH_MISMATCH", "node_create", create()...)
	s.refused("RULES_HASH_MISMATCH", "node_create", create("rulesHash", "00000000")...)
	hash := s.call("context_get", "workspaceId", ws, "nodeId", plan).Sub("workspace").Text("rulesHash")
	if hash != workspace.RulesHash([]string{"no tabs"}) || len(hash) != 8 {
		t.Errorf("rulesHash %q", hash)
	}
	s.call("node_create", create("rulesHash", hash)...)
	s.force(ws, plan, "cancelled")
	s.refused("INVALID_PARENT_STATUS", "node_create", create("rulesHash", hash)...)
}

// BW-NOD-02.
func TestGuardsOfMovesAndDeletions(t *testing.T) {
	t.Parallel()
	s := newBegun(t)
	ws, plan, a, b := s.ws, s.plan, s.a, s.b
	s.refused("INVALID_PARAMS", "node_move", "workspaceId", ws, "nodeId", "root", "newParentId", plan)
	s.force(ws, plan, "monitoring")
	sub := s.add(ws, plan, "planning", "sub")
	s.refused("INVALID_PARAMS", "node_move", "workspaceId", ws, "nodeId", plan, "newParentId", sub)
	s.refused("EXECUTION_CANNOT_HAVE_CHILDREN", "node_move", "workspaceId", ws, "nodeId", b, "newParentId", a)
	s.refused("CANNOT_DELETE_ROOT", "node_delete", "workspaceId", ws, "nodeId", "root")
}

// BW-NOD-02.
func TestGuardsOfWorkspaces(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	ws := s.init()
	s.refused("WORKSPACE_EXISTS", "workspace_init", "name", "重构认证", "goal", "g")
	s.refused("INVALID_NAME", "workspace_init", "name", "a/b", "goal", "g")
	s.refused("INVALID_PATH", "workspace_init", "name", "x", "goal", "g", "projectRoot", "relative")
	s.refused("WORKSPACE_ACTIVE", "workspace_delete", "workspaceId", ws)
	s.refused("WORKSPACE_ACTIVE", "workspace_restore", "workspaceId", ws)
	s.call("workspace_archive", "workspaceId", ws)
	s.refused("WORKSPACE_ARCHIVED", "workspace_archive", "workspaceId", ws)
	s.refused("WORKSPACE_ARCHIVED", "log_append", "workspaceId", ws, "operator", "AI", "event", "e")
	s.refused("WORKSPACE_ARCHIVED", "session_bind", "sessionId", "s", "workspaceId", ws)
}

// BW-NOD-03: what a change of state brings with it.
func TestEffectsOfTransitions(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	ws := s.init()
	plan := s.add(ws, "root", "planning", "plan")
	a := s.add(ws, plan, "execution", "a")
	s.call("node_transition", "workspaceId", ws, "nodeId", plan, "action", "start")
	o := s.call("node_transition", "workspaceId", ws, "nodeId", a, "action", "start")
	if have := string(o.Get("cascadeUpdates")); have != `["`+plan+`: planning → monitoring", "root: planning → monitoring"]` {
		t.Errorf("cascade %s", have)
	}
	s.call("problem_update", "workspaceId", ws, "nodeId", a, "problem", "no key", "nextStep", "ask")
	if p, n := s.open(ws).Problem(s.open(ws).Graph.Node(a)); p != "no key" || n != "ask" {
		t.Errorf("problem %q %q", p, n)
	}
	s.call("node_transition", "workspaceId", ws, "nodeId", a, "action", "complete", "conclusion", "it works\nnow")
	st := s.open(ws)
	n := st.Graph.Node(a)
	if p, _ := st.Problem(n); p != "" || n.Conclusion() != "it works\nnow" || st.Info(n).Conclusion != "it works\nnow" {
		t.Errorf("completed: problem %q, conclusion %q %q", p, n.Conclusion(), st.Info(n).Conclusion)
	}
	s.call("node_transition", "workspaceId", ws, "nodeId", plan, "action", "complete", "conclusion", "all done")
	// A completed parent is taken up again for another child, its conclusion quoted.
	o = s.call("node_create", "workspaceId", ws, "parentId", plan, "type", "execution", "title", "late", "requirement", "r")
	if st = s.open(ws); o.Text("autoReopened") != plan || s.status(ws, plan) != "planning" || st.Graph.Node(plan).Conclusion() != "> before it was reopened on 2026-01-02:\n> all done" {
		t.Errorf("%s %q", o.Raw(), st.Graph.Node(plan).Conclusion())
	}
	s.force(ws, plan, "completed")
	s.force(ws, "root", "cancelled")
	s.call("node_transition", "workspaceId", ws, "nodeId", a, "action", "reopen")
	if s.status(ws, plan) != "monitoring" || s.status(ws, "root") != "monitoring" {
		t.Errorf("reopened below %s below %s", s.status(ws, plan), s.status(ws, "root"))
	}
}

// BW-NOD-04: a node that collected information leaves its rules and documents in the
// workspace, whatever its headings look like.
func TestInfoCollection(t *testing.T) {
	t.Parallel()
	for name, conclusion := range map[string]string{
		"large": "found\n\n## 规则\n- no tabs\n\n## 文档\n- docs/a.md: about a\n## Else\n- no rule",
		"small": "### 规则\n- no tabs\n### 文档\n- [a](docs/a.md) - about a\n### Else\n- no rule",
		"bold":  "**规则**\n- no tabs\n**文档：**\n- `docs/a.md`: about a\n**Else**\n- no rule",
		"latin": "## Rules\n- no tabs\n## Documents\n- docs/a.md: about a\n# Else\n- no rule",
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t)
			ws := s.init()
			n := s.add(ws, "root", "execution", "look", "role", "info_collection")
			s.call("node_transition", "workspaceId", ws, "nodeId", n, "action", "start")
			s.call("node_transition", "workspaceId", ws, "nodeId", n, "action", "complete", "conclusion", conclusion)
			page := s.open(ws).Page()
			if rules := page.Rules(); !slices.Equal(rules, []string{"no tabs"}) {
				t.Errorf("%s: rules %q", name, rules)
			}
			if docs := page.Docs(); len(docs) != 1 || docs[0].Path != "docs/a.md" || docs[0].Description != "about a" {
				t.Errorf("%s: docs %q", name, docs)
			}
			if text := s.open(ws).Info(s.open(ws).Graph.Node(n)).Conclusion; strings.Contains("\n"+text, "\n## ") || !strings.Contains(text, "Else") {
				t.Errorf("%s: %q", name, text)
			}
		})
	}
}

// BW-CMD-13, BW-CMD-14: whoever is no person makes a workspace in the session's project, or
// where the person has one already; nobody makes one in the home.
func TestWhereAWorkspaceIsMade(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	other, sub := t.TempDir(), filepath.Join(s.project, "sub")
	link := filepath.Join(s.project, "link")
	must.Do(t, os.Mkdir(sub, 0o700))
	linktest.Make(t, other, link)
	try := func(name, root string) error {
		_, err := s.Call(context.Background(), "workspace_init", object("name", name, "goal", "g", "projectRoot", root))
		return err
	}
	for i, c := range []struct {
		what, root     string
		tool, commands bool
	}{
		{"the project", s.project, true, true},
		{"a folder in it", sub, true, true},
		{"another project", other, false, true},
		{"a link to it", link, false, true},
		{"the home", s.home, false, false},
		{"what contains the home", filepath.Dir(s.home), false, false},
		{"the root of all", "/", false, false},
	} {
		t.Run(c.what, func(t *testing.T) {
			for k, works := range []bool{c.tool, c.commands} { // the tool first: what a person made it could use
				if s.Person = k == 1; s.Person && c.root == other { // made first, the tool could follow
					continue
				}
				if err := try(fmt.Sprint(i, s.Person), c.root); (err == nil) != works {
					t.Errorf("by a person: %v: %v", s.Person, err)
				}
			}
		})
	}
	if entries, err := os.ReadDir(other); err != nil || len(entries) != 1 { // by the link, of a person
		t.Errorf("%v %v", entries, err)
	}
	s.Person = true
	must.Do(t, try("theirs", other))
	if s.Person = false; try("ours", other) != nil {
		t.Error("where the person has one the tool makes none")
	}
	s.Project = s.home
	if err := try("at home", filepath.Join(s.home, "data")); err == nil {
		t.Error("a session in the home made one somewhere in it")
	}
}
