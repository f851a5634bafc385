package hooks

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/behaviour"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
)

// large makes the workspace of a scene one of 500 nodes, whose focused node has
// 5,000 rows in its log.
func (s *scene) large() {
	s.t.Helper()
	var nodes, kids strings.Builder
	for i := range 496 {
		fmt.Fprintf(&nodes, `"node-x%d": {"id": "node-x%d", "dirName": "a node of many_x%d", "type": "execution", "parentId": "%s", "children": [], "status": "completed", "isolate": false, "references": [], "conclusion": "done: %s", "createdAt": "2025-12-18T02:21:00.000Z", "updatedAt": "2025-12-18T03:00:00.000Z"}, `,
			i, i, i, planID, strings.Repeat("words ", 20))
		fmt.Fprintf(&kids, `"node-x%d", `, i)
	}
	s.edit(wsDir+"/graph.json", `"nodes": {`, `"nodes": {`+nodes.String())
	s.edit(wsDir+"/graph.json", `"children": [
        "node-mjb6b000-done01",`, `"children": [`+kids.String()+`
        "node-mjb6b000-done01",`)
	var rows strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&rows, "| %s | AI | step %d of a long piece of work, 改了三个文件：a.go、b.go |\n", s.now.Add(time.Duration(i-5000)*time.Minute).Format("2006-01-02 15:04:05"), i)
	}
	s.put(s.file(nodeAt+"/Log.md"), s.read(nodeAt+"/Log.md")+rows.String())
}

// A bound session's prompt in a workspace of 500 nodes and 5,000 rows
// of logs, and what an unbound one costs beside it.
func BenchmarkPrompt(b *testing.B) {
	for _, c := range []struct{ name, session string }{{"bound", bySelf}, {"unbound", "another"}} {
		b.Run(c.name, func(b *testing.B) {
			s := sceneOf(b, b.TempDir())
			s.large()
			s.settings["reminders"] = []any{"plan_completed"} // nothing is due: the commonest case
			s.mine()
			list := Behaviour()
			h := list.Hooks[1]
			h.Timeout = time.Minute
			w := s.world
			w.Now = func() time.Time { s.now = s.now.Add(time.Second); return s.now }
			event := fmt.Appendf(nil, `{"event_type": "pre-agent-turn", "session_id": %q, "work_dir": %q, "prompt": "go on", "source": "user"}`, c.session, filepath.ToSlash(s.project))
			run := behaviour.Main(&list, &h, w)
			b.ReportAllocs()
			for b.Loop() {
				w.TextBudget = behaviour.DefaultTextBudget
				if exit := run(context.Background(), nil, event, io.Discard, io.Discard); exit != 0 {
					b.Fatal(exit)
				}
			}
		})
	}
}

// A large workspace says what a small one does.
func TestLargeWorkspace(t *testing.T) {
	t.Parallel()
	slowtest.Only(t, "a workspace of thousands of nodes")
	s := newScene(t)
	s.large()
	s.solved()
	wants(t, s.prompt("go on"), contexts, "实现 token 验证")
	silent(t, "a log of a minute ago", s.tick(119*time.Second).prompt("and on"))
	wants(t, s.tick(time.Second).prompt("and further"), smart, "⏰")
	st, ok, err := s.place().Bound(bySelf, s.now)
	if err != nil || !ok || st.Focus.Logs < 100 || st.Focus.Type != workspace.Execution {
		t.Errorf("%v %v %+v", ok, err, st.Focus)
	}
}
