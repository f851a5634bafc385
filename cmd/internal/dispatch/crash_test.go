//go:build unix

package dispatch

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
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
			must.Do(t, err)
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
	must.Do(t, err)
	if have, err := os.ReadFile(filepath.Join(w.home, "limit")); string(have) != string(want) {
		t.Errorf("a hook's limits are %q, ours %q (%v)", have, want, err)
	}
}

// A hook that forks twice into a session of its own does not outlive its time limit,
// where the system tells whose it is; what an ended hook left behind, and work of
// ours in the background, goes on.
func TestAStrayEndsWithItsHook(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells")
	}
	if _, err := exec.LookPath("setsid"); err != nil {
		t.Skip(err)
	}
	// It tells of itself by a pipe, which ends when the last one that holds it does.
	stray := `setsid sh -c 'setsid sh -c "trap \"\" TERM HUP; exec sleep 300" 8>&- 9>"$HOME/fifo" & setsid sh -c "while :; do sleep 0.1; done" 9>"$HOME/fifo" &' &` + "\n"
	for name, script := range map[string]string{
		"stopped": stray + "sleep 300",
		"fork":    stray + `f() { setsid sh -c 'sleep 0.01' & }; while :; do f; sleep 0.05; done`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.hook(w.userHooks(), "strays", "trigger: pre-tool-call\ntimeout: 500", script)
			fifo := filepath.Join(w.home, "fifo")
			must.Do(t, syscall.Mkfifo(fifo, 0o600))
			held, err := os.OpenFile(fifo, os.O_RDONLY|syscall.O_NONBLOCK, 0)
			must.Do(t, err)
			defer held.Close()
			w.run(w.claude("PreToolUse", bash), "--agent=claude-code")
			must.Do(t, held.SetReadDeadline(time.Now().Add(10*time.Second)))
			if _, err := held.Read(make([]byte, 1)); err != io.EOF {
				t.Errorf("somebody holds the pipe still: %v", err)
			}
			has(t, "log", w.log(), `"timeout"`)
		})
	}
	w := newWorld(t)
	w.file(filepath.Join(w.home, "outer"), `setsid sh "$HOME/inner" &`, 0o600)
	w.file(filepath.Join(w.home, "inner"), `while ! [ -e "$HOME/go" ]; do sleep 0.01; done; echo there > "$HOME/left"`, 0o600)
	w.hook(w.userHooks(), "leaves", "trigger: pre-tool-call\npriority: 900", `setsid sh "$HOME/outer" >/dev/null 2>&1 </dev/null`)
	w.run(w.claude("PreToolUse", bash), "--agent=claude-code")
	w.file(filepath.Join(w.home, "go"), "", 0o600)
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		if _, err := os.Stat(filepath.Join(w.home, "left")); err == nil {
			break
		}
		if time.Now().After(end) {
			t.Fatal("what a hook left behind in time is gone")
		}
	}
}

// What the environment says of Go's memory changes nothing, and more than there is
// room for ends by a signal.
func TestMemoryIsBounded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.hook(w.userHooks(), "guard", "trigger: pre-tool-call", "echo no >&2; exit 2")
	big := strings.TrimSuffix(w.claude("PreToolUse", bash), "}") + `,"x":[` + strings.Repeat(`{"a":1},`, 1<<20) + `1]}`
	for i, env := range []string{"GOGC=off", "GOMEMLIMIT=1", "GOGC=1", "GODEBUG=gctrace=1"} {
		if !slowtest.Part(i, 4) {
			continue
		}
		w.env = []string{env}
		r := w.run(strings.Replace(big, "toolu_1", env, 1), "--agent=claude-code")
		has(t, env, r.stdout, `"deny"`)
		if r.took > 20*time.Second {
			t.Errorf("%s: %s", env, r.took)
		}
	}
	w.env, w.role = nil, "leak"
	cmd := w.command([]string{"--agent=claude-code"}, strings.NewReader(w.claude("PreToolUse", bash)))
	var stdout, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	_ = cmd.Run()
	if status := cmd.ProcessState.Sys().(syscall.WaitStatus); !status.Signaled() || stdout.Len() > 0 || !strings.Contains(stderr.String(), "MiB of memory") {
		t.Errorf("exit %d, signaled %v, stdout %q, stderr %.300q", status.ExitStatus(), status.Signaled(), stdout.String(), stderr.String())
	}
}
