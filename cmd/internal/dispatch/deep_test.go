package dispatch

import (
	"fmt"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/internal/slowtest"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
)

// A call that is nested deeper than any JSON reader goes is judged like any other, in
// every agent: by a guard that reads the input itself, and by one of a matcher.
func TestADeepCallIsJudged(t *testing.T) {
	t.Parallel()
	for i, d := range agents.All() {
		native, payload := toolCallOf(t, d)
		if payload == "" || !slowtest.Part(i, 4) {
			continue
		}
		t.Run(d.ID, func(t *testing.T) {
			t.Parallel()
			args := []string{"--agent=" + d.ID, "--event=" + native}
			real := newWorld(t)
			real.hook(real.userHooks(), "guard", "trigger: pre-tool-call", "echo no >&2; exit 2")
			want := real.run(payload, args...)
			for name, front := range map[string]string{"script": "", "command": "\nmatcher:\n  command: ^never$", "path": "\nmatcher:\n  path: ^never$"} {
				w := newWorld(t)
				w.hook(w.userHooks(), "guard", "trigger: pre-tool-call"+front, "echo no >&2; exit 2")
				for _, levels := range []int{100, 1001, 20_000} {
					text := strings.TrimSuffix(strings.TrimSpace(payload), "}") + `,"zz":` + strings.Repeat("[", levels) + strings.Repeat("]", levels) + "}"
					if r := w.run(text, args...); r.exit != want.exit || !strings.Contains(r.stdout+r.stderr, "[guard] no") {
						t.Errorf("%s, %d levels: %+v, want the form of %+v", name, levels, r, want)
					}
				}
			}
		})
	}
}

// An agent whose model writes the input of a call as a text may read it otherwise than we
// do: neither a name that stands twice nor depth hides a command from a guard.
func TestATextOfArgumentsHidesNoCommand(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("[", 2000) + strings.Repeat("]", 2000)
	for name, input := range map[string]string{
		"plain":               `{"command": "git push --force"}`,
		"twice":               `{"command": "ls", "command": "git pu\u0073h --force"}`,
		"twice, the first":    `{"command": "git pu\u0073h --force", "command": "ls"}`,
		"beside what is deep": `{"command": "git pu\u0073h --force", "x": ` + deep + `}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.hook(w.userHooks(), "guard", "trigger: pre-tool-call\nmatcher:\n  command: git push --force", "echo no >&2; exit 2")
			for _, tool := range []string{"bash", "mcp__x__run"} {
				payload := fmt.Sprintf(`{"sessionId":"s","timestamp":1,"cwd":%q,"toolName":%q,"toolArgs":%s}`, w.project, tool, protocol.Quote(input))
				if r := w.run(payload, "--agent=copilot-cli", "--event=preToolUse"); !strings.Contains(r.stdout, `"deny"`) {
					t.Errorf("%s: %+v", tool, r)
				}
			}
			passed := w.claude("PreToolUse", `,"tool_name":"mcp__x__call","tool_use_id":"t1","tool_input":{"tool":"bash","arguments":`+string(protocol.Quote(input))+`}`)
			if r := w.run(passed, "--agent=claude-code"); !strings.Contains(r.stdout, `"deny"`) {
				t.Errorf("passed on: %+v", r)
			}
		})
	}
}
