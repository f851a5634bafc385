package sample

import (
	"regexp"
	"testing"

	"github.com/agents-hooks/agents-hooks/cmd/internal/shell/shelltest"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
)

// A sample reaches the hook that it is for: by portable names of tools, by those
// of each agent, and by patterns about what tools are given.
func TestASampleReachesItsHook(t *testing.T) {
	h := shelltest.New(t).Host
	matchers := []discovery.Matcher{
		{}, {Tool: "^(WriteFile|EditFile)$"}, {Tool: "(?i)^web"}, {Tool: "mcp__.*"}, {Tool: "^Search$|^Fetch$"},
		{Pattern: `terraform\s+(apply|destroy)`}, {Tool: "^Shell$", Pattern: `curl .*\| *(ba)?sh`}, {Tool: "ReadFile", Pattern: `\.env(\.\w+)?$`},
		{Tool: "Task", Pattern: "(?i)deploy"}, {Tool: "Fetch", Pattern: `^http://`},
	}
	for _, d := range agents.All() {
		for _, tool := range d.Tools {
			matchers = append(matchers, discovery.Matcher{Tool: "^" + tool.Name + "$"}, discovery.Matcher{Tool: "^" + regexp.QuoteMeta(tool.Native) + "$"})
		}
	}
	for _, e := range []protocol.EventType{protocol.PreToolCall, protocol.PostToolCall, protocol.PostToolCallFailure} {
		for _, m := range matchers {
			ev, err := For(h, &discovery.Hook{Trigger: e, Matcher: m}, "/work/dir")
			if err != nil {
				t.Fatal(err)
			}
			if ev.Type != e || ev.WorkDir != "/work/dir" || !matches(m, ev) {
				t.Errorf("%s %+v: %s %s", e, m, ev.Call.Name, ev.Call.Input.Raw())
			}
		}
	}
}

// Each type has a sample that is of that type; what no tool has gets a plain one.
func TestEachTypeHasASample(t *testing.T) {
	h := shelltest.New(t).Host
	for _, e := range protocol.EventTypes() {
		if ev, err := Event(h, e, ""); err != nil || ev.Type != e {
			t.Errorf("%s: %v, %v", e, ev, err)
		}
	}
	if ev, err := For(h, &discovery.Hook{Trigger: protocol.PreToolCall, Matcher: discovery.Matcher{Pattern: `a\bb`}}, "/w"); err != nil || ev == nil {
		t.Errorf("a pattern that nothing matches: %v, %v", ev, err)
	}
	if _, err := Event(h, "pre-nothing", "/w"); err == nil {
		t.Error("a sample of no type")
	}
}
