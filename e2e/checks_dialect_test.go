//go:build e2e && unix

package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/e2e/model"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// proveDialect runs hooks that were written for the agent in its own configuration
// and through us: what becomes of the call, of the run and of what the model is told
// is the same.
func proveDialect(l *Lab) {
	const guard = `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"SAID"}}`
	for _, c := range []struct{ name, event, matcher, script string }{
		{"jq", "PreToolUse", "Bash", `jq -e '.tool_input.command | test("touch")' >/dev/null && { echo SAID >&2; exit 2; }; exit 0`},
		{"python", "PreToolUse", "Edit, Bash", `python3 -c 'import json,sys; e=json.load(sys.stdin); print(json.dumps({"decision": "block", "reason": "SAID " + e["tool_name"]}))'`},
		{"node", "PreToolUse", "", `node -e 'const e=JSON.parse(require("fs").readFileSync(0)); console.log(JSON.stringify({hookSpecificOutput:{hookEventName:e.hook_event_name,updatedInput:{command:"echo SAID"}}}))'`},
		{"exit-1", "PreToolUse", "^Ba", "echo '" + guard + "'; exit 1"},
		{"no-event", "PreToolUse", "Bash", "echo '" + strings.Replace(guard, `"hookEventName":"PreToolUse",`, "", 1) + "'"},
		{"not-its-name", "PreToolUse", "Bas", "echo SAID >&2; exit 2"},
		{"halt", "PreToolUse", "*", `echo '{"continue":false,"stopReason":"SAID"}'`},
		{"session", "SessionStart", "startup", `echo "SAID in $(basename "$CLAUDE_PROJECT_DIR")"`},
		{"stop", "Stop", "", `jq -e .stop_hook_active | grep -q true || echo '{"decision":"block","reason":"SAID"}'`},
	} {
		own, through := l.effect(c.name, c.event, c.matcher, c.script, false), l.effect(c.name, c.event, c.matcher, c.script, true)
		if own != through {
			l.t.Errorf("%s: %s in its own configuration, %s through us", c.name, own, through)
		}
	}
}

// effect is what a hook does to a run in which one file is made.
func (l *Lab) effect(name, event, matcher, script string, ours bool) string {
	l.t.Helper()
	triggers := map[string]string{"PreToolUse": "pre-tool-call", "SessionStart": "pre-session", "Stop": "pre-agent-turn-stop"}
	command := "sh " + l.mark("hook.sh")
	l.write(l.mark("hook.sh"), script+"\n", 0o644)
	_ = os.RemoveAll(l.Home + "/.config/agents/hooks")
	_ = os.Remove(l.at("made"))
	if ours {
		l.WriteHome(".claude/settings.json", "{}")
		l.WriteHome(".config/agents/hooks/"+name+"/HOOK.md", fmt.Sprintf("---\nname: %s\ndescription: A check of the suite.\ntrigger: %s\nmatcher: {tool: %q}\nmetadata: {dialect: claude-code, command: %q}\n---\n", name, triggers[event], matcher, command))
		l.install()
	} else {
		entry := map[string]any{"matcher": matcher, "hooks": []any{map[string]any{"type": "command", "command": command}}}
		settings, err := json.Marshal(map[string]any{"hooks": map[string]any{event: []any{entry}}})
		must.Do(l.t, err)
		l.WriteHome(".claude/settings.json", string(settings))
	}
	r := l.run(model.Play(calls(l.Agent.Shell("touch "+l.at("made"))), says("all is well")))
	_, err := os.Stat(l.at("made"))
	said := func(text string) bool { return strings.Contains(text, "SAID") }
	told := slices.ContainsFunc(r.Turns, func(q *model.Request) bool { return slices.ContainsFunc(q.Texts(), said) })
	return fmt.Sprintf("made=%t turns=%d told=%t exit=%d", err == nil, len(r.Turns), told, r.Exit)
}
