//go:build e2e && unix

package e2e

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/e2e/model"
)

// runLimit guards against an agent that never ends; most runs take a second or two, the
// slowest ten with a core to themselves.
const runLimit = 5 * time.Minute

// promptMark is in every prompt of the user, and so in every request of the main
// conversation, but not in those of a subagent.
const promptMark = "PERSON-ASKS-4711"

// A Lab is a fresh machine for one check: a home directory, a project, a scripted
// model, one agent, and our binary.
type Lab struct {
	t       *testing.T
	Agent   *Agent
	Root    string
	Home    string
	Project string
	Model   *model.Server
	bench   *Bench
}

// newLab lays out the machine and writes what the agent needs to find its model.
// Nothing of ours is installed yet.
func newLab(t *testing.T, b *Bench, a *Agent) *Lab {
	t.Helper()
	return newLabIn(t, b, a, b.scratch(t))
}

// newLabIn is newLab in an existing folder.
func newLabIn(t *testing.T, b *Bench, a *Agent, root string) *Lab {
	t.Helper()
	l := &Lab{t: t, Agent: a, Root: root, Home: filepath.Join(root, "home"), Project: filepath.Join(root, "project"), bench: b}
	l.lay()
	return l
}

// lay lays out the missing parts of the machine.
func (l *Lab) lay() {
	l.t.Helper()
	for _, dir := range []string{l.Home, l.Project, filepath.Join(l.Root, "tmp")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			l.t.Fatal(err)
		}
	}
	log, err := os.Create(filepath.Join(l.Root, "model.jsonl"))
	if err != nil {
		l.t.Fatal(err)
	}
	if l.Model, err = model.Start(model.Play(), log); err != nil {
		l.t.Fatal(err)
	}
	l.t.Cleanup(func() {
		l.sweep()
		_ = l.Model.Close()
		_ = log.Close()
	})
	l.WriteHome(".gitconfig", "[user]\n\tname = Dev\n\temail = dev@example.org\n[init]\n\tdefaultBranch = main\n")
	l.write(filepath.Join(l.Project, "README.md"), "# A project\n", 0o644)
	if out, err := l.command("git", "init", "-q").CombinedOutput(); err != nil {
		l.t.Fatalf("git init: %v: %s", err, out)
	}
	l.putOnPath()
	l.Agent.Prepare(l)
}

// bin is the folder with the agent's command.
func (l *Lab) bin() string { return filepath.Join(l.Root, "bin") }

// putOnPath makes the agent a command, as its users have it.
func (l *Lab) putOnPath() {
	program := "'" + l.bench.Agents[l.Agent.ID].program(l.Agent) + "'"
	if l.Agent.Node {
		program = "'" + l.bench.Node + "' " + program
	}
	l.write(filepath.Join(l.bin(), l.Agent.Command), "#!/bin/sh\nexec "+program+" \"$@\"\n", 0o755)
}

// WriteHome writes a file below the home directory.
func (l *Lab) WriteHome(name, text string) { l.write(filepath.Join(l.Home, name), text, 0o644) }

func (l *Lab) write(path, text string, mode os.FileMode) {
	l.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		l.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		l.t.Fatal(err)
	}
}

// A Hook is a hook folder to be written.
type Hook struct {
	Name    string
	Trigger string
	Matter  string // further lines of front matter
	Script  string // body of a sh script; the event is on its stdin
}

// userHook writes one of the user's own hooks, which need no trust.
func (l *Lab) userHook(h Hook) { l.hook(filepath.Join(l.Home, ".config/agents/hooks"), h) }

// projectHook writes a hook of the project.
func (l *Lab) projectHook(h Hook) { l.hook(filepath.Join(l.Project, ".agents/hooks"), h) }

func (l *Lab) hook(dir string, h Hook) {
	l.t.Helper()
	matter := strings.TrimSpace(h.Matter)
	if matter != "" {
		matter += "\n"
	}
	l.write(filepath.Join(dir, h.Name, "HOOK.md"),
		fmt.Sprintf("---\nname: %s\ndescription: A check of the suite.\ntrigger: %s\n%s---\n", h.Name, h.Trigger, matter), 0o644)
	l.write(filepath.Join(dir, h.Name, "scripts", "run"), "#!/bin/sh\n"+h.Script+"\n", 0o755)
}

// command prepares a process on this machine, with only those parts of the real
// environment that it needs to run.
func (l *Lab) command(name string, args ...string) *exec.Cmd {
	if path, err := exec.LookPath(name); err == nil {
		name = path
	}
	cmd := exec.Command(name, args...)
	cmd.Dir = l.Project
	cmd.Env = append([]string{
		"HOME=" + l.Home,
		"PATH=" + strings.Join([]string{l.bin(), filepath.Dir(l.bench.Binary), filepath.Dir(l.bench.Node), "/usr/local/bin", "/usr/bin", "/bin"}, ":"),
		"TMPDIR=" + filepath.Join(l.Root, "tmp"),
		"LANG=C.UTF-8", "TERM=dumb", "NO_COLOR=1", "SHELL=/bin/sh", "USER=dev",
		"MARKS=" + l.Root,
	}, l.bench.quiet()...)
	return cmd
}

// ours runs the agents-hooks command line and returns its output.
func (l *Lab) ours(args ...string) (string, error) {
	l.t.Helper()
	cmd := l.command(l.bench.Binary, args...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return string(out), fmt.Errorf("agents-hooks %s: %w: %s", strings.Join(args, " "), err, out)
	}
	return string(out), nil
}

// install installs our entry into the agent, as a user would.
func (l *Lab) install() {
	l.t.Helper()
	if _, err := l.ours("install", l.Agent.ID); err != nil {
		l.t.Fatal(err)
	}
}

// A Run is the result of one run of the agent.
type Run struct {
	l        *Lab
	Exit     int
	Stdout   string
	Stderr   string
	Took     time.Duration
	TimedOut bool             // or a question was left to the user
	Turns    []*model.Request // requests of the agent's conversations
}

// run gives the agent one prompt and waits for its end.
func (l *Lab) run(script model.Script) *Run {
	return l.start(script, l.Agent.Args(l, promptMark+": do what the script says."))
}

// resume gives one more prompt to the last session.
func (l *Lab) resume(prompt string, script model.Script) *Run {
	return l.start(script, l.Agent.Resume(l, prompt))
}

func (l *Lab) start(script model.Script, args []string) *Run {
	l.t.Helper()
	l.Model.Begin(script)
	cmd := l.command(filepath.Join(l.bin(), l.Agent.Command), args...)
	cmd.Env = append(cmd.Env, l.Agent.Env(l)...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	r := &Run{l: l}
	begun := time.Now()
	r.Exit, r.TimedOut = runGroup(l.t, cmd)
	r.Took = time.Since(begun)
	r.Stdout, r.Stderr = stdout.String(), stderr.String()
	r.Turns = l.Model.Turns()
	return r
}

// runGroup runs a command in its own process group, and kills what is left of the group
// when the command has ended or its time is over.
func runGroup(t *testing.T, cmd *exec.Cmd) (exit int, timedOut bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), runLimit)
	defer cancel()
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.WaitDelay = 2 * time.Second
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	group := -cmd.Process.Pid
	stop := context.AfterFunc(ctx, func() { _ = syscall.Kill(group, syscall.SIGKILL) })
	_ = cmd.Wait()
	timedOut = !stop()
	_ = syscall.Kill(group, syscall.SIGKILL)
	return cmd.ProcessState.ExitCode(), timedOut
}

// sweep ends the processes that the agent has left running: some start a daemon that
// outlives the run. They are found by their environment, so this works only on Linux.
func (l *Lab) sweep() {
	ours := []byte("MARKS=" + l.Root + "\x00")
	for killAll(ours) {
		time.Sleep(10 * time.Millisecond)
	}
}

// killAll kills all processes whose environment contains what, and reports whether
// there were any.
func killAll(what []byte) (found bool) {
	list, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, name := range list {
		env, err := os.ReadFile(name)
		if err != nil || !bytes.Contains(env, what) {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(name))); err == nil {
			found = syscall.Kill(pid, syscall.SIGKILL) == nil || found
		}
	}
	return found
}

// eventually waits for something that happens by itself, up to a limit.
func (l *Lab) eventually(done func() bool) bool {
	for begun := time.Now(); time.Since(begun) < runLimit; time.Sleep(20 * time.Millisecond) {
		if done() {
			return true
		}
	}
	return false
}

// well fails the check unless the run ended well.
func (r *Run) well() *Run {
	r.l.t.Helper()
	if r.TimedOut {
		r.fatalf("the agent did not end within %v", runLimit)
	}
	if r.Exit != 0 {
		r.fatalf("the agent ended with %d", r.Exit)
	}
	return r
}

// first is the index of the first request that contains text, -1 if none does.
func (r *Run) first(text string) int {
	for i, q := range r.Turns {
		if q.Says(text) {
			return i
		}
	}
	return -1
}

// wantFirst fails the check unless the model was told text, and first in request number
// n.
func (r *Run) wantFirst(text string, n int) {
	r.l.t.Helper()
	if got := r.first(text); got != n {
		r.errorf("the model was first told %q in request %d, want %d", text, got, n)
	}
}

func (r *Run) wantTurns(n int) {
	r.l.t.Helper()
	if len(r.Turns) != n {
		r.errorf("the model was asked %d times, want %d", len(r.Turns), n)
	}
}

func (r *Run) errorf(format string, args ...any) {
	r.l.t.Helper()
	r.l.t.Errorf(format+"\n%s", append(args, r.story())...)
}

func (r *Run) fatalf(format string, args ...any) {
	r.l.t.Helper()
	r.l.t.Fatalf(format+"\n%s", append(args, r.story())...)
}

// story tells what happened, for a failed check.
func (r *Run) story() string {
	var b strings.Builder
	fmt.Fprintf(&b, "exit %d after %v\nstdout: %s\nstderr: %s\n", r.Exit, r.Took.Round(time.Millisecond), clip(r.Stdout, 1500), clip(r.Stderr, 1500))
	b.WriteString(r.l.story(r.Turns))
	return b.String()
}

// story tells what the model was asked, and what the run log says.
func (l *Lab) story(turns []*model.Request) string {
	var b strings.Builder
	for i, q := range turns {
		texts := q.Texts()
		fmt.Fprintf(&b, "request %d:\n", i)
		for _, s := range texts[max(0, len(texts)-12):] {
			fmt.Fprintf(&b, "    %s\n", clip(s, 300))
		}
	}
	if others := l.Model.Others(); len(others) > 0 {
		fmt.Fprintf(&b, "other requests: %q\n", others)
	}
	logs, _ := filepath.Glob(filepath.Join(l.Home, ".local/state/agents-hooks/log/*.jsonl"))
	for _, name := range logs {
		data, _ := os.ReadFile(name)
		fmt.Fprintf(&b, "run log:\n%s", clip(string(data), 6000))
	}
	return b.String()
}

func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return s[:n/2] + " […] " + s[len(s)-n/2:]
}

// mark is the path of a file that a command or a hook of the check leaves behind; in
// scripts it is "$MARKS/NAME".
func (l *Lab) mark(name string) string { return filepath.Join(l.Root, name) }

func (l *Lab) marked(name string) bool {
	_, err := os.Stat(l.mark(name))
	return err == nil
}

// lines is how many lines hooks have added to a mark.
func (l *Lab) lines(name string) int {
	data, _ := os.ReadFile(l.mark(name))
	return bytes.Count(data, []byte("\n"))
}

// touch is a shell call of the model that leaves a mark.
func (l *Lab) touch(name string) model.Call {
	return l.Agent.Shell("echo ran > " + l.mark(name))
}

// calls makes a turn of tool calls.
func calls(c ...model.Call) model.Turn { return model.Turn{Calls: c} }

// says makes a turn of text.
func says(text string) model.Turn { return model.Turn{Text: text} }

// An event is the input of a hook.
type event map[string]any

func (e event) text(path ...string) string {
	var v any = map[string]any(e)
	for _, p := range path {
		switch at := v.(type) {
		case map[string]any:
			v = at[p]
		case []any:
			n, err := strconv.Atoi(p)
			if err != nil || n >= len(at) {
				return ""
			}
			v = at[n]
		default:
			return ""
		}
	}
	s, _ := v.(string)
	return s
}
