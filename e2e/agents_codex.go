//go:build e2e && unix

package e2e

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"

	"github.com/agents-hooks/agents-hooks/e2e/model"
)

func codex() *Agent {
	return &Agent{
		ID:      "codex",
		Package: "@openai/codex",
		Version: "0.171.0",
		Command: "codex",
		Program: "@openai/codex/bin/codex.js",
		Node:    true,
		Wire:    model.Responses,
		Env:     func(l *Lab) []string { return nil },
		Prepare: func(l *Lab) {
			l.WriteHome(".codex/config.toml", codexConfig(l))
		},
		Args: func(l *Lab, prompt string) []string {
			return []string{"exec", "-s", "danger-full-access", prompt}
		},
		Asking: func(l *Lab, prompt string) []string {
			return []string{"exec", "--approve-for-me", prompt}
		},
		AskingShell: func(command string) model.Call {
			return model.Call{Name: "exec_command", Args: map[string]any{"cmd": command, "sandbox_permissions": "require_escalated", "justification": "a mark"}}
		},
		Resume: func(l *Lab, prompt string) []string {
			return []string{"exec", "-s", "danger-full-access", "resume", "--last", prompt}
		},
		Config: []string{".codex/hooks.json", ".codex/config.toml"},
		OwnHook: func(l *Lab, command string) {
			l.WriteHome(".codex/hooks.json", `{"hooks": {"UserPromptSubmit": [{"hooks": [ {"type":"command", "command":"`+command+`"} ]}]}}`)
			// Codex runs a hook only if its hash is in config.toml: this is what a
			// user's approval in the TUI leaves there
			hash := sha256.Sum256([]byte(`{"event_name":"user_prompt_submit","hooks":[{"async":false,"command":"` + command + `","timeout":600,"type":"command"}]}`))
			l.WriteHome(".codex/config.toml", codexConfig(l)+fmt.Sprintf("\n[hooks.state.%q]\ntrusted_hash = \"sha256:%x\"\n",
				filepath.Join(l.Home, ".codex/hooks.json")+":user_prompt_submit:0:0", hash))
		},
		TrustProject: func(l *Lab) {
			l.WriteHome(".codex/config.toml", codexConfig(l)+fmt.Sprintf("\n[projects.%q]\ntrust_level = \"trusted\"\n", l.Project))
		},
		Shell: func(command string) model.Call {
			return model.Call{Name: "exec_command", Args: map[string]any{"cmd": command}}
		},
		Edit: func(path, old, new string) model.Call {
			return model.Call{Name: "exec_command", Args: map[string]any{"cmd": "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: " + path + "\n@@\n-" + old + "\n+" + new + "\n*** End Patch\nEOF\n"}}
		},
		MCP: func(tool string, args map[string]any) model.Call {
			return model.Call{Namespace: "mcp__agents_hooks", Name: tool, Args: args}
		},
		Subagent: func(prompt string) model.Call {
			return model.Call{Namespace: "multi_agent_v1", Name: "spawn_agent", Args: map[string]any{"message": prompt}}
		},
		Await: func(r *model.Request) model.Call {
			return model.Call{Namespace: "multi_agent_v1", Name: "wait_agent", Args: map[string]any{"targets": []string{spawnedAgent(r)}, "timeout_ms": 20000}}
		},
		ShellTool: "Bash", ShellKey: "command",
		Screen:  codexScreen(),
		Compact: Compaction{Tokens: 200000, Mark: "CONTEXT CHECKPOINT COMPACTION"},
		Events: []string{
			"pre-session", "post-session", "pre-agent-turn", "post-agent-turn", "pre-agent-turn-stop", "post-agent-turn-stop",
			"pre-tool-call", "post-tool-call", "pre-subagent", "post-subagent",
			"pre-context-compact", "post-context-compact",
		},
		Never: map[string]string{
			"post-tool-call-failure": "its payload does not tell a failure",
		},
		Cannot: map[string]string{
			"notification reaches hooks":            "it has no event for that",
			"hook before a call gives a permission": "PreToolUse takes allow beside a changed input only",
			"guard stops a file write":              "the tools that it offers an unknown model write no files; see code mode",
			"context at compaction":                 "PreCompact takes no context",
			"guard stops a compaction":              "a block there would abort the turn, so it is not said",
			"env of a session reaches its commands": "SessionStart sets no environment",
			"user_message reaches the person":       "codex exec shows it nowhere",
		},
	}
}

// codexCodeMode is Codex with a model that it knows: such models get a single tool,
// exec, whose input is JavaScript, and call the former tools as functions in it.
func codexCodeMode() *Agent {
	a := codex()
	a.Mode = "code mode"
	a.Screen = nil
	script := func(js string) model.Call { return model.Call{Name: "exec", Input: js} }
	known := func(args func(*Lab, string) []string) func(*Lab, string) []string {
		return func(l *Lab, prompt string) []string {
			rest := args(l, prompt)
			return append([]string{rest[0], "-m", "gpt-6-sol"}, rest[1:]...)
		}
	}
	a.Args, a.Resume = known(a.Args), known(a.Resume)
	a.Shell = func(command string) model.Call {
		return script("const r = await tools.exec_command({cmd: " + strconv.Quote(command) + "}); text(r.output);")
	}
	a.MCP = func(tool string, args map[string]any) model.Call {
		b, _ := json.Marshal(args)
		return script("const r = await tools.mcp__agents_hooks__" + tool + "(" + string(b) + "); text(JSON.stringify(r));")
	}
	a.Write = func(path, content string) model.Call {
		patch := "*** Begin Patch\n*** Add File: " + path + "\n+" + content + "\n*** End Patch"
		return script("const r = await tools.apply_patch(" + strconv.Quote(patch) + "); text(r);")
	}
	a.Edit = func(path, old, new string) model.Call {
		patch := "*** Begin Patch\n*** Update File: " + path + "\n@@\n-" + old + "\n+" + new + "\n*** End Patch"
		return script("const r = await tools.apply_patch(" + strconv.Quote(patch) + "); text(r);")
	}
	a.Subagent = func(prompt string) model.Call {
		return model.Call{Namespace: "collaboration", Name: "spawn_agent", Args: map[string]any{"task_name": "part", "message": prompt, "fork_turns": "none"}}
	}
	a.Await = func(*model.Request) model.Call {
		return model.Call{Namespace: "collaboration", Name: "wait_agent", Args: map[string]any{"timeout_ms": 20000}}
	}
	delete(a.Cannot, "guard stops a file write")
	a.Cannot["memory, in Codex: a decision in the terminal, and the summary is saved"] = "the suite drives the terminal of the other mode"
	return a
}

func codexConfig(l *Lab) string {
	return `# a comment that must survive
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
base_url = "` + l.Model.URL + `/v1"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
`
}

// spawnedAgent finds the id of a subagent in the request after its start.
func spawnedAgent(r *model.Request) string {
	for _, text := range r.Texts() {
		if m := agentID.FindStringSubmatch(text); m != nil {
			return m[1]
		}
	}
	return ""
}

var agentID = regexp.MustCompile(`"agent_id":\s*"([^"]+)"`)

func codexScreen() *Screen {
	return &Screen{
		Prepare: func(l *Lab) { l.Agent.TrustProject(l) },
		Args:    []string{"-s", "danger-full-access", "-a", "never"},
		Ready:   "fake-model",
		Head:    `^  permissions:`,
		Foot:    `^› [A-Z]`,
		Varies: []Varying{
			{`Worked for <?\d+s • \d+:\d\d`, "Worked for 0s • 00:00"},
			{`(?m)^[•◦] Working \(\d+s`, "• Working (0s"},
		},
		Running: "esc to interrupt) · agents-hooks",
		But: map[string]string{
			"asked":   "it cannot ask: the command is blocked, and a message says so",
			"hanging": onlyThatItRuns,
		},
	}
}
