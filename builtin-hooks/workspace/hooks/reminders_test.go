package hooks

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// BW-REM-01, BW-REM-02, BW-REM-07: the reminders by the files of a store, with their
// boundaries and the throttle; neither placeholder counts.
func TestRemindersFromTheFiles(t *testing.T) {
	t.Parallel()
	prepared := func(change func(*scene)) *scene {
		s := newScene(t)
		s.solved()
		s.logged(time.Minute)
		s.started(2 * time.Minute)
		s.begin()
		change(s)
		return s
	}
	focusPlan := func(s *scene) {
		s.edit(wsDir+"/graph.json", `"currentFocus": "`+nodeID+`"`, `"currentFocus": "`+planID+`"`)
		s.settings["reminders"] = []any{}
		s.prompt("the context of the other node")
		delete(s.settings, "reminders")
		s.tick(3 * time.Second)
	}
	status := func(s *scene, id, to string) {
		text := s.read(wsDir + "/graph.json")
		i := strings.Index(text, `"`+id+`": {`)
		j := i + strings.Index(text[i:], `"status": "`) + len(`"status": "`)
		k := j + strings.IndexByte(text[j:], '"')
		s.put(s.file(wsDir+"/graph.json"), text[:j]+to+text[k:])
	}
	for _, c := range []struct {
		name   string
		change func(*scene)
		want   string
	}{
		{"nothing", func(*scene) {}, ""},
		{"P1 2:59", func(s *scene) { s.now = s.now.Add(2*time.Minute - time.Second) }, ""},
		{"P1 3:00", func(s *scene) { s.now = s.now.Add(2 * time.Minute) }, "⏰"},
		{"P2", func(s *scene) { status(s, nodeID, "failed"); focusPlan(s) }, "✅"},
		{"P2 one is at work", focusPlan, ""},
		{"P3", func(s *scene) { status(s, planID, "planning"); focusPlan(s) }, "📋"},
		{"P4", func(s *scene) {
			s.put(s.file(nodeAt+"/Log.md"), "## 日志\n\n| 时间 | 操作者 | 事件 |\n|------|--------|------|\n")
		}, "📝"},
		{"P5", func(s *scene) { s.now = s.now.Add(3 * time.Minute); s.logsNow() }, "💭"},
		{"P6 is off", func(s *scene) { status(s, nodeID, "failed"); s.prompt("what changed"); s.tick(3 * time.Second) }, ""},
		{"P6 where it is wanted", func(s *scene) {
			s.settings["reminders"] = []any{"failed_node"}
			status(s, nodeID, "failed")
			s.settings["reminders"] = []any{}
			s.prompt("what changed")
			s.settings["reminders"] = []any{"failed_node"}
			s.tick(3 * time.Second)
		}, "❌"},
		{"P7 is off", func(s *scene) {
			s.logsNow()
			s.edit(nodeAt+"/Info.md", "- [rfc7519.md](docs/rfc7519.md) - 标准 (active)", "")
		}, ""},
		{"P7 where it is wanted", func(s *scene) {
			s.settings["reminders"] = []any{"no_docs"}
			s.logsNow()
			s.edit(nodeAt+"/Info.md", "- [rfc7519.md](docs/rfc7519.md) - 标准 (active)", "")
		}, "📎"},
		{"no focus, BW-TEL-12", func(s *scene) {
			s.edit(wsDir+"/graph.json", `"currentFocus": "`+nodeID+`"`, `"currentFocus": null`)
			s.put(filepath.Join(s.home, ".tanmi-workspace", "session-bindings.json"), `{"abc123": {"workspaceId": "`+wsID+`", "boundAt": 1766040000000}}`)
			s.prompt("the context again")
			s.tick(3 * time.Second)
		}, ""},
		{"a node that is not there, BW-TEL-12", func(s *scene) {
			s.edit(wsDir+"/graph.json", `"currentFocus": "`+nodeID+`"`, `"currentFocus": "node-x"`)
			s.put(filepath.Join(s.home, ".tanmi-workspace", "session-bindings.json"), `{"abc123": {"workspaceId": "`+wsID+`", "focusedNodeId": "node-y", "boundAt": 1766040000000}}`)
			s.prompt("the context again")
			s.tick(3 * time.Second)
		}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := prepared(c.change)
			text := s.prompt("go on with it")
			if c.want == "" {
				silent(t, c.name, text)
				return
			}
			if !strings.HasPrefix(text, smart) {
				t.Errorf("said %q", text)
			}
			wants(t, text, smart, c.want, "</tanmi-smart-reminder>")
			// BW-REM-03: not again before three minutes are over, whatever else is due.
			silent(t, c.name+", 2:59", s.tick(3*time.Minute-time.Second).prompt("and on"))
			wants(t, s.tick(time.Second).prompt("and further on"), smart)
		})
	}
}

// logsNow adds a row to the node's log.
func (s *scene) logsNow() {
	e, _, err := s.place().Entry(wsID)
	if err == nil {
		_, err = s.place().Log(e, nodeID, "AI", "a step", s.now)
	}
	must.Do(s.t, err)
}

// BW-REM-03: the times of all kinds are kept, and the original's slot too; another
// session has its own.
func TestTimesOfRemindersAreKept(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.solved()
	s.settings["reminders"] = []any{"log_timeout", "no_docs"}
	must.Do(t, s.place().Bind("second", wsID, nodeID, s.now))
	wants(t, s.prompt("x"), "⏰")
	wants(t, s.prompt("x", "session_id", `"second"`), "⏰")
	silent(t, "throttled", s.tick(3*time.Second).prompt("y"))
	for _, b := range s.place().Bindings() {
		if b.LastReminder != "log_timeout" || !b.Reminders["log_timeout"].Equal(s.now.Add(-3*time.Second)) {
			t.Errorf("%s: %+v", b.Session, b)
		}
	}
	s.logsNow()
	s.edit(nodeAt+"/Info.md", "- [rfc7519.md](docs/rfc7519.md) - 标准 (active)", "")
	wants(t, s.tick(time.Minute).prompt("z"), "📎")
	silent(t, "A, B, A", s.tick(time.Minute+50*time.Second).prompt("a"))
	wants(t, s.tick(10*time.Second).prompt("b"), "⏰")
}
