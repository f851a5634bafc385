//go:build unix

package runner

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
)

func matching(h *discovery.Hook, pattern string) *discovery.Hook {
	h.Matcher.Pattern = pattern
	return h
}

func async(h *discovery.Hook) *discovery.Hook {
	h.Async = true
	return h
}

func onError(p discovery.OnError, h *discovery.Hook) *discovery.Hook {
	h.OnError = p
	return h
}

func broken(name string, t protocol.EventType) *discovery.Hook {
	return &discovery.Hook{
		Name: name, Layer: discovery.ProjectLayer, Trigger: t, Status: discovery.Broken,
		Problems: []discovery.Problem{
			{File: "/h/HOOK.md", Line: 1, Column: 1, Field: "description", Severity: discovery.Error, Message: "missing"},
			{File: "/h/HOOK.md", Line: 3, Column: 10, Field: "matcher.tool", Severity: discovery.Error, Message: "no regexp", Fatal: true},
		},
	}
}

// verdicts is one word for each result, in order.
func verdicts(rep Report) string {
	var words []string
	for _, r := range rep.Results {
		words = append(words, r.Hook.Name+"="+string(r.Verdict))
	}
	return strings.Join(words, " ")
}

func launched(rep Report) string {
	var names []string
	for _, l := range rep.Async {
		names = append(names, l.Hook.Name)
	}
	return strings.Join(names, " ")
}

// TestChain says how hooks of one event stand together.
func TestChain(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rule     string
		event    protocol.EventType
		hooks    []*discovery.Hook
		settings discovery.Settings
		verdicts string
		async    string
		want     protocol.Outcome
	}{
		{rule: "the first block ends them", hooks: []*discovery.Hook{hook("context"), hook("block"), hook("ask")},
			verdicts: "context=ok block=block", want: protocol.Outcome{Decision: protocol.Block, Reason: "[block] no, because of the reason"}},
		{rule: "a failure does not end them", hooks: []*discovery.Hook{hook("one"), hook("kill"), hook("noise"), hook("no-interpreter"), hook("context")},
			verdicts: "one=failed kill=failed noise=bad_output no-interpreter=not_started context=ok", want: protocol.Outcome{AdditionalContext: "first"}},
		{rule: "ask beats allow", hooks: []*discovery.Hook{hook("allow"), hook("ask"), hook("allow")},
			verdicts: "allow=ok ask=ok allow=ok", want: protocol.Outcome{Decision: protocol.Ask, Reason: "[ask] sure?"}},
		{rule: "a block beats ask", hooks: []*discovery.Hook{hook("ask"), hook("block")},
			verdicts: "ask=ok block=block", want: protocol.Outcome{Decision: protocol.Block, Reason: "[block] no, because of the reason"}},
		{rule: "contexts are joined", hooks: []*discovery.Hook{hook("context"), hook("silent"), hook("context-b")},
			verdicts: "context=ok silent=ok context-b=ok",
			want:     protocol.Outcome{AdditionalContext: "[context]\nfirst\n\n[context-b]\nsecond", UserMessage: "[context-b] hello"}},
		{rule: "async at their place, before the blocker only", hooks: []*discovery.Hook{async(hook("async-ok")), hook("context"), async(hook("async-2")), hook("block"), async(hook("late"))},
			verdicts: "context=ok block=block", async: "async-ok async-2", want: protocol.Outcome{Decision: protocol.Block, Reason: "[block] no, because of the reason"}},
		{rule: "all async hooks if nothing blocked", hooks: []*discovery.Hook{async(hook("async-ok")), hook("one"), async(hook("late"))},
			verdicts: "one=failed", async: "async-ok late"},
		{rule: "matched on the new input", hooks: []*discovery.Hook{matching(hook("ask"), "safe"), hook("modify"), matching(hook("allow"), "safe"), matching(hook("block"), "all"), matching(async(hook("late")), "safe")},
			verdicts: "modify=ok allow=ok ask=ok", async: "late",
			want: protocol.Outcome{Decision: protocol.Ask, Reason: "[ask] sure?", ModifiedInput: protocol.Object{{Name: "command", Value: protocol.Raw(`"make safe"`)}}}},
		{rule: "deny_json", hooks: []*discovery.Hook{hook("deny"), hook("ask")}, settings: discovery.Settings{DenyJSON: true},
			verdicts: "deny=block", want: protocol.Outcome{Decision: protocol.Block, Reason: "[deny] denied"}},
		{rule: "on_error", hooks: []*discovery.Hook{hook("one"), hook("ask")}, settings: discovery.Settings{OnError: discovery.OnErrorBlock},
			verdicts: "one=failed", want: protocol.Outcome{Decision: protocol.Block, Reason: `[one] failed (exit code 1), so it decided nothing: set -e: cannot open; its failure blocks (on_error = "block")`}},
		{rule: "on_error of one hook", hooks: []*discovery.Hook{hook("one"), onError(discovery.OnErrorBlock, hook("kill")), hook("ask")},
			verdicts: "one=failed kill=failed", want: protocol.Outcome{Decision: protocol.Block, Reason: `[kill] was ended by SIGKILL; its failure blocks (on_error = "block")`}},
		{rule: "a hook's own on_error beats the general one", hooks: []*discovery.Hook{onError(discovery.OnErrorAllow, hook("kill")), hook("ask")}, settings: discovery.Settings{OnError: discovery.OnErrorBlock},
			verdicts: "kill=failed ask=ok", want: protocol.Outcome{Decision: protocol.Ask, Reason: "[ask] sure?"}},
		{rule: "no on_error where nothing can be prevented", event: protocol.PostToolCall, hooks: []*discovery.Hook{onError(discovery.OnErrorBlock, hook("one")), hook("context")},
			verdicts: "one=failed context=ok", want: protocol.Outcome{AdditionalContext: "first"}},
		{rule: "exit 2 on post-* ends the chain", event: protocol.PostToolCall, hooks: []*discovery.Hook{hook("block"), hook("context")},
			verdicts: "block=block", want: protocol.Outcome{Decision: protocol.Block, Reason: "[block] no, because of the reason"}},
		{rule: "HM-ASY-12: no on_error for async hooks", hooks: []*discovery.Hook{onError(discovery.OnErrorBlock, async(hook("one")))},
			async: "one"},
		{rule: "follow-ups are joined and end nothing", event: protocol.PreAgentTurnStop, hooks: []*discovery.Hook{hook("follow"), hook("follow-b"), hook("silent")},
			verdicts: "follow=ok follow-b=ok silent=ok", want: protocol.Outcome{FollowupMessage: "[follow] go on\n\n[follow-b] and on"}},
		{rule: "on a stop exit 2 means go on, follow-ups join it", event: protocol.PreAgentTurnStop, hooks: []*discovery.Hook{hook("follow"), hook("block"), hook("follow-b")},
			verdicts: "follow=ok block=block", want: protocol.Outcome{Decision: protocol.Block, Reason: "[follow] go on\n\n[block] no, because of the reason"}},
		{rule: "env on pre-session", event: protocol.PreSession, hooks: []*discovery.Hook{hook("env")},
			verdicts: "env=ok", want: protocol.Outcome{Env: protocol.Object{{Name: "A", Value: protocol.Raw(`"1"`)}}}},
		{rule: "unknown keys and log are kept", hooks: []*discovery.Hook{hook("log")},
			verdicts: "log=ok", want: protocol.Outcome{Log: protocol.Raw(`{"n": 1}`), Extra: protocol.Object{{Name: "novel", Value: protocol.Raw("true")}}}},
		{rule: "a broken hook has failed", hooks: []*discovery.Hook{hook("context"), onError(discovery.OnErrorBlock, broken("gone", protocol.PreToolCall))},
			verdicts: "context=ok gone=not_started", want: protocol.Outcome{Decision: protocol.Block, Reason: `[gone] is broken and did not run: /h/HOOK.md:3:10: matcher.tool: no regexp; its failure blocks (on_error = "block")`}},
		{rule: "a broken hook of no known event is told of, one of another event is not", hooks: []*discovery.Hook{broken("unknown", ""), broken("other", protocol.PostSession)},
			verdicts: "unknown=not_started"},
		{rule: "an untrusted hook has not failed", hooks: []*discovery.Hook{{Name: "u", Status: discovery.Untrusted, Trigger: protocol.PreToolCall, OnError: discovery.OnErrorBlock}}},
	} {
		t.Run(c.rule, func(t *testing.T) {
			t.Parallel()
			ev := event(protocol.PreToolCall)
			if c.event != "" {
				ev = event(c.event)
				for _, h := range c.hooks {
					h.Trigger = c.event
				}
			}
			s := set(c.hooks...)
			s.Settings = c.settings
			before := string(ev.JSON())
			rep := guarded(t, func() Report { return newRunner(t).Run(context.Background(), ev, s) })
			if verdicts(rep) != c.verdicts || launched(rep) != c.async {
				t.Errorf("verdicts %q, async %q; want %q, %q", verdicts(rep), launched(rep), c.verdicts, c.async)
			}
			if got, want := describe(rep.Outcome), describe(c.want); got != want {
				t.Errorf("outcome %s\nwant    %s", got, want)
			}
			if string(ev.JSON()) != before {
				t.Error("the caller's event was changed")
			}
			for _, r := range rep.Results {
				said := slices.ContainsFunc(rep.Warnings, func(w Warning) bool { return w.Hook == r.Hook.Name })
				if r.Verdict.noVerdict() && !said {
					t.Errorf("%s failed in silence", r.Hook.Name)
				}
			}
			if len(rep.ID) != 16 {
				t.Errorf("id %q", rep.ID)
			}
		})
	}
}

func describe(o protocol.Outcome) string {
	return o.Decision.String() + " " + o.Reason + " " + string(o.JSON())
}

// What each hook of a chain reads, and what an async one gets.
func TestChainedInput(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	r := newRunner(t)
	r.Env = append(r.Env, "OUT="+dir)
	ev := event(protocol.PreToolCall)
	rep := guarded(t, func() Report {
		return r.Run(context.Background(), ev, set(matching(hook("save"), "all"), async(hook("async-ok")), hook("modify"), async(hook("async-2")), hook("modify-b"), hook("save-b")))
	})
	if got := must.Read(t, filepath.Join(dir, "save")); got != string(ev.JSON()) {
		t.Errorf("first: %s", got)
	}
	for file, want := range map[string]string{"modify-b": "make safe", "save-b": "make safer"} {
		t.Run(file, func(t *testing.T) {
			if got := must.Read(t, filepath.Join(dir, file)); !strings.Contains(got, `"tool_input": {"command": "`+want+`"}`) || !strings.HasSuffix(got, "\n") {
				t.Errorf("%s read %s", file, got)
			}
		})
	}
	if got := rep.Event.Call.Input.Text("command"); got != "make safer" {
		t.Errorf("the report's event has %q", got)
	}
	var seen []string
	for _, l := range rep.Async {
		seen = append(seen, l.Event.Call.Input.Text("command"))
		if l.Ref != rep.ID {
			t.Errorf("an async hook refers to %q, the event is %q", l.Ref, rep.ID)
		}
	}
	if strings.Join(seen, ", ") != "make all, make safe" {
		t.Errorf("async hooks get %v", seen)
	}
}

// modified_input has no meaning but on pre-tool-call (HM-IO-33).
func TestModifiedElsewhere(t *testing.T) {
	t.Parallel()
	for _, typ := range []protocol.EventType{protocol.PostToolCall, protocol.PreAgentTurn} {
		rep := guarded(t, func() Report { return newRunner(t).Run(context.Background(), event(typ), set(on(typ, hook("modify")))) })
		if rep.Outcome.ModifiedInput != nil || len(rep.Warnings) != 1 || !strings.Contains(rep.Warnings[0].Text, "modified_input: means something on pre-tool-call only") {
			t.Errorf("%s: %+v, %v", typ, rep.Outcome, rep.Warnings)
		}
	}
}

// Without a hook nothing is made, started or read.
func TestNothingToDo(t *testing.T) {
	t.Parallel()
	r := newRunner(t)
	r.Session = OpenSession(r.State, "a", "s")
	for _, typ := range protocol.EventTypes() {
		rep := r.Run(context.Background(), event(typ), set())
		if len(rep.Results) != 0 || !rep.Outcome.Empty() || rep.Event.Type != typ {
			t.Errorf("%s: %+v", typ, rep)
		}
		if ws := r.Start(rep.Async, set()); ws != nil {
			t.Errorf("%s: %v", typ, ws)
		}
	}
	if entries, _ := os.ReadDir(r.State); len(entries) != 0 {
		t.Errorf("the state directory holds %v", entries)
	}
}

// The environment and the directory that hooks find.
func TestSurroundings(t *testing.T) {
	t.Parallel()
	dir, project := t.TempDir(), t.TempDir()
	r := newRunner(t)
	r.Env = []string{"OUT=" + dir, "PATH=/opt/mine", "KEPT=a=b", "PWD=/wrong", "AGENTS_HOOKS_HOOK_NAME=outer", "AGENTS_HOOKS_DEPTH=1", "AGENTS_HOOKS_DISABLED_HOOKS=x"}
	h := hook("env-dump")
	h.Layer, h.Project = discovery.ProjectLayer, project
	s := set(h)
	s.Project, s.Root = project, filepath.Dir(project)
	ev := event(protocol.PreToolCall)
	ev.SessionID = "se\x00ss\nion"
	ev.WorkDir = filepath.Join(hooksDir, "env-dump")
	rep := guarded(t, func() Report { return r.Run(context.Background(), ev, s) })
	if rep.Results[0].Verdict != OK {
		t.Fatalf("%+v", rep.Results[0])
	}
	env := must.Read(t, filepath.Join(dir, "env"))
	state := filepath.Join(r.State, "hooks", "project-"+shortHash(project), "env-dump")
	for _, want := range []string{
		"AGENTS_HOOKS_EVENT=pre-tool-call", "AGENTS_HOOKS_AGENT=test-agent", "AGENTS_HOOKS_SESSION_ID=sess\nion", "AGENTS_HOOKS_HOOK_NAME=env-dump",
		"AGENTS_HOOKS_HOOK_DIR=" + h.Dir, "AGENTS_HOOKS_PROJECT_DIR=" + project, "AGENTS_HOOKS_STATE_DIR=" + state,
		"AGENTS_HOOKS_BIN=" + self, "AGENTS_HOOKS_DEPTH=2", "PYTHONPYCACHEPREFIX=" + filepath.Join(state, "pycache"),
		"PWD=" + ev.WorkDir, "KEPT=a=b", "PYTHONUTF8=1", "AGENTS_HOOKS_DISABLED_HOOKS=x",
	} {
		if !strings.Contains("\n"+env, "\n"+want+"\n") {
			t.Errorf("no %q in\n%s", want, env)
		}
	}
	if !strings.Contains(env, "\nPATH=/opt/mine:/usr/local/bin:") && !strings.HasPrefix(env, "PATH=/opt/mine:/usr/local/bin:") {
		t.Errorf("PATH lacks the standard directories:\n%s", env)
	}
	if strings.Contains(env, "outer") || strings.Contains(env, "/wrong") {
		t.Errorf("values of an outer hook are left:\n%s", env)
	}
	if got := strings.TrimSpace(must.Read(t, filepath.Join(dir, "pwd"))); got != ev.WorkDir {
		t.Errorf("working directory %q, want %q", got, ev.WorkDir)
	}
	if got := must.Read(t, filepath.Join(dir, "ls")); !strings.HasPrefix(got, "drwx------") {
		t.Errorf("state directory: %s", got)
	}
}

func TestWorkingDirectory(t *testing.T) {
	t.Parallel()
	project, root, home := t.TempDir(), t.TempDir(), t.TempDir()
	file := filepath.Join(home, "file")
	write(file, "", 0o644)
	for _, c := range []struct{ rule, work, project, root, home, dir, named string }{
		{"work_dir", home, project, root, "", home, project},
		{"it is gone", "/no/such", project, root, home, project, project},
		{"it is a file", file, project, root, home, project, project},
		{"it is relative", "here", project, root, home, project, project},
		{"the project is gone too", "/no/such", "/no/project", root, home, home, "/no/project"},
		{"without .agents the repository root", home, "", root, "", home, root},
		{"else work_dir", home, "", "", "", home, home},
		{"nothing at all", "", "", "", "", "/", ""},
	} {
		t.Run(c.rule, func(t *testing.T) {
			ev := event(protocol.PreToolCall)
			ev.WorkDir = c.work
			r := Runner{Env: []string{"HOME=" + c.home}}
			s := r.newHookEnv(ev, c.project, c.root)
			if s.dir != c.dir || s.named != c.named || variable(s.env, "PWD") != c.dir {
				t.Errorf("%s: %q, %q, PWD %q; want %q, %q", c.rule, s.dir, s.named, variable(s.env, "PWD"), c.dir, c.named)
			}
		})
	}
}

// Bad input: state cannot be written, hooks still run, and it is said.
func TestNoState(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	write(file, "", 0o600)
	r := newRunner(t)
	r.State = filepath.Join(file, "state")
	rep := guarded(t, func() Report {
		return r.Run(context.Background(), event(protocol.PreToolCall), set(hook("silent"), hook("block")))
	})
	if rep.Outcome.Decision != protocol.Block {
		t.Errorf("decision %v", rep.Outcome.Decision)
	}
	if len(rep.Warnings) != 2 || rep.Warnings[0].Kind != "state" || !strings.Contains(rep.Warnings[0].Text, "state directory cannot be made") {
		t.Errorf("warnings %v", rep.Warnings)
	}
	if err := AppendLog(r.State, &LogLine{}); err == nil {
		t.Error("the log was written into nowhere")
	}
	s := OpenSession(r.State, "a", "s")
	for range 2 {
		if !once(s, "k") {
			t.Error("a notice that cannot be recorded is not told")
		}
	}
	if s.AllowContinue(usual) {
		t.Error("what cannot be counted goes on for ever")
	}
	if !s.AllowContinue(Limits{Row: 5, Total: 20, Agent: 8}) {
		t.Error("an agent with a limit of its own may go on")
	}
	if s.AllowContinue(Limits{Row: 0, Total: 20, Agent: 8}) {
		t.Error("stop_limit = 0 is none, counted or not")
	}
	_, release, hit := s.Dedup(context.Background(), "e", "id", "ls")
	release([]byte("x"))
	if _, _, again := s.Dedup(context.Background(), "e", "id", "ls"); hit || again {
		t.Error("a hit out of nowhere")
	}
	if ws := s.Warnings(); len(ws) != 1 || ws[0].Kind != "state" {
		t.Errorf("warnings %v", ws)
	}
	r.State = ""
	rep = guarded(t, func() Report { return r.Run(context.Background(), event(protocol.PreToolCall), set(hook("block"))) })
	if rep.Outcome.Decision != protocol.Block || len(rep.Warnings) != 0 {
		t.Errorf("without a state directory: %v, %v", rep.Outcome.Decision, rep.Warnings)
	}
}
