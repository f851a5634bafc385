//go:build e2e && unix

package e2e

import (
	"fmt"

	"github.com/agents-hooks/agents-hooks/e2e/model"
)

func factoryDroid() *Agent {
	args := func(more ...string) []string {
		return append([]string{"exec", "-m", "custom:fake-model", "--auto", "high"}, more...)
	}
	return &Agent{
		ID:      "factory-droid",
		Package: "droid",
		Version: "0.215.0",
		Command: "droid",
		Program: "@factory/cli-{os}-{arch}/bin/droid",
		Wire:    model.Chat,
		// if it cannot reach its maker it needs no login
		Env: func(l *Lab) []string {
			return []string{"FACTORY_AIRGAP_ENABLED=1", "FACTORY_DROID_AUTO_UPDATE_ENABLED=false"}
		},
		Prepare: func(l *Lab) {
			l.WriteHome(".factory/settings.json", droidSettings(l, ""))
		},
		Args:   func(l *Lab, prompt string) []string { return args(prompt) },
		Asking: func(l *Lab, prompt string) []string { return []string{"exec", "-m", "custom:fake-model", prompt} },
		AskingShell: func(command string) model.Call {
			return model.Call{Name: "Execute", Args: map[string]any{"command": command, "timeout": 30, "riskLevelReason": "a mark", "riskLevel": "high", "summary": "Leave a scripted mark"}}
		},
		Resume: func(l *Lab, prompt string) []string { return args("-s", "last", prompt) },
		Config: []string{".factory/settings.json", ".factory/hooks.json"},
		OwnHook: func(l *Lab, command string) {
			l.WriteHome(".factory/settings.json", droidSettings(l, `
  "hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "`+command+`"}]}]},`))
		},
		Shell: func(command string) model.Call {
			return model.Call{Name: "Execute", Args: map[string]any{"command": command, "timeout": 30, "riskLevelReason": "a mark", "riskLevel": "low", "summary": "Leave a scripted mark"}}
		},
		Write: writes("Create", "file_path", "content"),
		Edit: func(path, old, new string) model.Call {
			return model.Call{Name: "Edit", Args: map[string]any{"file_path": path, "old_str": old, "new_str": new, "change_all": false}}
		},
		ShellTool: "Execute", ShellKey: "command",
		Subagent: func(prompt string) model.Call {
			return model.Call{Name: "Task", Args: map[string]any{"subagent_type": "worker", "description": "scripted", "prompt": prompt, "await": true}}
		},
		Failing: model.Call{Name: "Read", Args: map[string]any{"file_path": "/no/such/file.txt"}},
		Events: []string{
			"pre-session", "post-session", "post-agent-turn", "pre-agent-turn-stop", "post-agent-turn-stop",
			"pre-tool-call", "post-tool-call", "pre-subagent", "post-subagent",
		},
		Never: map[string]string{
			"pre-agent-turn":         "droid exec does not tell its own prompt",
			"post-tool-call-failure": "nothing fires after a tool that failed",
			"pre-context-compact":    "PreCompact does not fire when it compacts by itself",
			"post-context-compact":   "nothing fires after a compaction",
		},
		Untold: []string{"pre-agent-turn-stop.final_message", "pre-subagent.subagent_type", "post-subagent.subagent_type"},
		Apart:  "a subagent is a session of its own",
		Cannot: map[string]string{
			"notification reaches hooks":                "none was seen in a run without a person",
			"hook denies a permission":                  "it has no event for that",
			"hook gives a permission that is asked for": "it has no event for that",
			"modified_output is what the model reads":   "PostToolUse has no place for it",
			"guard stops a prompt":                      "droid exec does not tell its own prompt",
			"context at prompt":                         "droid exec does not tell its own prompt",
			"user_message reaches the person":           "droid exec shows it nowhere",
			"context at pre-tool":                       "PreToolUse drops additionalContext",
			"follow-up makes a subagent go on":          "SubagentStop is only told; the subagent's own Stop is a gate like any other",
			"context at compaction":                     "PreCompact does not fire when it compacts by itself",
			"guard stops a compaction":                  "PreCompact does not fire when it compacts by itself",
			"env of a session reaches its commands":     "the file that it takes them in has no way to quote every value, so it is not used",
		},
	}
}

func droidSettings(l *Lab, more string) string {
	return fmt.Sprintf(`{%s
  "customModels": [{
    "model": "fake-model", "displayName": "Fake", "baseUrl": "%s/v1",
    "apiKey": "dummy", "provider": "generic-chat-completion-api", "maxOutputTokens": 8000
  }]
}
`, more, l.Model.URL)
}
