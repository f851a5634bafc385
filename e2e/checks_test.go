//go:build e2e && unix

package e2e

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/agents-hooks/agents-hooks/e2e/model"
)

// A Check is one capability, proven on one agent.
type Check struct {
	Name   string // the row of the table
	Always bool   // no turns are taken, with -short
	Long   bool   // not played, with -short
	Only   string // the ids of the only agents that it is about, "" for all
	Like   string // the row without which an agent cannot have this one, "" for none
	Prove  func(l *Lab)
}

// checks are the rows of the table, in its order.
func checks() []Check {
	return []Check{
		{Name: "runs headless", Always: true, Prove: proveRuns},

		{Name: "guard stops a command", Always: true, Prove: proveGuard},
		{Name: "guard stops one of two parallel commands", Prove: proveGuardParallel},
		{Name: "guard stops a file write", Prove: proveGuardWrite},
		{Name: "guard of commands, as a shell reads them", Prove: proveCommandGuard},
		{Name: "guard of paths: written, edited, moved", Prove: provePathGuard},
		{Name: "guard of content: written, edited, patched", Prove: proveContentGuard},
		{Name: "ask does not run a command unasked", Prove: proveAsk},
		{Name: "modified_input changes what runs", Prove: proveModify},
		{Name: "guard stops a prompt", Prove: provePromptBlock},
		{Name: "feedback after a tool reaches the model", Prove: proveFeedback},

		{Name: "user_message reaches the person", Prove: proveUserMessage},

		{Name: "context at session start", Prove: proveContext("pre-session", 0)},
		{Name: "context at prompt", Prove: proveContext("pre-agent-turn", 0)},
		{Name: "context at pre-tool", Prove: proveContext("pre-tool-call", 1)},
		{Name: "context at post-tool", Prove: proveContext("post-tool-call", 1)},
		{Name: "oversized context is cut, not lost", Prove: proveOversized},
		{Name: "context for a subagent", Prove: proveSubagentContext},
		{Name: "guard stops a command of a subagent", Prove: proveSubagentGuard},
		{Name: "follow-up makes a subagent go on", Prove: proveSubagentFollowup},
		{Name: "context at compaction", Prove: proveCompactContext},
		{Name: "guard stops a compaction", Prove: proveCompactBlock},
		{Name: "env of a session reaches its commands", Prove: proveEnv},

		{Name: "quality gate makes the agent go on", Prove: proveGate},
		{Name: "follow-up makes the agent go on", Prove: proveFollowup},
		{Name: "loop guard ends a gate that never opens", Prove: proveLoopGuard(`echo "GATE-SHUT" >&2; exit 2`, "GATE-SHUT")},
		{Name: "loop guard ends endless follow-ups", Prove: proveLoopGuard(`echo '{"followup_message": "ONCE-MORE"}'`, "ONCE-MORE")},

		{Name: "notification reaches hooks", Prove: proveNotification},
		{Name: "hook denies a permission", Prove: proveDenied},
		{Name: "hook before a call gives a permission", Prove: proveAllowed("pre-tool-call")},
		{Name: "hook gives a permission that is asked for", Prove: proveAllowed("permission-request")},
		{Name: "project hook gives no permission", Prove: proveNotAllowed},
		{Name: "modified_output is what the model reads", Prove: proveOutput},

		{Name: "hooks written for the agent do the same through us", Only: "claude-code", Prove: proveDialect},

		{Name: "crashing hooks are survived", Prove: proveCrash},
		{Name: "a hanging hook is survived", Prove: proveHang},
		{Name: "an async hook delays nothing and runs", Prove: proveAsync},

		{Name: "every event reaches hooks", Prove: proveEvents},

		{Name: "install twice changes nothing, uninstall leaves no trace", Prove: proveUninstall},
		{Name: "guards outlive the package, and the agent outlives the copy", Like: "guard stops a command", Prove: proveSurvives},
		{Name: "install for one project", Prove: proveProjectScope},
		{Name: "one dispatcher stays for many events, and leaves with the agent", Only: "opencode kilo pi", Prove: proveResident},
		{Name: "a dispatcher that stays is replaced when it dies", Only: "opencode kilo pi", Prove: proveResidentDies},
		{Name: "guard holds at a first start without a network", Only: "opencode kilo", Prove: proveFirstStart},
		{Name: "a dispatcher that fails blocks where a hook's failure does", Only: "claude-code", Prove: proveClosed},
		{Name: "guard stops a shell command in a skill's text", Only: "claude-code", Prove: proveSkillShell},
		{Name: "registered twice, a hook runs once", Only: "claude-code", Prove: proveTwice},
		{Name: "an answer that it cannot use is counted", Only: "claude-code", Prove: proveRefused("UserPromptSubmit", "UserPromptSubmit", `{"decision": 7}`)},
		{Name: "an answer that it cannot use is counted, in Qoder CLI", Only: "qoder", Prove: proveRefused("UserPromptSubmit", "UserPromptSubmit", `{"decision": 7}`)},
		{Name: "an answer that it cannot use is counted, in Copilot CLI", Only: "copilot-cli", Prove: proveRefused("permissionRequest", "PermissionRequest", "this is no JSON")},
		{Name: "other hooks of the user go on beside ours", Prove: proveOwnHooks},
		{Name: "project hooks run only once trusted", Prove: proveTrust},
		{Name: "trust is seeded, and doctor sees when it breaks", Only: "codex", Prove: proveSeeded},

		{Name: "a hook of others: guard of commands, in node", Prove: proveExisting("dangerous-commands")},
		{Name: "a hook of others: guard of files, in Python", Like: "guard stops a file write", Prove: proveExisting("protect-files")},
		{Name: "a hook of others: formatter, a line with jq", Like: "guard stops a file write", Prove: proveExisting("format-markdown")},
		{Name: "a hook of others: another command runs, sh with jq", Like: "modified_input changes what runs", Prove: proveExisting("npm-to-pnpm")},
		{Name: "a hook of others: context at a prompt, sh", Like: "context at prompt", Prove: proveExisting("prompt-context")},
		{Name: "a hook of others: gate at the stop, bash with jq", Like: "quality gate makes the agent go on", Prove: proveExisting("stop-tests")},
		{Name: "a hook of others: guard with its list in a plugin's folder", Prove: proveExisting("plugin-patterns")},
		{Name: "a plugin of others, where it lies, as a source of hooks", Prove: proveSource("plugin-patterns")},
		{Name: "a plugin of a project runs once it is approved", Like: "project hooks run only once trusted", Prove: proveProjectSource("plugin-patterns")},
		{Name: "a plugin that the agent has too is left out of it", Only: "claude-code", Prove: proveSourceTwice("plugin-patterns")},
		{Name: "existing hooks: as recorded", Long: true, Only: "claude-code", Prove: proveRecorded}, // a minute, and it changes with Claude Code's version alone,

		{Name: "memory: what one session saves, the next one knows", Only: "claude-code", Prove: proveMemory},
		{Name: "memory: a decision in the terminal, and the summary is saved", Only: "claude-code", Prove: proveMemorySummary},
		{Name: "memory: asked by reported tokens, saved before the compaction", Only: "claude-code", Prove: proveMemoryInTime},
		{Name: "memory: the model is asked after a compaction", Only: "claude-code", Prove: proveMemoryFlush},
		{Name: "memory, in Codex: a decision in the terminal, and the summary is saved", Only: "codex", Prove: proveMemorySummary},
		{Name: "memory, in Codex: asked by reported tokens, saved before the compaction", Only: "codex", Prove: proveMemoryInTime},
		{Name: "memory, in Codex: the model is asked after a compaction", Only: "codex", Prove: proveMemoryFlush},
		{Name: "memory, in Codex: what one session saves, the next one knows", Only: "codex", Prove: proveMemory},
		{Name: "doctor --self-test: what hooks say stands in the transcript", Only: "claude-code", Prove: proveSelfTest},
		{Name: "doctor --self-test, in Codex: what hooks say stands in the transcript", Only: "codex", Prove: proveSelfTest},
		{Name: "evolution: a strategy on the third attempt, its outcome, one review", Only: "claude-code", Prove: proveEvolution},
		{Name: "evolution, in Codex: a strategy on the third attempt, its outcome, one review", Only: "codex", Prove: proveEvolution},
		{Name: "skills: each prompt with its event, once", Only: "claude-code", Prove: proveSkills},
		{Name: "skills: a persistent prompt outlives a compaction", Only: "claude-code", Prove: proveSkillsCompact},
		{Name: "skills, in Codex: each prompt with its event, once", Only: "codex", Prove: proveSkills},
		{Name: "skills, in Codex: a persistent prompt outlives a compaction", Only: "codex", Prove: proveSkillsCompact},
		{Name: "workspace: a bound session is told of it, and no other", Only: "claude-code", Prove: proveWorkspace},
		{Name: "workspace, in Codex: a bound session is told of it, and no other", Only: "codex", Prove: proveWorkspace},

		{Name: "MCP: the model calls our tools by the names that it is told", Only: "claude-code", Prove: proveMCP},
		{Name: "MCP, in Codex: the model calls our tools by the names that it is told", Only: "codex", Prove: proveMCP},
	}
}

// proveRuns is the ground under all others: without us the agent plays the
// script, its tool runs, and its answer is the model's.
func proveRuns(l *Lab) {
	r := l.run(model.Play(calls(l.touch("ran")), says("all is well"))).well()
	r.wantTurns(2)
	r.wantFirst(promptMark, 0)
	if !l.marked("ran") {
		r.errorf("the command did not run")
	}
	r.wantAnswer("all is well")
}

// forbid is a guard: it blocks shell commands that touch the mark "forbidden".
var forbid = Hook{
	Name: "forbid", Trigger: "pre-tool-call",
	Matter: "matcher:\n  tool: '^Shell$'\n  pattern: 'forbidden'",
	Script: `echo "GUARD-REASON-81: äöü 中文 \"quoted\"" >&2; exit 2`,
}

const forbidReason = "GUARD-REASON-81: äöü 中文 \"quoted\""

func proveGuard(l *Lab) {
	l.userHook(forbid)
	l.install()
	r := l.run(model.Play(calls(l.touch("fine")), calls(l.touch("forbidden")), says("all is well"))).well()
	r.wantMarks("fine")
	r.wantNoMarks("forbidden")
	r.wantTurns(3)
	r.wantFirst(forbidReason, 2)
	r.wantAnswer("all is well")
	// A block must not tell the model our command line, unless the agent does.
	if l.Agent.ShowsUs == "" && r.first(filepath.Join(l.Home, keptPrograms)) >= 0 {
		r.errorf("the model was told the path of our program")
	}
}

// Two calls of one answer are two calls, each judged by itself.
func proveGuardParallel(l *Lab) {
	l.userHook(forbid)
	l.install()
	r := l.run(model.Play(calls(l.touch("forbidden"), l.touch("fine")), says("all is well"))).well()
	r.wantNoMarks("forbidden")
	r.wantFirst(forbidReason, 1)
	r.wantMarks("fine")
}

// The portable name WriteFile stands for each agent's own way to make a file,
// and the path for a leaf that a pattern can find.
func proveGuardWrite(l *Lab) {
	l.userHook(Hook{
		Name: "no-secrets", Trigger: "pre-tool-call",
		Matter: "matcher:\n  tool: '^WriteFile$'\n  pattern: '\\.secret$'",
		Script: `echo "WRITE-REASON-90" >&2; exit 2`,
	})
	l.install()
	name := func(base string) string { return filepath.Join(l.Project, base) }
	r := l.run(model.Play(calls(l.Agent.Write(name("b.txt"), "x")), calls(l.Agent.Write(name("a.secret"), "x")), says("all is well"))).well()
	r.wantNoMarks("project/a.secret")
	r.wantMarks("project/b.txt")
	if l.Agent.BlockEnds {
		r.wantTurns(2)
		return
	}
	r.wantFirst("WRITE-REASON-90", 2)
}

// Without a person there is nobody to ask: what must not happen is that the
// command runs as if nothing had been said.
func proveAsk(l *Lab) {
	l.userHook(Hook{Name: "ask-first", Trigger: "pre-tool-call", Script: `echo '{"decision": "ask", "reason": "ASK-REASON-12"}'`})
	l.install()
	r := l.run(model.Play(calls(l.touch("asked")), says("all is well")))
	if r.TimedOut {
		r.fatalf("the agent waits for an answer that nobody gives")
	}
	r.wantNoMarks("asked")
}

func proveModify(l *Lab) {
	l.userHook(Hook{
		Name: "rewrite", Trigger: "pre-tool-call",
		Matter: "matcher:\n  tool: Shell",
		Script: `printf '{"modified_input": {"command": "echo ran > %s"}}' '` + l.mark("rewritten") + `'`,
	})
	l.install()
	r := l.run(model.Play(calls(l.touch("original")), says("all is well"))).well()
	r.wantTurns(2)
	r.wantMarks("rewritten")
	r.wantNoMarks("original")
}

func provePromptBlock(l *Lab) {
	l.userHook(Hook{Name: "no-prompt", Trigger: "pre-agent-turn", Script: `echo "PROMPT-REASON-33" >&2; exit 2`})
	l.install()
	r := l.run(model.Play(says("all is well")))
	if r.TimedOut {
		r.fatalf("the agent did not end")
	}
	r.wantTurns(0)
}

func proveFeedback(l *Lab) {
	l.userHook(Hook{Name: "review", Trigger: "post-tool-call", Script: `echo "FEEDBACK-55" >&2; exit 2`})
	l.install()
	r := l.run(model.Play(calls(l.touch("ran")), says("all is well"))).well()
	r.wantFirst("FEEDBACK-55", 1)
	r.wantMarks("ran")
}

func proveUserMessage(l *Lab) {
	l.userHook(Hook{Name: "tell", Trigger: "pre-tool-call", Script: `echo '{"user_message": "FOR-THE-PERSON-14"}'`})
	l.install()
	args := append(l.Agent.Args(l, promptMark), l.Agent.Watch...)
	r := l.start(model.Play(calls(l.touch("ran")), says("all is well")), args).well()
	if !l.Agent.Seen(r, "FOR-THE-PERSON-14") {
		r.errorf("the message was not shown")
	}
	if r.first("FOR-THE-PERSON-14") >= 0 {
		r.errorf("the message was told to the model")
	}
}

// proveEnv: what a pre-session hook sets is there for the commands of the
// session.
func proveEnv(l *Lab) {
	l.userHook(Hook{Name: "set", Trigger: "pre-session", Script: `printf '%s\n' '{"env": {"GREETING": "it'\''s \"here\" $HOME 中文"}}'`})
	l.install()
	r := l.run(model.Play(calls(l.Agent.Shell(`printf %s "$GREETING" > '`+l.mark("greeting")+`'`)), says("all is well"))).well()
	text, _ := os.ReadFile(l.mark("greeting"))
	if string(text) != `it's "here" $HOME 中文` {
		r.errorf("the command saw %q", text)
	}
}

// proveContext proves that a hook's additional_context reaches the model, and
// when: in request number n and not before.
func proveContext(trigger string, n int) func(*Lab) {
	return func(l *Lab) {
		l.userHook(Hook{Name: "inform", Trigger: trigger, Script: `printf '%s\n' '{"additional_context": "CONTEXT-21: äöü 中文 \"quoted\"\nsecond line"}'`})
		l.install()
		r := l.run(model.Play(calls(l.touch("ran")), says("all is well"))).well()
		r.wantTurns(2)
		r.wantFirst("CONTEXT-21: äöü 中文 \"quoted\"", n)
		r.wantFirst("second line", n)
		r.wantMarks("ran")
	}
}

// Agents hold so much of a text and no more; some put what is longer into a
// file that the model may or may not read, or drop it.
func proveOversized(l *Lab) {
	trigger, n := "pre-agent-turn", 0
	switch at := l.Agent.Cannot; {
	case at["context at prompt"] == "":
	case at["context at post-tool"] == "":
		trigger, n = "post-tool-call", 1
	default:
		trigger, n = "pre-tool-call", 1
	}
	l.userHook(Hook{Name: "inform", Trigger: trigger, Script: `printf '{"additional_context": "FIRST-LINE-25'; i=0; while [ $i -lt 4000 ]; do printf '\\nline %d of far too many' $i; i=$((i+1)); done; printf '\\nLAST-LINE-25"}'`})
	l.install()
	r := l.run(model.Play(calls(l.touch("ran")), says("all is well"))).well()
	r.wantFirst("FIRST-LINE-25", n)
	r.wantFirst("line 9 of far too many", n)
}

func (r *Run) wantAnswer(text string) {
	r.l.t.Helper()
	if !strings.Contains(r.Stdout, text) {
		r.errorf("the answer %q is not on stdout", text)
	}
}

func (r *Run) wantMarks(names ...string) {
	r.l.t.Helper()
	for _, n := range names {
		if !r.l.marked(n) {
			r.errorf("%q did not run", n)
		}
	}
}

func (r *Run) wantNoMarks(names ...string) {
	r.l.t.Helper()
	for _, n := range names {
		if r.l.marked(n) {
			r.errorf("%q ran", n)
		}
	}
}
