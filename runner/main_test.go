//go:build unix

package runner

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// hooksDir holds the hook folders of all tests. They are written before the
// first process starts: go.dev/issue/22315.
var hooksDir string

// self is the test binary, which plays the dispatcher and its supervisor.
var self string

// TestMain is one of several programs: the tests, the supervisor of async hooks
// (by its verb), or a dispatcher of its own process (by RUNNER_TEST_ROLE).
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == SuperviseVerb {
		os.Exit(Supervise(os.Stdin, os.Environ(), testBuiltin))
	}
	if role := os.Getenv("RUNNER_TEST_ROLE"); role != "" {
		os.Exit(roles()[role]())
	}
	os.Exit(runTests(m))
}

func runTests(m *testing.M) int {
	dir, err := os.MkdirTemp("", "runner test 'q\" & 100% $HOME; é 日本 ")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	hooksDir = dir
	if self, err = os.Executable(); err != nil {
		panic(err)
	}
	for name, body := range scripts {
		write(filepath.Join(dir, name, "scripts", "run"), "#!/bin/sh\n"+body, 0o755)
	}
	for name, f := range files {
		write(filepath.Join(dir, name, "scripts", "run"), f.content, f.mode)
	}
	for name, content := range confinedFiles() {
		write(filepath.Join(dir, name, "scripts", "run"), content, 0o755)
	}
	return m.Run()
}

func write(path, content string, mode os.FileMode) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		panic(err)
	}
	if err := os.WriteFile(path, []byte(content), mode); err != nil {
		panic(err)
	}
}

// hook is a hook by the name of its folder.
func hook(name string) *discovery.Hook {
	dir := filepath.Join(hooksDir, name)
	path := filepath.Join(dir, "scripts", "run")
	return &discovery.Hook{
		Name: name, Layer: discovery.UserLayer, Dir: dir, File: filepath.Join(dir, "HOOK.md"),
		Entry: discovery.Entry{Path: path, Argv: []string{path}}, Trigger: protocol.PreToolCall,
		Timeout: 30 * time.Second, Priority: 100, Status: discovery.Ready, MayAllow: true,
	}
}

// on is a hook with another trigger.
func on(t protocol.EventType, h *discovery.Hook) *discovery.Hook {
	h.Trigger = t
	return h
}

// set is a set of hooks in their running order.
func set(hooks ...*discovery.Hook) *discovery.Set {
	return &discovery.Set{Hooks: hooks, Settings: discovery.Settings{Enabled: true, StopRow: discovery.DefaultStopRow, StopTotal: discovery.DefaultStopTotal}}
}

// newRunner is a runner with a state directory of its own and a short grace.
func newRunner(t testing.TB) *Runner {
	return &Runner{Env: testEnv(), State: t.TempDir(), Self: self, Grace: 100 * time.Millisecond, Builtin: func(name string) Builtin { return builtins[name] }}
}

func testEnv() []string {
	env := []string{}
	for _, kv := range os.Environ() {
		if !strings.HasPrefix(kv, "AGENTS_HOOKS_") {
			env = append(env, kv)
		}
	}
	return env
}

// runOne runs one hook on an event, hard limited only against hanging for ever.
func runOne(t *testing.T, r *Runner, ev *protocol.Event, h *discovery.Hook) Result {
	t.Helper()
	rep := guarded(t, func() Report { return r.Run(context.Background(), ev, set(h)) })
	if len(rep.Results) != 1 {
		t.Fatalf("hook %s: %d results, want 1", h.Name, len(rep.Results))
	}
	return rep.Results[0]
}

// guarded fails a test that hangs; the limit is no statement about speed.
func guarded[T any](t *testing.T, f func() T) T {
	t.Helper()
	done := make(chan T, 1)
	go func() { done <- f() }()
	select {
	case v := <-done:
		return v
	case <-time.After(50 * time.Second):
		t.Fatal("hangs")
		panic("unreachable")
	}
}

// eventually waits until cond holds.
func eventually(t *testing.T, what string, cond func() bool) {
	t.Helper()
	for end := time.Now().Add(50 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if cond() {
			return
		}
	}
	t.Fatalf("not in time: %s", what)
}

// pids reads the process ids that a hook wrote, one a line.
func pids(t *testing.T, path string, want int) []int {
	t.Helper()
	var out []int
	eventually(t, fmt.Sprintf("%d process ids in %s", want, path), func() bool {
		b, _ := os.ReadFile(path)
		out = nil
		for _, f := range strings.Fields(string(b)) {
			if n, err := strconv.Atoi(f); err == nil {
				out = append(out, n)
			}
		}
		return len(out) >= want && strings.HasSuffix(string(b), "\n")
	})
	return out
}

// alive reports whether a process runs. One that nobody has waited for yet is
// dead for our purposes.
func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return true // no /proc on this system
	}
	_, rest, _ := strings.Cut(string(b), ") ")
	return !strings.HasPrefix(rest, "Z")
}

// reap ends left-over processes of a test.
func reap(t *testing.T, ids []int) {
	t.Cleanup(func() {
		for _, pid := range ids {
			syscall.Kill(pid, syscall.SIGKILL)
		}
	})
}

func testBuiltin(name, _ string) Builtin { return builtins[name] }
