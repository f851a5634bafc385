package view

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	workspaceops "github.com/agents-hooks/agents-hooks/builtin-hooks/workspace/ops"
	workspaceview "github.com/agents-hooks/agents-hooks/builtin-hooks/workspace/view"
	"github.com/agents-hooks/agents-hooks/cmd/internal/builtin"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/page/pagetest"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A room is a workspace of a project, and the operator that an agent works at.
type room struct {
	testing.TB
	*workspaceops.Operator
	id string
}

func newRoom(t testing.TB, sh *shell.Shell, project string) *room {
	t.Helper()
	r := &room{TB: t, Operator: workspaceops.At(builtin.Standalone(sh.Host), builtin.Call(sh.Host, project))}
	r.id = r.call("workspace_init", "name", "Board", "goal", "to see it", "projectRoot", project).Text("workspaceId")
	r.call("node_transition", "nodeId", "root", "action", "start")
	return r
}

func (r *room) call(name string, kv ...string) protocol.Object {
	r.Helper()
	var o protocol.Object
	if r.id != "" {
		o.SetText("workspaceId", r.id)
	}
	for i := 0; i < len(kv); i += 2 {
		o.SetText(kv[i], kv[i+1])
	}
	answer, err := r.Call(context.Background(), name, o)
	if err != nil {
		r.Fatalf("%s %v: %v", name, kv, err)
	}
	return answer
}

func (r *room) node(parent, kind, title string) string {
	r.Helper()
	return r.call("node_create", "parentId", parent, "type", kind, "title", title, "requirement", "do "+title).Text("nodeId")
}

// boardOn sends an answer as the page does.
func boardOn(t testing.TB, address string, c map[string]any) (status int, stale bool, p workspaceview.Page) {
	t.Helper()
	body, _ := json.Marshal(c)
	status, text, _ := ask(t, "POST", address+"workspace", string(body), "Content-Type: application/json", "Origin: http://"+strings.Split(address, "/")[2], "Sec-Fetch-Site: same-origin")
	var a struct {
		Stale bool
		Part  struct{ Docs []workspaceview.Page }
	}
	_ = json.Unmarshal([]byte(text), &a)
	for _, d := range a.Part.Docs {
		if d.Name == "Board" {
			p = d
		}
	}
	return status, a.Stale, p
}

// logged are the rows of a node's log.
func (r *room) logged(node string) string {
	s, err := r.Place.Open(r.id)
	must.Do(r, err)
	var all []string
	for _, row := range s.Logs(s.Graph.Node(node)) {
		all = append(all, row.Operator+": "+row.Event)
	}
	return strings.Join(all, "\n")
}

// A person approves a plan and answers a problem in the page, with the token that the
// agent was given: once, as it was shown, and not on a page that may not; a still page
// holds no token.
// BW-BRD-01, BW-BRD-02.
func TestWorkspacesAreAnswered(t *testing.T) {
	t.Parallel()
	sh, project := machine(t, 0)
	r := newRoom(t, sh, project)
	plan := r.node("root", "planning", "Plan")
	r.call("node_transition", "nodeId", plan, "action", "start")
	task := r.node(plan, "execution", "Tokens")
	see := func(may permission) workspaceview.Page {
		t.Helper()
		part, err := seeWorkspaces(t.Context(), sh, lookOptions{dir: project, may: may})
		must.Do(t, err)
		for _, d := range part.Docs {
			if p := d.(workspaceview.Page); p.Name == "Board" {
				return p
			}
		}
		t.Fatal("no such page")
		return workspaceview.Page{}
	}
	live := permission{live: true, kept: new(keep)}
	p := see(live)
	if len(p.Waits) != 1 || p.Waits[0].Kind != "plan" || p.Waits[0].Token == "" {
		t.Fatalf("%+v", p.Waits)
	}
	if still := see(permission{}); len(still.Waits) != 1 || still.Waits[0].Token != "" || still.May != "-" {
		t.Errorf("still: %+v", still.Waits)
	}
	approve := map[string]any{"workspace": r.id, "kind": "plan", "node": plan, "token": p.Waits[0].Token, "text": "go on, but password=hunter2hunter2 no", "way": "", "seen": ""}
	closed := serving(t, sh, project, "it may not")
	if status, _, _ := boardOn(t, closed, approve); status != 403 {
		t.Errorf("where nothing may be changed: %d", status)
	}
	address := serving(t, sh, project, "")
	wrong := map[string]any{"workspace": r.id, "kind": "plan", "node": plan, "token": "ct-none"}
	if status, stale, _ := boardOn(t, address, wrong); status != 409 || !stale {
		t.Errorf("a wrong token: %d", status)
	}
	status, _, after := boardOn(t, address, approve)
	if status != 200 || len(after.Waits) != 0 || !strings.Contains(r.logged(plan), "Human: the plan is approved: go on") {
		t.Errorf("%d %+v\n%s", status, after.Waits, r.logged(plan))
	}
	if status, stale, _ := boardOn(t, address, approve); status != 409 || !stale {
		t.Errorf("twice: %d", status)
	}
	r.call("node_transition", "nodeId", task, "action", "start")
	r.call("problem_update", "nodeId", task, "problem", "Which key is meant?", "nextStep", "ask")
	p = see(live)
	if len(p.Waits) != 1 || p.Waits[0].Kind != "problem" {
		t.Fatalf("%+v", p.Waits)
	}
	answer := map[string]any{"workspace": r.id, "kind": "problem", "node": task, "text": "The blue one.", "seen": "Another question?"}
	if status, stale, _ := boardOn(t, address, answer); status != 409 || !stale {
		t.Errorf("to another question: %d", status)
	}
	answer["seen"] = "Which key is meant?"
	for _, text := range []string{"", "## a heading"} {
		answer["text"] = text
		if status, _, _ := boardOn(t, address, answer); status != 422 {
			t.Errorf("%q: %d", text, status)
		}
	}
	answer["text"] = "The blue one."
	if status, _, _ := boardOn(t, address, answer); status != 200 || !strings.Contains(r.logged(task), "Human: answered: The blue one.") {
		t.Errorf("%d\n%s", status, r.logged(task))
	}
	s, _ := r.Place.Open(r.id)
	if problem, next := s.Problem(s.Graph.Node(task)); !strings.Contains(problem, "Which key") || !strings.Contains(problem, "The blue one.") || next != "ask" {
		t.Errorf("%q %q", problem, next)
	}
	if status, _, _ := boardOn(t, address, map[string]any{"workspace": r.id, "kind": "delete", "node": task}); status != 422 {
		t.Errorf("an unknown kind: %d", status)
	}
}

// The board in a browser: a person answers by keyboard what waits for them, and agents'
// work appears by itself; nothing that is typed is lost to it. axe-core finds nothing in
// tree and board, in both languages, light and dark, wide and narrow.
// BW-BRD-03.
func TestBrowserBoard(t *testing.T) {
	pagetest.Browser(t)
	sh, project := machine(t, 0)
	r := newRoom(t, sh, project)
	plan := r.node("root", "planning", "Plan")
	r.call("node_transition", "nodeId", plan, "action", "start")
	first := r.node(plan, "execution", "Verify tokens")
	r.call("node_create", "parentId", plan, "type", "execution", "title", "Release", "requirement", "r", "priority", "high")
	tab := pagetest.Open(t, serving(t, sh, project, "")+"#part=workspace")
	tab.Wait(`document.getElementById("live").textContent === "live"`)
	tab.Eval(`(() => { const d = document.getElementById("docs"), i = [...d.options].findIndex(o => o.textContent === "Board"); if (i >= 0) { d.value = String(i); d.dispatchEvent(new Event("change")); } })()`)
	tab.Wait(`document.querySelector(".wait.plan")`)
	tab.Size(1280, 900, false)
	tab.Eval(`document.querySelector(".wait textarea").focus()`)
	for _, c := range "do it" {
		tab.Key(string(c))
	}
	// An agent takes a node meanwhile.
	r.call("node_begin", "nodeId", first, "sessionId", "window-one")
	tab.Wait(`fetch("x").catch(() => 0) && document.querySelector(".wait textarea").value === "do it"`)
	tab.Eval(`document.querySelector(".reply button").click()`)
	tab.Wait(`!document.querySelector(".wait.plan") && document.querySelector(".replied")`)
	if is := r.logged(plan); !strings.Contains(is, "Human: the plan is approved: do it") {
		t.Error(is)
	}
	tab.Wait(`document.querySelector(".flag.owner") && document.querySelector(".flag.owner").textContent.includes("window-one")`)
	r.call("problem_update", "nodeId", first, "problem", "Which key is meant?", "nextStep", "ask")
	tab.Wait(`document.querySelector(".wait.problem")`)
	axe := pagetest.Axe(t)
	hash := func(more string) {
		doc := tab.Text(`new URLSearchParams(location.hash.slice(1)).get("doc") || "0"`)
		turn(tab, "part=workspace&doc="+doc+more)
	}
	for _, dark := range []bool{false, true} {
		for _, width := range []int{1280, 400} {
			for _, view := range []string{"", "&view=board", "&node=" + first} {
				tab.Size(width, 900, dark)
				hash(view + map[bool]string{true: "&lang=zh", false: "&lang=en"}[dark])
				what := fmt.Sprintf("%q, %d wide, dark %v", view, width, dark)
				tab.Accessible(axe, what)
				if over := tab.Eval(`document.documentElement.scrollWidth - document.documentElement.clientWidth`).(float64); over > 0 {
					t.Errorf("%s: %v px wider than the window", what, over)
				}
				tab.Shot(fmt.Sprintf("board-%s-%d-%v", strings.Trim(strings.NewReplacer("&", "", "=", "-").Replace(view), "-"), width, dark))
			}
		}
	}
	// The tree by keyboard.
	tab.Size(1280, 900, false)
	hash("&lang=en")
	tab.Eval(`document.querySelector("[role=treeitem][tabindex='0']").focus()`)
	title := `document.activeElement.querySelector(".what").textContent`
	tab.Key("Home")
	if is := tab.Text(title); is != "Board" {
		t.Errorf("Home is at %q", is)
	}
	tab.Key("ArrowDown")
	tab.Key("ArrowDown")
	if is := tab.Text(title); is != "Verify tokens" {
		t.Errorf("two down is %q", is)
	}
	tab.Key("Enter")
	tab.Wait(`document.querySelector(".detail")`)
	tab.Wait(`document.activeElement.getAttribute("role") === "treeitem" && document.activeElement.getAttribute("aria-selected") === "true"`)
	tab.Key("ArrowLeft")
	tab.Wait(title + ` === "Plan"`)
	tab.Key("ArrowLeft")
	tab.Wait(`document.activeElement.getAttribute("aria-expanded") === "false"`)
	tab.Key("ArrowRight")
	tab.Wait(`document.activeElement.getAttribute("aria-expanded") === "true"`)
	for _, said := range tab.Heard("Log.entryAdded") {
		if !strings.Contains(said, "404") {
			t.Error(said)
		}
	}
}
