package bring

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// told are the entries of a plan, each as "event name" or "event -reason".
func told(p *Plan) (list []string) {
	for _, r := range p.Rows {
		if r.Result == NotBrought {
			list = append(list, r.Event+" -"+r.Reason)
		} else {
			list = append(list, r.Event+" "+r.Name)
		}
	}
	return list
}

// Plugins count that are installed and switched on; their hooks stand where the
// manifest says, or in the usual place without one.
func TestPluginsThatAreOn(t *testing.T) {
	cache := "home/.claude/plugins/cache/market/"
	hook := func(name string) string {
		return claude("Stop", "", `"command": "sh \"${CLAUDE_PLUGIN_ROOT}/`+name+`.sh\""`)
	}
	h := machine(t, map[string]string{
		cache + "tidy/1.0.2/hooks/hooks.json":                 hook("sweep"),
		cache + "tidy/1.0.2/sweep.sh":                         "",
		cache + "more/.claude-plugin/plugin.json":             `{"name": "more", "hooks": ["./extra.json", {"hooks": {"SessionEnd": [{"hooks": [{"type": "command", "command": "bye"}]}]}}]}`,
		cache + "more/extra.json":                             hook("extra"),
		cache + "more/extra.sh":                               "",
		cache + "off/hooks/hooks.json":                        hook("off"),
		cache + "out/.claude-plugin/plugin.json":              `{"name": "out", "hooks": "../more/extra.json"}`,
		"home/.claude/settings.json":                          `{"enabledPlugins": {"tidy@m": true, "more@m": true, "off@m": false, "out@m": true}}`,
		"project/.claude/settings.json":                       `{"enabledPlugins": {"team@m": true}}`,
		cache + "team/hooks/hooks.json":                       hook("team"),
		cache + "team/team.sh":                                "",
		"home/.claude/plugins/elsewhere/unrelated/hooks.json": hook("unrelated"),
	})
	at := func(name string) string { return filepath.Join(h.Home, ".claude/plugins/cache/market", name) }
	quoted := func(s string) string { return string(protocol.Quote(s)) }
	index := `{"version": 2, "plugins": {
		"tidy@m": [{"scope": "user", "installPath": ` + quoted(at("tidy/1.0.2")) + `}],
		"more@m": [{"scope": "user", "installPath": ` + quoted(at("more")) + `}],
		"off@m": [{"scope": "user", "installPath": ` + quoted(at("off")) + `}],
		"out@m": [{"scope": "user", "installPath": ` + quoted(at("out")) + `}],
		"team@m": [{"scope": "project", "projectPath": "/elsewhere", "installPath": "/nowhere"}, {"scope": "project", "projectPath": ` + quoted(h.WorkDir) + `, "installPath": ` + quoted(at("team")) + `}]}}`
	must.Script(t, filepath.Join(h.Home, ".claude/plugins/installed_plugins.json"), index)
	p, err := Make(h, Options{})
	must.Do(t, err)
	want := []string{"Stop sweep", "SessionEnd bye", "Stop extra", "Stop team"}
	if got := told(p); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if len(p.Problems) != 1 || !strings.Contains(filepath.ToSlash(p.Problems[0].File), "more/extra.json") {
		t.Errorf("a manifest that leads out: %+v", p.Problems)
	}
	for _, r := range p.Rows {
		if r.Name == "sweep" && r.Plugin != "tidy" {
			t.Errorf("called %q", r.Plugin)
		}
		if inProject := strings.HasPrefix(r.Folder, h.WorkDir); inProject != (r.Name == "team") {
			t.Errorf("%s goes to %s", r.Name, r.Folder)
		}
	}
	if !strings.Contains(p.finder.hookFile(p.jobs[0].hook), "export CLAUDE_PLUGIN_ROOT=\"$HOME\"/.claude/plugins/cache/market/tidy/1.0.2\n") {
		t.Error(p.finder.hookFile(p.jobs[0].hook))
	}
}

// A source is an agent, a file by its place or by what it holds, a folder.
func TestNamedSources(t *testing.T) {
	h := machine(t, map[string]string{
		"home/.claude/settings.json":       claude("Stop", "", `"command": "mine"`),
		"project/.claude/settings.json":    claude("Stop", "", `"command": "ours"`),
		"project/.codex/hooks.json":        claude("Stop", "", `"command": "codexes"`),
		"project/some/hooks.json":          claude("Stop", "", `"command": "loose"`),
		"project/pack/hooks/hooks.json":    claude("Stop", "", `"command": "packed"`),
		"project/.github/hooks/a.json":     `{"version": 1, "hooks": {"PreToolUse": [{"type": "command", "bash": "shelled"}]}}`,
		"project/nothing.json":             `{"a": 1}`,
		"project/deep/.qwen/settings.json": claude("Stop", "", `"command": "deep"`),
	})
	for from, want := range map[string]string{
		"claude":                          "Stop mine,Stop ours",
		"codex":                           "Stop codexes",
		".claude/settings.json":           "Stop ours",
		".claude":                         "Stop ours",
		"some/hooks.json":                 "Stop loose",
		"pack":                            "Stop packed",
		"deep":                            "Stop deep",
		".github/hooks/a.json":            "PreToolUse shelled",
		h.Home + "/.claude/settings.json": "Stop mine",
	} {
		t.Run(strings.TrimPrefix(from, h.Home), func(t *testing.T) {
			p, err := Make(h, Options{From: from})
			if err != nil || strings.Join(told(p), ",") != want {
				t.Errorf("%s: %v %q", from, err, told(p))
			}
		})
	}
	for _, from := range []string{"nothing.json", "gone", "some", "/dev/null", ""} {
		t.Run(fmt.Sprintf("%q", from), func(t *testing.T) {
			if p, err := Make(h, Options{From: from}); from != "" && err == nil && len(p.Problems) == 0 {
				t.Errorf("%q: %q", from, told(p))
			}
		})
	}
}

// Of a program that runs git's hooks, those that are named for an agent.
func TestRunnersOfGitHooks(t *testing.T) {
	h := machine(t, map[string]string{
		"project/lefthook.yml":            "pre-commit:\n  jobs:\n    - run: x\nai:\n  claude:\n    Stop: check\n    PreToolUse: gone\n  martian:\n    Stop: check\ncheck:\n  jobs:\n    - run: y\n",
		"project/.husky/pre-push":         "x",
		"project/.husky/SessionStart":     "x",
		"project/.pre-commit-config.yaml": "repos: []\n",
		"project/.claude/settings.json":   claude("Stop", "", `"command": "lefthook run check"`),
	})
	p, err := Make(h, Options{})
	must.Do(t, err)
	want := []string{"Stop lefthook-check", "Stop lefthook-check", "PreToolUse -lefthook.yml has no hook \"gone\"", "Stop -\"martian\" is not a known agent", "SessionStart session-start"}
	if got := told(p); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if len(p.Notes) != 3 || !strings.Contains(strings.Join(p.Notes, "\n"), "lefthook.yml: git runs pre-commit for every agent already") {
		t.Errorf("%q", p.Notes)
	}
}

// What git runs itself is its hooks and husky's of the same names; another script beside them is not.
func TestPathsOfGit(t *testing.T) {
	for path, want := range map[string]bool{
		"/p/.git/hooks/pre-push": true, "/p/.git/hooks": true, "/p/.husky/pre-commit": true,
		"/p/.husky/SessionStart": false, "/p/.git/config": false, "/p/hooks": false, "/p/hooks/pre-push": false, "/p/pre-commit": false,
	} {
		if got := ofGit(path); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
}

// What git runs is not imported: whoever asks for it hears so, and how an agent hears of it earlier.
func TestHooksOfGitAreNotImported(t *testing.T) {
	h := machine(t, map[string]string{"project/.husky/pre-commit": "npm test\n", "project/.git/hooks/pre-push": "#!/bin/sh\n", "project/.pre-commit-config.yaml": "repos: []\n"})
	const hint = "docs/import.md, Hooks of git"
	for from, want := range map[string]string{
		"lefthook":            "lefthook: there is no lefthook.yml here",
		".husky/pre-commit":   "pre-commit: git runs it for every agent already",
		".git/hooks":          "hooks: git runs it for every agent already",
		".git/hooks/pre-push": "pre-push: git runs it for every agent already",
	} {
		t.Run(from, func(t *testing.T) {
			_, err := Make(h, Options{From: from})
			hinted, ok := errors.AsType[shell.Hinted](err)
			if !ok || !strings.Contains(err.Error(), want) || !strings.Contains(strings.Join(hinted.Hints, ""), hint) {
				t.Errorf("%v %q", err, hinted.Hints)
			}
		})
	}
	for from, want := range map[string]string{"husky": ".husky: git runs pre-commit for", "pre-commit": ".pre-commit-config.yaml: git runs pre-commit for"} {
		t.Run(from, func(t *testing.T) {
			if p, err := Make(h, Options{From: from}); err != nil || len(p.Notes) != 1 || !strings.Contains(p.Notes[0], want) || !strings.Contains(p.Notes[0], hint) {
				t.Error(err, p)
			}
		})
	}
}

// A hook whose entry is gone is named, and one whose file cannot be read is not.
func TestWhatIsGoneIsNamed(t *testing.T) {
	h := machine(t, map[string]string{
		"home/.claude/settings.json":          claude("Stop", "", `"command": "mine"`),
		"project/.claude/settings.json":       claude("Stop", "", `"command": "ours"`),
		"project/.claude/settings.local.json": claude("Stop", "", `"command": "own"`),
	})
	agreed := func(*Plan) error { return nil }
	if p, err := Carry(h, Options{}, agreed); err != nil || len(p.Gone) > 0 {
		t.Fatal(err, p)
	}
	must.Script(t, filepath.Join(h.Home, ".claude", "settings.json"), "{}")
	must.Script(t, filepath.Join(h.WorkDir, ".claude", "settings.json"), "{ broken")
	must.Do(t, os.Remove(filepath.Join(h.WorkDir, ".claude", "settings.local.json")))
	p, err := Carry(h, Options{}, agreed)
	must.Do(t, err)
	var names []string
	for _, g := range p.Gone {
		names = append(names, g.Name)
	}
	if !slices.Equal(names, []string{"mine", "own"}) {
		t.Error(names)
	}
}

// A comment in a last line that does not end is one, and what is broken is told where
// it breaks.
func TestACommentEndsTheFile(t *testing.T) {
	h := machine(t, map[string]string{"home/.claude/settings.json": claude("Stop", "", `"command": "true"`) + "// the end"})
	p, err := Make(h, Options{})
	if err != nil || len(p.Rows) != 1 || len(p.Problems) > 0 {
		t.Errorf("%v, %+v", err, p)
	}
	h = machine(t, map[string]string{"home/.claude/settings.json": "{\"hooks\": {\n \"Stop\": [ // the end"})
	if p, err = Make(h, Options{}); err != nil || len(p.Problems) != 1 || p.Problems[0].Line != 2 {
		t.Errorf("%v, %+v", err, p.Problems)
	}
}

// A group goes with its only entry; of several in a group each has its own lines.
func TestLinesOfAnEntry(t *testing.T) {
	h := machine(t, map[string]string{"home/.claude/settings.json": `{"hooks": {"Stop": [
		{
			"hooks": [
				{"type": "command", "command": "true one"}
			]
		},
		{
			"hooks": [
				{"type": "command", "command": "true two"},
				{"type": "command", "command": "true three"}
			]
		}
	]}}`})
	p, err := Make(h, Options{})
	must.Do(t, err)
	want := map[string][2]int{"true one": {2, 6}, "true two": {9, 9}, "true three": {10, 10}}
	for _, r := range p.Rows {
		if lines := [2]int{r.Line, r.LastLine}; lines != want[r.Command] {
			t.Errorf("%s: lines %v, want %v", r.Command, lines, want[r.Command])
		}
		delete(want, r.Command)
	}
	if len(want) > 0 {
		t.Errorf("not found: %v", want)
	}
}

// Entries of a table come in the order of the file, with the lines of theirs.
func TestOrderOfATable(t *testing.T) {
	h := machine(t, map[string]string{"home/.codex/config.toml": "[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = \"command\"\ncommand = \"true\"\n\n[[hooks.PreToolUse]]\n[[hooks.PreToolUse.hooks]]\ntype = \"command\"\ncommand = \"true\"\n"})
	p, err := Make(h, Options{})
	if err != nil || len(p.Rows) != 2 || p.Rows[0].Event != "Stop" || p.Rows[0].Line != 1 || p.Rows[1].Event != "PreToolUse" || p.Rows[1].Line != 6 {
		t.Errorf("%v %+v", err, p.Rows)
	}
}

// What stands in no group its agent does not run, so that it is no hook; where entries
// stand in lists of their own it is. A limit of goings-on is kept.
func TestEntriesWithoutAGroup(t *testing.T) {
	h := machine(t, map[string]string{
		"home/.gemini/settings.json": `{"hooks": {"BeforeTool": [{"command": "true lost"}, {"matcher": "x", "hooks": [{"type": "command", "command": "true kept"}]}]}}`,
		"home/.cursor/hooks.json":    `{"version": 1, "hooks": {"stop": [{"command": "true going", "loop_limit": 3}]}}`,
	})
	p, err := Make(h, Options{})
	must.Do(t, err)
	list := strings.Join(told(p), "\n")
	if strings.Count(list, "BeforeTool -it stands in no group") != 1 || strings.Count(list, "BeforeTool ") != 2 || !strings.Contains(list, "stop ") {
		t.Errorf("came out as\n%s", list)
	}
	for _, j := range p.jobs {
		if limited := strings.Contains(p.finder.hookFile(j.hook), "\n  loop_limit: 3\n"); limited != (j.hook.Trigger == "pre-agent-turn-stop") {
			t.Errorf("%s: loop_limit is there: %v", j.hook.Name, limited)
		}
	}
}
