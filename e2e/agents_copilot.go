//go:build e2e && unix

package e2e

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/agents-hooks/agents-hooks/e2e/model"
)

func copilotCLI() *Agent {
	args := func(prompt string) []string {
		return []string{"--allow-all-tools", "--allow-all-paths", "--disable-client-telemetry", "--trust-folder", "-p", prompt}
	}
	return &Agent{
		ID:      "copilot-cli",
		Package: "@github/copilot",
		Version: "1.0.102",
		Command: "copilot",
		Program: "@github/copilot-{os}-{arch}/copilot",
		Wire:    model.Chat,
		// with its own provider and no network it asks for no login
		Env: func(l *Lab) []string {
			return []string{
				"COPILOT_PROVIDER_BASE_URL=" + l.Model.URL + "/v1",
				"COPILOT_PROVIDER_API_KEY=dummy",
				"COPILOT_MODEL=fake-model",
				"COPILOT_OFFLINE=true",
				"COPILOT_AUTO_UPDATE=false",
			}
		},
		Prepare: func(l *Lab) {
			// at its first start it unpacks 230 MB, the same for all homes
			shared := filepath.Join(l.bench.Agents[l.Agent.ID].Dir, "unpacked")
			if err := os.MkdirAll(shared, 0o755); err != nil {
				l.t.Fatal(err)
			}
			l.WriteHome(".cache/README", "kept apart\n")
			if err := os.Symlink(shared, filepath.Join(l.Home, ".cache/copilot")); err != nil {
				l.t.Fatal(err)
			}
		},
		Args: func(l *Lab, prompt string) []string { return args(prompt) },
		Asking: func(l *Lab, prompt string) []string {
			return []string{"--allow-all-paths", "--disable-client-telemetry", "--trust-folder", "-p", prompt}
		},
		Seen:    func(r *Run, text string) bool { return strings.Contains(r.Stdout+r.Stderr, text) },
		Notices: "asking",
		Resume: func(l *Lab, prompt string) []string {
			return append(args(prompt), "--continue")
		},
		Config: []string{".copilot/hooks/agents-hooks.json"},
		OwnHook: func(l *Lab, command string) {
			l.WriteHome(".copilot/hooks/own.json", `{"version": 1, "hooks": {"userPromptSubmitted": [{"type": "command", "bash": "`+command+`"}]}}`)
		},
		Shell: func(command string) model.Call {
			return model.Call{Name: "bash", Args: map[string]any{"command": command, "description": "scripted command"}}
		},
		Write:   writes("create", "path", "file_text"),
		Edit:    edits("edit", "path", "old_str", "new_str"),
		Failing: model.Call{Name: "view", Args: map[string]any{"path": "/no/such/file.txt"}},
		Subagent: func(prompt string) model.Call {
			return model.Call{Name: "task", Args: map[string]any{"agent_type": "general-purpose", "description": "scripted", "name": "part", "prompt": prompt, "mode": "sync"}}
		},
		Screen:    copilotScreen(),
		ShellTool: "Bash", ShellKey: "command",
		Compact: Compaction{Tokens: 200000, Mark: "create a detailed summary of the conversation so far"},
		Untold:  []string{"pre-agent-turn-stop.final_message"},
		Events: []string{
			"pre-session", "post-session", "pre-agent-turn", "post-agent-turn", "pre-agent-turn-stop", "post-agent-turn-stop",
			"pre-tool-call", "post-tool-call", "post-tool-call-failure", "pre-subagent", "post-subagent",
			"pre-context-compact",
		},
		Never: map[string]string{
			"post-context-compact": "nothing fires after a compaction",
		},
		Cannot: map[string]string{
			"context at compaction":                 "preCompact takes no context",
			"guard stops a compaction":              "preCompact blocks nothing",
			"env of a session reaches its commands": "sessionStart sets no environment",
		},
	}
}

func copilotScreen() *Screen {
	return &Screen{
		Prepare: func(l *Lab) {},
		Args:    []string{"--allow-all-tools", "--allow-all-paths", "--disable-client-telemetry"},
		Asks:    []Asked{{"Do you trust the files in this folder?", "\r"}},
		Ready:   "? help",
		Head:    `configuration details`,
		Foot:    `^ ?/\S+/project \[`,
		Varies: []Varying{
			{`(?m)^ ● (MCP Servers reloaded|No copilot-instructions).*$`, ""},
			{`(?m) *█ *$`, ""},
			{`(?m) +(\d\d:\d\d|\d+s) *$`, ""},
			{`\A\s*❯ [a-z].*\n+`, ""}, // the prompt, which may have scrolled off the screen
			{`\b\d+s\b`, "0s"},
		},
		But: map[string]string{
			"tool blocked": "on one line, which the edge of the terminal cuts",
			"hanging":      onlyACommand,
		},
	}
}
