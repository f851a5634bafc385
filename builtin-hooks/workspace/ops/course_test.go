package ops

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// planned makes a workspace of a plan, and tells the ids by the titles.
func (s *stage) planned(text string) (ws string, id map[string]string) {
	s.Helper()
	ws = s.call("workspace_init", "name", "shop", "goal", "sell").Text("workspaceId")
	id = map[string]string{}
	for _, m := range s.call("plan_create", "workspaceId", ws, "plan", text).Sub("nodes") {
		id[protocol.TextOf(m.Value)] = m.Name
	}
	return ws, id
}

func (s *stage) nextOf(ws string, kv ...any) string {
	s.Helper()
	return s.call("node_next", append([]any{"workspaceId", ws}, kv...)...).Sub("next").Text("title")
}

// BW-NXT-01, BW-NXT-02: what comes next is what depends on nothing open, by the order
// of the parents, and below one parent by priority and then by its own order; what
// was begun comes first, and a plan whose parts are done comes up to be summed up. A
// plan is worked to its end by what the answers say alone.
func TestNextLeadsToTheEnd(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	ws, id := s.planned("## A\n- [ ] a1 (after: b2)\n- [ ] a2\n- [ ] a3\n  - priority: high\n- [ ] a4 (priority: low)\n## B\n- [ ] b1\n- [ ] b2 (after: b1)\n## C (after: A)\n- [ ] c1\n")
	if len(id) != 10 {
		t.Fatalf("%d nodes: %v", len(id), id)
	}
	var order []string
	for range 30 {
		o, err := s.Call(t.Context(), "node_begin", object("workspaceId", ws))
		if err != nil {
			if !strings.Contains(err.Error(), "every node is done") {
				t.Fatal(err)
			}
			break
		}
		order = append(order, o.Text("title"))
		done := s.call("node_done", "workspaceId", ws, "conclusion", "did "+o.Text("title"))
		if next := done.Sub("next").Text("title"); next != "" && next != s.nextOf(ws) {
			t.Errorf("done says %q, next %q", next, s.nextOf(ws))
		} else if next == "" && (!done.Bool("allDone") || !strings.Contains(done.Text("hint"), "workspace_archive") || !strings.Contains(done.Text("hint"), "session_unbind")) {
			t.Errorf("the last one: %s", done.Raw())
		}
	}
	if have, want := strings.Join(order, " "), "a3 a2 a4 b1 b2 a1 A B c1 C"; have != want {
		t.Errorf("%s, want %s", have, want)
	}
	if o := s.call("workspace_status", "workspaceId", ws); string(o.Sub("summary").Get("completedNodes")) != "10" {
		t.Errorf("%s", o.Raw())
	}
	// The same tree is one that the original's transitions can go on with.
	s.call("node_transition", "workspaceId", ws, "nodeId", id["C"], "action", "reopen")
}

// BW-NXT-03, BW-NXT-04: what waits cannot be begun, and is named with what it waits
// for; what failed holds it up; a circle is refused with its way.
func TestWhatWaitsIsNamed(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	ws, id := s.planned("- [ ] a\n- [ ] b (after: a)\n- [ ] p\n  - [ ] q\n- [ ] d\n")
	if e := s.refused("INVALID_PARAMS", "node_done", "workspaceId", ws, "conclusion", "x"); e.Message != "no node is at work" {
		t.Errorf("%+v", e)
	}
	if e := s.refused("NODE_BLOCKED", "node_begin", "workspaceId", ws, "nodeId", "b"); !strings.Contains(e.Message, "“b” waits for “a” (pending)") || !strings.Contains(e.Fix, id["a"]) {
		t.Errorf("%+v", e)
	}
	s.refused("NODE_BLOCKED", "node_transition", "workspaceId", ws, "nodeId", "b", "action", "start")
	s.refused("NODE_BLOCKED", "node_done", "workspaceId", ws, "nodeId", "b", "conclusion", "x")
	o := s.call("node_next", "workspaceId", ws)
	if o.Sub("next").Text("title") != "a" || !strings.Contains(string(o.Get("waiting")), "“b” waits for “a”") {
		t.Errorf("%s", o.Raw())
	}
	s.call("node_done", "workspaceId", ws, "nodeId", "a", "conclusion", "no", "failed", true)
	if o := s.call("node_ready", "workspaceId", ws); !strings.Contains(string(o.Get("waiting")), "“a” (failed)") || strings.Contains(string(o.Get("ready")), `"b"`) {
		t.Errorf("what failed is not done: %s", o.Raw())
	}
	for _, c := range [][2]string{{"a", "b"}, {"a", "a"}, {"q", "p"}, {"p", "q"}} {
		s.refused("CIRCULAR_DEPENDENCY", "node_update", "workspaceId", ws, "nodeId", c[0], "after", []string{c[1]})
	}
	s.call("node_update", "workspaceId", ws, "nodeId", "d", "after", []string{"p"})
	s.refused("CIRCULAR_DEPENDENCY", "node_update", "workspaceId", ws, "nodeId", "q", "after", []string{"d"})
	s.refused("NODE_NOT_FOUND", "node_update", "workspaceId", ws, "nodeId", "d", "after", []string{"nobody"})
	s.call("node_update", "workspaceId", ws, "nodeId", "b", "after", []string{})
	if o := s.call("node_begin", "workspaceId", ws, "nodeId", "b"); o.Text("title") != "b" {
		t.Errorf("%s", o.Raw())
	}
	// A node that is deleted holds nobody up, and leaves no name behind.
	s.call("node_delete", "workspaceId", ws, "nodeId", "p")
	if n := s.open(ws).Graph.Node("node-" + id["d"]); n != nil && len(n.After()) > 0 {
		t.Errorf("d waits for %v", n.After())
	}
}

// BW-NXT-06: two sessions have nodes of their own below one parent; neither begins or
// finishes the other's; who ended has none.
func TestClaimsKeepSessionsApart(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	ws, id := s.planned("## A\n- [ ] a1\n- [ ] a2\n- [ ] a3\n")
	one := s.call("node_begin", "workspaceId", ws, "sessionId", "one")
	two := s.call("node_begin", "workspaceId", ws, "sessionId", "two")
	if one.Text("nodeId") != id["a1"] || two.Text("nodeId") != id["a2"] {
		t.Fatalf("%s %s", one.Raw(), two.Raw())
	}
	if again := s.call("node_begin", "workspaceId", ws, "sessionId", "one"); again.Text("nodeId") != id["a1"] {
		t.Errorf("a session that asks again has what it had: %s", again.Raw())
	}
	s.refused("NODE_CLAIMED", "node_begin", "workspaceId", ws, "nodeId", "a1", "sessionId", "two")
	s.refused("NODE_CLAIMED", "node_done", "workspaceId", ws, "nodeId", "a1", "sessionId", "two", "conclusion", "x")
	s.refused("NODE_CLAIMED", "node_claim", "workspaceId", ws, "nodeId", "a1", "sessionId", "two")
	s.refused("NODE_CLAIMED", "node_claim", "workspaceId", ws, "nodeId", "a1", "sessionId", "two", "release", true)
	if o := s.call("node_list", "workspaceId", ws); !strings.Contains(string(o.Raw()), `"owner": "@one"`) {
		t.Errorf("owners: %s", o.Raw())
	}
	if o := s.call("node_next", "workspaceId", ws, "sessionId", "three"); o.Sub("next").Text("title") != "a3" || !strings.Contains(string(o.Get("others")), "“a1” @one") {
		t.Errorf("%s", o.Raw())
	}
	s.call("node_done", "workspaceId", ws, "sessionId", "one", "conclusion", "x", "begin", true) // begins a3
	s.refused("NOTHING_READY", "node_begin", "workspaceId", ws, "sessionId", "three")
	// A lease is over half an hour after its session was last seen, or as it ends.
	s.now = s.now.Add(29 * time.Minute)
	s.refused("NOTHING_READY", "node_begin", "workspaceId", ws, "sessionId", "three")
	must.Do(t, s.Place.Bind("two", ws, "", s.now))
	b, _ := s.Place.Binding("two", s.now)
	must.Do(t, s.Place.Seen(b, "", s.now))
	s.now = s.now.Add(2 * time.Minute)
	if o := s.call("node_begin", "workspaceId", ws, "sessionId", "three"); o.Text("nodeId") != id["a3"] {
		t.Errorf("one is not seen any more, two is: %s", o.Raw())
	}
	must.Do(t, s.Place.Ended("two", s.now))
	if o := s.call("node_begin", "workspaceId", ws, "nodeId", "a2", "sessionId", "four"); o.Text("nodeId") != id["a2"] {
		t.Errorf("%s", o.Raw())
	}
	s.call("node_claim", "workspaceId", ws, "sessionId", "four", "release", true)
	if held := s.Place.Claims(ws, s.now); len(held) != 1 {
		t.Errorf("%v", held)
	}
	// Who is unbound keeps nothing from others, and what they have stays theirs.
	s.call("node_claim", "workspaceId", ws, "nodeId", "a2", "sessionId", "four")
	s.call("session_unbind", "sessionId", "three")
	if o := s.call("node_list", "workspaceId", ws); strings.Count(string(o.Raw()), `"owner": "@`) != 1 || !strings.Contains(string(o.Raw()), `"owner": "@four"`) {
		t.Errorf("owners: %s", o.Raw())
	}
}

// BW-NXT-08: a damaged file of claims is kept aside, and holds nobody up.
func TestDamagedClaimsAreKept(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	ws, _ := s.planned("- [ ] a\n")
	must.Write(t, filepath.Join(s.Place.Home, "claims.json"), "{not json")
	s.call("node_begin", "workspaceId", ws, "sessionId", "one")
	if len(s.Place.Claims(ws, s.now)) != 1 {
		t.Error("not claimed")
	}
	if kept, _ := filepath.Glob(filepath.Join(s.Place.Home, "claims.json?*")); len(kept) == 0 {
		t.Error("what could not be read is gone")
	}
}

// BW-CMD-04, BW-CMD-05: nodes and workspaces go by their short ids, their titles and
// the beginnings of them; what names two is refused with both.
func TestShortIdsAndTitlesName(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	ws, id := s.planned("- [ ] Make keys\n- [ ] Make tokens\n- [ ] Deploy\n")
	for _, space := range []string{ws, workspace.ShortID(ws), "shop", "SHOP"} {
		for _, node := range []string{id["Deploy"], "node-" + id["Deploy"], "Deploy", "deploy", "depl"} {
			if strings.HasPrefix(node, "node-") {
				node = s.open(ws).Graph.Nodes()[3].ID()
			}
			o := s.call("context_get", "workspaceId", space, "nodeId", node)
			if chain := protocol.ElementsOf(o.Get("chain")); protocol.ObjectOf(chain[len(chain)-1]).Text("title") != "Deploy" {
				t.Errorf("%s %s: %s", space, node, o.Get("chain"))
			}
		}
	}
	if e := s.refused("AMBIGUOUS", "context_get", "workspaceId", ws, "nodeId", "make"); !strings.Contains(e.Message, "Make keys") || !strings.Contains(e.Message, "Make tokens") {
		t.Errorf("%+v", e)
	}
	s.refused("NODE_NOT_FOUND", "context_get", "workspaceId", ws, "nodeId", "dep") // too short to mean something
	s.refused("WORKSPACE_NOT_FOUND", "workspace_get", "workspaceId", "shipping")
}

// BW-CMD-06: of a large tree a part is shown, and the rest by depth, filter and page.
func TestALargeTreeIsShownInParts(t *testing.T) {
	t.Parallel()
	slowtest.Only(t, "a tree of 501 nodes")
	s := newStage(t)
	var b strings.Builder
	for part := range 25 {
		b.WriteString("## Part " + itoa(part) + " of the work\n")
		for n := range 19 {
			b.WriteString("- [ ] Move table number " + itoa(part*19+n) + " to the new schema\n")
		}
	}
	ws, _ := s.planned(b.String())
	count := func(o protocol.Object) int { return strings.Count(string(o.Raw()), `"status": `) }
	list := s.call("node_list", "workspaceId", ws)
	if n := count(list); n > treeSize || !strings.Contains(list.Text("hint"), "depth") || len(list.Raw()) > 3500 {
		t.Errorf("%d nodes, %d bytes: %s", n, len(list.Raw()), list.Text("hint"))
	}
	if text := s.call("workspace_status", "workspaceId", ws).Text("output"); len([]rune(text)) > 2500 || !strings.Contains(text, "next: ") {
		t.Errorf("%d characters", len(text))
	}
	if o := s.call("node_list", "workspaceId", ws, "depth", 1); count(o) != 1+25 {
		t.Errorf("depth 1: %d", count(o))
	}
	if o := s.call("node_list", "workspaceId", ws, "filter", "number 333 "); count(o) != 3 {
		t.Errorf("filter: %s", o.Raw())
	}
	seen := map[string]bool{}
	for page := 1; page < 40; page++ {
		o := s.call("node_list", "workspaceId", ws, "page", page)
		for _, part := range strings.Split(string(o.Raw()), `"id": "`)[1:] {
			seen[part[:strings.IndexByte(part, '"')]] = true
		}
		if o.Text("hint") == "" {
			break
		}
	}
	if len(seen) != 501 {
		t.Errorf("%d of 501 nodes on all pages", len(seen))
	}
	s.call("node_begin", "workspaceId", ws, "nodeId", "Move table number 400 to the new schema")
	if !strings.Contains(string(s.call("node_list", "workspaceId", ws).Raw()), "number 400 ") {
		t.Error("what is in focus is not shown")
	}
}

// BW-CMD-08: what a plan says wrong is refused with its place, and nothing is made of
// it.
func TestARefusedPlanMakesNothing(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	ws := s.init()
	before := len(s.open(ws).Graph.Nodes())
	e := s.refused("INVALID_PLAN", "plan_create", "workspaceId", ws, "plan", "- [ ] a\n- [ ] b (after: nobody)\n")
	if !strings.Contains(e.Message, "line 2") || e.Fix == "" {
		t.Errorf("%+v", e)
	}
	s.call("workspace_update_rules", "workspaceId", ws, "action", "add", "rule", "no tabs")
	s.refused("RULES_HASH_MISMATCH", "plan_create", "workspaceId", ws, "plan", "- [ ] a\n")
	if after := len(s.open(ws).Graph.Nodes()); after != before {
		t.Errorf("%d nodes, %d before", after, before)
	}
	s.call("plan_create", "workspaceId", ws, "plan", "- [ ] a\n  ## not a section\n", "rulesHash", workspace.RulesHash([]string{"no tabs"}))
}
