package main

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell/shelltest"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

func TestComplete(t *testing.T) {
	tool := shelltest.New(t)
	dir := filepath.Join(tool.Host.Config, "hooks", "guard-one")
	must.Write(t, filepath.Join(dir, "HOOK.md"), "---\nname: guard-one\ndescription: a guard\ntrigger: pre-tool-call\n---\n")
	must.Write(t, filepath.Join(dir, "scripts", "run.sh"), "exit 0\n")
	commands := tool.Commands(commandGroups(), "")
	for _, tc := range []struct {
		name string
		line string // words, the one under the cursor last
		want string // all of these
		not  string // none of these
		kind cli.Kind
	}{
		{"commands", "", "run|list|explain|validate|new|test|install|completion", "__complete", ""},
		{"commands by prefix", "un", "uninstall|untrust", "list", ""},
		{"flags", "list|--", "--json|--all|--dir|--help", "", ""},
		{"flags of run", "run|--", "--agent|--deadline|--no-project|--json|--stream", "--hostile", ""},
		{"agents of run", "run|--agent|", "claude-code|codex", "", ""},
		{"flags behind an argument", "test|x|--ho", "--hostile", "--json", ""},
		{"agents of a flag", "explain|--agent|", "claude-code|codex|gemini-cli", "spec", ""},
		{"agents of a flag, inline", "explain|--agent=co", "--agent=codex", "--agent=claude-code", ""},
		{"agents of a flag, as bash breaks it", "explain|--agent|=|co", "codex", "claude-code", ""},
		{"agents of a flag, as bash breaks it, empty", "explain|--agent|=", "codex|claude-code", "", ""},
		{"a finished flag, as bash breaks it", "explain|--agent|=|codex|--ev", "--event", "", ""},
		{"events", "explain|pre-t", "pre-tool-call", "post-tool-call", ""},
		{"events of one agent", "explain|--agent|gemini-cli|--event|", "BeforeTool", "PreToolUse", ""},
		{"triggers", "new|x|--trigger|post-s", "post-session|post-subagent", "pre-session", ""},
		{"languages", "new|--lang|", "sh|python|node", "", ""},
		{"tools", "new|--tool|Sh", "Shell", "", ""},
		{"hooks", "disable|", "guard-one", "", ""},
		{"hooks, each once", "enable|guard-one|", "", "guard-one", ""},
		{"agents, each once", "install|codex|", "claude-code", "codex", ""},
		{"pages", "spec|", "errata|settings|hook", "hm-io-15", ""},
		{"rules", "spec|hm-io-1", "hm-io-10|hm-io-15", "hm-io-20|HM-IO-15", ""},
		{"rules as their page spells them", "spec|BM-ST", "BM-STO-01", "bm-sto-01", ""},
		{"rules of a flag's place", "spec|--json|ev-", "ev-fai-01", "hm-io-15", ""},
		{"shells", "completion|", "bash|zsh|fish|powershell", "", ""},
		{"no second shell", "completion|bash|", "", "zsh", ""},
		{"files", "test|x|--input|", "", "", cli.FileNames},
		{"hooks and folders", "test|", "guard-one", "", cli.FolderNames},
		{"hooks and folders to check", "validate|gua", "guard-one", "", cli.FolderNames},
		{"hooks and folders to list", "list|x|gua", "guard-one", "", cli.FolderNames},
		{"folders of a flag", "list|-C|", "", "", cli.FolderNames},
		{"signals", "evolution|analyze|error:t", "error:timeout|error:typescript|error:test_failure", "error:oom", ""},
		{"outcomes", "evolve|record|--outcome|", "success|failed", "repair", ""},
		{"categories", "evolution|create|--category|", "repair|optimize|innovate|diagnostic", "success", ""},
		{"files of genes", "evolution|import|", "", "", cli.FileNames},
		{"no flags behind --", "test|--|--", "", "--hostile", cli.FolderNames},
		{"nothing for an unknown command", "nonsense|", "", "list", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			list, kind := cli.Complete(commands, strings.Split(tc.line, "|"))
			var words []string
			for _, s := range list {
				words = append(words, s.Word)
			}
			for _, w := range split(tc.want) {
				if !slices.Contains(words, w) {
					t.Errorf("%s is missing in %q", w, words)
				}
			}
			for _, w := range split(tc.not) {
				if slices.Contains(words, w) {
					t.Errorf("%s is in %q", w, words)
				}
			}
			if kind != tc.kind {
				t.Errorf("kind %q, want %q", kind, tc.kind)
			}
		})
	}
}

func split(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, "|")
}

// zshTab types a line and a tab into an interactive zsh that has the script, and prints
// what became of the line. It waits for what is printed, never for time.
const zshTab = `zmodload zsh/zpty
zpty tab 'TERM=dumb zsh -f -i'
zpty -w tab "PS1='' ; unsetopt zle_bracketed_paste; autoload -Uz compinit && compinit -u -D && source ${(q)1} && print READY:\$?"
zpty -r tab out '*READY:0*' || exit 1
zpty -n -w tab $'agents-hooks explain --agent cod\t'
zpty -r tab out '*--agent codex*' || exit 1
zpty -d tab
print codex`

// TestCompletionInShells has each shell that is here complete a line by its own
// means. The program it asks is this test binary, found on the PATH.
func TestCompletionInShells(t *testing.T) {
	script := func(shell string) string {
		path := filepath.Join(t.TempDir(), "completion."+shell)
		_, text, _ := call(t, "completion", shell)
		must.Write(t, path, text)
		return path
	}
	for _, tc := range []struct {
		shell string
		args  []string
	}{
		{"bash", []string{"-c", `source "$1" && COMP_WORDS=(agents-hooks explain --agent co) COMP_CWORD=3 && _agents_hooks && printf '%s\n' "${COMPREPLY[@]}"`, "bash", script("bash")}},
		{"bash", []string{"-c", `source "$1" && COMP_WORDS=(agents-hooks explain --agent = co) COMP_CWORD=4 && _agents_hooks && printf '%s\n' "${COMPREPLY[@]}"`, "bash", script("bash")}},
		{"fish", []string{"-c", `source $argv[1]; complete -C "agents-hooks explain --agent co"`, script("fish")}},
		// zsh completes only in its line editor: one is started in a terminal of its
		// own, and a tab typed into it.
		{"zsh", []string{"-f", "-c", zshTab, "zsh", script("zsh")}},
	} {
		t.Run(tc.shell, func(t *testing.T) {
			path, err := exec.LookPath(tc.shell)
			if err != nil {
				t.Skip("not installed here")
			}
			out, err := exec.Command(path, tc.args...).CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if !strings.HasPrefix(string(out), "codex") || strings.Contains(string(out), "claude") {
				t.Errorf("have %q", out)
			}
		})
	}
}

func TestCompletionScriptsAreThere(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "powershell", "pwsh"} {
		t.Run(shell, func(t *testing.T) {
			if _, s, _ := call(t, "completion", shell); !strings.Contains(s, "__complete") {
				t.Errorf("%s: %q", shell, s)
			}
		})
	}
}
