//go:build e2e && unix

package e2e

import (
	"encoding/json"
	"path/filepath"

	"github.com/agents-hooks/agents-hooks/e2e/model"
)

// qoder asks its maker's server at every start; the scripted model takes its place, as
// a proxy that answers for every host.
func qoder() *Agent {
	bare := func(prompt string) []string { return []string{"-m", "fake/fake-model", "-p", prompt} }
	free := []string{"--permission-mode", "bypass_permissions"}
	return &Agent{
		ID:      "qoder",
		Package: "@qoder-ai/qodercli",
		Version: "1.1.52",
		Command: "qodercli",
		Program: "@qoder-ai/qodercli/bundle/qodercli.js",
		Node:    true,
		Wire:    model.Chat,
		Env: func(l *Lab) []string {
			return []string{
				"HTTPS_PROXY=" + l.Model.URL, "NO_PROXY=127.0.0.1", "NODE_EXTRA_CA_CERTS=" + l.mark("authority.pem"),
				"QODER_PERSONAL_ACCESS_TOKEN=dummy", "QODER_CLI_NO_RELAUNCH=true", "QODER_FEATURE_WORKFLOWS_DISABLE=1",
				"NODE_COMPILE_CACHE=" + filepath.Join(l.bench.Agents["qoder"].Dir, "compiled"), // its program is one file of 33 MB
				"NODE_OPTIONS=--max-semi-space-size=64",
			}
		},
		Prepare: func(l *Lab) {
			authority, err := l.Model.Relay()
			if err != nil {
				l.t.Fatal(err)
			}
			l.write(l.mark("authority.pem"), string(authority), 0o644)
			l.WriteHome(".qoder/settings.json", qoderSettings(l, nil))
		},
		Args:   func(l *Lab, prompt string) []string { return append(bare(prompt), free...) },
		Resume: func(l *Lab, prompt string) []string { return append(append(bare(prompt), free...), "--continue") },
		Asking: func(l *Lab, prompt string) []string { return append(bare(prompt), "--add-dir", l.Root) },
		AskingShell: func(command string) model.Call { // it asks about a redirection whatever hooks say
			return model.Call{Name: "Bash", Args: map[string]any{"command": "perl -e 'system(q(" + command + "))'", "description": "scripted command"}}
		},
		Settles: "securityScan is written into its settings",
		Config:  []string{".qoder/settings.json"},
		OwnHook: func(l *Lab, command string) {
			l.WriteHome(".qoder/settings.json", qoderSettings(l, map[string]any{"UserPromptSubmit": []any{
				map[string]any{"hooks": []any{map[string]any{"type": "command", "command": command}}},
			}}))
		},
		Shell: func(command string) model.Call {
			return model.Call{Name: "Bash", Args: map[string]any{"command": command, "description": "scripted command"}}
		},
		MCP: func(tool string, args map[string]any) model.Call {
			return model.Call{Name: "mcp__agents-hooks__" + tool, Args: args}
		},
		Write:   writes("Write", "file_path", "content"),
		Edit:    edits("Edit", "file_path", "old_string", "new_string"),
		Failing: model.Call{Name: "Read", Args: map[string]any{"file_path": "/no/such/file.txt"}},
		Subagent: func(prompt string) model.Call {
			return model.Call{Name: "Agent", Args: map[string]any{"description": "scripted", "prompt": prompt, "subagent_type": "general-purpose"}}
		},
		Screen:    qoderScreen(),
		ShellTool: "Bash", ShellKey: "command",
		ShowsUs: "it puts the command of the hook before each reason",
		Compact: Compaction{Prompt: "/compact", Summary: "<summary>a summary</summary>", Mark: "Respond with TEXT ONLY"},
		Events: []string{
			"pre-session", "post-session", "pre-agent-turn", "post-agent-turn", "pre-agent-turn-stop", "post-agent-turn-stop",
			"pre-tool-call", "post-tool-call", "post-tool-call-failure", "pre-subagent", "post-subagent",
			"pre-context-compact", "post-context-compact",
		},
		But: map[string]string{
			"guard stops a command":                 "the model reads our command line before the reason",
			"guard stops a prompt":                  "the run ends with 1",
			"hook before a call gives a permission": "it asks about a redirection into a file all the same",
		},
		Cannot: map[string]string{
			"notification reaches hooks":            "a run with -p asks nobody",
			"user_message reaches the person":       "a run with -p shows it to nobody; its terminal does",
			"env of a session reaches its commands": "what is written into the file that it names makes every command of its shell a syntax error",
		},
	}
}

// qoderSettings contain the user's own model, and hooks.
func qoderSettings(l *Lab, hooks map[string]any) string {
	settings := map[string]any{"securityScan": map[string]any{"l1StaticCheck": false, "l2LightweightScan": false, "l3DeepScan": false}, "providers": map[string]any{"fake": map[string]any{
		"baseUrl": l.Model.URL + "/v1", "apiKey": "dummy",
		"models": []any{map[string]any{"model": "fake-model", "contextWindow": 200000}},
	}}}
	if hooks != nil {
		settings["hooks"] = hooks
	}
	data, err := json.MarshalIndent(settings, "", "   ")
	if err != nil {
		l.t.Fatal(err)
	}
	return string(data) + "\n"
}

func qoderScreen() *Screen {
	return &Screen{
		Prepare: func(l *Lab) {},
		Args:    []string{"-m", "fake/fake-model"},
		Asks:    []Asked{{"Do you trust the files in this folder?", "\r"}},
		Ready:   "Type your message",
		Head:    `4\. Be specific`,
		Foot:    `^─{98,}`,
		Running: "Executing Hook: agents-hooks",
		But:     map[string]string{"hanging": onlyThatItRuns},
		Also:    map[string]string{"asked": "Permission Required", "prompt blocked": "Agent execution blocked by hook"},
		Cannot: map[string]string{
			"asked":             "its dialog asks without the reason of the hook that wants it, and shows no message of it",
			"prompt blocked":    "it says that a hook blocked it, and not why",
			"goes on at a stop": "it goes on without a word; agents-hooks log has the reason",
		},
		Varies: []Varying{
			{`(?m)^ *╰─*╯$`, ""},
			{`(?m)^─x Agent`, " x Agent"},
			{`(?m)^─+\n[ *]*Next .*\n─+$`, ""},
			{`(?m)^ *\S* (Generating|Thinking)\.\.\. \(esc to cancel, \d+s\).*$`, ""},
			{`(?m)^ *Executing Hook: agents-hooks─+.*$`, ""},
			{`Executing Hook: (\S+) \(esc to cancel, \d+s\).*`, "Executing Hook: $1 (esc to cancel, 0s)"},
			{`(?m)^ *\? for shortcuts$`, ""},
		},
	}
}
