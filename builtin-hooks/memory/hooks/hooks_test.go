package hooks

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/behaviour"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/internal/ledger"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A scene is a project, a world, and one session that events happen in.
type scene struct {
	t        *testing.T
	world    *behaviour.Runtime
	project  string
	now      time.Time
	settings map[string]any
	env      []string
	detached [][]string
	tool     func(args []string) ([]byte, error)
}

func newScene(t *testing.T) *scene {
	t.Helper()
	dir := t.TempDir()
	s := &scene{t: t, project: filepath.Join(dir, "pro ject"), now: time.Date(2026, 2, 17, 12, 0, 0, 0, time.UTC), settings: map[string]any{"language": "en"}}
	must.Do(t, os.MkdirAll(filepath.Join(s.project, ".git"), 0o755))
	random := uint64(0)
	s.world = &behaviour.Runtime{
		Home: dir, State: filepath.Join(dir, "state"), Data: filepath.Join(dir, "data"), Cache: filepath.Join(dir, "cache"),
		Session:  func(id string) string { return filepath.Join(dir, "state", "sessions", id) },
		Now:      func() time.Time { return s.now },
		Random:   func() uint64 { random += 0x9e3779b97f4a7c15; return random },
		Settings: func(string, string) map[string]any { return s.settings },
		Program:  func() string { return "/opt/agents-hooks" },
		Tool: func(_ context.Context, _ string, _ []string, _ []byte, args ...string) ([]byte, error) {
			if s.tool == nil {
				return nil, errors.New("no tool")
			}
			return s.tool(args)
		},
		Detach: func(_ string, _ []string, args ...string) error { s.detached = append(s.detached, args); return nil },
	}
	return s
}

func (s *scene) place() memory.Place {
	return memory.Find(s.project, s.world.Data, "", beneath.At, s.world.Ledger(s.project, nil))
}

// mine says that what stands in the memory is the person's own.
func (s *scene) mine() {
	s.t.Helper()
	p := s.place()
	files, err := p.Unapproved()
	must.Do(s.t, errors.Join(err, p.Ledger.Let(ledger.Own, ledger.Keys(files))))
}

// event calls a hook with an event of its trigger; can is what the agent can
// carry, "" for the format's own form. Members are given as name, JSON.
func (s *scene) event(name, can string, members ...string) protocol.HookAnswer {
	s.t.Helper()
	b := Behaviour()
	i := slices.IndexFunc(b.Hooks, func(h behaviour.Hook) bool { return h.Name == name })
	var ev protocol.Object
	ev.SetText("event_type", string(b.Hooks[i].Trigger))
	ev.SetText("session_id", "conv-123")
	ev.SetText("work_dir", s.project)
	if can != "" {
		words := strings.Fields(can)
		if can == "nothing" {
			words = nil
		}
		ev.Set("context", protocol.Object{{Name: "can", Value: protocol.TextList(words)}}.Raw())
	}
	for i := 0; i+1 < len(members); i += 2 {
		ev.Set(members[i], protocol.Raw(members[i+1]))
	}
	s.world.TextBudget = behaviour.DefaultTextBudget
	var out, errs bytes.Buffer
	env := append([]string{"AGENTS_HOOKS_PROJECT_DIR=" + s.project}, s.env...)
	if exit := behaviour.Main(&b, &b.Hooks[i], s.world)(context.Background(), env, ev.Raw(), &out, &errs); exit != 0 || errs.Len() > 0 {
		s.t.Errorf("%s: exit %d, stderr %q", name, exit, &errs)
	}
	s.now = s.now.Add(3 * time.Second)
	a, err := protocol.ParseAnswer(out.Bytes())
	if err != nil {
		s.t.Fatalf("%s: %q: %v", name, &out, err)
	}
	if len(a.Log) > 0 {
		s.t.Errorf("%s: %s", name, a.Log)
	}
	return a
}

func (s *scene) write(file string) {
	s.event("memory-nudge", "context", "tool_name", `"EditFile"`, "tool_input", string(protocol.Object{{Name: "file_path", Value: protocol.Quote(filepath.Join(s.project, file))}}.Raw()), "tool_use_id", strconv.Quote("t"+s.now.String()))
}

func (s *scene) prompt(text string) protocol.HookAnswer {
	return s.event("memory-recall", "context", "prompt", string(protocol.Quote(text)), "source", `"user"`)
}

func wants(t *testing.T, text string, parts ...string) {
	t.Helper()
	at := 0
	for _, p := range parts {
		i := strings.Index(text[at:], p)
		if i < 0 {
			t.Errorf("%q is missing, or not in its place, in:\n%s", p, text)
			return
		}
		at += i + len(p)
	}
}

// A hot event writes one line and reads no memory.
// BM-STO-15.
func TestHotEventTouchesNoMemory(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.write("a.go")
	if _, err := os.Stat(filepath.Join(s.project, ".agents")); err == nil {
		t.Error("a tool event made the memory folder")
	}
	entries, _ := os.ReadDir(s.world.Session("conv-123"))
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if !slices.Equal(names, []string{"memory.spool", "memory.spool.lock"}) {
		t.Errorf("%q", names)
	}
}
