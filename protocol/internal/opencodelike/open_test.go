package opencodelike_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/slowtest"
	"github.com/agents-hooks/agents-hooks/protocol/internal/jsplugin/stage"
)

// If there is no dispatcher the user is told, once a session.
func TestPluginWithoutItsProgram(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.Argv[0] = filepath.Join(s.Dir, "nothing")
	p := s.play(created, prompt, before, after, prompt)
	if got := p.toasts(); got != "its program is gone" {
		t.Errorf("the person is told %q", got)
	}
	if p.thrown(2) != "" {
		t.Errorf("the call was kept back: %s", p.thrown(2))
	}
}

// Whatever happens to the dispatcher, the agent continues as if no hook had said
// anything.
func TestPluginFailsOpen(t *testing.T) {
	for name, set := range map[string]func(s theatre){
		"crash":     func(s theatre) { s.Says("tool.execute.before", "crash") },
		"exit 2":    func(s theatre) { s.Says("tool.execute.before", "two") },
		"hang":      func(s theatre) { s.Says("tool.execute.before", "hang"); s.Limits["tool.execute.before"] = 2000 },
		"flood":     func(s theatre) { s.Says("tool.execute.before", "flood") },
		"garbage":   func(s theatre) { s.Says("tool.execute.before", `{"block": "no"} {"block": "no"}`) },
		"no object": func(s theatre) { s.Says("tool.execute.before", `["block"]`) },
		"wrong types": func(s theatre) {
			s.Says("tool.execute.before", `{"block": {"x": 1}, "args": "ls", "context": 7, "message": []}`)
		},
		"empty reason":    func(s theatre) { s.Says("tool.execute.before", `{"block": " "}`) },
		"missing":         func(s theatre) { s.Argv[0] = filepath.Join(s.Dir, "nothing") },
		"not a program":   func(s theatre) { s.Argv[0] = s.Dir },
		"not installed":   func(s theatre) { s.Argv = nil },
		"lookup hangs":    func(s theatre) { s.Drive["slowLookup"] = true },
		"no such session": func(s theatre) {},
	} {
		if !slowtest.Among(name, "crash", "missing") {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			set(s)
			if s.Argv == nil {
				if p := s.play(); len(p.Names) != 0 {
					t.Errorf("hooks %v", p.Names)
				}
				return
			}
			p := s.play(before, after)
			if p.thrown(0) != "" || p.thrown(1) != "" || string(p.Results[0].Output) != `{"args":{"command":"ls","gone":1}}` {
				t.Errorf("thrown %q, %q; %s", p.thrown(0), p.thrown(1), p.Results[0].Output)
			}
		})
	}
}

// A hanging dispatcher is given up at the event's limit, and ended. A machine that is
// too busy to start it in that time gets a longer limit.
func TestPluginHang(t *testing.T) {
	t.Parallel()
	slowtest.Only(t, "a runtime of JavaScript for seconds")
	for _, limit := range []int{1500, 10_000, 100_000} {
		s := newStage(t)
		s.Says("tool.execute.before", "hang")
		s.Limits["tool.execute.before"] = limit
		p := s.play(before, after)
		if p.thrown(0) != "" || string(p.Results[0].Output) != `{"args":{"command":"ls","gone":1}}` {
			t.Fatalf("thrown %q; %s", p.thrown(0), p.Results[0].Output)
		}
		if pid, err := os.ReadFile(filepath.Join(s.Dir, "pid")); err == nil {
			stage.Gone(t, string(pid))
			return
		}
	}
	t.Fatal("the dispatcher never began to hang")
}
