//go:build unix

package ops

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/killtest"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace/care"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
)

// The test program runs itself as its own workers.
func TestMain(m *testing.M) {
	if home := os.Getenv("DESK_TEST_HOME"); home != "" {
		worker(home, os.Args[1], os.Args[2], os.Args[3])
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// worker is one of three programs that work on one workspace until it is killed,
// and says on stdout what it was told is kept: the command line, a hook, and
// another window.
func worker(home, role, name, ws string) {
	d := &Operator{
		Place: workspace.Find(home, filepath.Join(home, "data"), "", time.UTC, func(string) string { return "" }),
		State: filepath.Join(home, "state"), Now: time.Now, Random: rand.Uint64, Env: os.Environ(),
	}
	ack := func(err error, words ...string) {
		if err == nil {
			fmt.Println(strings.Join(words, " "))
		}
	}
	for n := 0; ; n++ {
		id := name + "-" + strconv.Itoa(n)
		switch role {
		case "claimer":
			o, err := d.Call(context.Background(), "node_claim", object("workspaceId", ws, "sessionId", name))
			ack(err, "claimed", o.Text("nodeId"), name)
			o, err = d.Call(context.Background(), "node_begin", object("workspaceId", ws, "sessionId", name))
			ack(err, "claimed", o.Text("nodeId"), name)
			o, err = d.Call(context.Background(), "node_done", object("workspaceId", ws, "sessionId", name, "conclusion", id))
			ack(err, "done", o.Text("nodeId"), name)
		case "apart":
			o, err := d.Call(context.Background(), "node_dispatch", object("workspaceId", ws))
			data := o.Sub("actionRequired").Sub("data")
			ack(err, "handed", data.Text("nodeId"))
			if err != nil {
				continue
			}
			err = os.WriteFile(filepath.Join(data.Text("workDir"), data.Text("nodeId")+".txt"), []byte(data.Text("nodeId")), 0o600)
			if err == nil {
				_, err = d.Call(context.Background(), "node_dispatch_complete", object("workspaceId", ws, "nodeId", data.Text("nodeId"), "success", true, "conclusion", "done"))
			}
			ack(err, "merged", data.Text("nodeId"))
		case "cli":
			o, err := d.Call(context.Background(), "node_create", object("workspaceId", ws, "parentId", "root", "type", "execution", "title", id, "requirement", strings.Repeat(id, 50)))
			ack(err, "node", o.Text("nodeId"), id)
			_, err = d.Call(context.Background(), "workspace_update_rules", object("workspaceId", ws, "action", "add", "rule", "")) // refused
			ack(err, "never")
			_, err = d.Call(context.Background(), "log_append", object("workspaceId", ws, "operator", "AI", "event", id))
			ack(err, "log", id)
		case "hook":
			e, ok, _ := d.Place.Entry(ws)
			if _, err := d.Place.Log(e, "root", workspace.AI, id, time.Now()); ok {
				ack(err, "row", id)
			}
			ack(d.Place.Reminded("session-"+name, id, time.Now()), "reminded", "session-"+name, id)
		case "window":
			_, err := d.Call(context.Background(), "session_bind", object("sessionId", "session-"+id, "workspaceId", ws, "nodeId", "root"))
			ack(err, "bound", "session-"+id)
			o, err := d.Call(context.Background(), "memo_create", object("workspaceId", ws, "title", id, "summary", "s", "content", strings.Repeat(id, 50)))
			ack(err, "memo", o.Text("memoId"), id)
		}
	}
}

// BW-STO-04: hooks, commands and other windows work on one workspace at once, are
// killed with SIGKILL at random points, and nothing that was acknowledged is lost or
// torn; afterwards what they left can be swept, and the workspace be worked on.
// BW-STO-17.
func TestKilledProcesses(t *testing.T) {
	s := newStage(t)
	ws := s.init()
	role := func(i int) string { return []string{"cli", "hook", "window"}[i%3] }
	workers := slowtest.Count(12, 36)
	for i := range workers {
		if role(i) != "hook" {
			continue
		}
		must.Do(t, s.Place.Bind("session-hook"+strconv.Itoa(i), ws, "", time.Now()))
	}
	acks := killtest.Play(t, workers, 6, "DESK_TEST_HOME="+s.home, func(i int) []string { return []string{role(i), role(i) + strconv.Itoa(i), ws} })
	if len(acks) < workers {
		t.Errorf("only %d acknowledgements: this proves little", len(acks))
	}
	s.checkKilled(ws, acks)
	// What the killed ones left goes, and nothing of what was acknowledged with it.
	swept := 0
	for _, f := range care.Look(s.Place, s.project, time.Now()) {
		if _, err := f.Mend(); err != nil {
			t.Errorf("%s: %v", f.Path, err)
		}
		swept++
	}
	t.Logf("the killed processes left %d things", swept)
	if left := care.Look(s.Place, s.project, time.Now()); left != nil {
		t.Errorf("left: %+v", left)
	}
	s.checkKilled(ws, acks)
	s.now = time.Now()
	n := s.add(ws, "root", "execution", "after")
	s.call("node_transition", "workspaceId", ws, "nodeId", n, "action", "start")
}

// BW-NXT-05, BW-NXT-07: processes that claim, begin and finish nodes at once, and are
// killed with SIGKILL at random points, never get the same node; what was
// acknowledged as done is, and what a dead one had is had by another when its lease
// is over, and not before.
func TestTwoSessionsNeverGetOneNode(t *testing.T) {
	s := newStage(t)
	s.now = time.Now()
	ws := s.init()
	items := "## A\n"
	for i := range slowtest.Count(100, 300) {
		items += "- [ ] task " + strconv.Itoa(i) + "\n"
		if i%50 == 49 {
			items += "## Part " + strconv.Itoa(i) + "\n"
		}
	}
	s.call("plan_create", "workspaceId", ws, "plan", items)
	workers := slowtest.Count(4, 24)
	acks := killtest.Play(t, workers, 6, "DESK_TEST_HOME="+s.home, func(i int) []string { return []string{"claimer", "session" + strconv.Itoa(i), ws} })
	of, sessions := map[string]string{}, map[string]bool{}
	st := s.open(ws)
	for _, a := range acks {
		w := strings.Fields(a)
		if len(w) != 3 {
			continue
		}
		if has, is := of[w[1]]; is && has != w[2] {
			t.Errorf("%s was given to %s and to %s", w[1], has, w[2])
		}
		of[w[1]] = w[2]
		sessions[w[2]] = true
		if n, err := (&call{Operator: s.Operator}).find(st, w[1]); w[0] == "done" && (err != nil || n.Status() != workspace.Completed) {
			t.Errorf("acknowledged and not done: %s", a)
		}
	}
	if len(of) < workers || len(sessions) < workers/2 {
		t.Errorf("only %d nodes for %d sessions: this proves little", len(of), len(sessions))
	}
	s.now = time.Now()
	held := s.Place.Claims(ws, s.now)
	if len(held) == 0 {
		t.Fatal("no process died with a node in its hands")
	}
	for range 3 {
		o := s.call("node_claim", "workspaceId", ws, "sessionId", "later"+strconv.Itoa(int(s.Random())))
		n, _ := (&call{Operator: s.Operator}).find(st, o.Text("nodeId"))
		if _, is := held[n.ID()]; is {
			t.Errorf("%s is another session's", n.ID())
		}
	}
	s.now = s.now.Add(31 * time.Minute)
	if len(s.Place.Claims(ws, s.now)) != 0 {
		t.Error("a lease that is over holds")
	}
	o := s.call("node_claim", "workspaceId", ws, "sessionId", "after")
	n, _ := (&call{Operator: s.Operator}).find(s.open(ws), o.Text("nodeId"))
	if _, is := held[n.ID()]; !is {
		t.Errorf("what a dead session had begun comes first, and not %s", n.ID())
	}
}

// BW-PAR-11: processes that hand nodes over, work in their worktrees and merge at once,
// and are killed with SIGKILL at random points, lose nothing: what was acknowledged as
// finished is one commit on the branch of the work, no node is with two, what a dead one
// had can be handed over again, and all of it comes home.
func TestKilledWhileTheyMerge(t *testing.T) {
	slowtest.Only(t, "processes that are killed, hundreds of calls of git; TestTwoSessionsNeverGetOneNode kills some too")
	for _, v := range [][2]string{{"GIT_AUTHOR_NAME", "x"}, {"GIT_AUTHOR_EMAIL", "x@example.com"}, {"GIT_COMMITTER_NAME", "x"}, {"GIT_COMMITTER_EMAIL", "x@example.com"}, {"GIT_CONFIG_GLOBAL", os.DevNull}} {
		t.Setenv(v[0], v[1])
	}
	s := newStage(t)
	s.repository()
	s.now = time.Now()
	ws := s.init()
	items := ""
	for i := range 30 {
		items += "- [ ] task " + strconv.Itoa(i) + "\n"
	}
	s.call("plan_create", "workspaceId", ws, "plan", items)
	s.call("dispatch_enable", "workspaceId", ws, "useGit", true)
	workers := slowtest.Count(4, 6)
	acks := killtest.Play(t, workers, 4, "DESK_TEST_HOME="+s.home, func(i int) []string { return []string{"apart", "worker" + strconv.Itoa(i), ws} })
	had := map[string]bool{}
	for _, a := range acks {
		w := strings.Fields(a)
		if w[0] == "handed" && had[w[1]] {
			t.Errorf("%s was handed to two", w[1])
		}
		had[w[1]] = true
		if w[0] == "merged" && s.status(ws, w[1]) != workspace.Completed {
			t.Errorf("acknowledged and not done: %s", a)
		}
	}
	// What the dead ones had is handed over again once nothing is seen of it.
	s.now = time.Now().Add(2 * time.Hour)
	for _, n := range s.open(ws).Graph.Nodes() {
		if !handed(n) {
			continue
		}
		dir := s.hand(ws, n.ID())
		s.write(dir, n.ID()+".txt", n.ID())
		s.call("node_dispatch_complete", "workspaceId", ws, "nodeId", n.ID(), "success", true, "conclusion", "after all")
		had[n.ID()] = true
	}
	if len(had) < workers {
		t.Errorf("only %d nodes: this proves little", len(had))
	}
	s.call("dispatch_disable_execute", "workspaceId", ws, "mergeStrategy", "sequential", "confirmation", s.yes(ws))
	done := 0
	for _, n := range s.open(ws).Graph.Nodes() {
		if n.Status() != workspace.Completed {
			continue
		}
		done++
		if s.file(filepath.Join(s.project, n.ID()+".txt")) != n.ID() || strings.Count(s.git("log", "--format=%b", "--grep="+n.ID()), ws+"/"+n.ID()) != 1 {
			t.Errorf("%s is not home, once", n.ID())
		}
	}
	if done < workers || s.git("status", "--porcelain") != "" {
		t.Errorf("%d nodes are home; %s", done, s.git("status", "--porcelain"))
	}
	s.clean()
}

func (s *stage) checkKilled(ws string, acks []string) {
	st := s.open(ws)
	var rows, root []string
	for _, r := range st.Logs(nil) {
		rows = append(rows, r.Event)
	}
	for _, r := range st.Logs(st.Graph.Root()) {
		root = append(root, r.Event)
	}
	bound := map[string]workspace.Binding{}
	for _, b := range s.Place.Bindings() {
		bound[b.Session] = b
	}
	memos := st.Graph.Doc().Sub("memos")
	for _, a := range acks {
		w := strings.Fields(a)
		switch {
		case w[0] == "node" && len(w) == 3:
			n := st.Graph.Node(w[1])
			if n == nil || !slices.Contains(st.Graph.Root().Children(), w[1]) {
				s.Errorf("lost: %s", a)
				continue
			}
			if in := st.Info(n); in.Title != w[2] || in.Requirement != strings.Repeat(w[2], 50) {
				s.Errorf("torn: %s: %+v", a, in)
			}
		case w[0] == "log" && !slices.Contains(rows, w[1]), w[0] == "row" && !slices.Contains(root, w[1]):
			s.Errorf("lost: %s", a)
		case w[0] == "reminded" && len(w) == 3 && bound[w[1]].Reminders[w[2]].IsZero():
			s.Errorf("lost: %s", a)
		case w[0] == "bound" && bound[w[1]].Workspace != ws:
			s.Errorf("lost: %s", a)
		case w[0] == "memo" && len(w) == 3:
			m := memos.Sub(w[1])
			if m == nil || s.file(contentPath(st, m)) != strings.Repeat(w[2], 50) {
				s.Errorf("lost or torn: %s", a)
			}
		case w[0] == "never":
			s.Error("an empty rule was taken")
		}
	}
	for _, n := range st.Graph.Nodes() {
		if p := st.Graph.Parent(n); n.ID() != "root" && (p == nil || !slices.Contains(p.Children(), n.ID())) {
			s.Errorf("node %s hangs in the air", n.ID())
		}
	}
}
