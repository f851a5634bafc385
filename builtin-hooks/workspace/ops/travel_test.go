package ops

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// shares makes a workspace whose project is a repository that others can clone, and
// returns the place to clone from.
func (s *stage) shares() (ws, origin string) {
	s.Helper()
	s.repository()
	ws = s.init()
	if s.git("status", "--porcelain") != "" {
		s.Fatal("git sees a workspace that nobody shares")
	}
	s.call("workspace_share", "workspaceId", ws)
	s.git("add", ".")
	s.git("commit", "-q", "-m", "share")
	origin = filepath.Join(s.TempDir(), "origin.git")
	s.git("clone", "-q", "--bare", ".", origin)
	s.git("remote", "add", "origin", origin)
	s.git("fetch", "-q", "origin")
	s.git("branch", "-q", "--set-upstream-to=origin/main", "main")
	return ws, origin
}

// clones is another person, on a machine of their own.
func (s *stage) clones(t testing.TB, origin string) *stage {
	t.Helper()
	other := newStage(t)
	other.Env, other.count = s.Env, 1<<40
	if out, err := exec.Command("git", "clone", "-q", origin, other.project).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return other
}

// BW-TRV-01, BW-TRV-03, BW-TRV-04, BW-TRV-05: what lies in a repository has no path of
// a machine in it; a clone has it, and whoever works on it there takes it up; it is
// found where its project was moved or its folder renamed, and in a worktree it is the
// repository's own. Of two copies the one counts that somebody says.
func TestAWorkspaceTravels(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	ws, origin := s.shares()
	n := s.add(ws, "root", "execution", "keys")
	s.call("dispatch_enable", "workspaceId", ws, "useGit", true)
	s.hand(ws, n)
	dir := s.open(ws).Dir
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		for _, machine := range []string{s.home, s.project} {
			if strings.Contains(s.file(path), machine) {
				t.Errorf("%s names %s", path, machine)
			}
		}
		return nil
	})
	must.Do(t, err)
	for _, e := range strings.Fields(s.git("ls-files", "--", ".agents")) {
		if strings.HasSuffix(e, ".lock") {
			t.Errorf("%s is of this machine alone", e)
		}
	}
	s.git("add", ".")
	s.git("commit", "-q", "-m", "keys")
	s.git("push", "-q")

	other := s.clones(t, origin)
	if here := other.Place.At(other.project); len(here) != 1 || here[0].ID != ws || here[0].Name != "重构认证" {
		t.Fatalf("a clone has %v", here)
	}
	other.call("session_bind", "sessionId", "b", "workspaceId", "重构认证")
	if e, ok, _ := other.Place.Entry(ws); !ok || e.ProjectRoot != other.project {
		t.Errorf("it was not taken up: %v", e)
	}
	if other.status(ws, n) != "implementing" {
		t.Error("the clone has another state")
	}
	// The project moves, and its folder of workspaces is renamed.
	moved := filepath.Join(t.TempDir(), "elsewhere")
	must.Do(t, os.Rename(other.project, moved))
	must.Do(t, os.Rename(filepath.Join(moved, ".agents", "workspace", filepath.Base(dir)), filepath.Join(moved, ".agents", "workspace", "Auth, renamed")))
	other.project, other.Operator.Project = moved, moved
	if here := other.Place.At(filepath.Join(moved, ".agents")); len(here) != 1 {
		t.Errorf("after the move there is %v", here)
	}
	other.call("log_append", "workspaceId", ws, "operator", "AI", "event", "after the move")
	if e, _, _ := other.Place.Entry(ws); e.ProjectRoot != moved {
		t.Errorf("it lies in %s still", e.ProjectRoot)
	}
	// A worktree has the files as well; the workspace is one.
	tree := filepath.Join(t.TempDir(), "tree")
	other.git("worktree", "add", "-q", tree)
	if here := other.Place.At(tree); len(here) != 1 || here[0].ProjectRoot != moved {
		t.Errorf("in a worktree there is %v", here)
	}
	// A second clone on the same machine is a copy.
	second := filepath.Join(t.TempDir(), "second")
	other.git("clone", "-q", origin, second)
	if here := other.Place.At(second); len(here) != 0 {
		t.Errorf("a copy is offered: %v", here)
	}
	if o := other.call("workspace_adopt", "path", second); !strings.Contains(string(o.Get("copies")), ws) {
		t.Errorf("%s", o.Raw())
	}
	other.call("workspace_relocate", "workspaceId", ws, "path", second)
	if e, _, _ := other.Place.Entry(ws); e.ProjectRoot != second {
		t.Errorf("it lies in %s", e.ProjectRoot)
	}
	other.refused("WORKSPACE_NOT_FOUND", "workspace_relocate", "workspaceId", ws, "path", t.TempDir())
	s.call("workspace_share", "workspaceId", ws, "off", true)
	s.call("workspace_init", "name", "private", "goal", "g")
	if out := s.git("status", "--porcelain", "--untracked-files=all"); strings.Contains(out, "private") {
		t.Errorf("git sees %s", out)
	}
}

// BW-TRV-08: conflicts in other files than those of the workspace are left as they are.
func TestAMergeLeavesOtherFiles(t *testing.T) {
	t.Parallel()
	a := newStage(t)
	ws, origin := a.shares()
	b := a.clones(t, origin)
	for i, s := range []*stage{a, b} {
		s.now = s.now.Add(time.Duration(i) * time.Minute)
		s.add(ws, "root", "execution", fmt.Sprint("of ", i))
		s.write(s.project, "a.txt", fmt.Sprint(i, "\n"))
		s.git("add", ".")
		s.git("commit", "-q", "-m", fmt.Sprint(i))
	}
	a.git("push", "-q")
	b.gitFails("pull", "-q", "--no-rebase", "--no-edit")
	b.refused("GRAPH_CORRUPTED", "node_list", "workspaceId", ws)
	o := b.call("workspace_merge", "workspaceId", ws)
	if left := b.git("diff", "--name-only", "--diff-filter=U"); left != "a.txt" || !strings.Contains(string(o.Get("merged")), "graph.json") {
		t.Errorf("left: %q; %s", left, o.Raw())
	}
	if g := b.open(ws).Graph; len(g.Kids(g.Root())) != 2 {
		t.Errorf("%d nodes", len(g.Kids(g.Root())))
	}
	if _, err := os.Stat(filepath.Join(b.project, ".git", "MERGE_HEAD")); err != nil {
		t.Error("the merge was ended")
	}
}

// A member works on a shared workspace, and remembers what was acknowledged.
type member struct {
	*stage
	name   string
	r      *rand.Rand
	titles map[string]string // of nodes, by id
	done   map[string]string // their conclusions
	rows   []string
	rules  []string
}

// work does something, as somebody does who does not know of the other.
func (m *member) work(ws string, day, i int) {
	m.Helper()
	m.now = m.now.Add(time.Duration(1+m.r.IntN(600)) * time.Second)
	s := m.open(ws)
	var open, plans []string
	for _, n := range s.Graph.Nodes() {
		switch {
		case n.Type() == workspace.Planning && !workspace.Terminal(n.Status()):
			plans = append(plans, n.ID())
		case n.Type() == workspace.Execution && !workspace.Terminal(n.Status()):
			open = append(open, n.ID())
		}
	}
	what := fmt.Sprintf("%s, day %d, %d", m.name, day, i)
	switch m.r.IntN(6) {
	case 0, 1:
		kind := []string{"execution", "execution", "planning"}[m.r.IntN(3)]
		kv := []any{}
		if len(s.Page().Rules()) > 0 {
			kv = append(kv, "rulesHash", workspace.RulesHash(s.Page().Rules()))
		}
		if len(open) > 0 && m.r.IntN(2) == 0 {
			kv = append(kv, "after", []string{open[m.r.IntN(len(open))]})
		}
		m.titles[m.add(ws, plans[m.r.IntN(len(plans))], kind, what, kv...)] = what
	case 2, 3:
		m.rows = append(m.rows, what)
		kv := []any{"workspaceId", ws, "operator", "AI", "event", what}
		if len(open) > 0 {
			kv = append(kv, "nodeId", open[m.r.IntN(len(open))])
		}
		m.call("log_append", kv...)
	case 4:
		m.rules = append(m.rules, what)
		m.call("workspace_update_rules", "workspaceId", ws, "action", "add", "rule", what)
	case 5:
		for _, id := range open {
			if n := s.Graph.Node(id); len(s.Graph.Blockers(n)) == 0 && n.Status() == "pending" {
				m.call("node_done", "workspaceId", ws, "nodeId", id, "conclusion", what, "sessionId", m.name)
				m.done[id] = what
				return
			}
		}
	}
}

// sync brings what a member did to the others, and theirs here, by git and by the one
// command that puts together what git cannot.
func (m *member) sync(ws string) (conflicts int) {
	m.Helper()
	m.git("add", ".")
	m.git("commit", "-q", "--allow-empty", "-m", m.name)
	cmd := exec.Command("git", "pull", "-q", "--no-rebase", "--no-edit")
	cmd.Dir, cmd.Env = m.project, m.Env
	out, err := cmd.CombinedOutput()
	o := m.call("workspace_merge", "workspaceId", ws)
	if err != nil {
		if merged := protocol.ElementsOf(o.Get("merged")); len(merged) == 0 {
			m.Fatalf("%s\n%s", out, o.Raw())
		}
		conflicts++
	}
	if left := m.git("ls-files", "--unmerged"); left != "" {
		m.Fatalf("left in conflict: %s", left)
	}
	m.git("add", ".")
	if m.git("status", "--porcelain") != "" || err != nil {
		m.git("commit", "-q", "-m", "merge of "+m.name)
	}
	m.git("push", "-q")
	return conflicts
}

// BW-TRV-06, BW-TRV-07, BW-TRV-08: two people work on one workspace for a week, each
// in a clone, and merge by git every evening. Nothing that was acknowledged is lost,
// both have the same at the end, and it is one tree that can be worked on.
func TestAWeekOfTwoPeople(t *testing.T) {
	if !slowtest.On() {
		t.Skip("hundreds of calls of git: with -slow")
	}
	t.Parallel()
	for _, seed := range []uint64{7} {
		a := newStage(t)
		ws, origin := a.shares()
		b := a.clones(t, origin)
		b.call("session_bind", "sessionId", "b", "workspaceId", ws)
		people := []*member{}
		for i, s := range []*stage{a, b} {
			people = append(people, &member{stage: s, name: []string{"ada", "ben"}[i], r: rand.New(rand.NewPCG(seed, uint64(i))), titles: map[string]string{}, done: map[string]string{}})
		}
		conflicts := 0
		for day := range 7 {
			for _, m := range people {
				m.now = time.Date(2026, 1, 2+day, 9, 0, 0, 0, shanghai)
				for i := range 3 + m.r.IntN(8) {
					m.work(ws, day, i)
				}
			}
			for _, m := range people {
				conflicts += m.sync(ws)
			}
			conflicts += people[0].sync(ws)
		}
		conflicts += people[1].sync(ws)
		people[0].git("pull", "-q", "--ff-only")
		if conflicts == 0 {
			t.Errorf("seed %d: no conflict in a week: this proves little", seed)
		}
		for _, m := range people {
			s := m.open(ws)
			var rows []string
			for _, n := range append(s.Graph.Nodes(), nil) {
				for _, r := range s.Logs(n) {
					rows = append(rows, r.Event)
				}
			}
			for _, who := range people {
				for id, title := range who.titles {
					if n := s.Graph.Node(id); n == nil || s.Title(n) != title || s.Info(n).Requirement != "do "+title {
						t.Errorf("seed %d, %s: node %q of %s is lost", seed, m.name, title, who.name)
					}
				}
				for id, conclusion := range who.done {
					if n := s.Graph.Node(id); n == nil || n.Status() != "completed" || !strings.Contains(m.file(filepath.Join(s.NodeDir(n), workspace.InfoFile)), conclusion) {
						t.Errorf("seed %d, %s: what %s concluded is lost: %q", seed, m.name, who.name, conclusion)
					}
				}
				for _, row := range who.rows {
					if !slices.Contains(rows, row) {
						t.Errorf("seed %d, %s: row %q of %s is lost", seed, m.name, row, who.name)
					}
				}
				for _, rule := range who.rules {
					if !slices.Contains(s.Page().Rules(), rule) {
						t.Errorf("seed %d, %s: rule %q of %s is lost", seed, m.name, rule, who.name)
					}
				}
			}
			if below := s.Graph.Below(s.Graph.Root()); len(below) != len(s.Graph.Nodes()) {
				t.Errorf("seed %d, %s: %d of %d nodes are in the tree", seed, m.name, len(below), len(s.Graph.Nodes()))
			}
			for _, n := range s.Graph.Nodes() {
				for _, k := range s.Graph.Kids(n) {
					if s.Graph.Parent(k) != n {
						t.Errorf("seed %d, %s: %s is listed below %s", seed, m.name, k.ID(), n.ID())
					}
				}
			}
		}
		if one, two := people[0].git("ls-tree", "-r", "HEAD"), people[1].git("ls-tree", "-r", "HEAD"); one != two {
			t.Errorf("seed %d: they have not the same", seed)
		}
		t.Logf("seed %d: %d conflicts, %d nodes", seed, conflicts, len(people[0].open(ws).Graph.Nodes()))
		// It goes on: whoever asks is given something, or everything is done.
		if o := people[0].call("node_next", "workspaceId", ws, "sessionId", "ada"); !o.Has("next") && !o.Has("allDone") && !o.Has("waiting") {
			t.Errorf("seed %d: %s", seed, o.Raw())
		}
	}
}

// BW-TRV-06, BW-TRV-08: where one deletes what the other works on, a node or the whole, it
// stays with all its pages; and what git put together by itself, and had to be mended, is
// added too.
func TestWhatOneDeletedAndTheOtherWorksOnStaysWhole(t *testing.T) {
	t.Parallel()
	slowtest.Only(t, "TestAMergeLeavesOtherFiles merges too")
	for name, change := range map[string]func(a, b *stage, ws string, ids []string){
		"a node": func(a, b *stage, ws string, ids []string) {
			a.call("node_delete", "workspaceId", ws, "nodeId", ids[1])
			b.call("node_begin", "workspaceId", ws, "nodeId", ids[1], "sessionId", "b")
		},
		"the whole": func(a, b *stage, ws string, ids []string) {
			dir := a.open(ws).Dir
			a.git("rm", "-rq", dir)
			b.call("node_begin", "workspaceId", ws, "nodeId", ids[1], "sessionId", "b")
		},
		"a circle": func(a, b *stage, ws string, ids []string) {
			a.call("node_update", "workspaceId", ws, "nodeId", ids[0], "after", []string{ids[2]})
			b.call("node_update", "workspaceId", ws, "nodeId", ids[2], "after", []string{ids[0]})
		},
	} {
		if !slowtest.Among(name, "a node") {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := newStage(t)
			ws, origin := a.shares()
			var ids []string
			for _, title := range []string{"one", "two", "three"} {
				ids = append(ids, a.add(ws, "root", "execution", title))
			}
			for _, args := range [][]string{{"add", "."}, {"commit", "-qm", "three"}, {"push", "-q"}} {
				a.git(args...)
			}
			b, goal := a.clones(t, origin), a.open(ws).Goal()
			a.now, b.now = a.now.Add(time.Minute), b.now.Add(2*time.Minute)
			change(a, b, ws, ids)
			for _, args := range [][]string{{"add", "-A", "."}, {"commit", "-qm", "a"}, {"push", "-q"}} {
				a.git(args...)
			}
			b.git("add", "-A", ".")
			b.git("commit", "-qm", "b")
			cmd := exec.Command("git", "pull", "-q", "--no-rebase", "--no-edit")
			cmd.Dir, cmd.Env = b.project, b.Env
			if out, err := cmd.CombinedOutput(); err == nil {
				t.Fatalf("there was no conflict: %s", out)
			}
			hint := b.call("workspace_merge", "workspaceId", ws).Text("hint")
			if !strings.Contains(hint, "git commit") {
				t.Errorf("hint %q", hint)
			}
			b.git("commit", "-qm", "merged")
			if left := b.git("status", "--porcelain"); left != "" {
				t.Errorf("not in the commit:\n%s", left)
			}
			s := b.open(ws)
			if s.Goal() != goal {
				t.Errorf("the goal is %q", s.Goal())
			}
			for i, title := range []string{"one", "two", "three"} {
				n := s.Graph.Node(ids[i])
				if n == nil || s.Title(n) != title || s.Info(n).Requirement != "do "+title {
					t.Errorf("%s is not whole", title)
					continue
				}
			}
			if o := b.call("node_next", "workspaceId", ws, "sessionId", "c"); !o.Has("next") {
				t.Errorf("nothing can be begun: %s", o.Raw())
			}
		})
	}
}
