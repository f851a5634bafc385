package hooktest

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/cmd/internal/eventarg"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell/shelltest"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
)

// given is what test says of a hook on a call of a tool, and the answer as data.
func given(t *testing.T, front, call string) (string, *tested) {
	t.Helper()
	sh := shelltest.New(t)
	dir := filepath.Join(t.TempDir(), "a-hook")
	must.Write(t, filepath.Join(dir, "HOOK.md"), "---\nname: a-hook\ndescription: a hook\ntrigger: pre-tool-call\n"+front+"---\n")
	must.Script(t, filepath.Join(dir, "scripts", "run"), "#!/bin/sh\necho no >&2\nexit 2\n")
	sh.In = strings.NewReader(`{"event_type": "pre-tool-call", "session_id": "s", "work_dir": "/w", ` + call + `}`)
	o := testOptions{hook: dir, input: eventarg.Options{Command: "test", File: "-", Given: true}, agents: agents.All(), from: t.TempDir()}
	d, err := test(context.Background(), sh, o)
	must.Do(t, err)
	printTested(sh, d, o)
	return sh.Out.(*strings.Builder).String(), d
}

// An event that does not reach the hook has one verdict, which is that nobody asks; and
// nobody is told anything.
func TestOneVerdictWhereTheHookIsNotAsked(t *testing.T) {
	said, _ := given(t, "matcher:\n  command: '^rm '\n", `"tool_name": "Shell", "tool_input": {"command": "ls"}`)
	if !strings.Contains(said, "verdict   not asked: matcher.command does not match") || strings.Contains(said, "block:") || strings.Contains(said, "carry") {
		t.Errorf("it says\n%s", said)
	}
}

// Agents that call the tool by another name are not among those that carry the answer.
func TestToldIsCountedWhereTheHookSeesTheCall(t *testing.T) {
	call := `"tool_name": "Bash", "tool_input": {"command": "rm x"}`
	said, d := given(t, "matcher:\n  tool: ^Bash$\n", call)
	if n := len(agents.All()) - len(d.Unseen); slices.Contains(d.Unseen, "claude-code") || !slices.Contains(d.Unseen, "gemini-cli") || !strings.Contains(said, fmt.Sprintf("%d of %d agents carry", n, len(agents.All()))) {
		t.Errorf("unseen in %q:\n%s", d.Unseen, said)
	}
	if _, d := given(t, "matcher:\n  tool: ^Shell$\n", call); len(d.Unseen) != 0 {
		t.Errorf("unseen by its portable name: %q", d.Unseen)
	}
}

// What fails alike is said once, with what to change at its head.
func TestCausesAreSaidOnce(t *testing.T) {
	sh := shelltest.New(t)
	dir := filepath.Join(t.TempDir(), "a-hook")
	must.Write(t, filepath.Join(dir, "HOOK.md"), "---\nname: a-hook\ndescription: a hook\ntrigger: pre-tool-call\nmatcher:\n  tool: ^Shell$\n---\n")
	must.Script(t, filepath.Join(dir, "scripts", "run"), "#!/bin/sh\ngrep -q force && exit 2\nexit 0\n")
	b := &bench{host: sh.Host, hook: hookset.HookAt(sh.Host, dir)}
	ev := &protocol.Event{Type: protocol.PreToolCall, Call: protocol.Tools(nil).NewCall(protocol.Shell, protocol.Raw(`{"command": "git push --force"}`))}
	d := &tested{hook: b.hook, event: ev, Hook: "a-hook", Dir: dir}
	for i := range 40 {
		d.Hostile = append(d.Hostile, trialResult{Trial: "disguise", What: fmt.Sprintf("spelling %d", i), Class: hole, Cause: passes, Detail: "it is not stopped: exit 0", Payload: protocol.Raw(strings.Repeat(" ", 50-i) + "{}")})
	}
	for _, a := range agents.All() {
		d.Played = append(d.Played, playedAgent{Agent: a.ID, Calls: 1, Missed: []missedShape{{Tool: "x", Cause: "tool", Payload: protocol.Raw(`{"a": 1}`)}, {Tool: "y", Cause: passes, Payload: protocol.Raw(`{"a": 1}`)}}})
	}
	d.Causes = b.causes(d, []scene{{ev: ev}})
	if len(d.Causes) != 2 || d.Causes[0].Cause != passes || len(d.Causes[0].Spellings) != 40 || len(d.Causes[1].Agents) != len(agents.All()) || strings.TrimSpace(string(d.Causes[0].Example.Payload)) != "{}" && d.Causes[0].Example.Agent == "" {
		t.Fatalf("%+v", d.Causes)
	}
	printTested(sh, d, testOptions{hook: dir, hostile: true, agents: agents.All()})
	said := sh.Out.(*strings.Builder).String()
	change, verdict := strings.Index(said, "change    1. scripts/run: read commands[].argv"), strings.Index(said, "verdict ")
	if change < 0 || change > verdict || strings.Count(said, "\n") > 40 || strings.Count(said, "agents-hooks test ") != 2 {
		t.Errorf("%d lines:\n%s", strings.Count(said, "\n"), said)
	}
}

// Of a hook's own tests those that went wrong are said, with why, or all that were asked for.
func TestItsOwnTestsAreSaid(t *testing.T) {
	p := &proof{Events: 3, Reached: 2, Blocked: 1, Tests: []ownTest{
		{Test: "a", Title: "good", Result: "pass"}, {Test: "b", Title: "bad", Result: "fail", Detail: []string{"exit 0, want 2"}}, {Test: "c", Title: "left out", Result: "skip"},
	}}
	for all, want := range map[bool]string{
		false: "tests 2 of 3 as wanted|fail b: bad|exit 0, want 2|reached 2 of the 3 events in them, 1 blocked",
		true:  "tests 2 of 3 as wanted|pass a: good|fail b: bad|exit 0, want 2|skip c: left out|reached 2 of the 3 events in them, 1 blocked",
	} {
		var said []string
		line := func(label, format string, args ...any) {
			said = append(said, strings.TrimSpace(label+" "+strings.TrimSpace(fmt.Sprintf(format, args...))))
		}
		if printProof(line, p, all); strings.Join(said, "|") != want {
			t.Errorf("all %t: %s\nwant %s", all, strings.Join(said, "|"), want)
		}
		said = nil
		if printProof(line, &proof{}, all); len(said) > 0 {
			t.Errorf("without tests: %q", said)
		}
	}
}

// What changes is told of the spellings that get past, and of the agents whose tools do.
func TestACauseNamesWhoseToolsGetPast(t *testing.T) {
	for _, c := range []struct {
		cause    cause
		has, not string
	}{
		{cause{Fix: "f", Text: "t", Agents: []string{"codex", "pi"}}, "by the tools of 2 agents: codex, pi", "spelling"},
		{cause{Fix: "f", Text: "t", Agents: []string{"codex"}}, "by the tools of 1 agent: codex", "spelling"},
		{cause{Fix: "f", Text: "t", Spellings: []string{"a", "b"}}, "in 2 other spellings: a, b", "by the tools"},
	} {
		sh := shelltest.New(t)
		printCauses(sh, &tested{Causes: []cause{c.cause}}, testOptions{})
		if said := sh.Out.(*strings.Builder).String(); !strings.Contains(said, c.has) || strings.Contains(said, c.not) {
			t.Errorf("want %q and no %q:\n%s", c.has, c.not, said)
		}
	}
}

// A payload that is shown has the folder of the user in place of the scene's own.
func TestAPayloadIsShownInTheUsersFolder(t *testing.T) {
	for _, c := range []struct{ of, from, want string }{
		{"/scene", "/home/x", `{"cwd": "/home/x/a"}`}, {"", "/home/x", `{"cwd": "/scene/a"}`}, {"/scene", "", `{"cwd": "/scene/a"}`},
	} {
		b := &bench{from: c.from}
		if got := b.here(scene{ev: &protocol.Event{WorkDir: c.of}}, protocol.Raw(`{"cwd": "/scene/a"}`)); string(got) != c.want {
			t.Errorf("of %q from %q: %s", c.of, c.from, got)
		}
	}
}

// Tests prove nothing of a hook that nothing reaches, or that never blocks and could.
func TestWhatTestsProveNothing(t *testing.T) {
	one := []ownTest{{Test: "a", Result: "pass"}}
	for want, p := range map[string]*proof{
		"it has no tests":                       {},
		"its tests send no event":               {Tests: one},
		"none of the events of its tests reach": {Tests: one, Events: 1},
		"its exit code could block: by exit 2":  {Tests: one, Events: 1, Reached: 1, MayBlock: "by exit 2"},
		"":                                      {Tests: one, Events: 1, Reached: 1, Blocked: 1, MayBlock: "by exit 2"},
	} {
		if p.judge(&discovery.Hook{}, "", ""); !strings.Contains(p.Unproven, want) || (want == "") != (p.Unproven == "") {
			t.Errorf("%q, want %q", p.Unproven, want)
		}
	}
}
