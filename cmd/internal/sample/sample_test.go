package sample

import (
	"regexp"
	"testing"

	"github.com/agents-hooks/agents-hooks/cmd/internal/shell/shelltest"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
)

// A sample reaches its hook: by portable names of tools, by each agent's names, and
// by patterns on inputs.
func TestASampleReachesItsHook(t *testing.T) {
	h := shelltest.New(t).Host
	matchers := []discovery.Matcher{
		{}, {Tool: "^(WriteFile|EditFile)$"}, {Tool: "(?i)^web"}, {Tool: "mcp__.*"}, {Tool: "^Search$|^Fetch$"},
		{Pattern: `terraform\s+(apply|destroy)`}, {Tool: "^Shell$", Pattern: `curl .*\| *(ba)?sh`}, {Tool: "ReadFile", Pattern: `\.env(\.\w+)?$`},
		{Command: `^rm `}, {Command: `^rm\s+(-\S+\s+)*/`}, {Command: `^(sudo )?(apt|yum|dnf)(-get)? install\b`}, {Command: `\bdocker\s+(run|exec)\b.*--privileged`},
		{Command: `^(?=.*prod)kubectl (apply|delete) `}, {Command: `^(?!.*--dry-run)npm publish\b`}, {Command: ` --no-verify( |$)`}, {Command: `^[a-z]+ -[a-z]*[xz]`},
		{Path: `^/etc/`}, {Path: `(^|/)\.env(\..*)?$`}, {Path: `/migrations/[0-9]{4}_.*\.sql$`}, {Path: `\.(pem|key|p12)$`}, {Path: `(?i)/secrets?/`},
		{Content: `AKIA[0-9A-Z]{16}`}, {Content: `(?m)^import os$`}, {Path: `\.py$`, Content: `\beval\(`}, {Tool: "^Shell$", Path: `\.lock$`}, {Command: `^curl `, Path: `\.sh$`},
		{Pattern: `(?<=password=)\S+`}, {Pattern: `^(?>abc|ab)c$|x{3}`}, {Tool: "EditFile", Pattern: `^[A-Z]{3,}_[0-9]+$`},
		{Tool: "Task", Pattern: "(?i)deploy"}, {Tool: "Fetch", Pattern: `^http://`},
	}
	named := map[string]bool{} // most tools are of several agents
	for _, d := range agents.All() {
		for _, tool := range d.Tools {
			for _, name := range []string{tool.Name, regexp.QuoteMeta(tool.Native)} {
				if !named[name] {
					named[name] = true
					matchers = append(matchers, discovery.Matcher{Tool: "^" + name + "$"})
				}
			}
		}
	}
	for _, e := range []protocol.EventType{protocol.PreToolCall, protocol.PostToolCall, protocol.PostToolCallFailure} {
		for _, m := range matchers {
			ev, fits, err := For(h, &discovery.Hook{Trigger: e, Matcher: m}, "/work/dir")
			must.Do(t, err)
			if !fits || ev.Type != e || ev.WorkDir != "/work/dir" || !matches(m, ev) {
				t.Errorf("%s %+v: %s %s", e, m, ev.Call.Name, ev.Call.Input.Raw())
			}
		}
	}
}

// Each type has a sample of that type; a key that no tool has yields a plain one.
func TestEachTypeHasASample(t *testing.T) {
	h := shelltest.New(t).Host
	for _, e := range protocol.EventTypes() {
		if ev, err := Event(h, e, ""); err != nil || ev.Type != e {
			t.Errorf("%s: %v, %v", e, ev, err)
		}
	}
	if ev, fits, err := For(h, &discovery.Hook{Trigger: protocol.PreToolCall, Matcher: discovery.Matcher{Pattern: `a\bb`}}, "/w"); err != nil || ev == nil || fits {
		t.Errorf("a pattern that nothing matches: %v, %v", ev, err)
	}
	if _, err := Event(h, "pre-nothing", "/w"); err == nil {
		t.Error("a sample of no type")
	}
}
