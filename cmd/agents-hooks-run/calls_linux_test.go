package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/builttest"
)

// What an event asks of the file system, in calls of the kernel: those of the runtime,
// threads and clocks left out; of what matches, those of its shell too. A hook more is one look more, and of a crowd that was read
// before no file is opened.
func TestWhatAnEventAsksOfTheFileSystem(t *testing.T) {
	if _, err := exec.LookPath("strace"); err != nil {
		t.Skip("no strace is here")
	}
	program := builttest.Program(t, "cmd/agents-hooks-run")
	for _, budget := range []struct {
		hooks       int
		match       bool
		open, looks int // at most: what is opened; what is listed or asked for its stamp or kind
	}{
		{0, false, 6, 18},
		{1, false, 11, 30},
		{1, true, 16, 70},
		{10, false, 20, 45},
		{100, false, 10, 140},
		{100, true, 16, 175},
		{1000, false, 10, 1040},
	} {
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
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		s.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		s.Fatal(err)
	}
}

// calls are lines of a trace.
type calls struct{ open, looks []string }

// asks is what the next event of the site asks. The first one makes its folders.
func (s *site) asks() (c calls) {
	s.Helper()
	trace := filepath.Join(s.home, "trace")
	for range 2 {
		s.events++
		cmd := exec.Command("strace", "-f", "-qq", "-o", trace, "-e", "signal=none", "-e", "trace=open,openat,openat2,stat,lstat,newfstatat,statx,fstat,readlink,readlinkat,getdents64",
			s.program, "run", "--agent=claude-code", "--home="+s.home, "--config="+filepath.Join(s.home, ".config", "agents"), "--state="+filepath.Join(s.home, "state"),
			"--cache="+filepath.Join(s.home, "cache"), "--data="+filepath.Join(s.home, "data"), "--system="+filepath.Join(s.home, "etc"))
		cmd.Dir, cmd.Env = s.project, []string{"HOME=" + s.home, "PATH=" + os.Getenv("PATH")}
		cmd.Stdin = bytes.NewReader(fmt.Appendf(nil, `{"session_id":"s","cwd":%q,"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"},"tool_use_id":"t%d"}`, s.project, s.events))
		if out, err := cmd.CombinedOutput(); err != nil {
			s.Skipf("strace cannot trace here: %v\n%s", err, out)
		}
	}
	b, err := os.ReadFile(trace)
	if err != nil {
		s.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
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
