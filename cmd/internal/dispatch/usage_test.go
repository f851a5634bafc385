package dispatch

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/discovery"
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
	if err := os.WriteFile(path, []byte(strings.Repeat("{}\n", 1<<20)+line), 0o600); err != nil {
		t.Fatal(err)
	}
	d, _ := agents.Lookup("claude-code")
	ask := func(path string, hooks ...*discovery.Hook) string {
		ev := &protocol.Event{Type: protocol.PreAgentTurn}
		ev.Put("transcript_path", path)
		loaded{event: ev, set: &discovery.Set{Hooks: hooks}}.tellUsage(speaker{dialect: d})
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
