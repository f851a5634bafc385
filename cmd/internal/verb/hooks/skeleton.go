package hooks

import (
	"embed"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"text/template"

	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/conformance"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A skeleton is a new hook as a person asked for it, with what its author needs to
// know.
type skeleton struct {
	Name, Description string
	Trigger           protocol.EventType
	Tool, Pattern     string
	moment
}

// OfTool is asked by HOOK.md's skeleton.
func (s skeleton) OfTool() bool { return s.Trigger.IsTool() }

// A moment is what the author of a new hook needs to know about a trigger.
type moment struct {
	When   string // completes "runs when …"
	Fields string // of the event, beside the base ones
	Block  string // what exit 2 does
	Answer string // an outcome that is of use there, as JSON; "" if none is
	Does   string // what that outcome is for
	Field  string // one that a hook will want to read
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
			`{"user_message": "the tests still pass"}`, "tell the person something", "stop_reason"}
	case protocol.PreAgentTurnStop:
		return moment{"the agent wants to stop", "status, stop_reason, step_count, final_message, stop_active, loop_count", "the agent goes on, told what is missing",
			`{"followup_message": "now update the changelog"}`, "have it go on without calling it an error", "stop_reason"}
	case protocol.PreToolCall:
		return moment{"a tool is about to run", "tool_name, tool_input, tool_use_id", "the call does not run",
			`{"decision": "ask", "reason": "this touches production"}`, "have a person decide", "tool_name"}
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

// A lang is a language that there is a skeleton in.
type lang string

func langs() []lang { return []lang{"sh", "python", "node", "powershell"} }

func langWords() []string {
	var words []string
	for _, l := range langs() {
		words = append(words, string(l))
	}
	return words
}

// langOf is the language of a word, "" for the system's own.
func langOf(goos, word string) (lang, error) {
	l := lang(word)
	switch {
	case l == "" && goos == "windows":
		return "powershell", nil
	case l == "":
		return "sh", nil
	case !slices.Contains(langs(), l):
		return "", shell.WithHint(shell.Usagef("new: no skeleton for --lang %q", word), "one of "+strings.Join(langWords(), ", ")+"; any executable scripts/run will do")
	case l.entry(goos) == "":
		return "", shell.Usagef("new: --lang %s: Windows does not start it as an entry by itself; write scripts/run.cmd that does", l)
	}
	return l, nil
}

// entry is the file that a language goes into, "" where the system has no way to
// start it.
func (l lang) entry(goos string) string {
	name := ""
	switch {
	case l == "powershell" && goos == "windows":
		name = "run.ps1"
	case goos != "windows":
		name = "run"
	case l == "sh":
		name = "run.sh"
	case l == "python":
		name = "run.py"
	default:
		return ""
	}
	return filepath.Join("scripts", name)
}

// A newFile is a file of a new folder.
type newFile struct {
	name    string
	content string
	mode    fs.FileMode
}

// files are those of the folder: what the hook is, its entry, and a first test.
func (s skeleton) files(l lang, goos string) []newFile {
	return []newFile{
		{"HOOK.md", s.fill("HOOK.md"), 0o644},
		{l.entry(goos), s.fill(string(l)), 0o755},
		{filepath.Join("tests", "first.txtar"), s.firstTest(), 0o644},
	}
}

// firstTest says that on a sample of the event that it waits for, a new hook has
// no opinion yet.
func (s skeleton) firstTest() string {
	ev := protocol.Sample(s.Trigger)
	ev.SetText("work_dir", "@PROJECT@")
	return string(conformance.FirstTest(ev.Raw()))
}

//go:embed skeletons
var skeletons embed.FS

// fill fills one of the embedded skeletons. They are ours, so that one that cannot
// be filled is a bug.
func (s skeleton) fill(name string) string {
	t := template.Must(template.New(name).
		Funcs(template.FuncMap{"yaml": quoteYAML, "comment": comment}).
		ParseFS(skeletons, "skeletons/"+name))
	var b strings.Builder
	if err := t.ExecuteTemplate(&b, name, s); err != nil {
		panic(err)
	}
	return b.String()
}

// quoteYAML puts a value into single quotes, where YAML has no escapes: that is
// what a regular expression wants.
func quoteYAML(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// comment is what the head of a script says about when it runs, what it reads,
// and what it may answer.
func comment(mark string, s skeleton) string {
	lines := []string{s.Name + ": runs when " + s.When + ".", "", "stdin   the event, one JSON object: event_type, session_id, work_dir,"}
	for part := range strings.SplitSeq(text.Wrap(s.Fields, 66, ""), "\n") {
		lines = append(lines, "        "+part)
	}
	lines = append(lines,
		"exit 0  go on; stdout is empty, or one JSON object: the outcome",
		"exit 2  block: "+s.Block+" (stderr says why)",
		"        any other exit code means that this hook failed",
		"",
		"agents-hooks test runs it on a sample; agents-hooks spec tells the rest.",
	)
	for i, line := range lines {
		lines[i] = strings.TrimRight(mark+" "+line, " ")
	}
	return strings.Join(lines, "\n")
}
