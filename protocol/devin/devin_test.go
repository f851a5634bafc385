package devin

import (
	"testing"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/dialecttest"
)

var env = map[string]string{"DEVIN_PROJECT_DIR": "/home/dev/project"}

func TestEvents(t *testing.T) { dialecttest.Events(t, Dialect, env) }

// Every answer is printed on exit 0, blocks at the top (devin-cli/2) and has no
// message (devin-cli/8).
func TestAnswers(t *testing.T) {
	for _, a := range dialecttest.Answers(t, Dialect, env) {
		name := a.Event.NativeEvent + ", " + a.Kind
		if len(a.Reply.Stdout) == 0 {
			continue
		}
		o, err := protocol.ParseObject(a.Reply.Stdout)
		hso := o.Sub("hookSpecificOutput")
		if word := o.Text("decision"); err != nil || word != "" && word != "block" && (word != "approve" || a.Outcome.Decision != protocol.Allow) || hso.Has("permissionDecision") || hso != nil && hso.Text("hookEventName") != a.Event.NativeEvent {
			t.Errorf("%s: devin-cli/2: %v, %s", name, err, a.Reply.Stdout)
		}
		if o.Has("systemMessage") {
			t.Errorf("%s: devin-cli/8: %s", name, a.Reply.Stdout)
		}
	}
}

func TestQuirks(t *testing.T) {
	const base = `"session_id": "s", "prompt_id": "p", "hook_event_name": `
	first := func(payload string) *protocol.Event { return dialecttest.First(t, Dialect, "{"+base+payload+"}") }
	dialecttest.Check(t, "devin-cli/1 of the environment", dialecttest.Decode(t, Dialect, dialecttest.Object(t, "{"+base+`"Stop"}`), env)[0].WorkDir, "/home/dev/project")
	events, _ := Dialect.Decode(protocol.Input{Payload: dialecttest.Object(t, "{"+base+`"Stop"}`), WorkDir: "/here"})
	dialecttest.Check(t, "devin-cli/1 where we run", events[0].WorkDir, "/here")
	for want, o := range map[string]protocol.Outcome{
		`{"decision": "block", "reason": "r"}`:   {Decision: protocol.Block, Reason: "r"},
		`{"decision": "approve", "reason": "r"}`: {Decision: protocol.Allow, Reason: "r"},
	} {
		dialecttest.Check(t, "devin-cli/9 "+string(o.Decision), dialecttest.Told(t, Dialect, "{"+base+`"PermissionRequest", "tool_name": "exec", "tool_input": {"command": "ls"}}`, o), want)
	}
	dialecttest.Check(t, "devin-cli/3", dialecttest.Told(t, Dialect, "{"+base+`"PreToolUse", "tool_name": "exec", "tool_input": {"command": "rm", "shell_id": "main"}}`,
		protocol.Outcome{ModifiedInput: dialecttest.Object(t, `{"command": "ls"}`)}),
		`{"hookSpecificOutput": {"hookEventName": "PreToolUse", "updatedInput": {"command": "ls", "shell_id": "main"}}}`)
	for response, want := range map[string]string{
		`{"success": true, "output": "x", "error": null}`:  "post-tool-call ",
		`{"success": false, "output": "x", "error": null}`: "post-tool-call-failure x",
		`{"success": false, "output": "", "error": "e"}`:   "post-tool-call-failure e",
		`"x"`: "post-tool-call ",
	} {
		ev := first(`"PostToolUse", "tool_name": "exec", "tool_response": ` + response)
		dialecttest.Check(t, "devin-cli/4 "+response, string(ev.Type)+" "+ev.Fields.Text("error"), want)
	}
	for payload, want := range map[string]bool{
		`{` + base + `"Stop"}`:                                  true,
		`{` + base + `"Stop", "transcript_path": "/x/s.jsonl"}`: false,
		`{` + base + `"Stop", "transcript_path": null}`:         false,
		`{"session_id": "s", "hook_event_name": "Stop"}`:        false,
	} {
		t.Run(payload, func(t *testing.T) {
			if got := Dialect.Detect(dialecttest.Object(t, payload)); got != want {
				t.Errorf("devin-cli/5: %s: told %v", payload, got)
			}
		})
	}
	if Dialect.Detect(dialecttest.Object(t, `{"session_id": "s", "hook_event_name": "SessionStart", "source": "startup"}`)) {
		t.Error("devin-cli/5: the start of a session is told")
	}
	site := protocol.Site{Scope: protocol.ProjectScope, GOOS: "linux", Home: "/h", Project: "/p"}
	dialecttest.Check(t, "devin-cli/6 of a project", file(site)+" "+eventsIn(site, file(site)), "/p/.devin/hooks.v1.json ")
	site.Scope = protocol.UserScope
	dialecttest.Check(t, "devin-cli/6 of the user", file(site)+" "+eventsIn(site, file(site)), "/h/.config/devin/config.json hooks")
	for _, member := range []string{"patch", "input"} {
		ev := first(`"PreToolUse", "tool_name": "apply_patch", "tool_input": {"` + member + `": "*** Update File: a\n*** Add File: b"}`)
		dialecttest.Check(t, "devin-cli/7 the files in "+member, ev.Call.Input.Text("file_path")+" "+string(ev.Call.Input.Get("file_paths")), `a ["a", "b"]`)
		dialecttest.Check(t, "devin-cli/7 hooks get the same of "+member, string(ev.Fields.Get("tool_input")), string(ev.Call.Input.Raw()))
	}
}
