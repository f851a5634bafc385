package record

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/record"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell/shelltest"
	"github.com/agents-hooks/agents-hooks/cmd/internal/strange"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/redact"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
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
		must.Do(t, err)
		return o
	}
	odd := payload(`{"hook_event_name":"PreThought","cwd":"/home/marigold/bank","thought":"marigold's salary","new":{"plan":{"for":"marigold"}}}`)
	claude, _ := agents.Lookup("claude-code")
	must.Do(t, strange.Note(sh.Host.State, claude, protocol.Strange{Kind: "event", Event: "PreThought"}, "2.1.330", odd, now))
	store := record.Store{State: sh.Host.State}
	must.Do(t, store.Start(root, now))
	ran := payload(`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"pay marigold"}}`)
	answer := record.Answer{Decision: "block", Stdout: `{"hookSpecificOutput":{"permissionDecisionReason":"not marigold"}}`}
	must.Do(t, store.Add(root, record.Entry{Time: now, Agent: "claude-code", NativeEvent: "PreToolUse", Event: "pre-tool-call", Session: "s", Project: root, Payload: ran.Raw(), Answer: answer}))
	file := filepath.Join(sh.Host.Home, "drift.json")
	must.Do(t, shareInto(sh, file, recordOptions{root: root}))
	b, err := os.ReadFile(file)
	must.Do(t, err)
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
	if err := shareInto(sh, file, recordOptions{root: root}); err == nil || !strings.Contains(err.Error(), "already exists") {
		t.Errorf("a file was replaced: %v", err)
	}
}

// Whatever agents were seen to send is given away without a text of anybody's: with each
// text of the payloads turned into one and the same word, and with that word as the name
// of a member wherever a tool or its result may bring names, the word is nowhere.
func TestNoTextOfAnyPayloadIsShared(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob("../../../../protocol/*/testdata/payloads/*/*.json")
	if err != nil || len(names) < 300 {
		t.Fatal(len(names), err)
	}
	for _, name := range names {
		b, err := os.ReadFile(name)
		must.Do(t, err)
		var v any
		if json.Unmarshal(b, &v) != nil {
			continue // one that is broken on purpose
		}
		b, err = json.Marshal(planted("", v))
		must.Do(t, err)
		o, err := protocol.ParseObject(b)
		if err != nil {
			continue
		}
		for _, d := range agents.All() {
			if shape := string(redact.Shape(o.Raw(), d.Tools)); strings.Contains(shape, "marigold") {
				t.Fatalf("%s, of %s:\n%s\n%s", name, d.ID, b, shape)
			}
		}
	}
}

// planted is a value with a word for each text that does not say what kind of thing it
// is of, and as a name in each object that tools fill.
func planted(name string, v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			v[k] = planted(k, e)
		}
		if slices.Contains([]string{"tool_response", "tool_result", "toolResult", "metadata"}, name) {
			v["marigold"] = "marigold"
		}
		if slices.Contains([]string{"tool_input", "toolInput", "toolArgs", "args", "parameters"}, name) {
			v["to"] = map[string]any{"marigold": 1}
			v["type"], v["status"], v["role"] = "marigold", "marigold", "marigold"
		}
		return v
	case []any:
		for i, e := range v {
			v[i] = planted(name, e)
		}
		return v
	case string:
		if redact.Kind(v) == v && slices.Contains([]string{"agent_action_name", "event", "hook", "hookEventName", "hookName", "hookSource", "hook_event_name",
			"kind", "permissionMode", "permission_mode", "role", "source", "status", "tool", "toolName", "tool_name", "trigger", "type", "name"}, name) {
			return v
		}
		return "marigold"
	}
	return v
}
