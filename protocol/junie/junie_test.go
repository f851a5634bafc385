package junie

import (
	"testing"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/dialecttest"
)

func TestEvents(t *testing.T) { dialecttest.Events(t, Dialect, nil) }

// Every answer is one object (junie/3) that never says allow where nobody asks for a permission (junie/8), on exit 0;
// only a prompt is blocked by exit 2 (junie/5).
func TestAnswers(t *testing.T) {
	for _, a := range dialecttest.Answers(t, Dialect, nil) {
		name := a.Event.NativeEvent + ", " + a.Kind
		if a.Event.Type == protocol.PreAgentTurn && a.Outcome.Decision == protocol.Block {
			if a.Reply.Exit != 2 || len(a.Reply.Stderr) == 0 || len(a.Reply.Stdout) > 0 {
				t.Errorf("%s: junie/5: exit %d, stdout %q, stderr %q", name, a.Reply.Exit, a.Reply.Stdout, a.Reply.Stderr)
			}
			continue
		}
		o, err := protocol.ParseObject(a.Reply.Stdout)
		if err != nil || a.Reply.Exit != 0 || len(a.Reply.Stderr) > 0 {
			t.Errorf("%s: junie/3: %v, %q, exit %d, stderr %q", name, err, a.Reply.Stdout, a.Reply.Exit, a.Reply.Stderr)
		}
		if word := o.Text("decision"); (word == "allow") != (a.Outcome.Decision == protocol.Allow && a.Event.Type.Permits()) || word != "allow" && o.Has("decision") && o.Text("reason") == "" || o.Has("hookSpecificOutput") {
			t.Errorf("%s: junie/8: %s", name, a.Reply.Stdout)
		}
	}
}

func TestQuirks(t *testing.T) {
	in := func(dir string) *protocol.Event {
		events, _ := Dialect.Decode(protocol.Input{Payload: dialecttest.Object(t, `{"hook_event_name": "Stop", "stop_hook_active": false}`), WorkDir: dir})
		return events[0]
	}
	one, again, other := in("/p"), in("/p"), in("/q")
	dialecttest.Check(t, "junie/1 where we run", one.WorkDir+" "+other.WorkDir, "/p /q")
	if one.SessionID == "" || one.SessionID != again.SessionID || one.SessionID == other.SessionID {
		t.Errorf("junie/1: sessions %q, %q, %q", one.SessionID, again.SessionID, other.SessionID)
	}
	if _, ok := Dialect.Native("PermissionRequest"); ok {
		t.Error("junie/2: PermissionRequest is registered")
	}
	for _, native := range []string{"", "PreToolUse", "PermissionRequest"} {
		dialecttest.Check(t, "junie/3 "+native, string(Dialect.NoOpinion(native).Stdout), "{}\n")
	}
	for _, name := range []string{"SessionStart", "SessionEnd", "StopFailure"} {
		n, _ := Dialect.Native(name)
		dialecttest.Check(t, "junie/4 "+name, n.Can.String(), "")
	}
	if got := file(protocol.Site{Scope: protocol.ProjectScope, Home: "/h", Project: "/p"}); got != "" {
		t.Errorf("junie/6: %s", got)
	}
	dialecttest.Check(t, "junie/6", file(protocol.Site{Scope: protocol.UserScope, Home: "/h", Env: func(string) string { return "/j" }}), "/j/config.json")
	for _, n := range natives {
		for _, typ := range n.Events() {
			if typ == protocol.PostToolCall || typ == protocol.PostToolCallFailure {
				t.Errorf("junie/7: %s is %s", n.Name, typ)
			}
		}
	}
	for _, p := range dialecttest.Payloads(t, ".") {
		if Dialect.Detect(p.Object) {
			t.Errorf("junie/9: %s is told by its shape", p.Name)
		}
	}
	dialecttest.Check(t, "junie/8", dialecttest.Told(t, Dialect, `{"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "rm", "timeout": 5}}`,
		protocol.Outcome{Decision: protocol.Allow, ModifiedInput: dialecttest.Object(t, `{"command": "ls"}`), AdditionalContext: "c"}),
		`{"updatedInput": {"command": "ls", "timeout": 5}, "additionalContext": "c"}`)
}
