//go:build unix

package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	builtinhooks "github.com/agents-hooks/agents-hooks/builtin-hooks"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// What the page on built-in hooks says is so: its commands end well and leave what it says,
// each hook is in its behaviour's table once, with its event, and each switch switches off.
func TestTheBuiltInPageIsTrue(t *testing.T) {
	t.Parallel()
	p := &builtInPage{typedPage{t, newExampleStage(t, "builtin"), must.Read(t, "../../docs/built-in.md")}}
	p.hooks()
	for _, m := range p.find(6, `(?m)^    (agents-hooks .*?)(?:  .*)?$`) {
		p.run(m[1])
	}
	p.guides()
	p.exported()
	p.switches()
}

type builtInPage struct{ typedPage }

// moments are the events of the format in the words of the page.
var moments = map[string][]protocol.EventType{
	"a session begins":            {protocol.PreSession},
	"a session is over":           {protocol.PostSession},
	"a prompt":                    {protocol.PreAgentTurn},
	"the agent stops":             {protocol.PreAgentTurnStop},
	"a command":                   {protocol.PreToolCall},
	"a fetch":                     {protocol.PreToolCall},
	"a fetch, a search":           {protocol.PostToolCall},
	"a tool was used":             {protocol.PostToolCall},
	"a tool failed":               {protocol.PostToolCallFailure},
	"a turn is over":              {protocol.PostAgentTurn},
	"a subagent begins":           {protocol.PreSubagent},
	"before a compaction":         {protocol.PreContextCompact},
	"a command, an edit, a write": {protocol.PostToolCall, protocol.PostToolCallFailure},
	"a session continues after a compaction or a resume": {protocol.PreSession},
}

func (p *builtInPage) hooks() {
	named := map[string]string{}
	for _, row := range p.find(20, "(?m)^\\| ((?:`[a-z-]+`(?:, )?)+) \\| ([^|]+) \\|") {
		for _, name := range strings.Split(strings.ReplaceAll(row[1], "`", ""), ", ") {
			if named[name] != "" {
				p.Errorf("%s is in two rows", name)
			}
			named[name] = row[2]
		}
	}
	for _, b := range builtinhooks.Behaviours() {
		for _, h := range b.Hooks {
			if !slices.Contains(moments[named[h.Name]], h.Trigger) {
				p.Errorf("%s is called at %s, and the page says %q", h.Name, h.Trigger, named[h.Name])
			}
			delete(named, h.Name)
		}
	}
	for name := range named {
		p.Errorf("there is no hook %s", name)
	}
}

// guides are where the page says, and go with our entry unless somebody wrote into them.
func (p *builtInPage) guides() {
	guide := filepath.Join(p.stage.home, p.find(1, "`~/(\\.claude/skills/[^`]+)`")[0][1])
	text := must.Read(p.T, guide)
	p.run("agents-hooks uninstall claude-code")
	if _, err := os.Stat(guide); err == nil {
		p.Error("uninstall leaves the guide")
	}
	p.run("agents-hooks install claude-code --guides")
	must.Write(p.T, guide, text+"\nMy own words.\n")
	p.run("agents-hooks uninstall claude-code")
	if !strings.HasSuffix(must.Read(p.T, guide), "My own words.\n") {
		p.Error("uninstall changes a guide that was edited")
	}
	must.Write(p.T, guide, "Not ours.\n")
	p.run("agents-hooks install claude-code --guides; true")
	if must.Read(p.T, guide) != "Not ours.\n" {
		p.Error("install writes over a file that is not ours")
	}
}

// exported is a folder for each hook, which is a hook for every runner.
func (p *builtInPage) exported() {
	for i, h := range builtinhooks.Behaviours()[0].Hooks {
		dir := filepath.Join(p.stage.home, "my-hooks", h.Name)
		for _, part := range []string{"HOOK.md", "scripts/run", "tests"} {
			if _, err := os.Stat(filepath.Join(dir, part)); err != nil {
				p.Error(err)
			}
		}
		if slowtest.Part(i, 6) {
			p.run("agents-hooks conformance hook '" + dir + "'")
		}
	}
}

// switches are tried one after the other, on a behaviour that is on.
func (p *builtInPage) switches() {
	const memory = "agents-hooks builtin list | grep -A1 ^memory:"
	state := func(line string) string {
		_, state, _ := strings.Cut(p.run(line), " (")
		return state
	}
	if now := state(memory); !strings.HasPrefix(now, "on") {
		p.Fatalf("memory is not on: %s", now)
	}
	settings := filepath.Join(p.stage.project, ".agents", "hooks.toml")
	was := must.Read(p.T, settings)
	p.run("agents-hooks trust --yes")
	for _, m := range p.find(3, "(?m)^\\| `([^`]*(?:enabled = false|MEMORY=0|memory-disable))` \\|") {
		line := memory
		switch what := m[1]; {
		case strings.HasPrefix(what, "["):
			table, key, _ := strings.Cut(what, " ")
			must.Write(p.T, settings, table+"\n"+key+"\n")
			p.run("agents-hooks trust --yes")
		case strings.HasPrefix(what, "."):
			must.Write(p.T, filepath.Join(p.stage.project, what), "")
		default:
			line = what + " " + memory
		}
		if now := state(line); !strings.HasPrefix(now, "off") {
			p.Errorf("%s leaves memory (%s", m[1], now)
		}
		must.Write(p.T, settings, was)
		must.Do(p.T, os.RemoveAll(filepath.Join(p.stage.project, ".agents", ".memory-disable")))
		p.run("agents-hooks trust --yes")
	}
}
