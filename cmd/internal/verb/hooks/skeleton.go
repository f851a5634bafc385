package hooks

import (
	"bytes"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/sample"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/conformance"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/order"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A skeleton is a new hook as requested, with what its author needs to know.
type skeleton struct {
	Name, Description string
	Trigger           protocol.EventType
	Matcher           discovery.Matcher
	described         bool // by the user
	moment
}

// marker is what a new guard refuses until its author changes that.
const marker = "never-do-this"

func (s skeleton) ofTool() bool { return s.Trigger.IsTool() }
func (s skeleton) guards() bool { return s.Trigger.Prevents() }

// whole says that the matcher alone decides what is refused.
func (s skeleton) whole() bool {
	m := s.Matcher
	m.Tool = ""
	return s.guards() && m != (discovery.Matcher{})
}

// unread is the exit code of a hook that cannot read its event: a guard blocks.
func (s skeleton) unread() int {
	if s.guards() {
		return 2
	}
	return 1
}

// commands says that the calls run commands.
func (s skeleton) commands() bool { return s.ofTool() && s.about(protocol.Shell) }

// changes says that the calls change files.
func (s skeleton) changes() bool {
	return s.ofTool() && (s.about(protocol.WriteFile) || s.about(protocol.EditFile))
}

// about reports whether the matcher finds a tool.
func (s skeleton) about(tool string) bool {
	h := discovery.Hook{Name: s.Name, Trigger: s.Trigger, Status: discovery.Ready, Matcher: discovery.Matcher{Tool: s.Matcher.Tool}}
	ev := &protocol.Event{Type: s.Trigger, Call: protocol.Tools(nil).NewCall(tool, nil)}
	return h.Match(ev, &discovery.Budget{}, false).OK
}

// told are the lists of the event that say what a call does, for jq; "" if there are none.
func (s skeleton) told() string {
	var lists []string
	if s.commands() {
		lists = append(lists, ".commands[]?")
	}
	if s.changes() {
		lists = append(lists, ".changes[]?")
	}
	return strings.Join(lists, ", ")
}

// filter are the texts that the hook examines, for jq.
func (s skeleton) filter() string {
	var parts []string
	if s.commands() {
		parts = append(parts, ".commands[]?.text")
	}
	if s.changes() {
		parts = append(parts, "(.changes[]? | .path, .to, .new)")
	}
	switch {
	case len(parts) > 0:
	case s.ofTool():
		parts = append(parts, "(.tool_input | tojson)")
	default:
		parts = append(parts, "(."+s.Field+" | tojson)")
	}
	return strings.Join(parts, ", ")
}

// A key of the matcher in HOOK.md.
type key struct{ key, expression string }

// keys are the matcher's keys that were given.
func (s skeleton) keys() (list []key) {
	m := s.Matcher
	for _, k := range []key{{"tool", m.Tool}, {"pattern", m.Pattern}, {"command", m.Command}, {"path", m.Path}, {"content", m.Content}} {
		if k.expression != "" {
			list = append(list, k)
		}
	}
	return list
}

// matching is the matcher in HOOK.md, or an example of one.
func (s skeleton) matching() string {
	if len(s.keys()) == 0 && s.ofTool() {
		return "\n# matcher:               # without one: every tool call\n#   command: '^git push\\b'"
	}
	text := ""
	for _, k := range s.keys() {
		text += "\n  " + k.key + ": " + quoteYAML(k.expression)
	}
	if text != "" {
		text = "\nmatcher:" + text
	}
	return text
}

// A moment is what the author of a new hook needs to know about a trigger.
type moment struct {
	When   string // completes "runs when …"
	Fields string // fields of the event, besides the common ones
	Block  string // what exit 2 does
	Answer string // an outcome that is useful there, as JSON; "" if none is
	Does   string // what that outcome is for
	Field  string // a field that a hook will want to read
}

func momentOf(t protocol.EventType) moment {
	switch t {
	case protocol.PreSession:
		return moment{"a session begins, or is resumed", "source, model, args", "the session does not begin",
			`{"additional_context": "this repository uses pnpm, not npm"}`, "tell the model something", "source"}
	case protocol.PostSession:
		return moment{"a session has ended", "exit_reason, duration_seconds, total_steps", "nothing is undone; it is logged",
			"", "", "exit_reason"}
	case protocol.PreAgentTurn:
		return moment{"a prompt was given, before the agent sees it", "prompt, source", "the agent never sees the prompt",
			`{"additional_context": "the build is red since this morning"}`, "add something to the prompt", "prompt"}
	case protocol.PostAgentTurn, protocol.PostAgentTurnStop:
		return moment{"the agent is done", "status, stop_reason, step_count, final_message", "nothing is undone; it is feedback",
			`{"user_message": "the tests still pass"}`, "tell the user something", "stop_reason"}
	case protocol.PreAgentTurnStop:
		return moment{"the agent wants to stop", "status, stop_reason, step_count, final_message, stop_active, loop_count", "the agent goes on, told what is missing",
			`{"followup_message": "now update the changelog"}`, "have it go on without calling it an error", "stop_reason"}
	case protocol.PreToolCall:
		return moment{"a tool is about to run", "tool_name, tool_input, tool_use_id", "the call does not run",
			`{"decision": "ask", "reason": "this touches production"}`, "have a person decide", "tool_name"}
	case protocol.PermissionRequest:
		return moment{"the agent is about to ask you whether a tool may run", "tool_name, tool_input, tool_use_id", "the call does not run, and nobody is asked",
			`{"decision": "allow"}`, "say yes in your place (metadata: {may_allow: true} in HOOK.md, and not in a project)", "tool_name"}
	case protocol.Notification:
		return moment{"the agent wants you", "message, title, kind", "nothing: nothing is about to happen",
			"", "", "message"}
	case protocol.PostToolCall:
		return moment{"a tool has run", "tool_name, tool_input, tool_use_id, tool_response, duration_ms", "nothing is undone; it is feedback for the model",
			`{"additional_context": "the file was formatted; read it again"}`, "tell the model something", "tool_name"}
	case protocol.PostToolCallFailure:
		return moment{"a tool has failed", "tool_name, tool_input, tool_use_id, error, duration_ms", "nothing is undone; it is feedback for the model",
			`{"additional_context": "this fails without the VPN"}`, "tell the model something", "tool_name"}
	case protocol.PreSubagent:
		return moment{"a subagent is about to start", "subagent_name, subagent_type, task_description", "it does not start",
			`{"additional_context": "leave generated files alone"}`, "tell it something", "subagent_type"}
	case protocol.PostSubagent:
		return moment{"a subagent has ended", "subagent_name, subagent_type, status, final_message", "feedback, where the agent has a channel for it",
			`{"followup_message": "check what it wrote"}`, "have the agent go on with this", "subagent_type"}
	case protocol.PreContextCompact:
		return moment{"the context is about to be compacted", "trigger, usage_percent, context_tokens, message_count", "it is not compacted",
			`{"additional_context": "keep the list of open questions"}`, "tell the model something", "trigger"}
	}
	return moment{"the context was compacted", "trigger, context_tokens, message_count", "nothing is undone; it is feedback",
		`{"additional_context": "the plan is in PLAN.md"}`, "tell the model something", "trigger"}
}

// A lang is a language with a skeleton.
type lang string

func langs() []lang { return []lang{"sh", "python", "node", "powershell"} }

func langWords() []string {
	var words []string
	for _, l := range langs() {
		words = append(words, string(l))
	}
	return words
}

// langOf is the language of a word; for "" the system's own.
func langOf(goos, word string) (lang, error) {
	l := lang(word)
	switch {
	case l == "" && goos == "windows":
		return "powershell", nil
	case l == "":
		return "sh", nil
	case !slices.Contains(langs(), l):
		return "", shell.WithHint(shell.Usagef("new: no skeleton for --lang %q", word), "one of "+strings.Join(langWords(), ", ")+"; any executable scripts/run will do")
	}
	return l, nil
}

// entry is the hook's entry in a language.
func (l lang) entry(goos string) string {
	name := "run" // the first line names the interpreter
	if goos == "windows" {
		switch l {
		case "powershell":
			name = "run.ps1"
		case "sh":
			name = "run.sh"
		case "python":
			name = "run.py"
		}
	}
	return filepath.Join("scripts", name)
}

// A newFile is a file of a new folder.
type newFile struct {
	name    string
	content string
	mode    fs.FileMode
}

// files are the files of the folder: HOOK.md, the entry, and tests that reach it.
func (s skeleton) files(h host.Host, l lang) []newFile {
	files := []newFile{
		{"HOOK.md", s.fill("HOOK.md"), 0o644},
		{l.entry(h.GOOS), s.fill(string(l)), 0o755},
	}
	for name, text := range s.tests(h) {
		files = append(files, newFile{filepath.Join("tests", name), text, 0o644})
	}
	order.By(files[2:], func(a, b newFile) int { return strings.Compare(a.name, b.name) })
	return files
}

// sampleDir is the folder in samples; a test replaces it with its own.
const sampleDir = "/sample/project"

// proof is the name of the test that shows what the hook does.
func (s skeleton) proof() string {
	if s.guards() {
		return "refuses.txtar"
	}
	return "first.txtar"
}

// tests are a test that a guard refuses something, and one that it allows something else. A
// hook that refuses nothing has one that reaches it. A test is left out if the matcher excludes
// its sample, or none was found.
func (s skeleton) tests(h host.Host) map[string]string {
	hook := &discovery.Hook{Name: s.Name, Trigger: s.Trigger, Matcher: s.Matcher}
	text := func(ev *protocol.Event) []byte {
		return bytes.ReplaceAll(bytes.TrimSpace(ev.JSON()), []byte(sampleDir), []byte("@PROJECT@"))
	}
	ev, fits, err := sample.For(h, hook, sampleDir)
	if err != nil {
		return nil
	}
	if !s.guards() && !fits {
		return nil
	}
	if !s.guards() {
		return map[string]string{s.proof(): string(conformance.FirstTest(text(ev)))}
	}
	tests := map[string]string{"allows.txtar": string(conformance.FirstTest(text(ev)))}
	if s.whole() {
		delete(tests, "allows.txtar")
		if aside, ok := sample.Aside(h, hook, sampleDir); ok {
			tests["allows.txtar"] = string(conformance.FirstTest(text(aside)))
		}
	} else {
		ev = s.marked(ev)
	}
	if !fits {
		return tests // a test that the matcher does not find proves nothing
	}
	tests[s.proof()] = string(conformance.RefusingTest(text(ev), s.Name))
	return tests
}

// marked is an event that contains what a new guard refuses.
func (s skeleton) marked(ev *protocol.Event) *protocol.Event {
	out := ev.Clone()
	switch {
	case !s.ofTool():
		out.Fields.SetText(s.Field, marker)
	case s.commands():
		out.Fields.SetText("tool_name", protocol.Shell)
		out.Fields.Set("tool_input", sample.Input(protocol.Shell, "echo "+marker, sampleDir).Raw())
	default:
		out.Fields.Set("tool_input", sample.Input(ev.Call.Name, sampleDir+"/"+marker, sampleDir).Raw())
	}
	return out
}
