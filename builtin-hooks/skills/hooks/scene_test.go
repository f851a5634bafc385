package hooks

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/behaviour"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A scene is a project, a person's folders, and one session.
type scene struct {
	t        *testing.T
	world    *behaviour.Runtime
	project  string
	home     string
	now      time.Time
	settings map[string]any
	trusted  bool
	calls    int
}

func newScene(t *testing.T) *scene {
	t.Helper()
	dir := t.TempDir()
	s := &scene{t: t, project: filepath.Join(dir, "project"), home: filepath.Join(dir, "home"), now: time.Date(2026, 2, 17, 12, 0, 0, 0, time.UTC),
		settings: map[string]any{"language": "en"}, trusted: true}
	for _, d := range []string{s.project, s.home} {
		must.Do(t, os.MkdirAll(d, 0o755))
	}
	s.world = &behaviour.Runtime{
		Home: s.home, Config: filepath.Join(s.home, ".config", "agents"), State: filepath.Join(dir, "state"),
		Session:  func(id string) string { return filepath.Join(dir, "state", "sessions", id) },
		Now:      func() time.Time { return s.now },
		Random:   func() uint64 { return 1 },
		Settings: func(string, string) map[string]any { return s.settings },
		Program:  func() string { return "" },
		Approved: func(string) func(string, string) (string, bool) {
			return func(_, dir string) (string, bool) { return dir, s.trusted }
		},
	}
	return s
}

// skill writes a skill with prompts, each "name timing [member…]": its text is
// its name in capitals.
func (s *scene) skill(dir, name string, prompts ...string) {
	s.t.Helper()
	hooks := filepath.Join(dir, name, "hooks")
	must.Do(s.t, os.MkdirAll(hooks, 0o755))
	var entries []string
	for _, p := range prompts {
		f := strings.SplitN(p, " ", 3)
		role, persistent, more := "system", "false", ""
		if len(f) == 3 {
			more = f[2]
			if rest, is := strings.CutPrefix(more, "user"); is {
				role, more = "user", strings.TrimSpace(rest)
			}
			if rest, is := strings.CutPrefix(more, "persistent"); is {
				persistent, more = "true", strings.TrimSpace(rest)
			}
		}
		if more != "" {
			more = ", " + more
		}
		entries = append(entries, fmt.Sprintf(`{"name": %q, "file": %q, "timing": %q, "role": %q, "persistent": %s%s}`, f[0], f[0]+".md", f[1], role, persistent, more))
		must.Write(s.t, filepath.Join(hooks, f[0]+".md"), strings.ToUpper(f[0])+"\n")
	}
	must.Write(s.t, filepath.Join(hooks, "hooks.json"), `{"hooks": [`+strings.Join(entries, ",\n")+"]}")
}

func (s *scene) mine(name string, prompts ...string) {
	s.t.Helper()
	s.skill(filepath.Join(s.project, ".agents", "skills"), name, prompts...)
}

// event calls a hook; can is what the agent can carry.
func (s *scene) event(name, can string, members ...string) protocol.HookAnswer {
	s.t.Helper()
	b := Behaviour()
	i := slices.IndexFunc(b.Hooks, func(h behaviour.Hook) bool { return h.Name == name })
	var ev protocol.Object
	ev.SetText("event_type", string(b.Hooks[i].Trigger))
	ev.SetText("session_id", "s1")
	ev.SetText("work_dir", s.project)
	s.calls++
	ev.SetText("tool_use_id", fmt.Sprint("call-", s.calls))
	ev.Set("context", protocol.Object{{Name: "can", Value: protocol.TextList(strings.Fields(can))}, {Name: "native", Value: protocol.Raw(`{"tool_name": "Native"}`)}}.Raw())
	for i := 0; i+1 < len(members); i += 2 {
		ev.Set(members[i], protocol.Raw(members[i+1]))
	}
	s.world.TextBudget = behaviour.DefaultTextBudget
	var out, errs bytes.Buffer
	if exit := behaviour.Main(&b, &b.Hooks[i], s.world)(context.Background(), []string{"AGENTS_HOOKS_PROJECT_DIR=" + s.project}, ev.Raw(), &out, &errs); exit != 0 || errs.Len() > 0 {
		s.t.Errorf("%s: exit %d, stderr %q", name, exit, &errs)
	}
	s.now = s.now.Add(3 * time.Second)
	a, err := protocol.ParseAnswer(out.Bytes())
	if err != nil {
		s.t.Fatalf("%s: %q: %v", name, &out, err)
	}
	return a
}

func (s *scene) prompt(text string, members ...string) string {
	s.t.Helper()
	return given(s.event("skills-turn", "context message", append([]string{"prompt", string(protocol.Quote(text)), "source", `"user"`}, members...)...))
}

// tool is the result of a call that took a second.
func (s *scene) tool(name string, members ...string) string {
	s.t.Helper()
	return given(s.event("skills-tool", "context message", append([]string{"tool_name", string(protocol.Quote(name)), "tool_input", `{}`, "duration_ms", "1000"}, members...)...))
}

// given names the prompts in an answer, in their order.
func given(a protocol.HookAnswer) string {
	var names []string
	for _, part := range strings.Split(a.AdditionalContext, `hook="`)[1:] {
		names = append(names, part[:strings.IndexByte(part, '"')])
	}
	return strings.Join(names, " ")
}

func (s *scene) want(what, got, want string) {
	s.t.Helper()
	if got != want {
		s.t.Errorf("%s: given %q, want %q", what, got, want)
	}
}
