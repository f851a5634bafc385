//go:build e2e && unix

package e2e

import (
	"testing"

	"github.com/agents-hooks/agents-hooks/e2e/model"
)

var _ = testing.Short

// proveMCP: the model calls tools of our server by the names that the agent
// gives them, and gets what it should.
func proveMCP(l *Lab) {
	l.WriteHome(".config/agents/hooks.toml", "[builtin.memory]\nenabled = true\nsave_mode = \"off\"\nlanguage = \"en\"\n[builtin.evolution]\nenabled = true\n")
	if _, err := l.ours("memory", "save", "--content", "FACT-77: the cart cache is redis"); err != nil {
		l.t.Fatal(err)
	}
	if _, err := l.ours("install", l.Agent.ID, "--mcp"); err != nil {
		l.t.Fatal(err)
	}
	var turns []model.Script
	turns = append(turns, func(r *model.Request) model.Turn {
		l.t.Logf("tools: %q", r.Tools)
		return calls(model.Call{Name: "mcp__agents-hooks__memory_search", Args: map[string]any{"query": "cart cache"}})
	}, func(r *model.Request) model.Turn {
		l.t.Logf("tools: %q", r.Tools)
		return says("fine")
	})
	r := l.run(model.Steps(turns...)).well()
	l.t.Logf("%s", r.story())
	l.t.Logf("%s", r.Turns[0].Body)
}
