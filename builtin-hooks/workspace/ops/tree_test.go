package ops

import (
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/workspace"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// The tree keeps its width, with characters of two places too, and says the state
// of every node.
func TestDraw(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	ws := s.init()
	plan := s.add(ws, "root", "planning", "比较各种方案，然后把任务拆分成足够小的步骤")
	done := s.add(ws, plan, "execution", "设计 JWT 结构")
	bad := s.add(ws, plan, "execution", "evil \x1b[31m title")
	s.force(ws, done, "completed")
	s.call("problem_update", "workspaceId", ws, "nodeId", bad, "problem", "测试环境没有公钥，需要向团队索取\nmore")
	s.call("context_focus", "workspaceId", ws, "nodeId", bad)
	st := s.open(ws)
	for _, width := range []int{0, 30, 40, 50, 60, 80, 200} {
		var all []string
		for _, l := range Draw(st, st.Graph.Root(), width, Part{}) {
			if w := text.Width(l.String()); width > 0 && w > width && text.Width(l.Title) > 8 {
				t.Errorf("%d places of %d: %s", w, width, l)
			}
			if strings.ContainsAny(l.String(), "\x1b\n") || !strings.Contains(l.String(), "("+l.Status+")") {
				t.Errorf("%q", l)
			}
			all = append(all, l.String())
		}
		if width == 0 {
			want := []string{
				"● 重构认证 (planning)  0/1",
				"└─ ○ 比较各种方案，然后把任务拆分成足够小的步骤 (pending)  1/2",
				"   ├─ ✓ 设计 JWT 结构 (completed)",
				"   └─ ○ evil  title (pending)  ! 测试环境没有公钥，需要向团队索取 ◀",
			}
			if strings.Join(all, "\n") != strings.Join(want, "\n") {
				t.Errorf("\n%s", strings.Join(all, "\n"))
			}
		}
	}
	// Where nobody looks, a whole tree has whole titles, and a part is short.
	s.add(ws, plan, "execution", strings.Repeat("a long title ", 12))
	for _, args := range []protocol.Object{nil, object("depth", 2)} {
		lines, _ := s.Shown(s.open(ws), s.open(ws).Graph.Root(), 0, args)
		if w := text.Width(lines[len(lines)-1].String()); (w > partWidth) != (args == nil) || len(lines) != 5 {
			t.Errorf("%s: %d lines, the last of %d places", args.Raw(), len(lines), w)
		}
	}
	// A circle in a damaged file ends the drawing.
	err := s.Place.Change(ws, s.now, func(st *workspace.Store) error {
		st.Graph.Node(plan).Set("children", value([]string{done, "root", plan}))
		return st.SaveGraph()
	})
	must.Do(t, err)
	st = s.open(ws)
	if n := len(Draw(st, st.Graph.Root(), 0, Part{})); n != 3 {
		t.Errorf("%d lines", n)
	}
	s.call("node_list", "workspaceId", ws)
	s.call("context_get", "workspaceId", ws, "nodeId", plan)
	for _, line := range strings.Split(s.call("workspace_status", "workspaceId", ws).Text("output"), "\n") {
		if text.Width(line) != boxWidth+4 {
			t.Errorf("%d places: %s", text.Width(line), line)
		}
	}
}
