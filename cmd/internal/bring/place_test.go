package bring

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// A folder that an entry of the person's names is found wherever the session is, or the entry is
// refused; one that is not there is told of, and what that does: else each call of every agent would
// be blocked without a word.
func TestTheFolderOfAPersonsEntry(t *testing.T) {
	for _, c := range []struct{ file, event, cwd, line, told string }{
		{".copilot/hooks/x.json", "preToolUse", `~/here`, `cd "$HOME"/here || exit 1`, ""},
		{".copilot/hooks/x.json", "preToolUse", `$HOME/here`, `cd "$HOME"/here || exit 1`, ""},
		{".copilot/hooks/x.json", "preToolUse", `${HOME}/here`, `cd "$HOME"/here || exit 1`, ""},
		{".copilot/hooks/x.json", "preToolUse", `~`, `cd "$HOME" || exit 1`, ""},
		{".copilot/hooks/x.json", "preToolUse", `~/gone`, `cd "$HOME"/gone || exit 1`, "its folder ~/gone is not there: until it is, it fails there as it will here, and any failure blocks"},
		{".copilot/hooks/x.json", "sessionStart", `~/gone`, `cd "$HOME"/gone || exit 1`, "its folder ~/gone is not there: until it is, it fails there as it will here"},
		{".copilot/hooks/x.json", "preToolUse", `.`, "command: 'true'", ""},
		{".copilot/hooks/x.json", "preToolUse", `scripts`, "", `its folder "scripts" is relative`},
		{".copilot/hooks/x.json", "preToolUse", `$ELSEWHERE/x`, "", `its folder "$ELSEWHERE/x" is not known here`},
		{".copilot/hooks/x.json", "preToolUse", `~other/x`, "", `its folder "~other/x" is not known here`},
		{".copilot/hooks/x.json", "preToolUse", `${CLAUDE_PROJECT_DIR}/gone`, `cd "${CLAUDE_PROJECT_DIR:-.}"/gone || exit 1`, ""},
		{".cursor/hooks.json", "beforeShellExecution", `$CURSOR_PROJECT_DIR/gone`, `cd "${CURSOR_PROJECT_DIR:-.}"/gone || exit 1`, ""},
		{".cursor/hooks.json", "beforeShellExecution", `hooks`, `cd "$HOME"/.cursor/hooks || exit 1`, "its folder ~/.cursor/hooks is not there: until it is, it fails there as it will here"},
	} {
		t.Run(c.file+" "+c.event+" "+c.cwd, func(t *testing.T) {
			h := machine(t, map[string]string{"home/here/x": "", "home/" + c.file: `{"version": 1, "hooks": {"` + c.event + `": [{"command": "true", "cwd": "` + c.cwd + `"}]}}`})
			p, err := Carry(h, Options{}, func(*Plan) error { return nil })
			if err != nil || len(p.Rows) != 1 {
				t.Fatalf("%v %+v", err, p)
			}
			row := p.Rows[0]
			if c.line == "" {
				if row.Result != NotBrought || !strings.HasPrefix(row.Reason, c.told) {
					t.Errorf("%s %q, want %q", row.Result, row.Reason, c.told)
				}
				return
			}
			if row.Result == NotBrought {
				t.Fatal(row.Reason)
			}
			if text := must.Read(t, filepath.Join(row.Folder, "HOOK.md")); !strings.Contains(text, c.line) {
				t.Errorf("want %q in it:\n%s", c.line, text)
			}
			if told := strings.Join(row.Differences, "\n"); filepath.ToSlash(told) != c.told {
				t.Errorf("told %q, want %q", told, c.told)
			}
		})
	}
}

// Both members that name an entry's folder do so for all that asks for it: its line, and where its
// script is looked for.
func TestAFolderByEitherName(t *testing.T) {
	for _, member := range []string{"cwd", "working_directory"} {
		h := machine(t, map[string]string{"project/scripts/x.sh": "#!/bin/sh\n",
			"project/.claude/settings.json": claude("PreToolUse", "", `"command": "sh ./x.sh", "`+member+`": "scripts"`)})
		p, err := Make(h, Options{})
		if err != nil || len(p.Rows) != 1 || len(p.jobs) != 1 {
			t.Fatalf("%s: %v %+v", member, err, p.Rows)
		}
		if text := p.finder.hookFile(p.jobs[0].hook); !strings.Contains(text, `cd "${CLAUDE_PROJECT_DIR:-.}"/scripts || exit 1`) || len(p.Rows[0].Differences) > 0 {
			t.Errorf("%s: %v\n%s", member, p.Rows[0].Differences, text)
		}
	}
}

// A command for PowerShell has the variables and the folder of its entry, too.
func TestPowerShellHasVariablesAndFolder(t *testing.T) {
	const head = `$env:A = 'it''s $x'; Set-Location -LiteralPath `
	for cwd, want := range map[string]string{
		"~/here":                  head + `($HOME + '/here') -ErrorAction Stop; Get-Date`,
		"$CLAUDE_PROJECT_DIR/a’b": head + `(($env:CLAUDE_PROJECT_DIR ?? '.') + '/a’’b') -ErrorAction Stop; Get-Date`,
	} {
		h := machine(t, map[string]string{"home/here/x": "", "project/a’b/x": "",
			"home/.claude/settings.json": claude("Stop", "", `"command": "Get-Date", "shell": "powershell", "env": {"A": "it's $x"}, "cwd": "`+cwd+`"`)})
		p, err := Make(h, Options{})
		if err != nil || len(p.jobs) != 1 {
			t.Fatalf("%s: %v %+v", cwd, err, p.Rows)
		}
		if argv := p.jobs[0].hook.Argv; argv[len(argv)-1] != want {
			t.Errorf("%s: %q, want %q", cwd, argv, want)
		}
		if _, err := exec.LookPath("pwsh"); err == nil {
			if out, err := exec.Command("pwsh", "-NoProfile", "-Command", "[void][scriptblock]::Create("+powerWord(want)+")").CombinedOutput(); err != nil {
				t.Errorf("%s: %s", want, out)
			}
		}
	}
}

// What is said of a script that is not found is what its program does then.
func TestWhatAMissingScriptDoes(t *testing.T) {
	const here = "it fails there as it will here"
	for _, c := range []struct{ file, content, want string }{
		{".claude/settings.json", claude("PreToolUse", "", `"command": "python3 guard.d/x.sh"`), here + ", and python3 then ends with 2, which blocks"},
		{".claude/settings.json", claude("PreToolUse", "", `"command": "sh guard.d/x.sh"`), here + ", and sh, where it is dash, then ends with 2, which blocks"},
		{".claude/settings.json", claude("PreToolUse", "", `"command": "bash guard.d/x.sh"`), here},
		{".claude/settings.json", claude("PreToolUse", "", `"command": "node guard.d/x.sh"`), here},
		{".claude/settings.json", claude("PreToolUse", "", `"command": "guard.d/x.sh"`), here},
		{".claude/settings.json", claude("PreToolUse", "", `"command": "node guard.d/x.sh", "onFailure": "block"`), here + ", and any failure blocks"},
		{".github/hooks/x.json", `{"version": 1, "hooks": {"preToolUse": [{"bash": "bash guard.d/x.sh"}]}}`, here + ", and any failure blocks"},
	} {
		t.Run(c.content, func(t *testing.T) {
			h := machine(t, map[string]string{"project/" + c.file: c.content, "project/guard.d/x.sh": "exit 0\n"})
			p, err := Make(h, Options{})
			if err != nil || len(p.Rows) != 1 {
				t.Fatalf("%v %+v", err, p)
			}
			for _, told := range p.Rows[0].Differences {
				if strings.Contains(told, "found from the project's root alone") && !strings.HasSuffix(told, c.want) {
					t.Errorf("%q, want %q", told, c.want)
				}
			}
			if len(p.Rows[0].Differences) == 0 {
				t.Error("nothing is told")
			}
		})
	}
}
