package hooks

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// goes lets the agent work in another folder beside its project.
func (s *scene) goes(name string) (back string) {
	s.t.Helper()
	back = s.project
	s.project = filepath.Join(filepath.Dir(s.project), name)
	must.Do(s.t, os.MkdirAll(filepath.Join(s.project, ".git"), 0o755))
	return back
}

// A session stays one of the project that it began in, wherever its agent goes: what it did, what
// it is told and asked, and the settings. What it changes elsewhere is no work of the project.
// BM-STO-20.
func TestASessionStaysWhereItBegan(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.world.Settings = func(_, dir string) map[string]any {
		if strings.HasSuffix(dir, "other") {
			return map[string]any{"save_mode": "off", "data_dir": "theirs"}
		}
		return map[string]any{"language": "en"}
	}
	s.fact("The Osprey cluster runs Kubernetes 1.31 in Frankfurt", 40*24*time.Hour)
	s.event("memory-load", "context", "source", `"startup"`)
	s.prompt("Raise the tender price to 12.5 million")
	s.write("price.go")
	home := s.goes("other")
	s.write("theirs.go")
	wants(t, s.prompt("which kubernetes version does the Osprey cluster run?").AdditionalContext, "Kubernetes 1.31")
	wants(t, s.event("memory-session-save", "continue").FollowupMessage, "memory summary", "conv-123")
	s.event("memory-flush", "context")
	wants(t, s.event("memory-load", "context", "source", `"compact"`).AdditionalContext, "Not shown: 1 more fact")
	s.event("memory-sync", "", "exit_reason", `"other"`)
	if args := strings.Join(s.detached[len(s.detached)-1], " "); !strings.Contains(args, "--dir "+home+" ") {
		t.Errorf("the worker is to look at %s", args)
	}
	must.Do(t, Work(s.call(), memory.End{Session: "conv-123", Reason: "other"}, nil))
	if left, _ := os.ReadDir(s.project); len(left) != 1 {
		t.Errorf("something was written where the agent went: %v", left)
	}
	s.project = home
	b, _ := os.ReadFile(filepath.Join(s.place().Dir, "local", "sessions.jsonl"))
	last := string(b)
	wants(t, last, "tender price", "price.go")
	if strings.Contains(last, "theirs.go") {
		t.Errorf("a file of another project is work of this one: %s", last)
	}
	// resumed elsewhere, it is still that project's; one that begins there is not
	s.goes("other")
	s.event("memory-load", "context", "source", `"resume"`)
	s.write("more.go")
	if w := workOf(s.call()); w.writes != 0 {
		t.Errorf("%+v", w)
	}
	s.event("memory-load", "context", "source", `"startup"`)
	s.write("more.go")
	if w := workOf(s.call()); w.writes != 1 {
		t.Errorf("%+v", w)
	}
}

// A session whose beginning nobody saw, since memory was off or the agent says nothing of it, began
// where it was first seen. One that goes to another worktree of its repository stays in the
// project; and where its project is gone, it is where the agent is.
// BM-STO-20.
func TestASessionBeganWhereItIsFirstSeen(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.world.Repository = func(root string) string { return strings.TrimSuffix(root, "-tree") }
	s.write("price.go")
	began := s.goes("other")
	s.write("theirs.go")
	s.write("theirs2.go")
	s.prompt("and the tender, too")
	if w, home := workOf(s.call()), s.world.SessionProject("conv-123", s.project); w.writes != 1 || home != began {
		t.Errorf("%+v, %s", w, home)
	}
	s.goes(filepath.Base(began) + "-tree")
	s.write("tree.go")
	if w := workOf(s.call()); w.writes != 2 {
		t.Errorf("a change in a worktree is no work: %+v", w)
	}
	must.Do(t, os.RemoveAll(began))
	s.prompt("go on with the tender price")
	s.write("moved.go")
	if w, home := workOf(s.call()), s.world.SessionProject("conv-123", s.project); w.writes != 3 || home != s.project {
		t.Errorf("%+v, %s", w, home)
	}
}
