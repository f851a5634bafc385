package dispatch

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
)

// HM-ACT-19: of a long transcript the end alone is read, and what is no file is
// no reason to wait.
func TestUsageIsReadFromTheEnd(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "t.jsonl")
	line := `{"message":{"usage":{"input_tokens":5,"output_tokens":6}}}` + "\n"
	must.Write(t, path, strings.Repeat("{}\n", 1<<20)+line)
	d, _ := agents.Lookup("claude-code")
	ask := func(path string, hooks ...*discovery.Hook) string {
		ev := &protocol.Event{Type: protocol.PreAgentTurn}
		ev.Put("transcript_path", path)
		loaded{event: ev, set: &discovery.Set{Hooks: hooks}}.tellTail(speaker{dialect: d})
		return string(ev.Fields.Get("usage"))
	}
	due := &discovery.Hook{Name: "a", Status: discovery.Ready, Trigger: protocol.PreAgentTurn}
	if got := ask(path, due); got != `{"context_tokens": 11, "input_tokens": 5, "output_tokens": 6}` {
		t.Error(got)
	}
	if got := ask(path); got != "" {
		t.Error("read for no hook:", got)
	}
	for _, none := range []string{dir, filepath.Join(dir, "none"), ""} {
		if got := ask(none, due); got != "" {
			t.Errorf("%q: %s", none, got)
		}
	}
}

// At a call of a tool, too, though what the call returned may be megabytes on one line; of many
// lines no more than a quarter of a megabyte is read, and of any 16 megabytes.
// HM-ACT-19.
func TestUsageIsReadBehindALongResult(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "t.jsonl")
	for agent, line := range map[string]string{
		"claude-code": `{"message":{"usage":{"input_tokens":5,"output_tokens":6}}}`,
		"codex":       `{"type":"event_msg","payload":{"type":"token_count","info":{"last_token_usage":{"input_tokens":5,"output_tokens":6,"total_tokens":11},"model_context_window":272000}}}`,
	} {
		for _, c := range []struct {
			lines, size int
			want        int64
		}{{1, 10, 11}, {1, 40 << 10, 11}, {1, 300 << 10, 11}, {1, 6 << 20, 11}, {3, 1 << 20, 11}, {60, 10 << 10, 0}, {1, 17 << 20, 0}} {
			t.Run(fmt.Sprintf("%s, %d lines of %d bytes", agent, c.lines, c.size), func(t *testing.T) {
				want := c.want
				must.Write(t, path, line+"\n"+strings.Repeat(`{"type":"user","message":{"content":[{"type":"tool_result","content":"`+strings.Repeat("z", c.size)+`"}]}}`+"\n", c.lines))
				d, _ := agents.Lookup(agent)
				ev := &protocol.Event{Type: protocol.PostToolCall}
				ev.Put("transcript_path", path)
				if got := usageOf(ev, d); got.ContextTokens != want {
					t.Errorf("%+v, want %d tokens", got, want)
				}
			})
		}
	}
}

// What the model said last is read of a transcript where the stop does not tell it, and
// only there; a prompt behind it says that there is none.
func TestLastMessageIsReadFromTheEnd(t *testing.T) {
	t.Parallel()
	said := `{"type":"assistant.message","data":{"content":"all done","toolRequests":[]}}` + "\n" +
		`{"type":"assistant.message","data":{"content":"of a subagent","parentToolCallId":"x"}}` + "\n" + `{"type":"assistant.turn_end","data":{}}` + "\n"
	path := filepath.Join(t.TempDir(), "events.jsonl")
	d, _ := agents.Lookup("copilot-cli")
	for _, c := range []struct {
		on         protocol.EventType
		tail, want string
	}{
		{protocol.PreAgentTurnStop, said, `{"role": "assistant", "content": "all done"}`},
		{protocol.PreAgentTurnStop, strings.Repeat("{}\n", 20<<10) + said + strings.Repeat("{}\n", 20<<10), `{"role": "assistant", "content": "all done"}`},
		{protocol.PreAgentTurnStop, said + `{"type":"user.message","data":{"content":"go on"}}` + "\n", ""},
		{protocol.PreAgentTurn, said, ""},
	} {
		t.Run(fmt.Sprintf("%s, %d bytes", c.on, len(c.tail)), func(t *testing.T) {
			must.Write(t, path, c.tail)
			ev := &protocol.Event{Type: c.on}
			ev.Put("transcript_path", path)
			loaded{event: ev, set: &discovery.Set{Hooks: []*discovery.Hook{{Name: "a", Status: discovery.Ready, Trigger: c.on}}}}.tellTail(speaker{dialect: d})
			if got := string(ev.Fields.Get("final_message")); got != c.want {
				t.Errorf("%s: %s, want %s", c.on, got, c.want)
			}
		})
	}
}
