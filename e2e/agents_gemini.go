//go:build e2e && unix

package e2e

import (
	"fmt"
	"strings"

	"github.com/agents-hooks/agents-hooks/e2e/model"
)

func geminiCLI() *Agent {
	args := func(prompt string) []string {
		return []string{"-m", "gemini-2.5-pro", "--yolo", "--skip-trust", "-p", prompt}
	}
	return &Agent{
		ID:      "gemini-cli",
		Package: "@google/gemini-cli",
		Version: "0.61.0",
		Command: "gemini",
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
			l.WriteHome(".gemini/settings.json", "{\n"+geminiSettings+"}\n")
		},
		Args:    func(l *Lab, prompt string) []string { return args(prompt) },
		Notices: "asked by a hook",
		Resume: func(l *Lab, prompt string) []string {
			return append(args(prompt), "--resume", "latest")
		},
		Watch: []string{},
		Seen: func(r *Run, text string) bool {
			_, shown, _ := strings.Cut(r.Stderr, "Hook system message: ")
			line, _, _ := strings.Cut(shown, "\n")
			return strings.Contains(line, text)
		},
		Config: []string{".gemini/settings.json"},
		TrustProject: func(l *Lab) {
			l.WriteHome(".gemini/trustedFolders.json", fmt.Sprintf("{%q: \"TRUST_FOLDER\"}", l.Project))
		},
		OwnHook: func(l *Lab, command string) {
			l.WriteHome(".gemini/settings.json", `{
  "hooks": {"BeforeAgent": [
    {"hooks": [{"type": "command", "command": "`+command+`"}]} // the user's own
  ]},
`+geminiSettings+"}\n")
		},
		Shell: func(command string) model.Call {
			return model.Call{Name: "run_shell_command", Args: map[string]any{"command": command, "description": "scripted command"}}
		},
		Write: writes("write_file", "file_path", "content"),
		Edit: func(path, old, new string) model.Call {
			return model.Call{Name: "replace", Args: map[string]any{"file_path": path, "old_string": old, "new_string": new, "instruction": "scripted"}}
		},
		Subagent: func(prompt string) model.Call {
			return model.Call{Name: "invoke_agent", Args: map[string]any{"agent_name": "generalist", "prompt": prompt}}
		},
		Finish:    model.Call{Name: "complete_task", Args: map[string]any{"result": "my part is done"}},
		Failing:   model.Call{Name: "read_file", Args: map[string]any{"file_path": "no-such-file.txt"}},
		ShellTool: "run_shell_command", ShellKey: "command",
		Screen:  geminiScreen(),
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
			"hook denies a permission":                  "it has no event for that",
			"hook before a call gives a permission":     "without --yolo a command is not offered to the model",
			"hook gives a permission that is asked for": "it has no event for that",
			"project hook gives no permission":          "without --yolo a command is not offered to the model",
			"context at pre-tool":                       "BeforeTool drops additionalContext",
			"context for a subagent":                    "it has no subagent events",
			"follow-up makes a subagent go on":          "it has no subagent events",
			"context at compaction":                     "PreCompress is advisory",
			"guard stops a compaction":                  "PreCompress is advisory",
			"env of a session reaches its commands":     "SessionStart sets no environment",
		},
	}
}

const geminiSettings = `  // a comment that must survive
  "security": {"auth": {"selectedType": "gemini-api-key"}},
  "general": {"enableAutoUpdate": false, "enableAutoUpdateNotification": false},
  "privacy": {"usageStatisticsEnabled": false},
  "telemetry": {"enabled": false},
  "ide": {"enabled": false}
`

func geminiScreen() *Screen {
	return &Screen{
		Prepare: func(l *Lab) { l.Agent.TrustProject(l) },
		Args:    []string{"-m", "gemini-2.5-pro", "--approval-mode", "yolo"},
		Ready:   "Type your message",
		Head:    `^4\. Be specific`,
		Foot:    `^─{100}$`,
		Running: "ks: agents-hooks",
		But: map[string]string{
			"asked":             "the reason stands there twice, as a message and in the dialog",
			"prompt blocked":    "with a line that the request failed",
			"goes on at a stop": "called a blocked execution and a failed request, though it goes on",
			"hanging":           onlyThatItRuns,
		},
		Varies: []Varying{
			{`(?m)^ℹ Initializing.*\n`, ""},
			{`(?m)^▀{100}$`, ""},
			{`(?m)^▄{100}$`, ""},
			{`(?m)^.*ks: agents-hooks.* \(esc to cancel, \d+s\).*$`, "executing agents-hooks (esc to cancel, 0s)"},
			{`(?m)^.*(\? for shortcuts|ks: agents-hooks(,| |$)).*$`, ""},
		},
	}
}
