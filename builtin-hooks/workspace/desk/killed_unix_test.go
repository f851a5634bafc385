//go:build unix

package desk

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
	d := &Desk{
		Place: workspace.Find(home, filepath.Join(home, "data"), "", time.UTC, func(string) string { return "" }),
		State: filepath.Join(home, "state"), Now: time.Now, Random: rand.Uint64,
	}
	ack := func(err error, words ...string) {
		if err == nil {
			fmt.Println(strings.Join(words, " "))
		}
	}
	for n := 0; ; n++ {
		id := name + "-" + strconv.Itoa(n)
		switch role {
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

// WS-26: hooks, commands and other windows work on one workspace at once, are
// killed with SIGKILL at random points, and nothing that was acknowledged is lost
// or torn; afterwards the workspace can be worked on.
func TestWS26KilledProcesses(t *testing.T) {
	s := newStage(t)
	ws := s.init()
	role := func(i int) string { return []string{"cli", "hook", "window"}[i%3] }
	for i := range 36 {
		if role(i) != "hook" {
			continue
		}
		if err := s.Place.Bind("session-hook"+strconv.Itoa(i), ws, "", time.Now()); err != nil {
			t.Fatal(err)
		}
	}
	acks := killtest.Play(t, 36, 6, "DESK_TEST_HOME="+s.home, func(i int) []string { return []string{role(i), role(i) + strconv.Itoa(i), ws} })
	if len(acks) < 36 {
		t.Errorf("only %d acknowledgements: this proves little", len(acks))
	}
	s.checkKilled(ws, acks)
	s.now = time.Now()
	n := s.add(ws, "root", "execution", "after")
	s.call("node_transition", "workspaceId", ws, "nodeId", n, "action", "start")
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
