package bring

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/agents-hooks/agents-hooks/cmd/internal/shell/shelltest"
	"github.com/agents-hooks/agents-hooks/internal/linktest"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
)

func agent(t *testing.T, id string) *protocol.Dialect {
	t.Helper()
	d, ok := agents.Lookup(id)
	if !ok {
		t.Fatal(id)
	}
	return d
}

// A file that cannot be read is a problem with its place, and holds up no other.
func TestBrokenFilesAreTold(t *testing.T) {
	for _, c := range []struct {
		content, want string
		line          int
	}{
		{"{\n  \"hooks\": {\n    \"Stop\": [ {] }\n", "not JSON", 3},
		{`[]`, "want an object at the top", 1},
		{`{"hooks": 7}`, "hooks: want an object", 1},
		{`{"hooks": {"Stop": {"hooks": []}}}`, "Stop: want a list", 1},
		{strings.Repeat("[", 100_000), "lie in one another", 1},
		{"{\"a\": \"\x00\"}", "zero byte", 0},
		{`{"x": "` + strings.Repeat("y", 2<<20) + `"}`, "limit", 0},
	} {
		t.Run(fmt.Sprintf("%.80q", c.content), func(t *testing.T) {
			h := machine(t, map[string]string{"home/.claude/settings.json": c.content, "home/.codex/hooks.json": claude("Stop", "", `"command": "true"`)})
			p, err := Make(h, Options{})
			if err != nil || len(p.Problems) != 1 || !strings.Contains(p.Problems[0].Message, c.want) || p.Problems[0].Line != c.line {
				t.Errorf("%.40s: %v %+v", c.content, err, p.Problems)
			}
			if p.Jobs() != 1 {
				t.Errorf("%.40s: %d others", c.content, p.Jobs())
			}
		})
	}
}

// Nothing of a project that leads out of it is read or written, and nothing in it is
// run.
func TestAHostileProjectReachesNothing(t *testing.T) {
	ran := filepath.Join(t.TempDir(), "ran")
	h := machine(t, map[string]string{
		"secret.json":                          claude("Stop", "", `"command": "secret"`),
		"project/.cursor/hooks.json":           `{"version": 1, "hooks": {"stop": [{"command": "touch ` + ran + `"}]}}`,
		"project/.gemini/settings.json":        claude("SessionStart", "", `"command": "touch `+ran+`"`),
		"project/p/.claude-plugin/x":           "",
		"project/p/hooks/hooks.json":           claude("Stop", "", `"command": "touch `+ran+`"`),
		"project/q/.claude-plugin/plugin.json": `{"name": "../../x", "hooks": ["../../secret.json", "/etc/passwd"]}`,
	})
	project := h.WorkDir
	must.Do(t, os.MkdirAll(filepath.Join(project, ".claude"), 0o755))
	for _, l := range [][2]string{{"../../secret.json", ".claude/settings.json"}, {"../..", ".codex"}, {"/dev/zero", ".claude/settings.local.json"}, {"../outside", ".agents"}} {
		linktest.Make(t, l[0], filepath.Join(project, l[1]))
	}
	must.Script(t, filepath.Join(h.Home, ".claude", "settings.json"), claude("Stop", "", `"command": "mine"`))
	must.Script(t, filepath.Join(project, ".qwen", "settings.json"), claude("Stop", "", `"command": "theirs"`))
	if p, err := Carry(h, Options{}, func(*Plan) error { return nil }); err != nil || len(p.Problems) == 0 {
		t.Errorf("%v: a folder that leads out was not told: %+v", err, p)
	}
	if _, err := os.Stat(filepath.Join(h.Config, "hooks", "mine", "HOOK.md")); err != nil {
		t.Errorf("the person's own was held up: %v", err)
	}
	for _, from := range []string{"", "q", "p", ".claude/settings.json", ".claude"} {
		t.Run(fmt.Sprintf("%q", from), func(t *testing.T) {
			p, err := Carry(h, Options{From: from, Layer: protocol.ProjectScope}, func(*Plan) error { return nil })
			if err != nil {
				return
			}
			for _, r := range p.Rows {
				if r.Command == "secret" {
					t.Errorf("%q: read through a link: %+v", from, r)
				}
			}
		})
	}
	if _, err := os.Lstat(filepath.Join(filepath.Dir(project), "outside")); err == nil {
		t.Error("written through a link")
	}
	if _, err := os.Lstat(ran); err == nil {
		t.Error("something was run")
	}
}

// The user's own is what an agent of theirs reads in every project. Whatever else they name, or a
// variable leads to in the project, is a stranger's, who needs a yes.
func TestWhoseHooksTheyAre(t *testing.T) {
	for name, c := range map[string]struct {
		from, variable string
		layer          protocol.Scope
		strangers      int
	}{
		"their settings":                  {"", "", "", 0},
		"their settings by path":          {"../home/.claude/settings.json", "", "", 0},
		"the project's, for the project":  {".claude", "", "", 0},
		"the project's, for themselves":   {".claude", "", protocol.UserScope, 1},
		"settings of another project":     {"../other/.claude/settings.json", "", "", 1},
		"another project":                 {"../other", "", "", 2},
		"the agent's folder of another":   {"../other/.claude", "", "", 1},
		"a file from anywhere":            {"../download.json", "", "", 1},
		"a hook of husky in another":      {"../other/.husky", "", "", 1},
		"what a variable calls theirs":    {"", "CLAUDE_CONFIG_DIR=cc", "", 1},
		"an agent that a variable brings": {"claude-code", "CLAUDE_CONFIG_DIR=cc", "", 1},
	} {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{}
			for _, path := range []string{"project/.claude/settings.json", "project/cc/settings.json", "other/.claude/settings.json", "download.json"} {
				files[path] = claude("Stop", "", `"command": "echo `+path+`"`)
			}
			files["home/.claude/settings.json"] = claude("Stop", "", `"command": "echo mine"`)
			files["other/.husky/Stop"] = "echo\n"
			h := machine(t, files)
			if name, folder, ok := strings.Cut(c.variable, "="); ok {
				h = shelltest.Host(h.Home, h.WorkDir, name+"="+filepath.Join(h.WorkDir, folder))
			}
			p, err := Make(h, Options{From: filepath.FromSlash(c.from), Layer: c.layer})
			must.Do(t, err)
			if len(p.Strangers()) != c.strangers || p.Jobs() == 0 {
				t.Errorf("%d folders, strangers %+v", p.Jobs(), p.Strangers())
			}
		})
	}
}

// What became of a project's settings is the user's own: the settings of another project, which lie
// at the same place in it, do not change it.
func TestAnotherProjectChangesNoneOfMine(t *testing.T) {
	h := machine(t, map[string]string{
		"project/.claude/settings.json": claude("Stop", "", `"command": "guard"`),
		"other/.claude/settings.json":   claude("Stop", "", `"command": "guard || true"`),
		"other/.git/x":                  "",
	})
	own := Options{Layer: protocol.UserScope}
	agreed := func(*Plan) error { return nil }
	must.Do(t, must.Err(Carry(h, own, agreed)))
	file := filepath.Join(h.Config, "hooks", "guard", "HOOK.md")
	before := must.Read(t, file)
	p, err := Carry(shelltest.Host(h.Home, filepath.Join(filepath.Dir(h.WorkDir), "other")), own, agreed)
	if err != nil || p.Rows[0].State != New || len(p.Gone) > 0 {
		t.Errorf("%v: %+v, gone %+v", err, p.Rows, p.Gone)
	}
	if after, err := os.ReadFile(file); err != nil || string(after) != before {
		t.Errorf("%v: it is now\n%s", err, after)
	}
	if p, err := Carry(h, own, agreed); err != nil || p.Rows[0].State != Same {
		t.Errorf("%v: imported again: %+v", err, p.Rows)
	}
}

// The name of a hook of lefthook is a word, whatever a shell would make of it.
func TestANameOfLefthookIsOneWord(t *testing.T) {
	h := machine(t, map[string]string{"project/lefthook.yml": `{"ai": {"claude": {"Stop": "a; $(touch x)"}}, "a; $(touch x)": {"jobs": []}}`})
	if p, err := Make(h, Options{}); err != nil || len(p.Rows) != 1 || p.Rows[0].Command != "lefthook run 'a; $(touch x)'" {
		t.Errorf("%v: %+v %+v", err, p.Rows, p.Problems)
	}
}

// A matcher that is too long to be tried at each call is not brought, whichever part of it is.
func TestALongMatcherIsNotBrought(t *testing.T) {
	long := strings.Repeat("Bash|", maxMatcher/5) + "Edit"
	for name, content := range map[string]string{
		"matcher": claude("PreToolUse", `"matcher": "`+long+`", `, `"command": "true"`),
		"if":      claude("PreToolUse", `"matcher": "Bash", `, `"command": "true", "if": "Bash(`+long+`)"`),
	} {
		t.Run(name, func(t *testing.T) {
			if row, _ := one(t, ".claude/settings.json", content); row.Result != NotBrought || !strings.Contains(row.Reason, "bytes") {
				t.Errorf("%s: %s", row.Result, row.Reason)
			}
		})
	}
}

// However many files there are, one import has a number of entries that a person can be shown.
func TestAFolderOfManyFilesIsBounded(t *testing.T) {
	files := map[string]string{}
	entry := `{"type": "command", "bash": "true"}`
	for i := range maxRows/maxEntries + 1 {
		files[fmt.Sprintf("project/.github/hooks/%d.json", i)] = `{"version": 1, "hooks": {"PreToolUse": [` + entry + strings.Repeat(","+entry, maxEntries-1) + `]}}`
	}
	p, err := Make(machine(t, files), Options{})
	if err != nil || len(p.Rows) != maxRows || len(p.Problems) != 1 || !strings.Contains(p.Problems[0].Message, "more than 2000") {
		t.Errorf("%v: %d rows, %+v", err, len(p.Rows), p.Problems)
	}
}

// Two at once make each folder once; what a killed one has left is swept, and is no
// hook.
func TestTwoAtOnceAndWhatAKilledOneLeft(t *testing.T) {
	h := machine(t, map[string]string{"home/.claude/settings.json": `{"hooks": {
		"Stop": [{"hooks": [{"type": "command", "command": "one"}, {"type": "command", "command": "two"}]}]}}`})
	left := filepath.Join(h.Config, "hooks", staging+"99999", "half")
	must.Do(t, os.MkdirAll(left, 0o755))
	var wait sync.WaitGroup
	fresh := make([]int, 4)
	for i := range fresh {
		wait.Go(func() {
			p, err := Carry(h, Options{}, func(*Plan) error { return nil })
			if err != nil {
				t.Error(err)
				return
			}
			fresh[i] = p.Jobs()
		})
	}
	wait.Wait()
	sum := 0
	for _, n := range fresh {
		sum += n
	}
	if sum != 2 {
		t.Errorf("written %v", fresh)
	}
	list, err := os.ReadDir(filepath.Join(h.Config, "hooks"))
	if err != nil || len(list) != 2 {
		t.Error(list, err)
	}
}

// A name that somebody has in either layer, or that a built-in hook has, is not taken: it would
// hide their hook, or be hidden.
func TestNamesOfOthersAreLeftToThem(t *testing.T) {
	h := machine(t, map[string]string{
		"home/.config/agents/hooks/guard/HOOK.md": "---\nname: guard\n",
		"project/.claude/settings.json":           claude("Stop", "", `"command": "guard"`),
	})
	p, err := Carry(h, Options{}, func(*Plan) error { return nil })
	if err != nil || p.Rows[0].Name != "guard-on-stop" || !strings.HasPrefix(p.Rows[0].Folder, h.WorkDir) {
		t.Errorf("%v %+v", err, p.Rows)
	}
	row, _ := one(t, ".gemini/settings.json", claude("BeforeTool", "", `"name": "memory-load", "command": "true"`))
	if row.Name == "memory-load" {
		t.Error("it stands in for a built-in hook")
	}
}
