package dispatch

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/protocol"
)

func (w *world) memoryOn() {
	w.file(w.settings(), "[builtin.memory]\nenabled = true\n", 0o644)
}

// The built-in hooks run inside the dispatcher, in the form of the agent: a
// session from its begin to its end.
func TestBuiltinMemoryInAnAgentsForm(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.memoryOn()
	transcript := "/t.jsonl"
	say := func(event, fields string) string {
		t.Helper()
		payload := strings.Replace(w.claude(event, fields), `"/t.jsonl"`, string(protocol.Quote(transcript)), 1)
		r := w.run(payload, "--agent", "claude-code")
		if r.exit != 0 || r.stderr != "" {
			t.Errorf("%s: exit %d, stderr %q", event, r.exit, r.stderr)
		}
		return r.stdout
	}
	if out := say("SessionStart", `,"source":"startup"`); strings.Contains(out, "project-memory") || !strings.Contains(out, "asked to remember") {
		t.Errorf("nothing is remembered, and said: %s", out)
	}
	// The transcript tells how full the context is, also at a call of a tool.
	transcript = filepath.Join(w.project, "t.jsonl")
	w.file(transcript, `{"message":{"usage":{"input_tokens":170000,"output_tokens":5}}}`+"\n", 0o600)
	has(t, "at a call", say("PostToolUse", `,"tool_name":"Read","tool_input":{"file_path":"/x"},"tool_response":{},"tool_use_id":"t1"`), "additionalContext", "[Memory Flush]", "170005 tokens used", "memory save")
	for _, prompt := range []string{"what", "is", "this"} {
		say("UserPromptSubmit", `,"prompt":"`+prompt+`"`)
	}
	// The compaction instructions are plain text there.
	if out := say("PreCompact", `,"trigger":"auto","custom_instructions":""`); !strings.HasPrefix(out, "[Memory Flush] In the summary, keep") {
		t.Errorf("%.80q", out)
	}
	has(t, "after the compaction", say("SessionStart", `,"source":"compact"`), "additionalContext", "[Memory Flush]", "memory save")
	// What the transcript tells at the compaction itself is not in the context after it,
	// and a prompt reads it too.
	call := func(id string) string {
		return say("PostToolUse", `,"tool_name":"Read","tool_input":{"file_path":"/x"},"tool_response":{},"tool_use_id":"`+id+`"`)
	}
	if out := call("t2"); out != "" {
		t.Errorf("the figure of before the compaction: %s", out)
	}
	w.file(transcript, `{"message":{"usage":{"input_tokens":180000,"output_tokens":5}}}`+"\n", 0o600)
	has(t, "at a prompt", say("UserPromptSubmit", `,"prompt":"go on"`), "[Memory Flush]", "180005 tokens used")
	// The last message of a run without a person is its result; where the transcript
	// does not tell, it may be one.
	stop := func(lines, last string) string {
		w.file(transcript, lines, 0o600)
		return say("Stop", `,"stop_hook_active":false,"last_assistant_message":"`+last+`"`)
	}
	for last, lines := range map[string]string{"one": "", "two": `{"type":"user","entrypoint":"sdk-cli"}` + "\n"} {
		t.Run(last, func(t *testing.T) {
			if out := stop(lines, last); out != "" {
				t.Errorf("the result would be replaced: %s", out)
			}
		})
	}
	has(t, "at the stop", stop(`{"type":"user","entrypoint":"cli"}`+"\n", "done"), "[Session Save]", "memory summary", "--session s-1")
	if out := say("Stop", `,"stop_hook_active":true,"last_assistant_message":"saved"`); out != "" {
		t.Errorf("asked again: %s", out)
	}
	has(t, "the run log", w.log(), `"name": "memory-session-save", "layer": "builtin"`)
}

// With memory off nothing is said and no file of its is there.
func TestBuiltinMemoryOffTouchesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, event := range []string{"SessionStart", "UserPromptSubmit", "PreCompact", "Stop", "SessionEnd"} {
		if r := w.run(w.claude(event, `,"source":"startup","prompt":"x","trigger":"auto","reason":"exit"`), "--agent", "claude-code"); r.exit != 0 || r.stdout != "" || r.stderr != "" {
			t.Errorf("%s: %+v", event, r)
		}
	}
	for _, path := range []string{filepath.Join(w.project, ".agents"), w.state()} {
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%s was made", path)
		}
	}
}

// The environment switches on and off only where no repository may have set it.
func TestBuiltinEnvironment(t *testing.T) {
	t.Parallel()
	on := newWorld(t)
	on.env = []string{"AGENTS_HOOKS_MEMORY=1"}
	if r := on.run(on.claude("PreCompact", `,"trigger":"auto"`), "--agent", "claude-code"); r.stdout != "" {
		t.Errorf("an agent's environment switched memory on: %s", r.stdout)
	}
	has(t, "spec form", on.run(on.specEvent("pre-context-compact", "")).stdout, "[Memory Flush]")
	for _, env := range []string{"AGENTS_HOOKS_MEMORY=off", "CLAUDE_CODE_DISABLE_AUTO_MEMORY=1", "AGENTS_HOOKS_DISABLED_HOOKS=memory-flush", "AGENTS_HOOKS_DISABLE=1"} {
		t.Run(env, func(t *testing.T) {
			w := newWorld(t)
			w.memoryOn()
			w.env = []string{env}
			if r := w.run(w.specEvent("pre-context-compact", "")); r.stdout != "" {
				t.Errorf("%s: %s", env, r.stdout)
			}
			// A repository can set an agent's environment.
			name, _, _ := strings.Cut(env, "=")
			has(t, env+" in agent form", w.run(w.claude("PreCompact", `,"trigger":"auto"`), "--agent", "claude-code").stdout, "[Memory Flush]")
			has(t, "the log", w.log(), name+": set in the environment and not read")
		})
	}
	marked := newWorld(t)
	marked.memoryOn()
	marked.file(filepath.Join(marked.project, ".agents", ".memory-disable"), "", 0o644)
	if r := marked.run(marked.claude("PreCompact", `,"trigger":"auto"`), "--agent", "claude-code"); r.stdout != "" {
		t.Errorf("the marker file: %s", r.stdout)
	}
}

// A text that waited, and was taken for an event which another hook then
// blocked, is delivered with the next one.
func TestDroppedTextIsPutBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.memoryOn()
	w.hook(w.userHooks(), "late", "trigger: pre-agent-turn\npriority: 10", "case $(cat) in *forbidden*) echo no >&2; exit 2 ;; esac")
	w.run(w.claude("PreCompact", `,"trigger":"auto","custom_instructions":""`), "--agent", "claude-code")
	if r := w.run(w.claude("UserPromptSubmit", `,"prompt":"forbidden"`), "--agent", "claude-code"); strings.Contains(r.stdout, "[Memory Flush]") || !strings.Contains(r.stdout+r.stderr, "no") {
		t.Errorf("the prompt was not blocked, or says more: %+v", r)
	}
	r := w.run(w.claude("UserPromptSubmit", `,"prompt":"go on"`), "--agent", "claude-code")
	has(t, "the next prompt", r.stdout, "additionalContext", "[Memory Flush]")
	if r := w.run(w.claude("UserPromptSubmit", `,"prompt":"and on"`), "--agent", "claude-code"); strings.Contains(r.stdout, "[Memory Flush]") {
		t.Errorf("delivered twice: %s", r.stdout)
	}
}
