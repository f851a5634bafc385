//go:build unix

package runner

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// roles are what the test binary does as a process of its own.
func roles() map[string]func() int {
	all := map[string]func() int{"no-files": noFiles, "no-forks": noForks, "dedup": dedupFirst, "dispatcher": dispatcher, "async": asyncDispatcher, "spin": spinning, "stopped": stoppedByItsHook}
	maps.Copy(all, confinedRoles())
	return all
}

// inRole runs the test binary in a role and returns what it printed.
func inRole(t *testing.T, role string, env ...string) string {
	t.Helper()
	out, err := os.CreateTemp(t.TempDir(), "out")
	must.Do(t, err)
	defer out.Close()
	p := startRole(t, role, out, env...)
	s := guarded(t, p.wait)
	b, err := os.ReadFile(out.Name())
	must.Do(t, err)
	if s.exit != 0 {
		t.Fatalf("role %s: exit %d %s: %s", role, s.exit, s.signal, b)
	}
	return string(b)
}

// startRole starts the test binary in a role, in a process group of its own.
func startRole(t *testing.T, role string, out *os.File, env ...string) *process {
	t.Helper()
	null, err := os.Open(os.DevNull)
	must.Do(t, err)
	defer null.Close()
	env = append(append(testEnv(), "RUNNER_TEST_ROLE="+role), env...)
	p, err := start([]string{self}, "/", env, [3]*os.File{null, out, out}, ownGroup)
	must.Do(t, err)
	return p
}

// entryHook is a hook in a role, which knows no folder of hooks.
func entryHook(path string) *discovery.Hook {
	return &discovery.Hook{
		Name: "hook", Layer: discovery.UserLayer, Entry: discovery.Entry{Path: path, Argv: []string{path}},
		Trigger: protocol.PreToolCall, Timeout: 30 * time.Second, Status: discovery.Ready,
	}
}

func report(w io.Writer, r *Runner) {
	rep := r.Run(context.Background(), event(protocol.PreToolCall), set(entryHook(os.Getenv("HOOK"))))
	for _, res := range rep.Results {
		fmt.Fprintln(w, res.Verdict, rep.Outcome.Decision, res.Warning)
	}
}

func noFiles() int {
	var open []*os.File
	limit := syscall.Rlimit{Cur: 16, Max: 16}
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		fmt.Println(err)
		return 1
	}
	for {
		f, err := os.Open(os.DevNull)
		if err != nil {
			break
		}
		open = append(open, f)
	}
	open[0].Close() // one is left, a pipe takes two
	report(os.Stdout, &Runner{Env: os.Environ()})
	return 0
}

// noForks asks for a process where the user may have no more of them. Threads
// count too, so those that the Go runtime may want are made first.
func noForks() int {
	var ready, done sync.WaitGroup
	block := make(chan struct{})
	for range 16 {
		ready.Add(1)
		done.Go(func() {
			var p [2]int
			syscall.Pipe(p[:])
			ready.Done()
			go func() { <-block; syscall.Close(p[1]) }()
			var b [1]byte
			syscall.Read(p[0], b[:]) // holds a thread
		})
	}
	ready.Wait()
	time.Sleep(20 * time.Millisecond) // all of them in the system call
	close(block)
	done.Wait()
	if os.Getuid() == 0 {
		// The limit does not hold for root.
		if err := syscall.Setuid(65534); err != nil {
			fmt.Println(err)
			return 1
		}
	}
	limit := syscall.Rlimit{Cur: 1, Max: 1}
	if err := syscall.Setrlimit(rlimitNproc, &limit); err != nil {
		fmt.Println(err)
		return 1
	}
	report(os.Stdout, &Runner{Env: os.Environ()})
	return 0
}

const rlimitNproc = 6 // RLIMIT_NPROC of Linux, which package syscall has not
