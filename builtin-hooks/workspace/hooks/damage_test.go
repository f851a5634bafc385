package hooks

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// What cannot be read is said to the person, once a session, with what to do; the agent
// hears nothing of it, and nothing is written over it.
// BW-STO-14.
func TestDamageIsSaidToThePerson(t *testing.T) {
	t.Parallel()
	const mend, update = "doctor --fix", "Update agents-hooks"
	for name, c := range map[string]struct{ path, text, fix string }{
		"bindings cut":   {"HOME/session-bindings.json", `{"version": "1.0", "bind`, mend},
		"bindings other": {"HOME/session-bindings.json", `{"bindings": [1, 2]}`, mend},
		"index":          {"HOME/index.json", `[1`, mend},
		"newer index":    {"HOME/index.json", `{"version": "6.0", "workspaces": []}`, update},
		"graph":          {"graph.json", `{"version": "5.0", "nodes": {`, mend},
		"newer graph":    {"graph.json", `{"version": "9.0", "nodes": {}}`, update},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t)
			path := s.file(wsDir + "/" + c.path)
			if rest, ok := strings.CutPrefix(c.path, "HOME/"); ok {
				path = filepath.Join(s.home, ".tanmi-workspace", rest)
			}
			s.put(path, c.text)
			s.strange = true // there is nothing to take for one's own
			begin := s.raw("workspace-context", "context message", "source", `"startup"`)
			if !strings.Contains(begin.UserMessage, filepath.Base(path)) || !strings.Contains(begin.UserMessage, c.fix) || strings.Contains(begin.UserMessage, mend) != (c.fix == mend) || strings.Contains(begin.AdditionalContext, filepath.Base(path)) {
				t.Errorf("%s: begin: %q, the agent: %q", name, begin.UserMessage, begin.AdditionalContext)
			}
			prompt := func(session string) string {
				return s.raw("workspace-reminder", "context message", "session_id", session, "prompt", `"go on"`, "source", `"user"`).UserMessage
			}
			if again := prompt(`"abc123"`); again != "" {
				t.Errorf("%s: again: %q", name, again)
			}
			if b := s.textAt(path); b != c.text {
				t.Errorf("%s: now %q", name, b)
			}
		})
	}
	s := newScene(t)
	if said := s.event("workspace-context", "context message", "source", `"startup"`).UserMessage; said != "" {
		t.Errorf("whole files: %q", said)
	}
}

func (s *scene) textAt(path string) string {
	s.t.Helper()
	rel, err := filepath.Rel(s.project, path)
	must.Do(s.t, err)
	return s.read(filepath.ToSlash(rel))
}
