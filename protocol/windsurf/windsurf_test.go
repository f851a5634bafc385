package windsurf_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/dialecttest"
	"github.com/agents-hooks/agents-hooks/protocol/windsurf"
)

func TestEvents(t *testing.T) { dialecttest.Events(t, windsurf.Dialect, nil) }

// stdout is empty; stderr and exit 2 are used only for a block, which the five events
// before an action support (windsurf/1).
func TestAnswers(t *testing.T) {
	for _, a := range dialecttest.Answers(t, windsurf.Dialect, nil) {
		name := a.Event.NativeEvent + ", " + a.Kind
		blocks := strings.HasPrefix(a.Event.NativeEvent, "pre_") && a.Outcome.Decision == protocol.Block
		if len(a.Reply.Stdout) > 0 || (a.Reply.Exit == 2) != blocks || (len(a.Reply.Stderr) > 0) != blocks {
			t.Errorf("windsurf/1: %s: exit %d, stdout %q, stderr %q", name, a.Reply.Exit, a.Reply.Stdout, a.Reply.Stderr)
		}
	}
}

func TestQuirks(t *testing.T) {
	first := func(payload string) *protocol.Event { return dialecttest.First(t, windsurf.Dialect, "{"+payload+"}") }
	for payload, want := range map[string]string{
		`"agent_action_name": "pre_run_command", "tool_info": {"command_line": "ls"}`:                                       `Shell run_command {"command_line": "ls", "command": "ls"}`,
		`"agent_action_name": "post_read_code", "tool_info": {"file_path": "/p"}`:                                           `ReadFile read_code {"file_path": "/p"}`,
		`"agent_action_name": "pre_mcp_tool_use", "tool_info": {"mcp_server_name": "s", "mcp_tool_name": "t"}`:              `mcp__s__t t {}`,
		`"agent_action_name": "pre_write_code", "tool_info": {"file_path": "a", "edits": [{"old_string": "b", "x": null}]}`: `EditFile write_code WriteFile Edit Write {"file_path": "a", "edits": [{"old_string": "b", "x": null}], "old_string": "b"}`,
	} {
		ev := first(payload)
		dialecttest.Check(t, "windsurf/2, windsurf/3 "+payload, strings.Join(ev.Call.Names(), " ")+" "+string(ev.Fields.Sub("tool_input").Raw()), want)
	}
	for payload, want := range map[string]string{
		`"agent_action_name": "pre_user_prompt", "trajectory_id": "", "execution_id": "e"`:  "e",
		`"agent_action_name": "pre_user_prompt", "trajectory_id": "t", "execution_id": "e"`: "t",
	} {
		dialecttest.Check(t, "windsurf/4 "+payload, first(payload).SessionID, want)
	}
	for payload, want := range map[string]string{
		`{"agent_action_name": "pre_run_command", "tool_info": {"cwd": "/c"}}`: "/c",
		`{"agent_action_name": "pre_read_code", "tool_info": {}}`:              "/w",
	} {
		t.Run(payload, func(t *testing.T) {
			events, err := windsurf.Dialect.Decode(protocol.Input{Payload: dialecttest.Object(t, payload), WorkDir: "/w"})
			if err != nil || events[0].WorkDir != want {
				t.Errorf("windsurf/5: %v, works in %q, want %q", err, events[0].WorkDir, want)
			}
		})
	}
	before := first(`"agent_action_name": "pre_run_command", "trajectory_id": "t", "tool_info": {"command_line": "ls"}`)
	after := first(`"agent_action_name": "post_run_command", "trajectory_id": "t", "tool_info": {"command_line":"ls"}`)
	if id := before.Fields.Text("tool_use_id"); before.Call.ID != "" || id == "" || id != after.Fields.Text("tool_use_id") {
		t.Errorf("windsurf/6: ids %q and %q", id, after.Fields.Text("tool_use_id"))
	}
	dialecttest.Check(t, "windsurf/7", windsurf.Dialect.Config.Timeout, "-")
	if i := slices.IndexFunc(windsurf.Dialect.NativeEvents, func(n protocol.Native) bool { return !n.Unnamed }); i >= 0 {
		t.Errorf("the entry of %s does not say the event, which this payload calls as no other does", windsurf.Dialect.NativeEvents[i].Name)
	}
	ev := first(`"agent_action_name": "post_cascade_response", "tool_info": {"response": "done"}`)
	dialecttest.Check(t, "windsurf/8", string(ev.Type)+" "+ev.Can.String()+" "+ev.Fields.Sub("final_message").Text("content"), "post-agent-turn-stop  done")
	ev = first(`"agent_action_name": "pre_read_code", "tool_info": {"file_path": "/home/dev/project"}`)
	dialecttest.Check(t, "windsurf/9", ev.Call.Input.Text("file_path"), "/home/dev/project")
}
