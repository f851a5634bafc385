package strange_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/strange"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/copilot"
)

// What an agent writes into a transcript after its last event is counted when somebody
// asks, each answer once, however often a turn ends or somebody asks.
func TestLateTranscriptsAreSearchedAgain(t *testing.T) {
	state, path := t.TempDir(), filepath.Join(t.TempDir(), "events.jsonl")
	const begun = `{"type":"hook.start","data":{"hookType":"agentStop"}}` + "\n"
	const bad = `{"type":"hook.end","data":{"hookType":"permissionRequest","success":false,"error":{"source":"/h/.copilot/hooks/agents-hooks.json"}}}` + "\n"
	d, now := copilot.Dialect, time.Now()
	write := func(text string) {
		t.Helper()
		f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		must.Do(t, err)
		must.Do(t, must.Err(f.WriteString(text)))
		must.Do(t, f.Close())
	}
	counted := func(when string, want int) {
		t.Helper()
		must.Do(t, strange.Settle(state, []*protocol.Dialect{d}, now))
		n := 0
		for _, r := range strange.Rows(state, d.ID) {
			if r.Kind != "answer" || r.Event != "PermissionRequest" || r.Version != "1.0.102" {
				t.Errorf("%+v", r)
			}
			n += r.Count(now)
		}
		if n != want {
			t.Errorf("%s: %d counted, want %d", when, n, want)
		}
	}
	follow := func() {
		t.Helper()
		must.Do(t, strange.Follow(state, d, path, "1.0.102", now))
	}

	counted("before any turn", 0)
	if names, _ := os.ReadDir(state); len(names) != 0 {
		t.Errorf("asking left %v", names)
	}
	write(begun)
	follow()
	counted("nothing is wrong", 0)
	write(bad[:40])
	counted("half a line", 0)
	write(bad[40:])
	counted("what came after the turn", 1)
	counted("asked again", 1)
	write(bad)
	follow()
	follow()
	counted("the next turn", 2)
	must.Do(t, os.Remove(path))
	counted("the transcript is gone", 2)
}
