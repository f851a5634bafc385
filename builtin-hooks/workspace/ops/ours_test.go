package ops

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// BW-TRV-09: what is ours in a node (what it waits for, its priority, that nothing is in
// its way) stands in members that the original keeps: it reads a document, changes what
// it knows and writes all of it, two spaces a level. What it wrote is read by us, with
// the same meaning, and changed by us byte for byte around that.
func TestOursStayWhereTheOriginalWrites(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	ws := s.init()
	a, b := s.add(ws, "root", "execution", "a", "priority", "low"), s.add(ws, "root", "execution", "b", "priority", "high")
	c := s.add(ws, "root", "execution", "c", "after", []string{a, b})
	s.call("node_transition", "workspaceId", ws, "nodeId", b, "action", "start")
	s.call("problem_update", "workspaceId", ws, "nodeId", b, "none", true)
	path := filepath.Join(s.open(ws).Dir, workspace.GraphFile)
	ours := s.file(path)
	for _, want := range []string{`"after": [`, `"priority": "high"`, `"priority": "low"`, `"noProblemAt": "`} {
		if !strings.Contains(ours, want) {
			t.Fatalf("no %s in\n%s", want, ours)
		}
	}
	// The form is the one that it writes: reading and writing it again changes nothing.
	var again bytes.Buffer
	if err := json.Indent(&again, []byte(ours), "", "  "); err != nil || again.String() != ours {
		t.Errorf("%v\nhave\n%s\nwant\n%s", err, ours, again.String())
	}
	// It completes b, and adds a node d.
	theirs := strings.Replace(ours, `"status": "implementing"`, `"status": "completed"`, 1)
	at := strings.Index(theirs, `"`+b+`": {`)
	theirs = theirs[:at] + strings.Replace(theirs[at:], `"conclusion": null`, `"conclusion": "by the original"`, 1)
	theirs = strings.Replace(theirs, "\""+c+"\"\n      ]", "\""+c+"\",\n        \"node-mjtheirs-abc123\"\n      ]", 1)
	theirs = strings.TrimSuffix(theirs, "\n  }\n}") + `,
    "node-mjtheirs-abc123": {
      "id": "node-mjtheirs-abc123",
      "dirName": "d_mjtheirs",
      "type": "execution",
      "parentId": "root",
      "children": [],
      "status": "pending",
      "isolate": false,
      "references": [],
      "conclusion": null,
      "createdAt": "2026-01-02T04:00:00.000Z",
      "updatedAt": "2026-01-02T04:00:00.000Z"
    }
  }
}`
	if !json.Valid([]byte(theirs)) {
		t.Fatalf("%s", theirs)
	}
	s.write(filepath.Dir(path), workspace.GraphFile, theirs)
	g := s.open(ws).Graph
	if by := g.Blockers(g.Node(c)); len(by) != 1 || by[0].ID() != a {
		t.Errorf("c waits for %v", by)
	}
	if next := s.nextOf(ws); next != "node-mjtheirs-abc123" && next != "d" { // before a, whose priority is low
		t.Errorf("next is %q", next)
	}
	s.call("node_done", "workspaceId", ws, "nodeId", a, "conclusion", "by us")
	o := protocol.ObjectOf(protocol.Raw(s.file(path)))
	was := protocol.ObjectOf(protocol.Raw(theirs))
	for _, id := range []string{b, c, "node-mjtheirs-abc123"} {
		t.Run(id, func(t *testing.T) {
			if have, want := string(o.Sub("nodes").Get(id)), string(was.Sub("nodes").Get(id)); have != want {
				t.Errorf("%s changed:\n%s\n%s", id, have, want)
			}
		})
	}
	if next := s.nextOf(ws); next == "a" || g.Node(a).Priority() != "low" {
		t.Errorf("next is %q", next)
	}
}

// BW-CMD-10: a workspace that is made of a plan is called as the plan is, as far as a
// folder may be called so; what the plan says beside its tasks is kept.
func TestPlanNamesItsWorkspace(t *testing.T) {
	t.Parallel()
	for title, want := range map[string]string{
		"🚀 Release **2.0**":   "🚀 Release 2.0",
		"Phase 1: auth/login": "Phase 1 - auth_login",
		"`..` and \"more\"?":  "and _more__",
		"阶段一：准备":              "阶段一 - 准备",
	} {
		t.Run(title, func(t *testing.T) {
			if have := NameOf(title); have != want {
				t.Errorf("%q: %q, want %q", title, have, want)
			}
		})
	}
	s := newStage(t)
	ws := s.call("workspace_init", "name", "p", "goal", "g").Text("workspaceId")
	s.call("plan_create", "workspaceId", ws, "plan", "# P\n\n## Risks\nIt may rain.\n\n## A\n- [ ] a\n")
	if notes := s.open(ws).Info(s.open(ws).Graph.Root()).Notes; !strings.Contains(notes, "It may rain.") {
		t.Errorf("notes %q", notes)
	}
}

// What can be imported of a specification are the folders of its changes: neither the
// archive nor what is hidden.
func TestChangesOfASpecification(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for _, name := range []string{"add-mfa/proposal.md", "archive/old/proposal.md", ".draft/proposal.md", "README.md"} {
		must.Write(t, filepath.Join(s.project, "changes", name), "# A change\n")
	}
	if o := s.call("workspace_import_list", "path", s.project, "type", "openspec"); strings.Count(string(o.Raw()), `"id": `) != 1 || !strings.Contains(string(o.Raw()), `"id": "add-mfa"`) {
		t.Errorf("%s", o.Raw())
	}
}
