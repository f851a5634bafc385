//go:build unix

package runner

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// folders writes hook folders: the front matter of each, and a link to the
// script of a test hook for its entry, so that nothing is written that runs.
func folders(t *testing.T, dir string, hooks map[string][2]string) {
	t.Helper()
	for name, h := range hooks {
		front, entry := h[0], h[1]
		write(filepath.Join(dir, name, "HOOK.md"), "---\nname: "+name+"\ndescription: a test\n"+front+"\n---\n", 0o644)
		if entry != "" {
			write(filepath.Join(dir, name, "scripts", "body.sh"), "#!/bin/sh\n"+scripts[entry], 0o644)
			write(filepath.Join(dir, name, "scripts", "run.sh"), "#!/bin/sh\n. \"${0%/*}/body.sh\"\n", 0o644)
		}
	}
}

// TestFolders runs hooks as they lie on the disk: some of them turn out broken,
// or not trusted, only when it is their turn.
func TestFolders(t *testing.T) {
	t.Parallel()
	user, project := t.TempDir(), t.TempDir()
	folders(t, filepath.Join(user, "hooks"), map[string][2]string{
		"early":   {"trigger: pre-tool-call\npriority: 900", "context"},
		"rewrite": {"trigger: pre-tool-call\npriority: 800\nmatcher:\n  tool: Shell", "modify"},
		"guard":   {"trigger: pre-tool-call\npriority: 700\nmatcher:\n  tool: Shell\n  pattern: '^make safe$'", "ask"},
		"other":   {"trigger: pre-tool-call\npriority: 700\nmatcher:\n  tool: ReadFile", "block"},
		"regexp":  {"trigger: pre-tool-call\npriority: 600\nmatcher:\n  tool: '('", "block"},
		"hollow":  {"trigger: pre-tool-call\npriority: 500", ""},
		"strict":  {"trigger: pre-tool-call\npriority: 400\nmetadata:\n  on_error: block", ""},
		"late":    {"trigger: pre-tool-call\npriority: 300", "block"},
		"session": {"trigger: pre-session", "block"},
	})
	folders(t, filepath.Join(project, ".agents", "hooks"), map[string][2]string{
		"theirs": {"trigger: pre-tool-call\npriority: 950\nmetadata:\n  on_error: block", "block"},
	})
	r := newRunner(t)
	ev := event(protocol.PreToolCall)
	ev.WorkDir = project
	s := discovery.LoadEvent(discovery.Sources{User: user, State: r.State, Home: user, GOOS: runtime.GOOS}, ev.Type, project)
	rep := guarded(t, func() Report { return r.Run(context.Background(), ev, s) })
	var ran []string
	for _, res := range rep.Results {
		ran = append(ran, res.Hook.Name+"="+string(res.Verdict))
	}
	got := strings.Join(ran, " ")
	if rep.Outcome.Decision != protocol.Block || !strings.Contains(rep.Outcome.Reason, "hook strict is broken") {
		t.Errorf("RULINGS 1: a broken hook with on_error: %v, %q (%s)", rep.Outcome.Decision, rep.Outcome.Reason, got)
	}
	if want := "early=ok rewrite=ok guard=ok regexp=not_started hollow=not_started strict=not_started"; got != want {
		t.Errorf("verdicts %q, want %q", got, want)
	}
	told := 0
	for _, w := range rep.Warnings {
		if w.Kind == "broken" {
			told++
		}
	}
	if told != 3 {
		t.Errorf("DESIGN 3: broken hooks are never silent: %v", rep.Warnings)
	}
	if _, err := os.Stat(filepath.Join(r.State, "hooks", "user", "guard")); err != nil {
		t.Errorf("state directory: %v", err)
	}
}
