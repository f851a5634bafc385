//go:build linux

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// A place is a user's home with a guard that refuses a forced push, a project, and a
// temporary folder.
type place struct {
	run, tool           string // the programs
	home, project, temp string
	state               string
	group               string // the control group of its commands, "" for none
	asked               int
}

func newPlace(bin, dir string) (*place, error) {
	p := &place{run: filepath.Join(bin, "agents-hooks-run"), tool: filepath.Join(bin, "agents-hooks"), home: filepath.Join(dir, "home"), project: filepath.Join(dir, "project"), temp: filepath.Join(dir, "tmp")}
	p.state = filepath.Join(p.home, ".local", "state", "agents-hooks")
	guard := filepath.Join(p.home, ".config", "agents", "hooks", "no-force")
	err := errors.Join(os.MkdirAll(p.temp, 0o755), os.MkdirAll(filepath.Join(p.project, ".git"), 0o755), os.MkdirAll(filepath.Join(guard, "scripts"), 0o755))
	return p, errors.Join(err,
		os.WriteFile(filepath.Join(guard, "HOOK.md"), []byte("---\nname: no-force\ndescription: Refuses a forced push.\ntrigger: pre-tool-call\nmatcher:\n  command: 'git push.*--force'\ntimeout: 20000\n---\n"), 0o644),
		os.WriteFile(filepath.Join(guard, "scripts", "run"), []byte("#!/bin/sh\ncat >/dev/null\necho 'not with force' >&2\nexit 2\n"), 0o755),
		os.WriteFile(filepath.Join(p.home, ".config", "agents", "hooks.toml"), []byte("[builtin.memory]\nenabled = true\n"), 0o644))
}

const (
	harmless = "ls -la"
	forced   = "git push --force"
)

// event is the next event of a session, in the format's own form, with a new id.
func (p *place) event(session, command string) []byte {
	p.asked++
	return fmt.Appendf(nil, `{"event_type": "pre-tool-call", "session_id": %q, "work_dir": %q, "tool_name": "Shell", "tool_use_id": "t%d", "tool_input": {"command": %q}}`+"\n", session, p.project, p.asked, command)
}

func (p *place) env() []string {
	return []string{"HOME=" + p.home, "PATH=" + os.Getenv("PATH"), "TMPDIR=" + p.temp, "LANG=C.UTF-8"}
}

func (p *place) command(ctx context.Context, program string, stdin []byte, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, program, args...)
	if p.group != "" {
		cmd = exec.CommandContext(ctx, "sh", append([]string{"-c", `echo $$ >"$0"/cgroup.procs && exec "$@"`, p.group, program}, args...)...)
	}
	cmd.Dir, cmd.Env, cmd.Stdin = p.project, p.env(), bytes.NewReader(stdin)
	return cmd
}

// ask passes an event to a dispatcher, and returns its exit code and how long that
// took.
func (p *place) ask(ctx context.Context, event []byte) (exit int, said string, took time.Duration, err error) {
	exit, said, took, _, err = p.askCPU(ctx, event)
	return exit, said, took, err
}

// askCPU also returns the CPU time used, including the hook's.
func (p *place) askCPU(ctx context.Context, event []byte) (exit int, said string, took, cpu time.Duration, err error) {
	cmd := p.command(ctx, p.run, event, "run")
	begun := time.Now()
	out, err := cmd.CombinedOutput()
	took = time.Since(begun)
	if _, ok := errors.AsType[*exec.ExitError](err); ok {
		err = nil
	}
	if err != nil {
		return 0, "", took, 0, err
	}
	s := cmd.ProcessState
	return s.ExitCode(), string(out), took, s.UserTime() + s.SystemTime(), nil
}

// held is what events have left behind in a place.
type held struct {
	processes, temp, files int
	state, log             int64 // bytes
}

func (h held) String() string {
	return fmt.Sprintf("%d processes, %d temporary files, state %d files of %d KiB, log %d KiB", h.processes, h.temp, h.files, h.state>>10, h.log>>10)
}

func (p *place) holds() (h held, err error) {
	procs, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		return h, err
	}
	for _, file := range procs {
		if b, err := os.ReadFile(file); err == nil && bytes.Contains(b, []byte("TMPDIR="+p.temp)) {
			h.processes++
		}
	}
	count := func(root string, each func(path string, size int64)) error {
		return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			if err != nil || d.IsDir() {
				return err
			}
			info, err := d.Info()
			if err == nil {
				each(path, info.Size())
			}
			return nil
		})
	}
	err = errors.Join(count(p.temp, func(string, int64) { h.temp++ }), count(p.state, func(path string, size int64) {
		if strings.Contains(path, "/log/") {
			h.log += size
			return
		}
		h.files++
		h.state += size
	}))
	return h, err
}
