package view

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	memoryops "github.com/agents-hooks/agents-hooks/builtin-hooks/memory/ops"
	"github.com/agents-hooks/agents-hooks/cmd/internal/builtin"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell/shelltest"
	"github.com/agents-hooks/agents-hooks/cmd/internal/verb/doctor"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/runner"
)

// noon is when everything here happens; pages are made later on that day.
var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// machine is one with a project, hooks of each state, a log, and a memory.
func machine(t testing.TB, events int) (sh *shell.Shell, project string) {
	t.Helper()
	sh = shelltest.New(t.(*testing.T))
	sh.Host.Now = func() time.Time { return noon }
	project = filepath.Join(sh.Host.Home, "src", "orders")
	writeHook(t, filepath.Join(sh.Host.Config, "hooks", "shell-guard"), "trigger: pre-tool-call\npriority: 50\nmatcher:\n  tool: ^Shell$\n  command: git push\n", "Refuses forced pushes, and what removes a whole tree.")
	writeHook(t, filepath.Join(sh.Host.Config, "hooks", "npm-to-pnpm"), "trigger: pre-tool-call\n", "Runs pnpm where npm was meant.")
	writeHook(t, filepath.Join(sh.Host.Config, "hooks", "unfinished"), "trigger: pre-tool-cal\n", "")
	writeHook(t, filepath.Join(project, ".agents", "hooks", "gofmt"), "trigger: post-tool-call\n", "Tells of Go files that are not formatted.")
	writeHook(t, filepath.Join(project, ".agents", "hooks", "shell-guard"), "trigger: pre-tool-call\n", "The project's own idea of a guard.")
	must.Write(t.(*testing.T), filepath.Join(project, ".git", "HEAD"), "ref: refs/heads/main\n")
	sh.Host.WorkDir = project
	for i := range events {
		l := line(i, noon.Add(-time.Duration(events-i)*97*time.Second))
		l.Project = project
		must.Do(t, runner.AppendLog(sh.Host.State, &l))
	}
	k := memoryops.At(builtin.Standalone(sh.Host), builtin.Call(sh.Host, project)).Keeper
	for _, f := range []memory.Fact{
		{Kind: "W", Content: "The orders service stores everything in PostgreSQL 16; schema changes go through goose.", Entities: []string{"postgres"}, Confidence: 0.9},
		{Kind: "O", Content: "Small commits, in the imperative.", Entities: []string{"git"}, Confidence: 0.7},
	} {
		must.Do(t, must.Err(k.Save(f, "")))
	}
	return sh, project
}

func writeHook(t testing.TB, dir, more, about string) {
	t.Helper()
	must.Write(t.(*testing.T), filepath.Join(dir, "HOOK.md"), fmt.Sprintf("---\nname: %s\ndescription: %q\n%s---\n%s\n", filepath.Base(dir), about, more, about))
	must.Script(t.(*testing.T), filepath.Join(dir, "scripts", "run"), "#!/bin/sh\ncat >/dev/null\nexit 0\n")
}

// line is one of those that a day of work leaves.
func line(i int, at time.Time) runner.LogLine {
	l := runner.LogLine{
		ID: fmt.Sprintf("%016x", i+1), Time: at, Agent: []string{"claude-code", "codex", "gemini-cli"}[i/40%3], Session: fmt.Sprintf("5f1c2a%02d-9e44-4b1c-8a77-0d1f3c5b7e%02d", i/40%97, i/40%89),
		Duration: time.Duration(4+i*7%23) * time.Millisecond, Decision: "none",
	}
	ran := runner.LogHook{Name: "shell-guard", Layer: discovery.UserLayer, Duration: time.Duration(3+i*5%11) * time.Millisecond, Result: runner.OK}
	switch i % 8 {
	case 0:
		l.Event, l.NativeEvent = "pre-agent-turn", "UserPromptSubmit"
		ran.Name, ran.Layer = "memory-recall", discovery.BuiltinLayer
	case 7:
		l.Event, l.NativeEvent = "post-tool-call", "PostToolUse"
		ran.Name = "gofmt"
	default:
		l.Event, l.NativeEvent, l.Tool, l.NativeTool = "pre-tool-call", "PreToolUse", "Shell", "Bash"
	}
	switch {
	case i%31 == 5:
		l.Decision, ran.Result, ran.Exit = "block", runner.Blocked, 2
		ran.Reason = "git push --force would overwrite what others have pushed; use --force-with-lease on a branch of your own"
	case i%47 == 9:
		l.Decision, ran.Decision, ran.Reason = "ask", "ask", "this removes 214 files below build/; is that meant?"
	case i%53 == 11:
		ran.Result, ran.Exit, ran.Duration = runner.TimedOut, -1, 5*time.Second
		ran.Warning, l.Duration = "was stopped after 5 s, its time limit", 5004*time.Millisecond
		l.Warnings = []runner.Warning{{Hook: ran.Name, Kind: "timeout", Text: ran.Warning}}
	}
	l.Hooks = []runner.LogHook{ran}
	if i%29 == 3 {
		l.Hooks = append(l.Hooks, runner.LogHook{
			Name: "npm-to-pnpm", Layer: discovery.UserLayer, Duration: 6 * time.Millisecond, Result: runner.OK, Changed: true,
			Before: protocol.Raw(`{"command": "cd web\nnpm install --save left-pad\nnpm test", "timeout": 60000}`),
			After:  protocol.Raw(`{"command": "cd web\npnpm add left-pad\npnpm test", "timeout": 60000}`),
		})
	}
	return l
}

// written is the page of a machine as view writes it.
func written(t testing.TB, sh *shell.Shell, l lookOptions) string {
	t.Helper()
	var b strings.Builder
	must.Do(t, see(t.Context(), sh, l).document(sh, l).Write(&b))
	return b.String()
}

// shellOfNothing is a machine that nobody has set up.
func shellOfNothing(t testing.TB) *shell.Shell {
	sh := shelltest.New(t.(*testing.T))
	sh.Host.Now = func() time.Time { return noon }
	return sh
}

// writeLog writes the log of n events at once: as a dispatcher does, a file a day.
func writeLog(t testing.TB, sh *shell.Shell, project string, n int) {
	t.Helper()
	days := map[string]*strings.Builder{}
	for i := range n {
		l := line(i, noon.Add(-time.Duration(n-i)*20*time.Second))
		l.Project = project
		path := runner.LogPath(sh.Host.State, l.Time)
		if days[path] == nil {
			days[path] = &strings.Builder{}
		}
		days[path].Write(l.Append(nil))
	}
	for path, text := range days {
		must.Write(t.(*testing.T), path, text.String())
	}
}

// serving runs ui on a machine; may is why nothing can be changed there, "" if it can.
func serving(t testing.TB, sh *shell.Shell, dir, may string) (address string) {
	t.Helper()
	return servingAs(t, sh, served(dir, may))
}

func served(dir, may string) uiOptions {
	return uiOptions{lookOptions: lookOptions{examine: doctor.Health, dir: dir, last: mostEvents, may: permission{live: true, why: may, kept: new(keep)}}, json: true}
}
