package bring

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// A tool that is not known here may be one of the agent all the same; what can be no tool's
// name never ran.
func TestAMatcherThatFindsNoKnownTool(t *testing.T) {
	for matcher, want := range map[string]string{
		"ExitPlanMode":                 "it runs for one that is called so, and no other",
		"AskUserQuestion|ExitPlanMode": "it runs for one that is called so, and no other",
		"bash":                         "there it may never have run",
		"Bash(git push:*)":             `a rule such as this belongs in "if"`,
		"Edit:.*ts":                    "there it may never have run",
		"Bash|ExitPlanMode":            "",
	} {
		t.Run(matcher, func(t *testing.T) {
			row, _ := one(t, ".claude/settings.json", claude("PreToolUse", `"matcher": "`+matcher+`", `, `"command": "true"`))
			said := strings.Join(row.Differences, "\n")
			if row.Result == NotBrought || want == "" && said != "" || !strings.Contains(said, want) {
				t.Errorf("%s: %v, want %q", row.Result, row.Differences, want)
			}
		})
	}
}

// A variable that looks like one of the agent's and is set by nobody is told of: its value is
// empty here as it was there, and the file that it was to name is in the event.
func TestAVariableThatIsNeverSet(t *testing.T) {
	for command, want := range map[string]string{
		"echo $CLAUDE_FILE_PATHS":                             "$CLAUDE_FILE_PATHS",
		`prettier --write \"${CLAUDE_TOOL_INPUT_FILE_PATH}\"`: "$CLAUDE_TOOL_INPUT_FILE_PATH",
		"echo $CLAUDE_PROJECT_DIR $CLAUDE_ENV_FILE":           "",
		"echo ${CLAUDE_CONFIG_DIR:-$HOME/.claude}":            "",
		"CLAUDE_X=1; echo $CLAUDE_X $HOME $FILE":              "",
	} {
		t.Run(command, func(t *testing.T) {
			row, _ := one(t, ".claude/settings.json", claude("PostToolUse", "", `"command": "`+command+`"`))
			said := strings.Join(row.Differences, "\n")
			if row.Result == NotBrought || (want == "") == strings.Contains(said, "which is not set") || !strings.Contains(said, want) {
				t.Errorf("%s %v, want %q", row.Reason, row.Differences, want)
			}
		})
	}
}

// A hook that blocks where it fails goes on doing so: else it would guard less than it did.
func TestAFailureThatBlocksStillBlocks(t *testing.T) {
	for entry, want := range map[string]bool{
		`"command": "true", "onFailure": "block"`:    true,
		`"command": "true", "onFailure": "continue"`: false,
		`"command": "true"`:                          false,
	} {
		if row, text := one(t, ".claude/settings.json", claude("PreToolUse", "", entry)); strings.Contains(text, "\n  on_error: block\n") != want {
			t.Errorf("%s: %s\n%s", entry, row.Reason, text)
		}
	}
}

// A member that is not known may say when the hook runs: it is not dropped without a word.
func TestAMemberThatIsNotKnownIsToldOf(t *testing.T) {
	for entry, want := range map[string]string{
		`"command": "true", "runsWhen": "idle"`:                                            `"runsWhen" is not known here and left out`,
		`"command": "true", "statusMessage": "x", "description": "y", "id": "z", "_by": 1`: "",
		`"command": "true", "timeout": 5, "async": false, "onFailure": "continue"`:         "",
	} {
		row, _ := one(t, ".claude/settings.json", claude("PreToolUse", "", entry))
		if got := strings.Join(row.Differences, "\n"); row.Result == NotBrought || got != want {
			t.Errorf("%s: %s %q, want %q", entry, row.Reason, got, want)
		}
	}
}

// Where a project's hook runs depends on the session, unless its agent runs it in the root: a
// path that is found from there alone is told of, or led there.
func TestAPathThatIsFoundFromTheRootAlone(t *testing.T) {
	const told = "is found from the project's root alone"
	for _, c := range []struct {
		file, content, text string
		told                bool
	}{
		{"project/.claude/settings.json", claude("PreToolUse", "", `"command": "sh guard.d/x.sh"`), "command: 'sh guard.d/x.sh'", true},
		{"home/.claude/settings.json", claude("PreToolUse", "", `"command": "sh guard.d/x.sh"`), "command: 'sh guard.d/x.sh'", false}, // no project's
		{"project/.claude/settings.json", claude("PreToolUse", "", `"command": "sh \"$CLAUDE_PROJECT_DIR\"/guard.d/x.sh"`), "guard.d/x.sh", false},
		{"project/.claude/settings.json", claude("PreToolUse", "", `"command": "true"`), "command: 'true'", false},
		{"project/.cursor/hooks.json", `{"version": 1, "hooks": {"beforeShellExecution": [{"command": "sh guard.d/x.sh"}]}}`, "\n    cd \"${CURSOR_PROJECT_DIR:-.}\" || exit 1\n    sh guard.d/x.sh\n", false},
	} {
		t.Run(c.file+": "+c.content, func(t *testing.T) {
			h := machine(t, map[string]string{c.file: c.content, "project/guard.d/x.sh": "exit 0\n"})
			p, err := Carry(h, Options{}, func(*Plan) error { return nil })
			if err != nil || len(p.Rows) != 1 || p.Rows[0].Result == NotBrought {
				t.Fatalf("%v %+v", err, p)
			}
			text := must.Read(t, filepath.Join(p.Rows[0].Folder, "HOOK.md"))
			if said := strings.Join(p.Rows[0].Differences, "\n"); strings.Contains(said, told) != c.told || !strings.Contains(text, c.text) {
				t.Errorf("%q\n%s", said, text)
			}
		})
	}
}
