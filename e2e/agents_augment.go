//go:build e2e && unix

package e2e

import (
	"fmt"
	"strings"

	"github.com/agents-hooks/agents-hooks/e2e/model"
)

func augment() *Agent {
	return &Agent{
		ID:      "augment",
		Package: "@augmentcode/auggie",
		Version: "0.36.0",
		Command: "auggie",
		Program: "@augmentcode/auggie/augment.mjs",
		Node:    true,
		Wire:    model.Augment,
		Env: func(l *Lab) []string {
			return []string{
				fmt.Sprintf(`AUGMENT_SESSION_AUTH={"accessToken":"dummy","tenantURL":"%s/","scopes":["email"]}`, l.Model.URL),
				"AUGMENT_DISABLE_AUTO_UPDATE=1",
			}
		},
		Prepare: func(l *Lab) {
			l.WriteHome(".augment/settings.json", "{\n   \"indexingAllowDirs\" : []\n}\n")
		},
		Args: func(l *Lab, prompt string) []string { return []string{"--print", prompt} },
		Resume: func(l *Lab, prompt string) []string {
			return []string{"--print", "--continue", prompt}
		},
		Watch:  []string{},
		Seen:   func(r *Run, text string) bool { return strings.Contains(r.Stdout, text) },
		Config: []string{".augment/settings.json"},
		OwnHook: func(l *Lab, command string) {
			l.WriteHome(".augment/settings.json", `{
  "hooks": { "PromptSubmit": [ {"hooks": [{"type": "command", "command": "`+command+`"}]} ] }
}`)
		},
		Shell: func(command string) model.Call {
			return model.Call{Name: "launch-process", Args: map[string]any{"command": command, "wait": true, "max_wait_seconds": 20}}
		},
		Write: func(path, content string) model.Call {
			return model.Call{Name: "save-file", Args: map[string]any{"path": path, "file_content": content, "instructions_reminder": "LIMIT THE FILE CONTENT TO AT MOST 150 LINES. IF MORE CONTENT NEEDS TO BE ADDED USE THE str-replace-editor TOOL TO EDIT THE FILE AFTER IT HAS BEEN CREATED."}}
		},
		Edit: func(path, old, new string) model.Call {
			return model.Call{Name: "str-replace-editor", Args: map[string]any{"command": "str_replace", "path": path, "instruction_reminder": "ALWAYS BREAK DOWN EDITS INTO SMALLER CHUNKS OF AT MOST 150 LINES EACH.", "old_str_1": old, "new_str_1": new, "old_str_start_line_number_1": 1, "old_str_end_line_number_1": 1}}
		},
		Failing:   model.Call{Name: "launch-process", Args: map[string]any{"command": "exit 3", "wait": true, "max_wait_seconds": 20}},
		ShellTool: "launch-process", ShellKey: "command",
		Events: []string{
			"pre-session", "post-session", "pre-agent-turn", "post-agent-turn", "pre-agent-turn-stop", "post-agent-turn-stop",
			"pre-tool-call", "post-tool-call", "post-tool-call-failure",
		},
		Never: map[string]string{
			"pre-subagent":         "it has no subagent events",
			"post-subagent":        "it has no subagent events",
			"pre-context-compact":  "it has no compaction events",
			"post-context-compact": "it has no compaction events",
		},
		Untold: []string{"pre-session.source", "post-session.exit_reason"},
		Cannot: map[string]string{
			"notification reaches hooks":                "none was seen in a run without a person",
			"hook denies a permission":                  "it has no event for that",
			"hook before a call gives a permission":     "auggie --print asks for nothing",
			"hook gives a permission that is asked for": "it has no event for that",
			"project hook gives no permission":          "auggie --print asks for nothing",
			"modified_output is what the model reads":   "PostToolUse has no place for it",
			"guard stops a prompt":                      "PromptSubmit blocks nothing in print mode",
			"context at session start":                  "SessionStart takes no context in print mode",
			"context at prompt":                         "PromptSubmit takes no context in print mode",
			"context at pre-tool":                       "PreToolUse takes no context",
			"context for a subagent":                    "it has no subagent events",
			"guard stops a command of a subagent":       "it has no subagent events",
			"follow-up makes a subagent go on":          "it has no subagent events",
			"quality gate makes the agent go on":        "Stop is only told",
			"follow-up makes the agent go on":           "Stop is only told",
			"loop guard ends a gate that never opens":   "no gate can hold it",
			"loop guard ends endless follow-ups":        "it takes no follow-up",
			"context at compaction":                     "it has no compaction events",
			"guard stops a compaction":                  "it has no compaction events",
			"env of a session reaches its commands":     "SessionStart sets no environment",
		},
	}
}
