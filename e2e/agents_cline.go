//go:build e2e && unix

package e2e

import (
	"path/filepath"

	"github.com/agents-hooks/agents-hooks/e2e/model"
)

func cline() *Agent {
	return &Agent{
		ID:      "cline",
		Package: "cline",
		Version: "3.0.65",
		Command: "cline",
		Program: "@cline/cli-{os}-{arch}/bin/cline",
		Wire:    model.Chat,
		Env:     func(l *Lab) []string { return nil },
		Prepare: func(l *Lab) {
			// what "cline auth" leaves
			l.WriteHome(".cline/data/settings/providers.json", `{
  "version": 1,
  "lastUsedProvider": "openai-compatible",
  "modes": {},
  "providers": {"openai-compatible": {
    "settings": {"provider": "openai-compatible", "apiKey": "dummy", "model": "fake-model", "baseUrl": "`+l.Model.URL+`/v1"},
    "updatedAt": "2026-01-01T00:00:00.000Z",
    "tokenSource": "manual"
  }}
}
`)
		},
		Args: func(l *Lab, prompt string) []string {
			return []string{"-P", "openai", "-m", "fake-model", prompt}
		},
		Shell: func(command string) model.Call {
			return model.Call{Name: "run_commands", Args: map[string]any{"commands": []string{command}}}
		},
		Config: []string{
			"Documents/Cline/Hooks/PreToolUse", "Documents/Cline/Hooks/PostToolUse",
			"Documents/Cline/Hooks/TaskStart", "Documents/Cline/Hooks/TaskComplete",
		},
		OwnHook: func(l *Lab, command string) {
			l.write(filepath.Join(l.Home, ".cline/hooks/PreToolUse"), "#!/bin/sh\n# the user's own\n"+command+"\n", 0o755)
		},
		Write:   writes("editor", "path", "new_text"),
		Edit:    edits("editor", "path", "old_text", "new_text"),
		Failing: model.Call{Name: "read_files", Args: map[string]any{"files": []map[string]any{{"path": "/no/such/file.txt"}}}},
		Subagent: func(prompt string) model.Call {
			return model.Call{Name: "spawn_agent", Args: map[string]any{"systemPrompt": "You are a part.", "task": prompt}}
		},
		Screen:    clineScreen(),
		ShellTool: "run_commands",
		Native: func(e event) (tool, command string) {
			return e.text("context", "native", "tool_call", "name"), e.text("context", "native", "tool_call", "input", "commands", "0")
		},
		Untold:    []string{"pre-subagent.subagent_type", "post-subagent.subagent_type"},
		BlockEnds: true,
		Late:      "it does not wait for the hooks of TaskStart and TaskComplete",
		Events: []string{
			"pre-session", "post-agent-turn", "post-agent-turn-stop",
			"pre-tool-call", "post-tool-call", "post-tool-call-failure", "pre-subagent", "post-subagent",
		},
		Never: map[string]string{
			"post-session":         "SessionShutdown comes after an abort only",
			"pre-agent-turn":       "UserPromptSubmit does not come in a run with one prompt",
			"pre-agent-turn-stop":  "there is no event before it stops",
			"pre-context-compact":  "it has no compaction events",
			"post-context-compact": "it has no compaction events",
		},
		But: map[string]string{
			"guard stops a command":                    "another command runs in its place, which says the reason and fails",
			"guard stops one of two parallel commands": "another command runs in its place, which says the reason and fails",
			"guard stops a file write":                 "the whole run ends, and the model is not told the reason",
			"guard stops a command of a subagent":      "another command runs in its place, which says the reason and fails",
		},
		Cannot: map[string]string{
			"notification reaches hooks":                "its programs do not call it",
			"hook denies a permission":                  "it has no event for that",
			"hook before a call gives a permission":     "PreToolUse has no place for it",
			"hook gives a permission that is asked for": "it has no event for that",
			"project hook gives no permission":          "it asks for nothing in such a run",
			"modified_output is what the model reads":   "PostToolUse has no place for it",
			"guard stops a prompt":                      "UserPromptSubmit does not come in a run with one prompt",
			"user_message reaches the person":           "it shows no messages of hooks",
			"context at session start":                  "it does not wait for the hooks of TaskStart",
			"context at prompt":                         "UserPromptSubmit does not come in a run with one prompt",
			"context for a subagent":                    "it does not wait for the hooks of TaskStart",
			"follow-up makes a subagent go on":          "it does not wait for the hooks of TaskComplete",
			"context at compaction":                     "it has no compaction events",
			"guard stops a compaction":                  "it has no compaction events",
			"env of a session reaches its commands":     "TaskStart sets no environment",
			"quality gate makes the agent go on":        "it cannot be made to go on",
			"follow-up makes the agent go on":           "it cannot be made to go on",
			"loop guard ends a gate that never opens":   "it cannot be made to go on",
			"loop guard ends endless follow-ups":        "it cannot be made to go on",
		},
	}
}

func clineScreen() *Screen {
	unseen := messages("it shows no messages of hooks; agents-hooks log has them")
	return &Screen{
		Prepare: func(l *Lab) {},
		Args:    []string{"-P", "openai", "-m", "fake-model"},
		Asks:    []Asked{{"any other key to close", "\x1b"}}, // an offer of its maker
		Ready:   "❯ What",
		Sent:    "pre-session",
		Foot:    `^ *─{20,}$`,
		Varies: []Varying{
			{`(?m)^(\s*)[*●○◐◓◑◒✶✻✽·] `, "$1* "},
			{`\b\d+s\b`, "0s"},
		},
		Never: map[string]string{
			"prompt blocked":    "it does not listen to what hooks say of a prompt",
			"goes on at a stop": "it cannot be made to go on",
			"context added":     "it does not listen to what hooks say of a prompt",
		},
		Cannot: unseen,
		But: map[string]string{
			"tool blocked": "as the command that runs in its place",
			"asked":        "it cannot ask: the command is blocked, as above",
			"hanging":      "as thinking; no hook is named, and no command",
		},
	}
}
