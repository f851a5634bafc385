//go:build e2e && unix

package e2e

import (
	"path/filepath"
	"regexp"
	"strings"

	"github.com/agents-hooks/agents-hooks/e2e/model"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

var (
	workspaceID = regexp.MustCompile(`ws-[0-9a-z]+-[0-9a-z]+`)
	spelling    = regexp.MustCompile(`"spelling": "([^"]+)"`)
)

// proveMCP: install --mcp registers our server in the agent; the model calls
// tools of memory, workspaces and evolution there and gets what it should. A
// hook's request names a tool by the name that this agent has for it. Commands
// see what was done; uninstall takes the server out again.
func proveMCP(l *Lab) {
	if l.Agent.AllowMCP != nil {
		l.Agent.AllowMCP(l)
	}
	l.WriteHome(".config/agents/hooks.toml", memoryOn+
		"[builtin.evolution]\nenabled = true\nreview = \"off\"\n[builtin.workspace]\nenabled = true\n")
	must.Do(l.t, must.Err(l.ours("memory", "save", "--content", "FACT-77: the cart cache is redis")))
	must.Do(l.t, must.Err(l.ours("install", l.Agent.ID, "--mcp")))
	name := l.spelled("memory_save")
	tool := func(name string, args map[string]any) model.Script {
		return func(*model.Request) model.Turn { return calls(l.Agent.MCP(name, args)) }
	}
	r := l.run(model.Steps(
		tool("memory_search", map[string]any{"query": "cart cache"}),
		tool("workspace_init", map[string]any{"name": "shop", "goal": "GOAL-78", "scenario": "feature"}),
		func(q *model.Request) model.Turn {
			id := workspaceID.FindString(strings.Join(q.Texts(), "\n"))
			return calls(l.Agent.MCP("session_bind", map[string]any{"sessionId": "s-79", "workspaceId": id}))
		},
		tool("evolve_create_gene", map[string]any{
			"category": "repair", "signals_match": []string{"error:timeout"}, "title": "wait for the port",
			"strategy": []string{"look whether the port answers before the test connects"},
		}),
		tool("memory_summary", map[string]any{"topic": "TOPIC-80", "summary": "the tools were called"}),
		func(*model.Request) model.Turn { return says("saved") },
	)).well()
	r.wantTurns(6)
	if r.first(`the cart cache is redis`) < 0 {
		r.errorf("the model was never told what it searched for")
	}
	for text, turn := range map[string]int{"bound to workspace": 3, "gene_repair_": 4, name + " {": 0} {
		r.wantFirst(text, turn)
	}
	if r.first("memory save --content") >= 0 {
		r.errorf("the model was told a command, where it has the tool")
	}
	for command, want := range map[string]string{
		"evolution list --json":  "wait for the port",
		"memory list --sessions": "TOPIC-80",
		"doctor " + l.Agent.ID:   "MCP server in ",
	} {
		if out, err := l.ours(strings.Fields(command)...); err != nil || !strings.Contains(out, want) {
			r.errorf("agents-hooks %s does not tell of what was done: %v\n%s", command, err, out)
		}
	}
	must.Do(l.t, must.Err(l.ours("uninstall", l.Agent.ID)))
	if out, _ := l.ours("doctor", l.Agent.ID); strings.Contains(out, "MCP server") || l.spelled("memory_summary") != "" {
		l.t.Errorf("after uninstall our server is still there: %s", out)
	}
}

// spelled is what hooks in this agent call a tool, "" where they name commands.
func (l *Lab) spelled(tool string) string {
	m := spelling.FindStringSubmatch(must.Read(l.t, filepath.Join(l.Home, ".local/state/agents-hooks/mcp", l.Agent.ID)))
	if m == nil {
		return ""
	}
	return strings.ReplaceAll(m[1], "TOOL", tool)
}
