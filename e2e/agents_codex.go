//go:build e2e && unix

package e2e

import "github.com/agents-hooks/agents-hooks/e2e/model"

func codex() *Agent {
	return &Agent{
		ID:      "codex",
		Package: "@openai/codex",
		Version: "0.169.0",
		Program: "@openai/codex/bin/codex.js",
		Node:    true,
		Wire:    model.Responses,
		Env:     func(l *Lab) []string { return nil },
		Prepare: func(l *Lab) {
			l.WriteHome(".codex/config.toml", `# a comment that must survive
model = "fake-model"
model_provider = "fake"
check_for_update_on_startup = false
model_auto_compact_token_limit = 100000

[analytics]
enabled = false

[feedback]
enabled = false

[model_providers.fake]
name = "fake"
base_url = "`+l.Model.URL+`/v1"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
`)
		},
		Args: func(l *Lab, prompt string) []string {
			return []string{"exec", "-s", "danger-full-access", prompt}
		},
		Resume: func(l *Lab, prompt string) []string {
			return []string{"exec", "-s", "danger-full-access", "resume", "--last", prompt}
		},
		Config: []string{".codex/hooks.json", ".codex/config.toml"},
		Shell: func(command string) model.Call {
			return model.Call{Name: "exec_command", Args: map[string]any{"cmd": command}}
		},
		Subagent: func(prompt string) model.Call {
			return model.Call{Name: "spawn_agent", Args: map[string]any{"message": prompt}}
		},
		ShellTool: "Bash", ShellKey: "command",
		Compact: Compaction{Tokens: 200000},
		Events: []string{
			"pre-session", "post-session", "pre-agent-turn", "post-agent-turn", "pre-agent-turn-stop", "post-agent-turn-stop",
			"pre-tool-call", "post-tool-call", "pre-subagent", "post-subagent",
			"pre-context-compact", "post-context-compact",
		},
		Never: map[string]string{
			"post-tool-call-failure": "its payload does not tell a failure",
		},
	}
}
