package codex

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/dialecttest"
)

func TestEvents(t *testing.T) { dialecttest.Events(t, Dialect, nil) }

// The members that Codex's schemas have, by event: those at the top besides
// systemMessage, and those in hookSpecificOutput besides hookEventName. An event
// without a list of the latter must not have the object at all.
var (
	top = map[string][]string{
		"SessionStart":      {"continue", "stopReason", "hookSpecificOutput"},
		"UserPromptSubmit":  {"decision", "reason", "hookSpecificOutput"},
		"PreToolUse":        {"hookSpecificOutput"},
		"PostToolUse":       {"decision", "reason", "hookSpecificOutput"},
		"PermissionRequest": {"hookSpecificOutput"},
		"SubagentStart":     {"hookSpecificOutput"},
		"SubagentStop":      {"decision", "reason"},
		"Stop":              {"decision", "reason"},
		"PreCompact":        {},
		"PostCompact":       {},
		"Interrupt":         {},
	}
	specific = map[string][]string{
		"SessionStart":      {"additionalContext"},
		"UserPromptSubmit":  {"additionalContext"},
		"PreToolUse":        {"permissionDecision", "permissionDecisionReason", "updatedInput", "additionalContext"},
		"PostToolUse":       {"additionalContext"},
		"PermissionRequest": {"decision"},
		"SubagentStart":     {"additionalContext"},
	}
)

// strict checks an answer as Codex does: whatever Codex would call a failed hook is
// an error (codex/1, codex/2, codex/3, codex/14).
func strict(t *testing.T, name, event string, r protocol.Reply) {
	t.Helper()
	if r.Exit != 0 || len(r.Stderr) > 0 {
		t.Errorf("%s: exit %d, stderr %q", name, r.Exit, r.Stderr)
	}
	if len(r.Stdout) == 0 {
		return
	}
	if event == "SessionEnd" {
		t.Errorf("%s: answers %s", name, r.Stdout)
	}
	o, err := protocol.ParseObject(r.Stdout)
	if err != nil {
		t.Fatalf("%s: %v in %s", name, err, r.Stdout)
	}
	for _, m := range o {
		if m.Name != "systemMessage" && !slices.Contains(top[event], m.Name) {
			t.Errorf("%s: member %q is not in the schema", name, m.Name)
		}
	}
	if word := o.Text("decision"); o.Has("decision") && (word != "block" || strings.TrimSpace(o.Text("reason")) == "") {
		t.Errorf("%s: decision %q, reason %q", name, word, o.Text("reason"))
	}
	if o.Has("reason") && !o.Has("decision") {
		t.Errorf("%s: a reason without a decision", name)
	}
	if o.Has("stopReason") && string(o.Get("continue")) != "false" {
		t.Errorf("%s: stopReason without continue", name)
	}
	hso := o.Sub("hookSpecificOutput")
	if hso == nil {
		return
	}
	if hso.Text("hookEventName") != event {
		t.Errorf("%s: hookEventName %q", name, hso.Text("hookEventName"))
	}
	for _, m := range hso[1:] {
		if !slices.Contains(specific[event], m.Name) {
			t.Errorf("%s: member %q is not in the schema", name, m.Name)
		}
	}
	switch word := hso.Text("permissionDecision"); {
	case word == "allow" && !hso.Has("updatedInput"),
		hso.Has("updatedInput") && word != "allow",
		word == "deny" && strings.TrimSpace(hso.Text("permissionDecisionReason")) == "",
		word != "" && word != "allow" && word != "deny",
		word == "" && hso.Has("permissionDecisionReason"):
		t.Errorf("%s: Codex calls this a failed hook: %s", name, r.Stdout)
	}
}

func TestAnswers(t *testing.T) {
	for _, a := range dialecttest.Answers(t, Dialect, nil) {
		strict(t, a.Event.NativeEvent+", "+a.Kind, a.Event.NativeEvent, a.Reply)
	}
}

const base = `"session_id": "s", "turn_id": "t", "transcript_path": null, "cwd": "/p", "model": "m", "hook_event_name": `

func TestQuirks(t *testing.T) {
	told := func(payload string, o protocol.Outcome) string {
		return dialecttest.Told(t, Dialect, "{"+base+payload+"}", o)
	}
	block := protocol.Outcome{Decision: protocol.Block, Reason: "r"}
	dialecttest.Check(t, "codex/2", told(`"Stop"`, protocol.Outcome{Decision: protocol.Block, Reason: "\t"}), `{"decision": "block", "reason": "blocked by a hook, which gave no reason"}`)
	dialecttest.Check(t, "codex/3 a changed input", told(`"PreToolUse", "tool_name": "Bash", "tool_input": {"command": "a", "x": 1}`,
		protocol.Outcome{Decision: protocol.Allow, ModifiedInput: dialecttest.Object(t, `{"command": "b"}`)}),
		`{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "allow", "updatedInput": {"command": "b", "x": 1}}}`)
	dialecttest.Check(t, "codex/3 nothing is changed", told(`"PreToolUse", "tool_name": "Bash"`, protocol.Outcome{Decision: protocol.Allow}), ``)
	dialecttest.Check(t, "codex/4", told(`"PreCompact", "trigger": "auto"`, block), ``)
	// Not even if the outcome was not fitted.
	if r := encode(dialecttest.First(t, Dialect, `{`+base+`"PreCompact"}`), block); len(r.Stdout) > 0 || r.Exit != 0 {
		t.Errorf("codex/4: %q, exit %d", r.Stdout, r.Exit)
	}
	dialecttest.Check(t, "codex/5", told(`"PostToolUse", "tool_name": "Bash"`, block), `{"hookSpecificOutput": {"hookEventName": "PostToolUse", "additionalContext": "r"}}`)
	for _, n := range Dialect.NativeEvents {
		if slices.Contains(n.Events(), protocol.PostToolCallFailure) {
			t.Errorf("codex/6: %s feeds post-tool-call-failure", n.Name)
		}
	}
	dialecttest.Check(t, "codex/9", dialecttest.First(t, Dialect, `{`+base+`"UserPromptSubmit", "prompt": "p", "agent_id": "a"}`).Fields.Text("source"), "subagent")
	dialecttest.Check(t, "codex/10", told(`"Stop"`, protocol.Outcome{FollowupMessage: "go"}), `{"decision": "block", "reason": "go"}`)
	dialecttest.Check(t, "codex/11 after compaction", told(`"SessionStart", "source": "compact"`, block), ``)
	dialecttest.Check(t, "codex/11 at the start", told(`"SessionStart", "source": "startup"`, block), `{"continue": false, "stopReason": "r"}`)
	dialecttest.Check(t, "codex/15 stops in a row", fmt.Sprint(Dialect.StopMax), "0")
}

// apply_patch is EditFile and WriteFile; its paths are derived and are not mapped
// back (codex/7).
func TestApplyPatch(t *testing.T) {
	patch := "*** Begin Patch\n*** Update File: a b.go\n*** Move to: c.go\n@@\n-x\n+*** Add File: no.go\n *** Delete File: d.go\n*** Delete File: a b.go\r\n*** End Patch"
	payload := protocol.Object{{Name: "command", Value: protocol.Quote(patch)}}
	ev := dialecttest.First(t, Dialect, `{`+base+`"PreToolUse", "tool_name": "apply_patch", "tool_use_id": "u", "tool_input": `+string(payload.Raw())+`}`)
	if got := strings.Join(ev.Call.Names(), " "); got != "EditFile apply_patch WriteFile Edit Write" {
		t.Errorf("names %q", got)
	}
	in := ev.Call.Input
	if in.Text("file_path") != "a b.go" || string(in.Get("file_paths")) != `["a b.go", "c.go", "d.go"]` {
		t.Errorf("file_path %q, file_paths %s", in.Text("file_path"), in.Get("file_paths"))
	}
	if got := ev.Fields.Sub("tool_input").Text("file_path"); got != "a b.go" {
		t.Errorf("tool_input.file_path = %q", got)
	}
	modified := in.Clone()
	modified.SetText("command", "*** Begin Patch\n*** End Patch")
	modified.SetText("file_path", "e.go")
	a := dialecttest.Answer(Dialect, ev, "", protocol.Outcome{ModifiedInput: modified})
	want := `{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "allow", "updatedInput": {"command": "*** Begin Patch\n*** End Patch"}}}` + "\n"
	if string(a.Reply.Stdout) != want || len(a.Warnings()) != 1 || !strings.Contains(a.Warnings()[0], "file_path") {
		t.Errorf("answer %s, warnings %q", a.Reply.Stdout, a.Warnings())
	}
}

// Codex runs a call unchanged if its command is not a text: a list of words becomes
// the line that it stands for, in the shape that the tool takes. Anything else is
// dropped with a warning.
func TestCommandHasToBeText(t *testing.T) {
	for _, c := range []struct{ tool, input, given, want string }{
		{"Bash", `{"command": "ls"}`, `{"command": ["ls", "a b", "it's"]}`, `{"command": "ls 'a b' 'it'\\''s'"}`},
		{"Bash", `{"command": "ls"}`, `{"command": ["bash", "-lc", "ls | wc"]}`, `{"command": "ls | wc"}`},
		{"Bash", `{"command": ["bash", "-lc", "ls"]}`, `{"command": "ls -l"}`, `{"command": "ls -l"}`},
		{"Bash", `{"command": ["bash", "-lc", "ls"]}`, `{"command": ["bash", "-lc", "ls -l"]}`, `{"command": "ls -l"}`},
		{"shell", `{"command": ["bash", "-lc", "ls"], "workdir": "/x"}`, `{"command": "ls -l"}`, `{"command": ["bash", "-lc", "ls -l"], "workdir": "/x"}`},
		{"shell", `{"command": ["git", "push", "--force"]}`, `{"command": "git push"}`, `{"command": ["sh", "-c", "git push"]}`},
		{"shell", `{"command": ["git", "push", "--force"]}`, `{"command": ["git", "push"]}`, `{"command": ["git", "push"]}`},
		{"exec_command", `{"cmd": "ls"}`, `{"command": ["ls", "-l"]}`, `{"cmd": "ls -l"}`},
		{"Bash", `{"command": "ls"}`, `{"command": 5}`, ""},
		{"Bash", `{"command": "ls"}`, `{"command": []}`, ""},
		{"Bash", `{"command": "ls"}`, `{"command": ["ls", 5]}`, ""},
	} {
		t.Run(fmt.Sprintf("%s, %s, %s", c.tool, c.input, c.given), func(t *testing.T) {
			ev := dialecttest.First(t, Dialect, `{`+base+`"PreToolUse", "tool_name": "`+c.tool+`", "tool_input": `+c.input+`}`)
			a := dialecttest.Answer(Dialect, ev, "", protocol.Outcome{ModifiedInput: dialecttest.Object(t, c.given)})
			want := ""
			if c.want != "" {
				want = `{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "allow", "updatedInput": ` + c.want + "}}\n"
			}
			if string(a.Reply.Stdout) != want {
				t.Errorf("%s %s and %s: %s, want %s", c.tool, c.input, c.given, a.Reply.Stdout, want)
			}
			if lost := len(a.Losses) == 1 && a.Losses[0].What == protocol.CanModify; lost != (want == "") {
				t.Errorf("%s %s and %s: losses %q", c.tool, c.input, c.given, a.Losses)
			}
		})
	}
}

// Tools of the collaboration set, with and without the set's name as a prefix
// (codex/8).
func TestCollaborationTools(t *testing.T) {
	for native, want := range map[string]string{
		"spawn_agent":               "Task spawn_agent Agent",
		"collaborationspawn_agent":  "Task collaborationspawn_agent spawn_agent Agent",
		"multi_agent_v1spawn_agent": "Task multi_agent_v1spawn_agent spawn_agent Agent",
		"collaboration.spawn_agent": "Task collaboration.spawn_agent spawn_agent Agent",
		"multi_agent_v1wait_agent":  "multi_agent_v1wait_agent wait_agent",
		"wait_agent":                "wait_agent",
	} {
		t.Run(native, func(t *testing.T) {
			ev := dialecttest.First(t, Dialect, `{`+base+`"PreToolUse", "tool_name": "`+native+`", "tool_input": {"task_name": "n", "message": "m", "agent_type": "a"}}`)
			if got := strings.Join(ev.Call.Names(), " "); got != want {
				t.Errorf("%s: names %q, want %q", native, got, want)
			}
			if ev.Call.Name == protocol.Task && (ev.Call.Input.Text("prompt") != "m" || ev.Call.Input.Text("subagent_type") != "a" || ev.Call.Input.Text("description") != "n") {
				t.Errorf("%s: input %s", native, ev.Call.Input.Raw())
			}
		})
	}
}

// Whatever hooks say, Codex accepts the answer.
func FuzzStrict(f *testing.F) {
	f.Add("reason", "context", "message", `{"command": "ls"}`, uint8(3), uint8(0))
	f.Add("", "\x00", "\xff", `{"command": 5}`, uint8(2), uint8(5))
	f.Fuzz(func(t *testing.T, reason, context, message, input string, decision, native uint8) {
		n := natives[int(native)%len(natives)]
		ev := dialecttest.First(t, Dialect, `{`+base+`"`+n.Name+`", "tool_name": "Bash", "tool_input": {"command": "ls"}, "source": "startup"}`)
		o := protocol.Outcome{Decision: protocol.Decision(decision % 4), Reason: reason, AdditionalContext: context, UserMessage: message, FollowupMessage: context}
		if m, err := protocol.ParseObject([]byte(input)); err == nil {
			o.ModifiedInput = m
		}
		strict(t, n.Name, n.Name, dialecttest.Answer(Dialect, ev, "", o).Reply)
	})
}

// The model's last message of an interrupted turn is read from the rollout, and none of the turn
// before it.
func TestFinalMessageOfARollout(t *testing.T) {
	t.Parallel()
	const (
		prompt = `{"type":"event_msg","payload":{"type":"user_message","message":"Find the fault"}}` + "\n"
		said   = `{"type":"event_msg","payload":{"type":"agent_message","message":"The relay K4."}}` + "\n" + `{"type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"The relay K4."}]}}` + "\n"
		call   = `{"type":"response_item","payload":{"type":"function_call","name":"exec_command","arguments":"{}","call_id":"c"}}` + "\n"
	)
	for name, c := range map[string][2]string{
		"interrupted": {prompt + said + call, "The relay K4."}, "nothing said yet": {said + prompt + call, ""}, "nothing": {"", ""},
	} {
		if got := final([]byte(c[0])); got != c[1] {
			t.Errorf("%s: %q, want %q", name, got, c[1])
		}
	}
}
