package bring

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/linktest"
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
	if err := os.MkdirAll(filepath.Join(project, ".claude"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, l := range [][2]string{{"../../secret.json", ".claude/settings.json"}, {"../..", ".codex"}, {"/dev/zero", ".claude/settings.local.json"}, {"../outside", ".agents"}} {
		linktest.Make(t, l[0], filepath.Join(project, l[1]))
	}
	write(t, filepath.Join(h.Home, ".claude", "settings.json"), claude("Stop", "", `"command": "mine"`))
	write(t, filepath.Join(project, ".qwen", "settings.json"), claude("Stop", "", `"command": "theirs"`))
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

// Two at once make each folder once; what a killed one has left is swept, and is no
// hook.
func TestTwoAtOnceAndWhatAKilledOneLeft(t *testing.T) {
	h := machine(t, map[string]string{"home/.claude/settings.json": `{"hooks": {
		"Stop": [{"hooks": [{"type": "command", "command": "one"}, {"type": "command", "command": "two"}]}]}}`})
	left := filepath.Join(h.Config, "hooks", staging+"99999", "half")
	if err := os.MkdirAll(left, 0o755); err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	fresh := make([]int, 4)
	for i := range fresh {
		wait.Add(1)
		go func() {
			defer wait.Done()
			p, err := Carry(h, Options{}, func(*Plan) error { return nil })
			if err != nil {
				t.Error(err)
				return
			}
			fresh[i] = p.Jobs()
		}()
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

// A name that somebody has in either layer is not taken: it would hide their hook, or
// be hidden.
func TestNamesOfOthersAreLeftToThem(t *testing.T) {
	h := machine(t, map[string]string{
		"home/.config/agents/hooks/guard/HOOK.md": "---\nname: guard\n",
		"project/.claude/settings.json":           claude("Stop", "", `"command": "guard"`),
	})
	p, err := Carry(h, Options{}, func(*Plan) error { return nil })
	if err != nil || p.Rows[0].Name != "guard-on-stop" || !strings.HasPrefix(p.Rows[0].Folder, h.WorkDir) {
		t.Errorf("%v %+v", err, p.Rows)
	}
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o755); err != nil {
		t.Fatal(err)
	}
}
