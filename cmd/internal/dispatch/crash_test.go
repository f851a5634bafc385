//go:build unix

package dispatch

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// What Go cannot recover from leaves with 2, which an agent reads as a block; ours
// ends by a signal, leaves no core, and changes no limit of a hook.
func TestACrashIsASignal(t *testing.T) {
	t.Parallel()
	for role, limit := range map[string]string{
		"panic elsewhere": "ulimit -c unlimited 2>/dev/null;",
		"stack":           "",
		"deadlock":        "",
		"memory":          "",
	} {
		t.Run(role, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.role = role
			cmd := w.command([]string{"--agent=claude-code"}, strings.NewReader(w.claude("PreToolUse", bash)))
			cmd.Args = append([]string{"sh", "-c", limit + ` exec "$0" "$@"`, cmd.Path}, cmd.Args[1:]...)
			sh, err := exec.LookPath("sh")
			if err != nil {
				t.Fatal(err)
			}
			cmd.Path = sh
			var stdout, stderr strings.Builder
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			_ = cmd.Run()
			status := cmd.ProcessState.Sys().(syscall.WaitStatus)
			if !status.Signaled() || status.CoreDump() || stdout.Len() > 0 {
				t.Errorf("exit %d, signaled %v, core %v, stdout %q, stderr %.300q", status.ExitStatus(), status.Signaled(), status.CoreDump(), stdout.String(), stderr.String())
			}
			if cores, _ := filepath.Glob(filepath.Join(w.project, "core*")); len(cores) > 0 {
				t.Errorf("a core file: %v", cores)
			}
		})
	}
	w := newWorld(t)
	w.hook(w.userHooks(), "limits", "trigger: pre-tool-call", `ulimit -c >"$HOME/limit"; ulimit -Hc >>"$HOME/limit"; ls /proc/self/fd >/dev/null 2>&1 || [ ! -d /proc/self ] || echo hidden >>"$HOME/limit"`)
	w.run(w.claude("PreToolUse", bash), "--agent=claude-code")
	want, err := exec.Command("sh", "-c", "ulimit -c; ulimit -Hc").Output()
	if err != nil {
		t.Fatal(err)
	}
	if have, err := os.ReadFile(filepath.Join(w.home, "limit")); string(have) != string(want) {
		t.Errorf("a hook's limits are %q, ours %q (%v)", have, want, err)
	}
}
