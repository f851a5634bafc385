package main

import (
	"bytes"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/builttest"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
)

// What an event asks of the file system, in calls of the kernel: those of the runtime,
// threads and clocks left out; of what matches, those of its shell too. A hook more is one look more, and of a crowd that was read
// before no file is opened.
func TestWhatAnEventAsksOfTheFileSystem(t *testing.T) {
	if _, err := exec.LookPath("strace"); err != nil {
		t.Skip("no strace is here")
	}
	program := builttest.Program(t, "cmd/agents-hooks-run")
	for i, budget := range []struct {
		hooks       int
		match       bool
		open, looks int // at most: what is opened; what is listed or asked for its stamp or kind
	}{
		{0, false, 4, 15},
		{1, false, 8, 22},
		{1, true, 14, 40},
		{10, false, 17, 32},
		{100, false, 7, 122},
		{100, true, 13, 140},
		{1000, false, 11, 1030}, // each thread that helps opens the folder once more
	} {
		if !slowtest.Part(i+1, 3) {
			continue
		}
		t.Run(fmt.Sprintf("%d hooks, one matches: %t", budget.hooks, budget.match), func(t *testing.T) {
			t.Parallel()
			s := newSite(t, program, budget.hooks, budget.match)
			asked := s.asks()
			for budget.hooks >= 100 && strings.Contains(strings.Join(asked.open, ""), "HOOK.md") {
				asked = s.asks() // what is young is read each time
			}
			t.Logf("%d opened, %d looks", len(asked.open), len(asked.looks))
			if len(asked.open) > budget.open || len(asked.looks) > budget.looks {
				t.Errorf("%d opened, want at most %d, and %d looks, want at most %d:\n%s%s", len(asked.open), budget.open,
					len(asked.looks), budget.looks, strings.Join(asked.open, ""), strings.Join(asked.looks[:min(len(asked.looks), 100)], ""))
			}
		})
	}
}

// All that an event asks of the kernel, its hook's own calls left out: how often, beside
// what an empty Go program does, which is told of in the budget too. What waits or wakes is
// left out, since how often that happens is up to the machine.
func TestWhatAnEventAsksOfTheKernel(t *testing.T) {
	if _, err := exec.LookPath("strace"); err != nil {
		t.Skip("no strace is here")
	}
	program := builttest.Program(t, "cmd/agents-hooks-run")
	empty := builttest.Program(t, "bench/empty")
	least := total(countCalls(traced(t, exec.Command(empty))))
	for i, budget := range []struct {
		hooks int
		match bool
		over  int // at most, over the empty program
	}{
		{0, false, 38},
		{1, true, 200},
		{100, false, 170},
		{100, true, 300},
		{1000, false, 1080},
	} {
		if !slowtest.Part(i, 3) {
			continue
		}
		t.Run(fmt.Sprintf("%d hooks, one matches: %t", budget.hooks, budget.match), func(t *testing.T) {
			t.Parallel()
			s := newSite(t, program, budget.hooks, budget.match)
			calls := countCalls(s.traced())
			for budget.hooks >= 100 && calls["statx"] < budget.hooks {
				calls = countCalls(s.traced()) // what is young is read each time
			}
			// A busy machine has the runtime start a thread more, eight calls: the least of three counts.
			for tries := 1; tries < 3 && total(calls)-least > budget.over; tries++ {
				calls = countCalls(s.traced())
			}
			over := total(calls) - least
			t.Logf("%d calls over the %d of an empty program: %v", over, least, calls)
			if over > budget.over {
				t.Errorf("%d calls over the %d of an empty program, want at most %d: %v", over, least, budget.over, calls)
			}
		})
	}
}

// countCalls counts the calls of a trace by their names, those of other programs that are
// started left out.
func countCalls(trace string) map[string]int {
	calls, others := map[string]int{}, map[string]bool{}
	started := false
	for line := range strings.Lines(trace) {
		task, call, _ := strings.Cut(line, " ")
		name, _, ok := strings.Cut(strings.TrimSpace(call), "(")
		switch {
		case !ok || strings.HasPrefix(name, "<") || strings.HasPrefix(name, "+") || strings.HasPrefix(name, "-"):
		case name == "execve" && started:
			others[task] = true
		case others[task]:
		default:
			started = started || name == "execve"
			switch name {
			case "futex", "nanosleep", "clock_nanosleep", "sched_yield", "epoll_pwait", "epoll_wait", "restart_syscall", "wait4", "waitid", "tgkill", "getpid", "gettid", "rt_sigreturn":
			default:
				calls[name]++
			}
		}
	}
	return calls
}

func total(calls map[string]int) (n int) {
	for _, m := range calls {
		n += m
	}
	return n
}

// A site is a home with hooks of its person.
type site struct {
	*testing.T
	program, home, project string
	events                 int
}

func newSite(t *testing.T, program string, hooks int, match bool) *site {
	t.Helper()
	home := t.TempDir()
	s := &site{T: t, program: program, home: home, project: filepath.Join(home, "src", "project")}
	s.write(filepath.Join(s.project, ".git", "HEAD"), "ref: refs/heads/main\n")
	for i := range hooks {
		tool := "WriteFile"
		if i == 0 && match {
			tool = "Shell"
		}
		dir := filepath.Join(home, ".config", "agents", "hooks", fmt.Sprintf("hook-%04d", i))
		s.write(filepath.Join(dir, "HOOK.md"), fmt.Sprintf("---\nname: hook-%04d\ndescription: d\ntrigger: pre-tool-call\nmatcher:\n  tool: %s\n---\n", i, tool))
		s.write(filepath.Join(dir, "scripts", "run"), "#!/bin/sh\n")
	}
	return s
}

func (s *site) write(path, text string) {
	s.Helper()
	must.Script(s, path, text)
}

// calls are lines of a trace.
type calls struct{ open, looks []string }

// asks is what the next event of the site asks of the file system.
func (s *site) asks() (c calls) {
	s.Helper()
	for line := range strings.Lines(s.traced("-e", "trace=open,openat,openat2,stat,lstat,newfstatat,statx,fstat,readlink,readlinkat,getdents64")) {
		switch {
		case strings.Contains(line, `"/sys/`), strings.Contains(line, `"/proc/`), strings.Contains(line, "resumed>"):
		case strings.Contains(line, " open"):
			c.open = append(c.open, line)
		default:
			c.looks = append(c.looks, line)
		}
	}
	return c
}

// traced is what strace tells of the next event of the site. The first one makes its
// folders.
func (s *site) traced(flags ...string) (trace string) {
	s.Helper()
	for range 2 {
		trace = s.event(`"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}`, flags...)
	}
	return trace
}

// event is what strace tells of an event with some members.
func (s *site) event(members string, flags ...string) string {
	s.Helper()
	s.events++
	cmd := exec.Command(s.program, append([]string{"run", "--agent=claude-code"}, s.places()...)...)
	// Each folder of the PATH is looked at, whether it is the repository's.
	cmd.Dir, cmd.Env = s.project, []string{"HOME=" + s.home, "PATH=/usr/bin:/bin"}
	cmd.Stdin = bytes.NewReader(fmt.Appendf(nil, `{"session_id":"s","cwd":%q,%s,"tool_use_id":"t%d"}`, s.project, members, s.events))
	return traced(s.T, cmd, flags...)
}

func (s *site) places() []string {
	return []string{"--home=" + s.home, "--config=" + filepath.Join(s.home, ".config", "agents"), "--state=" + filepath.Join(s.home, "state"),
		"--cache=" + filepath.Join(s.home, "cache"), "--data=" + filepath.Join(s.home, "data"), "--system=" + filepath.Join(s.home, "etc")}
}

// traced runs a command that must not fail, and returns what strace tells of it.
func traced(t *testing.T, cmd *exec.Cmd, flags ...string) string {
	t.Helper()
	told, err := traceOf(t, cmd, flags...)
	if err != nil {
		t.Skipf("strace cannot trace here: %v", err)
	}
	return told
}

func traceOf(t *testing.T, cmd *exec.Cmd, flags ...string) (string, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "trace")
	under := exec.Command("strace", append(append([]string{"-f", "-qq", "-o", file, "-e", "signal=none"}, flags...), cmd.Args...)...)
	under.Dir, under.Env, under.Stdin = cmd.Dir, cmd.Env, cmd.Stdin
	out, failed := under.CombinedOutput()
	if failed != nil {
		failed = fmt.Errorf("%w\n%s", failed, out)
	}
	return must.Read(t, file), failed
}
