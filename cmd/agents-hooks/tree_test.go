package main

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell/shelltest"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
)

// changing are the commands that read nothing that a program would want to read
// after them. Every other one has --json.
var changing = []string{"run", "evolution serve", "new", "completion", "__complete", "__manual", "conformance copy", "skills inject", "skills remove", "skills inject-prompt", "skills remove-prompt", "skills run", "builtin run", "builtin worker", "record"}

// leaves calls f with each command that does something, and its words.
func leaves(list []*cli.Command, path []string, f func(path []string, c *cli.Command)) {
	for _, c := range list {
		here := append(path[:len(path):len(path)], c.Name)
		if len(c.Subcommands) > 0 {
			leaves(c.Subcommands, here, f)
		}
		if c.Action != nil && (len(c.Subcommands) == 0 || len(c.Flags) > 0) {
			f(here, c)
		}
	}
}

// call runs the program in this process.
func call(t *testing.T, args ...string) (exit int, stdout, stderr string) {
	t.Helper()
	var out, errs strings.Builder
	exit = run(shelltest.New(t).Host, args, strings.NewReader(""), &out, &errs)
	return exit, out.String(), errs.String()
}

func TestEveryCommand(t *testing.T) {
	count := 0
	leaves(shelltest.New(t).Commands(commandGroups(), ""), nil, func(path []string, c *cli.Command) {
		count++
		t.Run(strings.Join(path, " "), func(t *testing.T) {
			if c.Usage == "" && !c.Hidden {
				t.Error("no usage")
			}
			if !hasFlag(c, "json") && !slices.Contains(changing, strings.Join(path, " ")) {
				t.Error("a reading command without --json; or name it in changing")
			}
			seen := map[string]bool{"help": true, "h": true}
			for _, f := range c.Flags {
				for _, name := range f.Names() {
					if seen[name] {
						t.Errorf("two flags are called %s", name)
					}
					seen[name] = true
				}
			}
			if c.SkipFlagParsing || !slowtest.Part(count, 4) {
				return // -slow asks each for its help, and for a flag that it has not
			}
			checkHelp(t, path...)
			exit, out, errs := call(t, append(slices.Clone(path), "--no-such-flag")...)
			if exit != shell.ExitUsage || !onlyError(c, out) || !strings.HasPrefix(errs, "agents-hooks: ") || !strings.Contains(errs, "hint: ") {
				t.Errorf("--no-such-flag: exit %d, stdout %q, stderr %q", exit, out, errs)
			}
		})
	})
	if count < 15 {
		t.Errorf("walked %d commands", count)
	}
}

// onlyError reports whether a command said nothing on stdout but, if its answers are JSON, its error.
func onlyError(c *cli.Command, out string) bool {
	if out == "" || !c.AnswersJSON {
		return out == ""
	}
	var answer struct{ Status string }
	return json.Unmarshal([]byte(out), &answer) == nil && answer.Status == "error"
}

func hasFlag(c *cli.Command, name string) bool {
	return slices.ContainsFunc(c.Flags, func(f cli.Flag) bool { return slices.Contains(f.Names(), name) })
}

// checkHelp asks for help: on stdout, at most 79 columns wide, exit 0.
func checkHelp(t *testing.T, path ...string) {
	t.Helper()
	exit, out, errs := call(t, append(slices.Clone(path), "--help")...)
	if exit != shell.ExitDone || errs != "" || !strings.Contains(out, "USAGE:") {
		t.Errorf("--help: exit %d, stdout %q, stderr %q", exit, out, errs)
	}
	for line := range strings.Lines(out) {
		if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > 79 {
			t.Errorf("help is %d columns wide, want at most 79: %s", n, line)
		}
	}
}

// What agents start is in the help too, and tells its flags.
func TestRunHelp(t *testing.T) {
	checkHelp(t, "run")
	if _, out, _ := call(t, "--help"); !strings.Contains(out, "\n   run ") {
		t.Errorf("run is not in the help: %s", out)
	}
	_, out, _ := call(t, "run", "-h")
	for _, flag := range []string{"--agent ID", "--event NATIVE", "--deadline DURATION", "--config DIR", "--state DIR", "--trust always", "--no-project"} {
		if !strings.Contains(out, flag) {
			t.Errorf("%s is not told: %s", flag, out)
		}
	}
}

func TestCommandLineItself(t *testing.T) {
	checkHelp(t)
	if exit, out, errs := call(t); exit != shell.ExitDone || !strings.Contains(out, "\nnext  ") || strings.Count(out, "\n") > 10 || errs != "" {
		t.Errorf("no arguments: exit %d, stdout %q, stderr %q", exit, out, errs)
	}
	for _, tc := range []struct {
		args []string
		says string
	}{
		{[]string{"lst"}, "hint: agents-hooks list"},
		{[]string{"no-such-command"}, "hint: agents-hooks --help"},
		{[]string{"--no-such-flag"}, "hint: agents-hooks --help"},
		{[]string{"--json", "list"}, "hint: flags stand behind the command: agents-hooks list --json"},
		{[]string{"list", "--format", "json"}, "hint: here it is --json"},
		{[]string{"log", "--limit", "3"}, "hint: here it is --last"},
		{[]string{"log", "--timeouts"}, "hint: here it is --late"},
		{[]string{"stats", "--denied"}, "hint: here it is --blocked"},
		{[]string{"log", "--date", "2026-11-21"}, "hint: here it is --since"},
		{[]string{"stats", "--yesterday"}, "hint: agents-hooks stats --since yesterday"},
		{[]string{"install", "all"}, "hint: agents-hooks install --all"},
		{[]string{"explain", "last"}, "hint: agents-hooks explain --last"},
		{[]string{"mcp", "--list", "--tools", "nope"}, `mcp: --tools: no such set: "nope"`},
		{[]string{"log", "-5"}, "hint: agents-hooks log -n 5"},
		{[]string{"log", "--count"}, "hint: agents-hooks stats\n"},
		{[]string{"log", "gemini-cli"}, "hint: agents-hooks log --agent gemini-cli"},
		{[]string{"stats", "yesterday"}, "hint: agents-hooks stats --since yesterday"},
		{[]string{"stats", "./api"}, "hint: agents-hooks stats --project ./api"},
		{[]string{"log", "12"}, "hint: agents-hooks log -n 12"},
		{[]string{"log", "--since", ""}, "log: --since needs a value, but it is empty"},
		{[]string{"stats", "--hook", " "}, "stats: --hook needs a value, but it is empty"},
		{[]string{"explain", "--blocked"}, "hint: agents-hooks explain --last --blocked"},
		{[]string{"memory", "list", "--type", "X"}, `memory list: --type "X": want W, B, O or S`},
		{[]string{"install", "--user", "--project", "codex"}, "hint: for example: agents-hooks install claude-code"},
		{[]string{"upgarde"}, "hint: agents-hooks upgrade"},
		{[]string{"builtin", "enable", "memory"}, "hint: agents-hooks enable memory"},
		{[]string{"ws", "init"}, "hint: for example: agents-hooks workspace init"},
		{[]string{"--install", "codex"}, "hint: a command has no hyphens: agents-hooks install codex"},
		{[]string{"install", "--agent", "codex"}, "hint: AGENT stands without a flag"},
		{[]string{"explain", "git", "push"}, "hint: for example: agents-hooks explain pre-tool-call"},
		{[]string{"explain", `echo "it's"`}, `"tool_input": {"command": "echo \"it'\''s\""}}' | agents-hooks explain --input -`},
		{[]string{"explain", "--command", "ls"}, "hint: agents-hooks explain 'git push'"},
		{[]string{"config"}, "hint: agents-hooks spec settings\n"},
		{[]string{"conformance", "run"}, "hint: agents-hooks conformance runner\n"},
		{[]string{"codex", "install"}, "hint: agents-hooks install codex"},
		{[]string{"ls"}, "hint: agents-hooks list"},
		{[]string{"LIST"}, "hint: agents-hooks list"},
		{[]string{"list", "-jsn"}, "list: no such flag: -jsn\nhint: did you mean --json?"},
		{[]string{"list", "--jsn"}, "list: no such flag: --jsn\nhint: did you mean --json?"},
		{[]string{"list", "--quiet"}, "hint: it has --all, --dir, --json, --help"},
		{[]string{"install", "--dry"}, "hint: did you mean --dry-run?"},
		{[]string{"evolution", "create", "--signals"}, "hint: did you mean --signals-match?"},
		{[]string{"list", "--dir"}, "list: --dir needs a value"},
		{[]string{"list", "--json=maybe"}, `list: --json: "maybe" is not true or false`},
		{[]string{"record", "onn"}, "hint: agents-hooks record on"},
		{[]string{"record", "start"}, "hint: agents-hooks record on\n"},
		{[]string{"memory", "add", "a fact"}, "hint: agents-hooks memory save\n"},
		{[]string{"memory", "remove", "x"}, "hint: agents-hooks memory delete\n"},
		{[]string{"memory", "update", "x"}, "hint: agents-hooks memory edit\n"},
		{[]string{"workspace", "new"}, "hint: agents-hooks workspace init\n"},
		{[]string{"evolution", "suggest"}, "hint: agents-hooks evolution analyze\n"},
		{[]string{"evolution", "update", "x"}, "evolution: no such command: \"update\"\nhint: it has analyze"},
		{[]string{"record", "nonsense"}, "record: no such command: \"nonsense\""},
		{[]string{"workspace", "node", "nonsense"}, "workspace node: no such command: \"nonsense\"\nhint: it has create, get"},
		{[]string{"record", "on", "--no-such-flag"}, "hint: agents-hooks record on --help"},
		{[]string{"conformance", "nonsense"}, "hint: agents-hooks conformance --help"},
		{[]string{"version", "x", "y"}, "too many arguments"},
		{[]string{"completion"}, "want one of"},
		{[]string{"completion", "tcsh"}, "no such shell"},
		{[]string{"spec", "nonsense-page"}, "no such page"},
		{[]string{"spec", "eratta"}, "hint: agents-hooks spec errata"},
		{[]string{"test"}, "want the folder of one hook"},
		{[]string{"new"}, "want the name"},
		{[]string{"new", "Bad Name"}, "hint: agents-hooks new bad-name"},
		{[]string{"new", "Über_Wache"}, "hint: agents-hooks new über-wache"},
		{[]string{"new", "x", "--trigger", "pre-tool"}, "no such event"},
		{[]string{"new", "x", "--trigger", "pre-session", "--tool", "Shell"}, "has no tool"},
		{[]string{"new", "x", "--pattern", "("}, "is not a regular expression"},
		{[]string{"new", "x", "--lang", "cobol"}, "no skeleton"},
		{[]string{"new", "x", "--user", "--project"}, "at most one"},
		{[]string{"explain", "pre-tool"}, "no such event"},
		{[]string{"enable"}, "want"},
		{[]string{"disable"}, "want"},
	} {
		t.Run(strings.Join(tc.args, " "), func(t *testing.T) {
			exit, out, errs := call(t, tc.args...)
			if exit != shell.ExitUsage || out != "" && !slices.Contains(tc.args, "--json") || !strings.Contains(errs, tc.says) {
				t.Errorf("%q: exit %d, stdout %q, stderr %q; want 64, nothing, %q", tc.args, exit, out, errs, tc.says)
			}
		})
	}
}
