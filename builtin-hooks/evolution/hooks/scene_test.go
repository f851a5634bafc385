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

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/journal"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/behaviour"
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
	session  string
	calls    int
	blocked  string     // what the last event was refused with
	asked    [][]string // commands that were waited for
	stdin    []byte
	detached [][]string
	tool     func(args []string) (string, error)
}

func newScene(t *testing.T) *scene {
	t.Helper()
	dir := t.TempDir()
	s := &scene{t: t, project: filepath.Join(dir, "project"), session: "conv-123", now: time.Date(2026, 2, 17, 12, 0, 0, 0, time.UTC), settings: map[string]any{"language": "en"}}
	must.Do(t, os.MkdirAll(filepath.Join(s.project, ".git"), 0o755))
	s.world = &behaviour.Runtime{
		Home: dir, State: filepath.Join(dir, "state"), Data: filepath.Join(dir, "data"), Cache: filepath.Join(dir, "cache"),
		Session:  func(id string) string { return filepath.Join(dir, "state", "sessions", id) },
		Now:      func() time.Time { return s.now },
		Random:   func() uint64 { return 7 },
		Settings: func(string, string) map[string]any { return s.settings },
		Program:  func() string { return "/opt/agents-hooks" },
		Tool: func(_ context.Context, _ string, _ []string, stdin []byte, args ...string) ([]byte, error) {
			s.asked, s.stdin = append(s.asked, args), stdin
			if s.tool == nil {
				return nil, errors.New("no tool")
			}
			out, err := s.tool(args)
			return []byte(out), err
		},
		Detach: func(_ string, _ []string, args ...string) error { s.detached = append(s.detached, args); return nil },
	}
	return s
}

// event calls a hook; members are given as name, JSON. can is what the agent can
// carry, "" for the format's own form.
func (s *scene) event(name, can string, members ...string) protocol.HookAnswer {
	s.t.Helper()
	b := Behaviour()
	i := slices.IndexFunc(b.Hooks, func(h behaviour.Hook) bool { return h.Name == name })
	var ev protocol.Object
	ev.SetText("event_type", string(b.Hooks[i].Trigger))
	if s.session != "" {
		ev.SetText("session_id", s.session)
	}
	ev.SetText("work_dir", s.project)
	var inside protocol.Object
	if can != "" {
		inside.Set("can", protocol.TextList(strings.Fields(strings.ReplaceAll(can, "nothing", ""))))
	}
	for i := 0; i+1 < len(members); i += 2 {
		if members[i] == "native" {
			inside.Set("native", protocol.Raw(members[i+1]))
			continue
		}
		ev.Set(members[i], protocol.Raw(members[i+1]))
	}
	ev.Set("context", inside.Raw())
	if can == "" {
		ev.Delete("context")
	}
	s.world.TextBudget = behaviour.DefaultTextBudget
	var out, errs bytes.Buffer
	env := append([]string{"AGENTS_HOOKS_PROJECT_DIR=" + s.project}, s.env...)
	exit := behaviour.Main(&b, &b.Hooks[i], s.world)(context.Background(), env, ev.Raw(), &out, &errs)
	s.blocked = errs.String()
	if exit != 0 && exit != 2 || (exit == 0) != (errs.Len() == 0) {
		s.t.Errorf("%s: exit %d, stderr %q", name, exit, &errs)
	}
	s.now = s.now.Add(10 * time.Second)
	a, err := protocol.ParseAnswer(out.Bytes())
	if err != nil {
		s.t.Fatalf("%s: %q: %v", name, &out, err)
	}
	return a
}

func quote(s string) string { return string(protocol.Quote(s)) }

func (s *scene) id() string {
	s.calls++
	return strconv.Quote("call-" + strconv.Itoa(s.calls))
}

func command(line string) string {
	return string(protocol.Object{{Name: "command", Value: protocol.Quote(line)}}.Raw())
}

// before and after are the two events of one call of the shell, of an agent that reads
// nothing after a call.
func (s *scene) before(line string) protocol.HookAnswer {
	return s.event("evolution-stuck", "block context", "tool_name", `"Shell"`, "tool_input", command(line), "tool_use_id", s.id())
}

func (s *scene) after(line, output string) {
	s.event("evolution-journal", "nothing", "tool_name", `"Shell"`, "tool_input", command(line), "tool_response", quote(output), "tool_use_id", strconv.Quote("call-"+strconv.Itoa(s.calls)))
}

func (s *scene) run(line, output string) protocol.HookAnswer {
	a := s.before(line)
	s.after(line, output)
	return a
}

func (s *scene) journal() journal.Journal {
	return journal.Of(evolution.Dir(s.world.Data), s.session).Read()
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
