package bring

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// Names are those that a person would choose.
func TestNames(t *testing.T) {
	f := &finder{h: machine(t, nil)}
	for command, want := range map[string]string{
		`python3 "$CLAUDE_PROJECT_DIR"/.claude/hooks/check_style.py`: "check-style",
		`~/.claude/hooks/blockRm.sh --all`:                           "block-rm",
		`npx prettier --write .`:                                     "prettier",
		`jq -r '.tool_input.file_path' | xargs eslint --fix`:         "eslint",
		`node -e "require('./lib/utils.js')" node hooks/pre-bash.js`: "pre-bash",
		`npm run lint`:                       "lint",
		`bash -c 'cd x && ruff check'`:       "ruff-check",
		`notify-send 'Done' 'now'`:           "notify-send",
		`lefthook run validate`:              "lefthook-validate",
		`make fmt`:                           "make-fmt",
		`FOO=1 node ./tools/audit/index.mjs`: "audit",
		`echo hi >> ~/.claude/bash-log.txt`:  "bash-log",
		`echo hi`:                            "echo-hi",
		`cat | grep -q 'rm -rf' && exit 2`:   "grep-rm-rf",
		`if jq -e '.tool_input.command | test("sudo")'; then echo no >&2; exit 2; fi`: "jq-sudo",
		`cat docs/CONTRIBUTING.md`:        "cat-contributing",
		`[ -f "$HOME/x" ] && cat TODO.md`: "cat-todo",
		`echo "Today is $(date), $USER"`:  "echo-today-date",
		`printf '\a'`:                     "on-stop-printf",
		`exit 0`:                          "on-stop-command",
		`python3 -c "import json, sys; p=json.load(sys.stdin).get('tool_input', {}).get('file_path', ''); sys.exit(2 if '.env' in p else 0)"`: "python3-env",
		`if [ -f x ]; then gofmt -l .; fi`:       "gofmt",
		`uv run --with x $HOME/hooks/log_it.py`:  "log-it",
		`C:\hooks\win-guard.ps1`:                 "win-guard",
		`/usr/local/bin/guard --strict`:          "guard",
		`"/Applications/My App/bin/watch-it" go`: "watch-it",
		"echo " + strings.Repeat("a", 100):       "echo-" + strings.Repeat("a", 43), // a name has 64 bytes at most
	} {
		t.Run(command, func(t *testing.T) {
			e := Entry{fields: value{kind: object, members: []member{{"command", value{kind: text, text: command}}}}}
			h := &Hook{Trigger: protocol.PreAgentTurnStop, Entries: []Entry{e}}
			if got := f.nameOf(h); got != want {
				t.Errorf("%s: %q, want %q", command, got, want)
			}
		})
	}
}

// Where all that a hook could be called is taken, it gets the first number that is free.
func TestNamesWithANumber(t *testing.T) {
	f := &finder{h: machine(t, nil)}
	var hooks []*Hook
	for range 3 {
		e := Entry{fields: value{kind: object, members: []member{{"command", value{kind: text, text: "guard"}}}}}
		hooks = append(hooks, &Hook{Trigger: protocol.PreAgentTurnStop, Entries: []Entry{e}})
	}
	f.christen(hooks, func(name string) bool { return name == "guard-3" })
	for i, want := range []string{"guard", "guard-2", "guard-4"} {
		if hooks[i].Name != want {
			t.Errorf("number %d is called %q, want %q", i+1, hooks[i].Name, want)
		}
	}
}

// Of a line the first simple command is read, from its program on.
func TestWordsOfTheFirstCommand(t *testing.T) {
	f := &finder{h: machine(t, nil)}
	for line, want := range map[string][]string{
		"python3 a.py | cat":        {"python3", "a.py"},
		"a.sh x && b.sh":            {"a.sh", "x"},
		"a.sh x; b.sh":              {"a.sh", "x"},
		"a.sh >> log.txt":           {"a.sh"},
		"a.sh 2>/dev/null b":        {"a.sh"},
		"_A1=1 exec env a.sh -x":    {"a.sh", "-x"},
		"A-B=1 a.sh":                {"A-B=1", "a.sh"}, // is no name of a variable
		"${ROOT}/a.sh x":            {"${ROOT}/a.sh", "x"},
		"if a; then b; fi":          nil,
		"cd x && a.sh":              nil,
		"(a.sh)":                    nil,
		"echo 'a word that is open": nil,
	} {
		t.Run(line, func(t *testing.T) {
			e := Entry{fields: value{kind: object, members: []member{{"command", value{kind: text, text: line}}}}}
			if got := f.wordsOf(e); !slices.Equal(got, want) {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}

// A command cannot work without its program, nor an interpreter without its script.
func TestWordsThatMustBeThere(t *testing.T) {
	for line, want := range map[string]string{
		"cat a.py b.py":         "cat",
		"python3 a.py b.py":     "python3 a.py",
		"/bin/sh -e -u a.sh x":  "/bin/sh -e -u a.sh",
		"uv run a.py --with b":  "uv run a.py",
		"prettier -w --check x": "prettier",
	} {
		words := strings.Fields(line)
		for i := range words {
			if must := i < len(strings.Fields(want)); mustBe(words, i) != must {
				t.Errorf("%s: %s must be there: %v", line, words[i], !must)
			}
		}
	}
}

// What a shell takes for a variable is one.
func TestNamesOfVariables(t *testing.T) {
	for name, want := range map[string]bool{
		"A": true, "Z": true, "a": true, "z": true, "_": true, "A0": true, "_x9": true, "CLAUDE_PROJECT_DIR": true,
		"": false, "0": false, "9a": false, "a-b": false, "a b": false, "a.b": false, "é": false, "@": false, "[": false, "`": false, "{": false, "a/": false, "a:": false,
	} {
		if got := variable(name); got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
}

// What an entry is called for programs names it, if people can read it.
func TestNamesOfEntriesWithAnID(t *testing.T) {
	f := &finder{h: machine(t, nil)}
	of := func(s string) value { return value{kind: text, text: s} }
	command := member{"command", of("node run.js")}
	entry := func(id string) value { return value{kind: object, members: []member{command, {"id", of(id)}}} }
	plain := value{kind: object, members: []member{command}}
	group := func(entries ...value) value {
		return value{kind: object, members: []member{{"id", of("pre:bash:dispatcher")}, {"hooks", value{kind: list, items: entries}}}}
	}
	for want, e := range map[string]Entry{
		"keep-main":           {fields: entry("keep:main"), group: group(plain)},
		"run":                 {fields: entry("4f2a-9c"), group: value{kind: object}},
		"pre-bash-dispatcher": {fields: plain, group: group(plain)},
	} {
		if got := f.nameOf(&Hook{Trigger: protocol.PreToolCall, Entries: []Entry{e}}); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := f.nameOf(&Hook{Trigger: protocol.PreToolCall, Entries: []Entry{{fields: plain, group: group(plain, plain)}}}); got != "run" {
		t.Errorf("%q for one of two in a group", got)
	}
}

// A folder keeps its name when the settings that it came from are put into another order, and get
// entries that would have its name.
func TestNamesStayAtASecondImport(t *testing.T) {
	commands := []string{"echo done", "prettier --check", "prettier --write", "printf x", "cat | grep -q sudo"}
	settings := func(commands []string) string {
		var groups []string
		for _, c := range commands {
			groups = append(groups, fmt.Sprintf(`{"hooks": [{"type": "command", "command": %q}]}`, c))
		}
		return `{"hooks": {"Stop": [` + strings.Join(groups, ", ") + `]}}`
	}
	h := machine(t, map[string]string{"home/.claude/settings.json": settings(commands)})
	named := func() map[string]string {
		t.Helper()
		p, err := Carry(h, Options{}, func(*Plan) error { return nil })
		if err != nil || len(p.Gone) > 0 {
			t.Fatal(err, p)
		}
		of := map[string]string{}
		for _, r := range p.Rows {
			of[r.Command] = r.Name
		}
		return of
	}
	first := named()
	want := map[string]string{"echo done": "echo-done", "prettier --check": "prettier-check", "prettier --write": "prettier-write", "printf x": "on-stop-printf", "cat | grep -q sudo": "grep-sudo"}
	if !maps.Equal(first, want) {
		t.Errorf("%v\nwant %v", first, want)
	}
	must.Script(t, filepath.Join(h.Home, ".claude", "settings.json"), settings([]string{"printf y", "prettier", "prettier --write", "echo done now", "cat | grep -q sudo", "echo done", "printf x", "prettier --check"}))
	again := named()
	for command, name := range first {
		if again[command] != name {
			t.Errorf("%s: %s, then %s", command, name, again[command])
		}
	}
	seen := map[string]string{}
	for command, name := range again {
		if other, twice := seen[name]; twice {
			t.Errorf("%s is the name of %q and %q", name, command, other)
		}
		seen[name] = command
	}
}
