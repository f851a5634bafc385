//go:build e2e && unix

package e2e

import (
	"fmt"
	"strings"

	"github.com/agents-hooks/agents-hooks/e2e/model"
)

func pi() *Agent {
	noSubagents := "it has no subagents"
	noPermissions := "it has no permissions, and asks for nothing"
	return &Agent{
		ID:      "pi",
		Package: "@earendil-works/pi-coding-agent",
		Version: "1.6.0",
		Command: "pi",
		Program: "@earendil-works/pi-coding-agent/dist/bundle/cli.js",
		Node:    true,
		Wire:    model.Chat,
		Env:     func(l *Lab) []string { return []string{"PI_OFFLINE=1"} },
		Prepare: func(l *Lab) {
			l.WriteHome(".pi/agent/models.json", `{"providers": {"fake": {
  "baseUrl": "`+l.Model.URL+`/v1",
  "api": "openai-completions",
  "apiKey": "dummy",
  "models": [{"id": "fake-model", "contextWindow": 200000, "maxTokens": 8000}]
}}}
`)
			l.WriteHome(".pi/agent/settings.json", `{
  "defaultProvider": "fake", "defaultModel": "fake-model", "lastChangelogVersion": "1.6.0",
  "compaction": {"keepRecentTokens": 1}
}
`)
		},
		Args:   func(l *Lab, prompt string) []string { return []string{"-p", prompt} },
		Resume: func(l *Lab, prompt string) []string { return []string{"--continue", "-p", prompt} },
		Seen:   func(r *Run, text string) bool { return strings.Contains(r.Stderr, text) },
		Config: []string{".pi/agent/settings.json", ".pi/agent/models.json"},
		OwnHook: func(l *Lab, command string) {
			l.WriteHome(".pi/agent/extensions/own.ts", `// the user's own
import { spawnSync } from "node:child_process"
export default function (pi: any) { pi.on("input", async () => { spawnSync("`+command+`") }) }
`)
		},
		TrustProject: func(l *Lab) {
			l.WriteHome(".pi/agent/trust.json", fmt.Sprintf("{%q: true}\n", l.Project))
		},
		Shell: func(command string) model.Call {
			return model.Call{Name: "bash", Args: map[string]any{"command": command}}
		},
		Write: writes("write", "path", "content"),
		Edit: func(path, old, new string) model.Call {
			return model.Call{Name: "edit", Args: map[string]any{"path": path, "edits": []map[string]any{{"oldText": old, "newText": new}}}}
		},
		Screen:    piScreen(),
		Failing:   model.Call{Name: "read", Args: map[string]any{"path": "no-such-file.txt"}},
		ShellTool: "bash",
		Native: func(e event) (tool, command string) {
			return e.text("context", "native", "event", "toolName"), e.text("context", "native", "event", "input", "command")
		},
		Compact: Compaction{Cost: 199000, Mark: "context summarization assistant"},
		Events: []string{
			"pre-session", "post-session", "pre-agent-turn", "post-agent-turn", "pre-agent-turn-stop", "post-agent-turn-stop",
			"pre-tool-call", "post-tool-call", "post-tool-call-failure", "pre-context-compact", "post-context-compact",
		},
		Never: map[string]string{
			"pre-subagent":  noSubagents,
			"post-subagent": noSubagents,
		},
		But: map[string]string{
			"guard stops a prompt":               "the run ends with 1, and the reason on stderr",
			"ask does not run a command unasked": "in its terminal interface a person is asked; without one it is a block",
		},
		Cannot: map[string]string{
			"notification reaches hooks":                "it has no event for that",
			"hook denies a permission":                  noPermissions,
			"hook before a call gives a permission":     noPermissions,
			"hook gives a permission that is asked for": noPermissions,
			"project hook gives no permission":          noPermissions,
			"context for a subagent":                    noSubagents,
			"guard stops a command of a subagent":       noSubagents,
			"follow-up makes a subagent go on":          noSubagents,
		},
	}
}

func piScreen() *Screen {
	return &Screen{
		Prepare: func(l *Lab) { l.Agent.TrustProject(l) },
		Ready:   "(auto)",
		Head:    `^  agents-hooks\.js$`,
		Foot:    `^\S*/agents-hooks-[0-9a-f]{8}/project`,
		Running: "a hook is still running",
		But:     map[string]string{"hanging": onlyThatItRuns},
		Varies: []Varying{
			{`(?m)^ Took \d+\.\ds$`, " Took 0.0s"},
			{`(?m)^ Warning: (fd|ripgrep) not found\..*$`, ""},
			{`(?m)^─{100}\n\s*\n─{100}$`, ""},
		},
	}
}
