package dispatch

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/trust"
)

// In spec form, too, no gate keeps an agent going for ever: the counts are those of
// the session, begin anew with the person's next prompt, and are not those of a
// dispatcher that stands inside another one.
func TestSpecFormCountsLoops(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.hook(w.userHooks(), "gate", "trigger: pre-agent-turn-stop", `cat >>"$HOME/seen"; echo go on >&2; exit 2`)
	w.hook(w.userHooks(), "more", "trigger: post-subagent", `printf '{"followup_message": "look again"}'`)
	stops := func(n int, session, event string) (went int, last ended) {
		for range n {
			ev := strings.Replace(w.specEvent(event, ""), `"s-1"`, session, 1)
			last = w.run(ev)
			if last.exit == 2 || strings.Contains(last.stdout, "look again") {
				went++
			}
		}
		return went, last
	}
	went, last := stops(7, `"s-1"`, "pre-agent-turn-stop")
	if went != 5 || last.exit != 0 {
		t.Errorf("went on %d times of 7, last %+v", went, last)
	}
	has(t, "stderr", last.stderr, "agents-hooks: hook gate: the agent was made to go on 5 times in a row, which is the limit; it may stop now")
	has(t, "what the gate saw", must.Read(t, w.home+"/seen"), `"stop_active": false, "loop_count": 0`, `"stop_active": true, "loop_count": 4`)
	if went, _ := stops(7, `"s-1"`, "post-subagent"); went != 5 {
		t.Errorf("subagents: %d of 7", went)
	}
	if went, _ := stops(2, `"s-2"`, "pre-agent-turn-stop"); went != 2 {
		t.Errorf("another session: %d of 2", went)
	}
	if went, _ := stops(7, `""`, "pre-agent-turn-stop"); went != 7 {
		t.Errorf("no session: %d of 7", went)
	}
	// Our own words that come back as a prompt are no prompt; nor is what no person wrote.
	w.run(w.specEvent("pre-agent-turn", `,"prompt":"[more] look again"`))
	w.run(w.specEvent("pre-agent-turn", `,"prompt":"ready","source":"notification"`))
	if went, _ := stops(2, `"s-1"`, "pre-agent-turn-stop"); went != 0 {
		t.Errorf("after no prompt: %d of 2", went)
	}
	w.run(w.specEvent("pre-agent-turn", `,"prompt":"now the tests"`))
	if went, _ := stops(7, `"s-1"`, "pre-agent-turn-stop"); went != 5 {
		t.Errorf("after a prompt: %d of 7", went)
	}
	w.env = []string{"AGENTS_HOOKS_DEPTH=1"}
	if went, _ := stops(7, `"s-3"`, "pre-agent-turn-stop"); went != 7 {
		t.Errorf("inside another dispatcher, which counts: %d of 7", went)
	}
}

// How things stand is said once a session, what happened at every event.
func TestSpecFormSaysOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.hook(w.projectHooks(), "theirs", "trigger: pre-tool-call", "exit 0")
	w.hook(w.userHooks(), "fails", "trigger: pre-tool-call", "exit 3")
	w.file(w.settings(), "[hooks]\nnovel = 1\n", 0o644)
	for i, c := range []struct {
		name, session string
		standing      bool
	}{
		{"a session hears it", "s-1", true},
		{"and not again", "s-1", false},
		{"another session does", "s-2", true},
		{"the first not after that one", "s-1", false},
		{"without a session each event does", "", true},
		{"and the next", "", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := w.run(strings.Replace(w.specEvent("pre-tool-call", shell), `"s-1"`, `"`+c.session+`"`, 1))
			for text, want := range map[string]bool{"agents-hooks: hook fails: failed (exit code 3)": true, "nobody has approved it": c.standing, "novel": c.standing} {
				if strings.Contains(r.stderr, text) != want {
					t.Errorf("event %d of session %q: %q is said: %v\n%s", i, c.session, text, !want, r.stderr)
				}
			}
		})
	}
	if n := strings.Count(w.log(), "nobody has approved it"); n != 6 {
		t.Errorf("it stands in %d of 6 lines of the log", n)
	}
}

func TestJSON(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.hook(w.userHooks(), "guard", "trigger: pre-tool-call\nmatcher:\n  pattern: rm", "echo no >&2; exit 2")
	w.hook(w.userHooks(), "asks", "trigger: pre-tool-call\nmatcher:\n  pattern: sudo", `printf '{"decision": "ask", "reason": "[asks] sure?"}'`)
	w.hook(w.userHooks(), "note", "trigger: pre-agent-turn", `printf '{"additional_context": "<b> & é", "mine": [1.0]}'`)
	w.hook(w.userHooks(), "fails", "trigger: post-agent-turn", "echo argh >&2; exit 1")
	call := func(command, more string) string {
		return w.specEvent("pre-tool-call", `,"tool_name":"Shell","tool_input":{"command":"`+command+`"}`+more)
	}
	var events []string
	for _, e := range protocol.EventTypes() {
		events = append(events, string(e))
	}
	all := "the events are " + strings.Join(events, ", ")
	unknown := func(word, hint string) string {
		return `{"schema": 1, "error": {"kind": "event", "text": "event_type \"` + word + `\" is not one of the format's events", "hint": "` + hint + `"}, "warnings": []}`
	}
	for name, c := range map[string]struct {
		event, want string
		exit        int
	}{
		"block":      {call("rm x", ""), `{"schema": 1, "outcome": {"decision": "block", "reason": "[guard] no"}, "blocked_by": "guard", "warnings": []}`, 2},
		"ask":        {call("sudo x", ""), `{"schema": 1, "outcome": {"decision": "ask", "reason": "[asks] sure?"}, "blocked_by": null, "warnings": []}`, 0},
		"cannot ask": {strings.Replace(call("sudo x", ""), `"context":{}`, `"context":{"can":["block"]}`, 1), `{"schema": 1, "outcome": {"decision": "block", "reason": "[asks] sure?"}, "blocked_by": "asks", "warnings": [{"hook": "asks", "kind": "unsupported", "text": "the format's own form cannot ask on pre-tool-call; blocked instead"}]}`, 2},
		"context":    {w.specEvent("pre-agent-turn", `,"prompt":"x"`), `{"schema": 1, "outcome": {"additional_context": "<b> & é", "mine": [1.0]}, "blocked_by": null, "warnings": []}`, 0},
		"nothing":    {call("ls", ""), `{"schema": 1, "outcome": {}, "blocked_by": null, "warnings": []}`, 0},
		"failure":    {w.specEvent("post-agent-turn", ""), `{"schema": 1, "outcome": {}, "blocked_by": null, "warnings": [{"hook": "fails", "kind": "failed", "text": "failed (exit code 1), so it decided nothing: argh"}]}`, 0},
		"unknown":    {w.specEvent("pre-model-call", ""), unknown("pre-model-call", all), 0},
		"misspelled": {w.specEvent("pre-tool-cal", ""), unknown("pre-tool-cal", "did you mean pre-tool-call?; "+all), 0},
		"native":     {w.specEvent("AfterAgent", ""), unknown("AfterAgent", "\\\"AfterAgent\\\" is its name in Gemini CLI: write pre-agent-turn-stop"), 0},
		"unreadable": {`{"event_type": "pre-tool-call", "a": 1, "a": 2}`, `{"schema": 1, "error": {"kind": "unreadable", "text": "byte 40: name \"a\" stands twice in one object", "byte": 40, "hint": "run is what agents start, with one JSON object on stdin that has an \"event_type\"; to try hooks: agents-hooks test, agents-hooks explain"}, "warnings": []}`, 1},
		"an agent's": {w.claude("PreToolUse", bash), `{"schema": 1, "error": {"kind": "unreadable", "text": "the event has no event_type", "hint": "run is what agents start, with one JSON object on stdin that has an \"event_type\"; to try hooks: agents-hooks test, agents-hooks explain"}, "warnings": []}`, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if r := w.run(c.event, "--json"); r.exit != c.exit || r.stdout != c.want+"\n" || r.stderr != "" {
				t.Errorf("exit %d, want %d; stderr %q, stdout\n%swant\n%s", r.exit, c.exit, r.stderr, r.stdout, c.want)
			}
		})
	}
}

// A lock blocks what nobody can read; an agent is answered in its own form.
func TestJSONHoldsLocks(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.hook(w.userHooks(), "guard", "trigger: pre-tool-call", "exit 0")
	w.file(w.settings(), "[[hooks.lock]]\nname = \"guard\"\n", 0o644)
	r := w.run(`{"event_type": "pre-tool-call", "x": `, "--json")
	if r.exit != 2 || r.stderr != "" {
		t.Errorf("%+v", r)
	}
	has(t, "stdout", r.stdout, `"outcome": {"decision": "block", "reason": "`, `blocked unseen`, `"blocked_by": "guard"`, `"kind": "unreadable"`)
	r = w.run(w.claude("PreToolUse", bash), "--json", "--agent=claude-code")
	if r.exit != 0 || r.stderr != "" {
		t.Errorf("%+v", r)
	}
	hasNot(t, "stdout", r.stdout, "blocked_by")
}

// What a person refused as it is they are not told of again, by hook or by settings;
// the log says it. Another byte is told of, and so is what nobody refused.
func TestWhatWasRefusedIsSilent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.hook(w.projectHooks(), "theirs", "trigger: pre-tool-call", "exit 0")
	w.hook(w.projectHooks(), "waits", "trigger: post-tool-call", "exit 0")
	w.file(filepath.Join(w.project, ".agents", "hooks.toml"), "[hooks]\non_error = \"block\"\n", 0o644)
	project, err := filepath.EvalSymlinks(w.project)
	must.Do(t, err)
	refuse := func(id, path string) {
		items, err := trust.List(w.state(), project, []trust.Thing{{ID: id, Path: path}})
		if err != nil || len(items) != 1 {
			t.Fatal(items, err)
		}
		must.Do(t, trust.Refuse(w.state(), trust.Nos{{Project: project, Name: items[0].Name(), Hash: items[0].Hash, Time: "2026-11-23T05:00:00Z"}}))
	}
	const hooks, settings = "nobody has approved it", "nobody has approved them"
	for i, c := range []struct {
		name   string
		before func()
		event  string
		says   map[string]bool
	}{
		{"nobody has looked", func() {}, "pre-tool-call", map[string]bool{hooks: true, settings: true}},
		{"both were refused", func() {
			refuse(trust.HookID("theirs"), filepath.Join(project, ".agents", "hooks", "theirs"))
			refuse(trust.SettingsID, filepath.Join(project, ".agents", "hooks.toml"))
		}, "pre-tool-call", map[string]bool{hooks: false, settings: false}},
		{"a hook that was not decided on", func() {}, "post-tool-call", map[string]bool{hooks: true, settings: false}},
		{"the hook has changed", func() { w.file(filepath.Join(w.projectHooks(), "theirs", "note"), "x", 0o644) }, "pre-tool-call", map[string]bool{hooks: true, settings: false}},
		{"the settings have changed", func() {
			w.file(filepath.Join(w.project, ".agents", "hooks.toml"), "[hooks]\non_error = \"block\"\n\n", 0o644)
		}, "pre-tool-call", map[string]bool{hooks: true, settings: true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.before()
			r := w.run(strings.Replace(w.specEvent(c.event, shell), `"s-1"`, `"s-`+strings.Repeat("x", i+2)+`"`, 1))
			for text, want := range c.says {
				if strings.Contains(r.stderr, text) != want {
					t.Errorf("event %d: %q is said: %v\n%s", i, text, !want, r.stderr)
				}
			}
			hasNot(t, "what was refused", r.stderr, "refused")
		})
	}
	if n := strings.Count(w.log(), `"kind": "refused"`); n != 1 {
		t.Errorf("the log says it %d times", n)
	}
}
