//go:build e2e && unix

package e2e

import "github.com/agents-hooks/agents-hooks/e2e/model"

func geminiCLI() *Agent {
	args := func(prompt string) []string {
		return []string{"-m", "gemini-2.5-pro", "--yolo", "--skip-trust", "-p", prompt}
	}
	return &Agent{
		ID:      "gemini-cli",
		Package: "@google/gemini-cli",
		Version: "0.61.0",
		Program: "@google/gemini-cli/bundle/gemini.js",
		Node:    true,
		Wire:    model.Gemini,
		Env: func(l *Lab) []string {
			return []string{
				"GEMINI_API_KEY=dummy",
				"GOOGLE_GEMINI_BASE_URL=" + l.Model.URL,
				"GEMINI_CLI_NO_RELAUNCH=true",
				"GEMINI_TELEMETRY_ENABLED=false",
			}
		},
		Prepare: func(l *Lab) {
			l.WriteHome(".gemini/settings.json", `{
  // a comment that must survive
  "security": {"auth": {"selectedType": "gemini-api-key"}},
  "general": {"enableAutoUpdate": false, "disableAutoUpdate": true, "disableUpdateNag": true},
  "privacy": {"usageStatisticsEnabled": false},
  "telemetry": {"enabled": false},
  "ide": {"enabled": false}
}
`)
		},
		Args: func(l *Lab, prompt string) []string { return args(prompt) },
		Resume: func(l *Lab, prompt string) []string {
			return append(args(prompt), "--resume", "latest")
		},
		Config: []string{".gemini/settings.json"},
		Shell: func(command string) model.Call {
			return model.Call{Name: "run_shell_command", Args: map[string]any{"command": command, "description": "scripted command"}}
		},
		Failing:   model.Call{Name: "read_file", Args: map[string]any{"file_path": "no-such-file.txt"}},
		ShellTool: "run_shell_command", ShellKey: "command",
		Compact: Compaction{Prompt: "/compress"},
		Events: []string{
			"pre-session", "post-session", "pre-agent-turn", "post-agent-turn", "pre-agent-turn-stop", "post-agent-turn-stop",
			"pre-tool-call", "post-tool-call", "post-tool-call-failure", "pre-context-compact",
		},
		Never: map[string]string{
			"pre-subagent":         "it has no subagent events",
			"post-subagent":        "it has no subagent events",
			"post-context-compact": "nothing fires after a compression",
		},
		Cannot: map[string]string{
			"context at pre-tool": "BeforeTool drops additionalContext",
		},
	}
}
