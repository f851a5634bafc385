package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	builtinhooks "github.com/agents-hooks/agents-hooks/builtin-hooks"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/testdata/tides"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell/shelltest"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A program is the whole program with a list of behaviours, on a machine of its
// own.
type program struct {
	t          *testing.T
	home, dir  string
	behaviours builtinhooks.List
}

func newProgram(t *testing.T, list builtinhooks.List) program {
	p := program{t, t.TempDir(), "", list}
	p.dir = filepath.Join(p.home, "project")
	must.Do(t, os.MkdirAll(filepath.Join(p.dir, ".git"), 0o755))
	return p
}

// run runs a command line, and returns its exit code and what it said.
func (p program) run(stdin string, args ...string) (exit int, stdout, stderr string) {
	self, lost := exec.LookPath("agents-hooks")
	if lost != nil {
		p.t.Fatal(lost)
	}
	h := shelltest.Host(p.home, p.dir, "PATH="+os.Getenv("PATH"))
	h.Self = self
	h.Behaviours = func() builtinhooks.List { return p.behaviours }
	var out, err bytes.Buffer
	exit = run(h, args, strings.NewReader(stdin), &out, &err)
	return exit, out.String(), err.String()
}

// says fails unless a command line ends well and says something.
func (p program) says(want, stdin string, args ...string) string {
	p.t.Helper()
	exit, out, errs := p.run(stdin, args...)
	if exit != 0 || !strings.Contains(out, want) {
		p.t.Errorf("%s: exit %d, want %q in:\n%s%s", strings.Join(args, " "), exit, want, out, errs)
	}
	return out
}

// A behaviour is known by its line in a list: to the commands that switch and show
// it, to the settings, to events, to guides, to the server of tools, and as a
// command of its own.
func TestAFifthBehaviourIsKnownByItsLine(t *testing.T) {
	t.Parallel()
	p := newProgram(t, append(builtinhooks.Behaviours(), tides.Behaviour()))
	event := `{"event_type": "pre-session", "session_id": "s", "work_dir": ` + string(protocol.Quote(p.dir)) + `, "source": "startup"}`

	p.says("tides: tells the agent how the tides are (off: agents-hooks enable tides)", "", "builtin", "list")
	p.says("tides (off, nobody has enabled it)", "", "mcp", "--list")
	p.says("tides", "", "__complete", "enable", "+tid")
	if out := p.says("", event, "run"); strings.Contains(out, "sea") {
		t.Errorf("nobody has enabled it, and it speaks: %s", out)
	}
	p.says("tides: 1 of 1 built-in hook ready", "", "enable", "tides")
	p.says("tides-report", "", "list")
	p.says("The sea is low.", event, "run")
	p.says("The sea is low.", event, "builtin", "run", "tides-report")

	toml := filepath.Join(p.home, ".config", "agents", "hooks.toml")
	must.Write(t, toml, "[builtin.tides]\nenabled = true\nsea = \"green\"\nmoon = 1\n")
	if _, out, _ := p.run("", "validate"); !strings.Contains(out, "builtin.tides.sea") || !strings.Contains(out, "builtin.tides.moon") {
		t.Errorf("values that are none pass: %s", out)
	}
	must.Write(t, toml, "[builtin.tides]\nenabled = true\nsea = \"high\"\n")
	event = strings.Replace(event, `"s"`, `"t"`, 1)
	p.says("The sea is high.", event, "run")

	p.says("tides_forecast", "", "mcp", "--list")
	p.says("how it will be", "", "tides", "--help")
	p.says("--days-ahead, --daysAhead", "", "tides", "forecast", "--help")
	p.says(`"sea": "high"`, "", "tides", "forecast", "Bergen", "--days-ahead", "3", "--json")
	p.says("sea: high", "", "tides", "forecast", "--city", "Bergen")
	p.says("Bergen", "", "__complete", "tides", "forecast", "+B")
	p.says("ft", "", "__complete", "tides", "forecast", "--unit", "+")
	for want, args := range map[string][]string{
		"hint: agents-hooks tides forecast Bergen": {"tides", "forecast", "Atlantis"},
		"tides forecast: city is missing: where":   {"tides", "forecast"},
		"want m, ft":                               {"tides", "forecast", "Bergen", "--unit", "k"},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			if exit, out, errs := p.run("", args...); exit == 0 || out != "" || !strings.Contains(errs, want) {
				t.Errorf("%v: exit %d, %q, %q", args, exit, out, errs)
			}
		})
	}
	p.says(`"name":"tides_forecast"`, mcpSession(`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`), "mcp")
	p.says(`"sea":"high"`, mcpSession(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"tides_forecast","arguments":{"city":"Lima","daysAhead":"2"}}}`), "mcp")
	p.says("BAD_ARGUMENT: tides_forecast: city is missing", mcpSession(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"tides_forecast","arguments":{}}}`), "mcp")

	p.says("tides-report", "", "builtin", "export", "tides", filepath.Join(p.home, "hooks"))
	if text, err := os.ReadFile(filepath.Join(p.home, "hooks", "tides-report", "HOOK.md")); err != nil || !strings.Contains(string(text), "name: tides-report") {
		t.Errorf("exported: %s, %v", text, err)
	}
	guide(t, p)

	without := newProgram(t, builtinhooks.Behaviours())
	for _, args := range [][]string{{"tides", "forecast", "Bergen"}, {"enable", "tides"}, {"builtin", "run", "tides-report"}} {
		if exit, out, _ := without.run("", args...); exit == 0 {
			t.Errorf("%v is known without its line: %s", args, out)
		}
	}
}

// guide installs an agent with guides, and asks doctor about both.
func guide(t *testing.T, p program) {
	t.Helper()
	if exit, out, errs := p.run("", "install", "claude-code", "--guides", "--yes"); exit != 0 {
		t.Fatalf("install: %s%s", out, errs)
	}
	text, err := os.ReadFile(filepath.Join(p.home, ".claude", "skills", "agents-hooks-tides", "SKILL.md"))
	if err != nil || !strings.Contains(string(text), "Ask for a forecast") {
		t.Errorf("the guide: %s, %v", text, err)
	}
	_, out, _ := p.run("", "doctor", "claude-code", "--json")
	var doc struct {
		Checks []struct{ ID, Message string }
	}
	must.Do(t, json.Unmarshal([]byte(out), &doc))
	found := map[string]bool{}
	for _, c := range doc.Checks {
		found[c.ID] = found[c.ID] || strings.Contains(c.Message, "tides")
	}
	if !found["channels"] || !found["guide"] {
		t.Errorf("doctor does not know it: %s", out)
	}
}

// mcpSession is a session of a client that asks one thing.
func mcpSession(request string) string {
	return `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}` + "\n" +
		`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n" + request + "\n"
}
