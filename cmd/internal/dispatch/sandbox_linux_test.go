package dispatch

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/runner"
)

// In agent form an approved hook of a project runs from its copy, held to what the
// person's settings say: what a repository puts into the agent's environment, and
// where the model has changed to, widens nothing.
func TestSandboxInAgentForm(t *testing.T) {
	t.Parallel()
	if lack, _ := runner.SandboxLacks(); lack != "" {
		t.Skip(lack)
	}
	w := newWorld(t)
	w.file(filepath.Join(w.home, ".ssh", "id"), "SECRET", 0o600)
	w.file(w.settings(), "[trust]\nsandbox = \"project\"\n", 0o644)
	w.file(filepath.Join(w.project, "text"), "text", 0o644)
	const try = `for f in "$REAL/.ssh/id" "$AGENTS_HOOKS_PROJECT_DIR/text" "$AGENTS_HOOKS_HOOK_DIR/HOOK.md"; do cat "$f" >/dev/null 2>&1 && printf '<%s>' "${f##*/}" >&2; done; exit 2`
	w.hook(w.projectHooks(), "box", "trigger: pre-tool-call", try)
	w.approve()
	calls := 0 // the same one twice is answered once
	run := func(env ...string) string {
		calls++
		cmd := w.command([]string{"--agent=claude-code", "--home=" + w.home, "--config=" + w.config(), "--state=" + w.state()}, strings.NewReader(w.bash(fmt.Sprint("call-", calls), "make")))
		cmd.Env = append(append(cmd.Env, "REAL="+w.home), env...)
		return w.finish(cmd).stdout
	}
	for name, env := range map[string][]string{
		"as it is":                  nil,
		"another home":              {"HOME=/"},
		"a path into what is kept":  {"PATH=" + filepath.Join(w.home, ".ssh") + ":" + os.Getenv("PATH")},
		"settings of a repository":  {"XDG_CONFIG_HOME=" + w.project, "AGENTS_HOOKS_TRUST=always"},
		"a temporary folder of its": {"TMPDIR=" + filepath.Join(w.home, ".ssh")},
	} {
		t.Run(name, func(t *testing.T) {
			if got := run(env...); !strings.Contains(got, "<text><HOOK.md>") || strings.Contains(got, "<id>") {
				t.Errorf("%s: %s", name, got)
			}
		})
	}
	w.file(w.settings(), "[trust]\nsandbox = \"off\"\n", 0o644)
	if got := run(); !strings.Contains(got, "<id>") {
		t.Errorf("without a sandbox: %s", got)
	}
}
