package record

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/record"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell/shelltest"
	"github.com/agents-hooks/agents-hooks/cmd/internal/strange"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// What a person gives away has the structure of what was strange and of what was
// recorded, and nothing that stood in it; it is theirs alone, and replaces no file.
func TestAShareHasStructureAndNothingOfThePerson(t *testing.T) {
	t.Parallel()
	sh := shelltest.New(t)
	root := filepath.Join(sh.Host.Home, "work")
	now := time.Now()
	payload := func(text string) protocol.Object {
		o, err := protocol.ParseObject([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
	odd := payload(`{"hook_event_name":"PreThought","cwd":"/home/marigold/bank","thought":"marigold's salary","new":{"plan":{"for":"marigold"}}}`)
	if err := strange.Note(sh.Host.State, "claude-code", protocol.Strange{Kind: "event", Event: "PreThought"}, "2.1.330", odd, now); err != nil {
		t.Fatal(err)
	}
	store := record.Store{State: sh.Host.State}
	if err := store.Start(root, now); err != nil {
		t.Fatal(err)
	}
	ran := payload(`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"pay marigold"}}`)
	answer := record.Answer{Decision: "block", Stdout: `{"hookSpecificOutput":{"permissionDecisionReason":"not marigold"}}`}
	if err := store.Add(root, record.Entry{Time: now, Agent: "claude-code", NativeEvent: "PreToolUse", Event: "pre-tool-call", Session: "s", Project: root, Payload: ran.Raw(), Answer: answer}); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(sh.Host.Home, "drift.json")
	if err := shareInto(sh, file, recordOptions{root: root}); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"PreThought"`, `"2.1.330"`, `"plan": {`, `"tool_name": "Bash"`, `"permissionDecisionReason": "<text of 12>"`, `"decision": "block"`} {
		if !strings.Contains(string(b), want) {
			t.Errorf("no %s in\n%s", want, b)
		}
	}
	if strings.Contains(string(b), "marigold") || strings.Contains(string(b), sh.Host.Home) {
		t.Errorf("somebody's own is in\n%s", b)
	}
	if info, err := os.Stat(file); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Error(info.Mode(), err)
	}
	if err := shareInto(sh, file, recordOptions{root: root}); err == nil || !strings.Contains(err.Error(), "there already") {
		t.Errorf("a file was replaced: %v", err)
	}
}
