package workspace_test

import (
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace/merge"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/protocol"
)

const graph = `{"version": "5.0", "currentFocus": null, "ours": {"a": 1}, "nodes": {
"root": {"id": "root", "type": "planning", "parentId": null, "children": ["p"], "status": "monitoring", "updatedAt": "1"},
"p": {"id": "p", "type": "planning", "parentId": "root", "children": ["x", "y"], "status": "monitoring", "updatedAt": "1"},
"x": {"id": "x", "type": "execution", "parentId": "p", "children": [], "status": "pending", "conclusion": null, "updatedAt": "1", "extra": 1.50},
"y": {"id": "y", "type": "execution", "parentId": "p", "children": [], "status": "pending", "conclusion": null, "updatedAt": "1"}}}`

func edit(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(graph) }

func node(t *testing.T, b []byte, id string) protocol.Object {
	t.Helper()
	o, err := protocol.ParseObject(b)
	if err != nil {
		t.Fatalf("%v\n%s", err, b)
	}
	return o.Sub("nodes").Sub(id)
}

// BW-TRV-06, BW-TRV-07: of what only one changed that counts, lists are put together,
// the later state counts, what one deleted and the other changed stays, and what nobody
// knows is kept as it is spelled. Whichever side merges gets the same tree.
func TestGraphsAreMerged(t *testing.T) {
	t.Parallel()
	added := func(id, parent string) string {
		return `"` + id + `": {"id": "` + id + `", "type": "execution", "parentId": "` + parent + `", "children": [], "status": "pending", "updatedAt": "2"}, "root"`
	}
	for _, c := range []struct {
		name         string
		ours, theirs string
		check        func(b []byte) string
	}{
		{"both add a node", edit(`"root"`+": {", added("a", "p")+": {", `["x", "y"]`, `["x", "y", "a"]`), edit(`"root"`+": {", added("b", "p")+": {", `["x", "y"]`, `["x", "y", "b"]`), func(b []byte) string {
			kids := protocol.TextsOf(node(t, b, "p").Get("children"))
			slices.Sort(kids)
			return strings.Join(kids, " ")
		}},
		{"the later state", edit(`"parentId": "p", "children": [], "status": "pending", "conclusion": null, "updatedAt": "1", "extra"`, `"parentId": "p", "children": [], "status": "completed", "conclusion": "done", "updatedAt": "3", "extra"`),
			edit(`"parentId": "p", "children": [], "status": "pending", "conclusion": null, "updatedAt": "1", "extra"`, `"parentId": "p", "children": [], "status": "failed", "conclusion": "no", "updatedAt": "2", "extra"`), func(b []byte) string {
				x := node(t, b, "x")
				return x.Text("status") + " " + x.Text("conclusion") + " " + string(x.Get("extra"))
			}},
		{"deleted and changed", edit(`["x", "y"]`, `["x"]`, `,
"y": {"id": "y", "type": "execution", "parentId": "p", "children": [], "status": "pending", "conclusion": null, "updatedAt": "1"}`, ""),
			edit(`"conclusion": null, "updatedAt": "1"}`, `"conclusion": "kept", "updatedAt": "2"}`), func(b []byte) string {
				return node(t, b, "y").Text("conclusion") + " " + strings.Join(protocol.TextsOf(node(t, b, "p").Get("children")), " ")
			}},
		{"deleted and left alone", edit(`["x", "y"]`, `["x"]`, `,
"y": {"id": "y", "type": "execution", "parentId": "p", "children": [], "status": "pending", "conclusion": null, "updatedAt": "1"}`, ""), graph, func(b []byte) string {
			return strings.Join(protocol.TextsOf(node(t, b, "p").Get("children")), " ")
		}},
		{"a child of what is done", edit(`"status": "monitoring", "updatedAt": "1"},
"x"`, `"status": "completed", "updatedAt": "2"},
"x"`, `"status": "pending"`, `"status": "completed"`), edit(`"root"`+": {", added("b", "p")+": {", `["x", "y"]`, `["x", "y", "b"]`), func(b []byte) string {
			return node(t, b, "p").Text("status")
		}},
		{"each waits for the other", edit(`"extra"`, `"after": ["y"], "extra"`), edit(`"conclusion": null, "updatedAt": "1"}`, `"conclusion": null, "updatedAt": "1", "after": ["x"]}`), func(b []byte) string {
			x, y := protocol.TextsOf(node(t, b, "x").Get("after")), protocol.TextsOf(node(t, b, "y").Get("after"))
			return strings.Trim(strings.Join(append(x, y...), " "), " ")
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := map[string]string{"both add a node": "a b x y", "the later state": "completed done 1.50", "deleted and changed": "kept x y", "deleted and left alone": "x", "a child of what is done": "monitoring"}[c.name]
			for i, side := range [][2]string{{c.ours, c.theirs}, {c.theirs, c.ours}} {
				b, _, err := merge.Graph([]byte(graph), []byte(side[0]), []byte(side[1]))
				if err != nil {
					t.Fatalf("%v", err)
				}
				if have := c.check(b); want != "" && have != want || want == "" && have != "x" && have != "y" {
					t.Errorf("%s, side %d: %q, want %q\n%s", c.name, i, have, want, b)
				}
				if !strings.Contains(string(b), `"ours": {`) {
					t.Error("what nobody knows is gone")
				}
				again, notes, err := merge.Mend(b)
				if err != nil || string(again) != string(b) || len(notes) > 0 {
					t.Errorf("what is mended is not whole: %v %q", err, notes)
				}
			}
		})
	}
}

// BW-TRV-07: a tree that git put together line by line is one again: no node hangs in
// the air or goes round in a circle, and none is listed twice or below another one.
func TestMergedGraphsAreMended(t *testing.T) {
	t.Parallel()
	broken := edit(`["x", "y"]`, `["x", "x", "gone"]`, `"parentId": "root"`, `"parentId": "x"`, `"currentFocus": null`, `"currentFocus": "gone"`)
	b, notes, err := merge.Mend([]byte(broken))
	if err != nil || len(notes) == 0 {
		t.Fatalf("%v %q", err, notes)
	}
	reached := 0
	var walk func(id string)
	walk = func(id string) {
		if reached++; reached > 10 {
			t.Fatal("a circle")
		}
		for _, k := range protocol.TextsOf(node(t, b, id).Get("children")) {
			if node(t, b, k).Text("parentId") != id {
				t.Errorf("%s is listed below %s", k, id)
			}
			walk(k)
		}
	}
	walk("root")
	if reached != 4 || strings.Contains(string(b), "gone") {
		t.Errorf("%d nodes\n%s", reached, b)
	}
	if _, _, err := merge.Mend([]byte("<<<<<<< HEAD\n{}")); err == nil {
		t.Error("what is no graph was mended")
	}
}

// BW-TRV-06: of pages what only one changed counts, lists are put together, and of a
// text that both changed both stand there; all rows of both logs, by their times.
func TestPagesAndLogs(t *testing.T) {
	t.Parallel()
	const base = "---\nname: n\nstatus: pending\nupdatedAt: 1\n---\n\n## 规则\n\n> 只读\n\n- one\n- two\n\n## 目标\n\nthe goal\n\n## Ours\n\nkept\n"
	ours := strings.NewReplacer("- two", "- two\n- mine", "updatedAt: 1", "updatedAt: 3", "status: pending", "status: completed", "the goal", "my goal").Replace(base)
	theirs := strings.NewReplacer("- one\n", "", "- two", "- two\n- theirs", "updatedAt: 1", "updatedAt: 2", "status: pending", "status: failed", "the goal", "their goal").Replace(base) + "\n## New\n\nadded\n"
	const want = "---\nname: n\nstatus: completed\nupdatedAt: 3\n---\n\n## 规则\n\n> 只读\n\n- two\n- mine\n- theirs\n\n## 目标\n\nmy goal\n\ntheir goal\n\n## Ours\n\nkept\n\n## New\n\nadded\n"
	if have := merge.Page(base, ours, theirs); have != want {
		t.Errorf("have\n%s\nwant\n%s", have, want)
	}
	if have := merge.Page(base, base, theirs); !strings.Contains(have, "their goal") || strings.Contains(have, "the goal") || strings.Contains(have, "- one") {
		t.Errorf("only one changed it:\n%s", have)
	}
	const head = "## 日志\n\n| 时间 | 操作者 | 事件 |\n|------|--------|------|\n"
	log := merge.Log(head+"| 2026-01-01 10:00:00 | AI | a |\n| 2026-01-01 12:00:00 | AI | mine |\n", head+"| 2026-01-01 10:00:00 | AI | a |\n| 2026-01-01 11:00:00 | Human | theirs |\n")
	if log != head+"| 2026-01-01 10:00:00 | AI | a |\n| 2026-01-01 11:00:00 | Human | theirs |\n| 2026-01-01 12:00:00 | AI | mine |\n" {
		t.Errorf("%s", log)
	}
	config, err := merge.Config([]byte(`{"id": "w", "updatedAt": "1", "x": 1}`), []byte(`{"id": "w", "updatedAt": "3", "x": 1}`), []byte(`{"id": "w", "updatedAt": "2", "x": 2}`))
	if err != nil || !strings.Contains(string(config), `"updatedAt": "3"`) || !strings.Contains(string(config), `"x": 2`) {
		t.Errorf("%v %s", err, config)
	}
}

func FuzzMergedPage(f *testing.F) {
	f.Add("## a\n\nx\n", "## a\n\ny\n", "## b\n\nz\n")
	f.Fuzz(func(t *testing.T, base, ours, theirs string) {
		merge.Page(base, ours, theirs)
		merge.Log(ours, theirs)
		_, _, _ = merge.Graph([]byte(base), []byte(ours), []byte(theirs))
	})
}
