package install_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/claude"
	"github.com/agents-hooks/agents-hooks/protocol/install"
)

// Claude Code starts our entry on Windows without a shell: without Git Bash it gives a
// line to PowerShell, where a program in quotes is a text, and holds the call. An entry of
// the form before is known, brought up to date where it stands, and gone byte for byte.
func TestClaudeCodeOfWindowsNeedsNoShell(t *testing.T) {
	argv := []string{`C:\Users\Jo Doe\agents-hooks-run.exe`, "run", "--agent=claude-code", `--home=C:\Users\Jo Doe`}
	e := protocol.Entry{Argv: argv, Events: []string{"PreToolUse"}}
	path := `C:\Users\dev\.claude\settings.json`
	const mine = "{\n  \"hooks\": {\n    \"PreToolUse\": [\n      {\"hooks\": [{\"type\": \"command\", \"command\": \"mine\", \"args\": [\"x\"]}]}\n    ]\n  }\n}\n"
	old := strings.Replace(mine, "]}]}", `]}, {"type": "command", "command": "'C:\\old\\agents-hooks.exe' run --agent=claude-code", "timeout": 60}]}`, 1)
	for name, text := range map[string]string{"new": mine, "of before": old} {
		t.Run(name, func(t *testing.T) {
			files := disk{path: text}
			site := files.site(t)
			site.GOOS, site.Home, site.Env = "windows", `C:\Users\dev`, nil
			for i := range 2 {
				edits, err := install.Add(claude.Dialect, site, e)
				if err != nil || i == 1 && len(edits) > 0 {
					t.Fatalf("%s: %v, %v", name, edits, err)
				}
				files.apply(t, edits)
			}
			for _, want := range []string{string(protocol.Quote(argv[0])), `"args": [`} {
				if !strings.Contains(files[path], want) {
					t.Errorf("%s: no %s in\n%s", name, want, files[path])
				}
			}
			now, err := install.Inspect(claude.Dialect, site)
			if err != nil || len(now.Entries) != 1 || !slices.Equal(now.Entries[0].Argv, argv) {
				t.Errorf("%s: %+v, %v", name, now.Entries, err)
			}
			edits, err := install.Remove(claude.Dialect, site)
			must.Do(t, err)
			if files.apply(t, edits); files[path] != mine {
				t.Errorf("%s: left\n%s", name, files[path])
			}
		})
	}
}
