//go:build e2e && unix

package e2e

import (
	"github.com/agents-hooks/agents-hooks/e2e/model"
)

func kimiCode() *Agent {
	return &Agent{
		ID:      "kimi-code",
		Package: "@moonshot-ai/kimi-code",
		Version: "2.1.0",
		Command: "kimi",
		Program: "@moonshot-ai/kimi-code/dist/main.mjs",
		Node:    true,
		Wire:    model.Chat,
		Env: func(l *Lab) []string {
			return []string{"KIMI_CODE_NO_AUTO_UPDATE=1"}
		},
		Prepare: func(l *Lab) {
			l.WriteHome(".kimi-code/config.toml", kimiConfig(l))
		},
		Args: func(l *Lab, prompt string) []string {
			return []string{"-p", prompt}
		},
		Resume: func(l *Lab, prompt string) []string {
			return []string{"--continue", "-p", prompt}
		},
		Config: []string{".kimi-code/config.toml"},
		OwnHook: func(l *Lab, command string) {
			l.WriteHome(".kimi-code/config.toml", kimiConfig(l)+"\n[[hooks]]\nevent = \"UserPromptSubmit\"\ncommand = \""+command+"\" # the user's own\n")
		},
		Shell: func(command string) model.Call {
			return model.Call{Name: "Bash", Args: map[string]any{"command": command}}
		},
		Write:   writes("Write", "path", "content"),
		Edit:    edits("Edit", "path", "old_string", "new_string"),
		Failing: model.Call{Name: "Bash", Args: map[string]any{"command": "exit 3"}},
		Subagent: func(prompt string) model.Call {
			return model.Call{Name: "Agent", Args: map[string]any{"description": "scripted", "prompt": prompt}}
		},
		Screen:    kimiScreen(),
		ShellTool: "Bash", ShellKey: "command",
		Compact:    Compaction{Tokens: 190000, Mark: "Create a handoff summary"},
		Untold:     []string{"pre-agent-turn-stop.final_message"},
		StopMax:    1,
		StopsBelow: "Stop fires there as well, with nothing that tells",
		Events: []string{
			"pre-session", "pre-agent-turn", "post-agent-turn", "pre-agent-turn-stop", "post-agent-turn-stop",
			"pre-tool-call", "post-tool-call", "post-tool-call-failure", "pre-subagent", "post-subagent",
			"pre-context-compact", "post-context-compact",
		},
		Never: map[string]string{
			"post-session": "nothing fires when a run of kimi -p ends",
		},
		But: map[string]string{
			"quality gate makes the agent go on": "once a turn; then it is not asked again",
			"every event reaches hooks":          "the stop events also come at the end of a subagent's turn, with nothing that tells",
		},
		Cannot: map[string]string{
			"notification reaches hooks":                "one comes with a task in the background only; that was captured",
			"hook denies a permission":                  "PermissionRequest is told and not waited for",
			"hook before a call gives a permission":     "PreToolUse takes a denial only",
			"hook gives a permission that is asked for": "PermissionRequest is told and not waited for",
			"project hook gives no permission":          "kimi -p asks for nothing",
			"modified_output is what the model reads":   "what is said after a call is not waited for",
			"modified_input changes what runs":          "it takes no changed input from PreToolUse",
			"feedback after a tool reaches the model":   "it does not wait for PostToolUse",
			"user_message reaches the person":           "it shows no messages of hooks",
			"context at session start":                  "SessionStart takes no context",
			"context at pre-tool":                       "PreToolUse takes no context",
			"context at post-tool":                      "it does not wait for PostToolUse",
			"context for a subagent":                    "SubagentStart takes no context",
			"follow-up makes a subagent go on":          "it does not wait for SubagentStop",
			"context at compaction":                     "PreCompact takes no context",
			"guard stops a compaction":                  "a block of PreCompact is ignored",
			"env of a session reaches its commands":     "SessionStart sets no environment",
			"install for one project":                   "it reads hooks from the user's configuration only",
		},
	}
}

func kimiConfig(l *Lab) string {
	return `# a comment that must survive
default_model = "fake"
telemetry = false

[providers.fake]
type = "openai"
base_url = "` + l.Model.URL + `/v1"
api_key = "dummy"

[models.fake]
provider = "fake"
model = "fake-model"
max_context_size = 200000
`
}

func kimiScreen() *Screen {
	return &Screen{
		Prepare: func(l *Lab) {},
		Args:    []string{"--yolo"},
		Asks:    []Asked{{"Trust this folder?", "\r"}},
		Ready:   "context: ",
		Head:    `^ *No session yet`,
		Foot:    `^ ╭─{90,}╮$`,
		Varies: []Varying{
			{`(?m)^ *[🌑🌒🌓🌔🌕🌖🌗🌘] · Tip: .*$`, "  🌕"},
			{`\(\d+s`, "(0s"},
		},
		Next: []string{"crashed", "timed out", "untrusted"},
		Cannot: map[string]string{
			"message":           "it shows no messages of hooks; agents-hooks log has them",
			"goes on at a stop": "it goes on without a word; agents-hooks log has the reason",
			"context added":     "it shows the context that a hook adds, as a message of its own",
		},
		But: map[string]string{
			"asked":     "it cannot ask: the command is blocked, and its place says the reason",
			"hanging":   onlyACommand,
			"crashed":   withNextPrompt,
			"timed out": withNextPrompt,
			"untrusted": withNextPrompt,
		},
	}
}
