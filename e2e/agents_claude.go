//go:build e2e && unix

package e2e

import (
	"fmt"
	"strings"

	"github.com/agents-hooks/agents-hooks/e2e/model"
)

func claudeCode() *Agent {
	tools := "Bash,Read,Write,Edit,Agent,Task"
	return &Agent{
		ID:      "claude-code",
		Package: "@anthropic-ai/claude-code",
		Version: "2.1.332",
		Command: "claude",
		Program: "@anthropic-ai/claude-code-{os}-{arch}/claude",
		Wire:    model.Anthropic,
		Env: func(l *Lab) []string {
			return []string{
				"ANTHROPIC_BASE_URL=" + l.Model.URL,
				"ANTHROPIC_API_KEY=dummy",
				"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
				"DISABLE_TELEMETRY=1", "DISABLE_ERROR_REPORTING=1", "DISABLE_AUTOUPDATER=1",
			}
		},
		Prepare: func(l *Lab) {
			// odd spacing on purpose: it must survive
			l.WriteHome(".claude/settings.json", "{\n   \"includeCoAuthoredBy\" : false,\n\n   \"env\": {\"KEPT\": \"yes\"}\n}\n")
		},
		Args: func(l *Lab, prompt string) []string {
			return []string{"-p", prompt, "--allowedTools", tools}
		},
		Asking: func(l *Lab, prompt string) []string { return []string{"-p", prompt} },
		Resume: func(l *Lab, prompt string) []string {
			return []string{"-p", prompt, "--continue", "--allowedTools", tools}
		},
		Watch: []string{"--output-format", "stream-json", "--verbose"},
		Seen: func(r *Run, text string) bool {
			return strings.Contains(r.Stdout, `"subtype":"informational"`) && strings.Contains(r.Stdout, text)
		},
		Config: []string{".claude/settings.json"},
		OwnHook: func(l *Lab, command string) {
			l.WriteHome(".claude/settings.json", `{
  "hooks": { "UserPromptSubmit": [ {"hooks": [{"type": "command", "command": "`+command+`"}]} ] },
    "includeCoAuthoredBy": false
}`)
		},
		Shell: func(command string) model.Call {
			return model.Call{Name: "Bash", Args: map[string]any{"command": command, "description": "scripted command"}}
		},
		MCP: func(tool string, args map[string]any) model.Call {
			return model.Call{Name: "mcp__agents-hooks__" + tool, Args: args}
		},
		AllowMCP: func(l *Lab) {
			l.WriteHome(".claude/settings.json", "{\"permissions\": {\"allow\": [\"mcp__agents-hooks\"]}}\n")
		},
		Write:   writes("Write", "file_path", "content"),
		Edit:    edits("Edit", "file_path", "old_string", "new_string"),
		Failing: model.Call{Name: "Bash", Args: map[string]any{"command": "exit 3", "description": "fails"}},
		Subagent: func(prompt string) model.Call {
			return model.Call{Name: "Agent", Args: map[string]any{"description": "scripted", "prompt": prompt, "subagent_type": "general-purpose", "run_in_background": false}}
		},
		ShellTool: "Bash", ShellKey: "command",
		Screen: claudeScreen(),
		Cannot: map[string]string{
			"notification reaches hooks": "claude -p asks nobody; a notice of an MCP server's question was seen",
		},
		Compact: Compaction{Prompt: "/compact"},
		Events: []string{
			"pre-session", "post-session", "pre-agent-turn", "post-agent-turn", "pre-agent-turn-stop", "post-agent-turn-stop",
			"pre-tool-call", "post-tool-call", "post-tool-call-failure", "pre-subagent", "post-subagent",
			"pre-context-compact", "post-context-compact",
		},
	}
}

func claudeScreen() *Screen {
	return &Screen{
		Prepare: func(l *Lab) {
			l.WriteHome(".claude.json", fmt.Sprintf(`{
  "hasCompletedOnboarding": true, "lastOnboardingVersion": %q, "theme": "dark", "numStartups": 9,
  "customApiKeyResponses": {"approved": ["dummy"], "rejected": []},
  "projects": {%q: {"hasTrustDialogAccepted": true, "hasCompletedProjectOnboarding": true}}
}
`, l.bench.Agents[l.Agent.ID].Version, l.Project))
		},
		Args: []string{"--allowedTools", "Bash", "--permission-mode", "default"},
		Head: `^[ ▘▝▀-▟]+/\S*project$`,
		Foot: `◐ .*/effort$|⏵⏵|^  \? for shortcuts`,
		Varies: []Varying{
			// It only redraws what changed, and sometimes leaves the end of its own
			// name there.
			{`(?m)^( *2\. No)e Code *$`, "$1"},
			{`(?m)^[·✢✳✶✻✽*] \S+… \(`, "✻ Working… ("},
			{`(?m)^─{100}\n❯.*\n─{100}(\n.*)?$`, ""},
			{`(?m)^[● ] Scripted command`, "● Scripted command"},
			{`(?m)( · [↓↑] \d+ tokens)?\)$`, ")"},
			{`(?m)^ +stop hook problem .*$`, ""},
			{`hooks… · \d+s`, "hooks… · 0s"},
			{`✻ \S+ for \d+s · done \d+:\d\d [AP]M`, "✻ Worked for 0s · done 0:00"},
		},
		Running: "(agents-hooks…",
		But:     map[string]string{"hanging": onlyThatItRuns},
	}
}
