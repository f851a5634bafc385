package dispatch

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/linktest"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// Hooks lie in the folders of the format and nowhere else, however much a
// place looks like one; a pack of a team is a plain folder, which a link into the
// user's hooks makes count.
func TestOnlyTheFoldersOfTheFormat(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, dir := range []string{
		filepath.Join(w.home, ".agents", "hooks"),
		filepath.Join(filepath.Dir(w.config()), "agents-hooks", "hooks"),
		w.config(),
		filepath.Join(w.userHooks(), "deeper"),
		filepath.Join(w.userHooks(), ".hidden"),
		filepath.Join(w.home, ".claude", "hooks"),
		filepath.Join(w.project, ".claude", "hooks"),
		filepath.Join(w.project, ".cursor", "hooks"),
		filepath.Join(w.project, ".agents", "hook"),
		filepath.Join(w.project, ".agents"),
		filepath.Join(w.project, "hooks"),
		filepath.Dir(w.project),
		filepath.Join(filepath.Dir(w.project), ".agents", "hooks"),
	} {
		w.hook(dir, "guard", "trigger: pre-tool-call", "exit 2")
	}
	team := filepath.Join(w.home, "team", "pack", "no-rm")
	w.hook(filepath.Dir(team), "no-rm", "trigger: pre-tool-call", "echo no >&2; exit 2")
	if r := w.run(w.claude("PreToolUse", bash), "--agent=claude-code", "--trust=always"); r.exit != 0 || r.stdout != "" {
		t.Errorf("%+v", r)
	}
	linktest.Make(t, team, filepath.Join(w.userHooks(), "no-rm"))
	if r := w.run(w.claude("PreToolUse", bash), "--agent=claude-code"); !strings.Contains(r.stdout, `"deny"`) {
		t.Errorf("a pack that is linked: %+v", r)
	}
}

// An event that no hook is for starts no process, and speaks to nobody: no
// git, no network, by what the kernel was really asked.
func TestAnIdleEventStartsNothing(t *testing.T) {
	t.Parallel()
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("no strace here")
	}
	w := newWorld(t)
	for i := range 20 {
		w.hook(w.userHooks(), fmt.Sprintf("hook-%d", i), "trigger: pre-tool-call\nmatcher:\n  pattern: '^never$'", "exit 2")
	}
	w.hook(w.userHooks(), "later", "trigger: post-session\nasync: true", "exit 0")
	trace := filepath.Join(t.TempDir(), "trace")
	cmd := w.command([]string{"--agent=claude-code"}, strings.NewReader(w.claude("PreToolUse", bash)))
	cmd.Args = append([]string{strace, "-f", "-o", trace, "-e", "trace=execve,execveat,socket,connect", cmd.Path}, cmd.Args[1:]...)
	cmd.Path = strace
	if r := w.finish(cmd); r.exit != 0 {
		t.Skipf("strace may not trace here: %s", r.stderr)
	}
	b, err := os.ReadFile(trace)
	must.Do(t, err)
	if n := strings.Count(string(b), "execve"); n != 1 {
		t.Errorf("%d programs were started, want our own alone:\n%s", n, b)
	}
	hasNot(t, "trace", string(b), "socket(", "connect(")
}
