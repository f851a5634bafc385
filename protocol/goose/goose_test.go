package goose

import (
	"fmt"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/dialecttest"
)

func TestEvents(t *testing.T) { dialecttest.Events(t, Dialect, nil) }

// stdout is a blocking verdict, a banner or empty (goose/1), on exit 0.
func TestAnswers(t *testing.T) {
	for _, a := range dialecttest.Answers(t, Dialect, nil) {
		name := a.Event.NativeEvent + ", " + a.Kind
		if len(a.Reply.Stdout) == 0 {
			continue
		}
		o, err := protocol.ParseObject(a.Reply.Stdout)
		verdict := len(o) == 2 && o.Text("decision") == "block" && strings.TrimSpace(o.Text("reason")) != ""
		banner := len(o) == 1 && o.Text("banner") != "" && a.Event.Type == protocol.PreSession
		if err != nil || !verdict && !banner {
			t.Errorf("%s: goose/1: %v, %s", name, err, a.Reply.Stdout)
		}
	}
}

func TestQuirks(t *testing.T) {
	first := func(payload string) *protocol.Event {
		return dialecttest.First(t, Dialect, `{"session_id": "s", "event": `+payload+`}`)
	}
	told := func(payload string, o protocol.Outcome) string {
		return dialecttest.Told(t, Dialect, `{"session_id": "s", "event": `+payload+`}`, o)
	}
	ev := first(`"PreToolUse", "tool_name": "developer__shell", "tool_input": {"command": "ls"}, "tool_call_id": "call_7"`)
	dialecttest.Check(t, "goose/2 a call", ev.Call.ID+" "+ev.Call.Name, "call_7 Shell")
	dialecttest.Check(t, "goose/2 a prompt", first(`"UserPromptSubmit", "message": "hello"`).Fields.Text("prompt"), "hello")
	events, _ := Dialect.Decode(protocol.Input{Payload: dialecttest.Object(t, `{"event": "Stop", "session_id": "s"}`), WorkDir: "/here"})
	dialecttest.Check(t, "goose/3 where we run", events[0].WorkDir, "/here")
	dialecttest.Check(t, "goose/3 where it says", first(`"SessionStart", "working_dir": "/there"`).WorkDir, "/there")
	for _, n := range natives {
		if n.Can.Has(protocol.CanContext) {
			t.Errorf("goose/4: %s takes context", n.Name)
		}
	}
	dialecttest.Check(t, "goose/5 at the start", told(`"SessionStart"`, protocol.Outcome{UserMessage: "hi"}), `{"banner": "hi"}`)
	dialecttest.Check(t, "goose/5 later", told(`"Stop"`, protocol.Outcome{UserMessage: "hi"}), "")
	dialecttest.Check(t, "goose/6 stops in a row", fmt.Sprint(Dialect.StopMax), "0")
	for command, want := range map[string]string{
		`"view"`: "ReadFile", `"write"`: "WriteFile", `"str_replace"`: "EditFile", `"insert"`: "EditFile", `"undo_edit"`: "EditFile",
		`"other"`: "EditFile, also ReadFile, also WriteFile", `7`: "EditFile, also ReadFile, also WriteFile",
	} {
		ev := first(`"PreToolUse", "tool_name": "developer__text_editor", "tool_input": {"path": "a", "command": ` + command + `}`)
		dialecttest.Check(t, "goose/7 the tool of "+command, strings.Join(append([]string{ev.Call.Name}, ev.Call.Also...), ", also "), want)
		dialecttest.Check(t, "goose/7 the file of "+command, ev.Call.Input.Text("file_path"), "a")
	}
	for name, want := range map[string]string{
		"github__list_issues": "mcp__github__list_issues", "developer__analyze": "developer__analyze", "plain": "plain", "__x": "__x", "x__": "x__",
	} {
		dialecttest.Check(t, "goose/8 "+name, first(`"PreToolUse", "tool_name": "`+name+`"`).Call.Name, want)
	}
	for _, n := range natives {
		if n.Matcher != "" {
			t.Errorf("goose/9: %s has the matcher %q", n.Name, n.Matcher)
		}
	}
}
