package setup

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
)

// If only an administrator's hooks run, and one of the administrator's files has our
// entry, nothing is kept out: that entry is called. It is not if hooks are off for
// everybody, or if the entry is another agent's.
func TestAnAdministratorsEntryStandsForThePersons(t *testing.T) {
	t.Parallel()
	const entry = `{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "/usr/local/bin/agents-hooks-run run --agent=claude-code --system=/etc/xdg/agents"}]}]}}`
	for _, tt := range []struct {
		rules, entry string
		kept         bool
	}{
		{`{"allowManagedHooksOnly": true}`, `{}`, true},
		{`{"allowManagedHooksOnly": true}`, entry, false},
		{`{"allowManagedHooksOnly": true, "disableAllHooks": true}`, entry, true},
		{`{"disableAllHooks": true}`, entry, true},
		{`{"allowManagedHooksOnly": true}`, `{"hooks": {"PreToolUse": [{"hooks": [{"command": "x run --agent=codex --system=/etc"}]}]}}`, true},
		{`{}`, `{}`, false},
	} {
		t.Run(fmt.Sprintf("rules %q, entry %q", tt.rules, tt.entry), func(t *testing.T) {
			d, _ := agents.Lookup("claude-code")
			ruled, managed := *d, *d.Managed
			etc := t.TempDir()
			managed.Linux = []string{filepath.Join(etc, "rules.json"), filepath.Join(etc, "entry.json")}
			ruled.Managed = &managed
			for i, text := range []string{tt.rules, tt.entry} {
				must.Write(t, managed.Linux[i], text)
			}
			why, file := KeptOut(host.Host{GOOS: "linux", Home: etc}, &ruled)
			if (why != "") != tt.kept || (file != "") != tt.kept {
				t.Errorf("%s with %s: %q, %s", tt.rules, tt.entry, why, file)
			}
		})
	}
}
