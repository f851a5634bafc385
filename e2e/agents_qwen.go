//go:build e2e && unix

package e2e

import (
	"path/filepath"
	"strings"

	"github.com/agents-hooks/agents-hooks/e2e/model"
)

func qwenCode() *Agent {
	return &Agent{
		ID:      "qwen-code",
		Package: "@qwen-code/qwen-code",
		Version: "0.24.4",
		Command: "qwen",
		Program: "@qwen-code/qwen-code/cli.js",
		Node:    true,
		Wire:    model.Chat,
		Env: func(l *Lab) []string {
			return []string{
				"OPENAI_API_KEY=dummy",
				"OPENAI_BASE_URL=" + l.Model.URL + "/v1",
				"OPENAI_MODEL=fake-model",
				"QWEN_CODE_NO_RELAUNCH=true",
			}
		},
		Prepare: func(l *Lab) {
			l.WriteHome(".qwen/settings.json", "{\n"+qwenSettings+"}\n")
		},
		Args: func(l *Lab, prompt string) []string { return []string{"--yolo", "-p", prompt} },
		Resume: func(l *Lab, prompt string) []string {
			return []string{"--yolo", "--continue", "-p", prompt}
		},
		Seen:    func(r *Run, text string) bool { return strings.Contains(r.Stderr, text) },
		Settles: "$version is written into every settings file that is there",
		Config:  []string{".qwen/settings.json"},
		OwnHook: func(l *Lab, command string) {
			l.WriteHome(".qwen/settings.json", `{
  "hooks": {"UserPromptSubmit": [
    {"hooks": [{"type": "command", "command": "`+command+`"}]} // the user's own
  ]},
`+qwenSettings+"}\n")
		},
		TrustProject: func(l *Lab) {
			l.write(filepath.Join(l.Project, ".qwen/settings.json"), "{}\n", 0o644)
		},
		Shell: func(command string) model.Call {
			return model.Call{Name: "run_shell_command", Args: map[string]any{"command": command, "description": "scripted command", "is_background": false}}
		},
		Write:   writes("write_file", "file_path", "content"),
		Edit:    edits("edit", "file_path", "old_string", "new_string"),
		Failing: model.Call{Name: "read_file", Args: map[string]any{"file_path": "/no/such/file.txt"}},
		Subagent: func(prompt string) model.Call {
			return model.Call{Name: "agent", Args: map[string]any{"description": "scripted", "prompt": prompt, "subagent_type": "general-purpose", "run_in_background": false}}
		},
		Screen:    qwenScreen(),
		ShellTool: "run_shell_command", ShellKey: "command",
		Compact: Compaction{Prompt: "/compress", Cost: 50000, Summary: "<state_snapshot>a summary</state_snapshot>"},
		Events: []string{
			"pre-session", "pre-agent-turn", "post-agent-turn", "pre-agent-turn-stop", "post-agent-turn-stop",
			"pre-tool-call", "post-tool-call", "post-tool-call-failure", "pre-subagent", "post-subagent",
			"pre-context-compact", "post-context-compact",
		},
		Never: map[string]string{
			"post-session": "a run without a person ends without SessionEnd",
		},
		Cannot: map[string]string{
			"hook denies a permission":                  "without a person there, a tool that wants a permission is refused before any hook",
			"hook before a call gives a permission":     "without a person there, a tool that wants a permission is refused before any hook",
			"hook gives a permission that is asked for": "without a person there, a tool that wants a permission is refused before any hook",
			"project hook gives no permission":          "without a person there, a tool that wants a permission is refused before any hook",
			"modified_output is what the model reads":   "updatedToolOutput has no effect",
			"modified_input changes what runs":          "it takes no changed input from PreToolUse",
			"context at pre-tool":                       "PreToolUse drops additionalContext",
			"context for a subagent":                    "SubagentStart drops additionalContext",
			"guard stops a compaction":                  "a block of PreCompact is ignored",
			"env of a session reaches its commands":     "SessionStart sets no environment",
		},
	}
}

const qwenSettings = `  // a comment that must survive
  "security": {"auth": {"selectedType": "openai"}, "folderTrust": {"enabled": false}},
  "general": {"enableAutoUpdate": false, "disableAutoUpdate": true, "disableUpdateNag": true},
  "privacy": {"usageStatisticsEnabled": false},
  "telemetry": {"enabled": false},
  "ide": {"enabled": false},
  "memory": {"enableManagedAutoMemory": false, "enableManagedAutoDream": false}
`

func qwenScreen() *Screen {
	how := messages("at the stop: it has no place before")
	how["hanging"] = onlyACommand
	return &Screen{
		Prepare: func(l *Lab) {},
		Args:    []string{"--approval-mode", "yolo"},
		Ready:   "Type your message",
		Head:    `└─{20,}┘$`,
		Foot:    `^─{98,}`,
		Varies: []Varying{
			{`(?m)^ *Tips: .*$`, ""},
			{`(?m)^╭─+╮\n│ Ripgrep(.*\n)*?╰─+╯$`, ""},
			{`(?m)^ *●︎? (Extensions changed|Read context files).*$`, ""},
			{`(?m)^  \* .* \(\d+s · .*$`, "  * Working (0s)"},
		},
		But: how,
	}
}
