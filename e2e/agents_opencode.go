//go:build e2e && unix

package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/agents-hooks/agents-hooks/e2e/model"
)

func openCode() *Agent { return openCodeLike("opencode", "@opencode-ai/plugin") }

// openCodeLike is the recipe of OpenCode, or of a program made from it: one that keeps its
// configuration in folders of its own name, and installs its own package into them.
func openCodeLike(name, plugin string) *Agent {
	home := ".config/" + name
	config := home + "/" + name + ".json"
	return &Agent{
		ID:      "opencode",
		Package: "opencode-ai",
		Version: "1.18.33",
		Command: "opencode",
		Program: "opencode-{os}-{arch}/bin/opencode",
		Wire:    model.Chat,
		Env: func(l *Lab) []string {
			return []string{
				"OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_SHARE=1",
				"OPENCODE_DISABLE_LSP_DOWNLOAD=1", "OPENCODE_DISABLE_MODELS_FETCH=1",
			}
		},
		Prepare: func(l *Lab) {
			l.WriteHome(config, openCodeConfig(l, ""))
			l.pluginPackage(l.Home+"/"+home, plugin)
		},
		Args: func(l *Lab, prompt string) []string {
			return []string{"run", prompt}
		},
		Resume: func(l *Lab, prompt string) []string {
			return []string{"run", "--continue", prompt}
		},
		Serve: []string{"serve", "--hostname", "127.0.0.1", "--port", "0"},
		Attach: func(l *Lab, url, prompt string) []string {
			return []string{"run", "--attach", url, prompt}
		},
		Ask:    openCodeAsks,
		Config: []string{config},
		OwnHook: func(l *Lab, command string) {
			l.WriteHome(home+"/plugin/own.js", `// the user's own
import { spawnSync } from "node:child_process"
export const Own = async () => ({ "chat.message": async () => { spawnSync("`+command+`") } })
`)
		},
		TrustProject: func(l *Lab) { l.pluginPackage(l.Project+"/."+name, plugin) },
		Compact:      Compaction{Tokens: 195000, Mark: "context summarization agent", After: "What did we do so far?"},
		Events: []string{
			"pre-session", "post-session", "pre-agent-turn", "post-agent-turn", "pre-agent-turn-stop", "post-agent-turn-stop",
			"pre-tool-call", "post-tool-call", "post-tool-call-failure", "pre-subagent", "post-subagent",
			"pre-context-compact", "post-context-compact",
		},
		But: map[string]string{
			"hook denies a permission":                  "as a server, and the model is told that its person refused; " + name + " run says no by itself to whatever is asked",
			"hook gives a permission that is asked for": "as a server; " + name + " run says no by itself to whatever is asked",
			"project hook gives no permission":          "as a server",
			"guard stops a prompt":                      "the run fails without the reason; the terminal interface shows it",
			"quality gate makes the agent go on":        "as a server; " + name + " run ends first",
			"follow-up makes the agent go on":           "as a server; " + name + " run ends first",
		},
		Cannot: map[string]string{
			"notification reaches hooks":            "it has no event for that",
			"hook before a call gives a permission": "tool.execute.before comes before the question and cannot answer it",
			"user_message reaches the person":       name + " run has no place for what the terminal interface shows",
			"context at pre-tool":                   "there is no place for it before a call",
			"follow-up makes a subagent go on":      "its result is given back before its stop is told",
			"guard stops a compaction":              "experimental.session.compacting can add to the summary, not keep it from being made",
		},
		Screen:    openCodeScreen(),
		ShellTool: "bash",
		Native: func(e event) (tool, command string) {
			return e.text("context", "native", "input", "tool"), e.text("context", "native", "output", "args", "command")
		},
		Shell: func(command string) model.Call {
			return model.Call{Name: "bash", Args: map[string]any{"command": command, "description": "scripted command"}}
		},
		Write:   writes("write", "filePath", "content"),
		Edit:    edits("edit", "filePath", "oldString", "newString"),
		Failing: model.Call{Name: "read", Args: map[string]any{"filePath": "no-such-file.txt"}},
		Subagent: func(prompt string) model.Call {
			return model.Call{Name: "task", Args: map[string]any{"description": "scripted", "prompt": prompt, "subagent_type": "general"}}
		},
	}
}

// openCodeAsks gives a prompt to a server whose configuration makes it ask before each
// command, and also plays the user: a question left unanswered by hooks is refused.
// TimedOut says that this happened.
func openCodeAsks(l *Lab, script model.Script) *Run {
	l.WriteHome(l.Agent.Config[0], openCodeConfig(l, `"permission": {"bash": "ask"},`))
	l.userHook(Hook{Name: "zz-heard", Trigger: "permission-request", Script: `echo >> "$MARKS/heard"`})
	l.userHook(Hook{Name: "zz-began", Trigger: "pre-session", Script: `echo >> "$MARKS/began"`})
	url := l.serve()
	l.Model.Begin(script)
	r := &Run{l: l}
	heard := l.lines("heard")
	id, _ := l.ask(url+"/session", "{}")["id"].(string)
	if id == "" {
		l.t.Fatal("the server makes no session")
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		l.ask(url+"/session/"+id+"/message", `{"parts": [{"type": "text", "text": "`+promptMark+`: do what the script says."}]}`)
	}()
	answered := func() bool {
		select {
		case <-ended:
			return true
		default:
			return false
		}
	}
	if !l.eventually(func() bool { return answered() || l.lines("heard") > heard }) {
		r.fatalf("no hook was told of a question")
	}
	// Once hooks have been told about a session that began later, the plugin has said
	// all that it will about the question.
	began := l.lines("began")
	l.ask(url+"/session", "{}")
	if !l.eventually(func() bool { return l.lines("began") > began }) {
		r.fatalf("no hook was told of a second session")
	}
	for _, question := range l.questions(url) {
		r.TimedOut = true
		l.ask(url+"/permission/"+question+"/reply", `{"reply": "reject"}`)
	}
	if !l.eventually(answered) {
		r.fatalf("the turn does not end, though nothing is asked any more")
	}
	r.Turns = l.Model.Turns()
	return r
}

// ask posts to a server, and returns the answer if it is an object.
func (l *Lab) ask(url, body string) map[string]any {
	client := http.Client{Timeout: runLimit}
	answer, err := client.Post(url, "application/json", strings.NewReader(body))
	if err != nil {
		return nil
	}
	defer answer.Body.Close()
	var o map[string]any
	_ = json.NewDecoder(answer.Body).Decode(&o)
	return o
}

// questions are the ids of the questions that the server's user has to answer.
func (l *Lab) questions(url string) (ids []string) {
	l.t.Helper()
	answer, err := http.Get(url + "/permission")
	if err != nil {
		l.t.Fatal(err)
	}
	defer answer.Body.Close()
	var all []struct{ ID string }
	if err := json.NewDecoder(answer.Body).Decode(&all); err != nil {
		l.t.Fatal(err)
	}
	for _, q := range all {
		ids = append(ids, q.ID)
	}
	return ids
}

// pluginPackage lays out what OpenCode and its forks install into each folder of their
// configuration before they load plugins: they wait for it, and without a network a run
// would never begin.
func (l *Lab) pluginPackage(dir, name string) {
	l.write(dir+"/.gitignore", "node_modules\n", 0o644)
	l.write(dir+"/node_modules/"+name+"/package.json", fmt.Sprintf("{\"name\": %q, \"version\": \"0.0.0\"}\n", name), 0o644)
	l.write(dir+"/package.json", fmt.Sprintf("{\"dependencies\": {%q: \"*\"}}\n", name), 0o644)
	l.write(dir+"/package-lock.json", fmt.Sprintf("{\"lockfileVersion\": 3, \"packages\": {\"\": {\"dependencies\": {%q: \"*\"}}}}\n", name), 0o644)
}

// openCodeConfig is a configuration as a user has it, with more members before the others.
func openCodeConfig(l *Lab, more string) string {
	return `{
  // a comment that must survive
  "$schema": "https://opencode.ai/config.json", ` + more + `
  "model": "fake/fake-model",
  "small_model": "fake/fake-model",
  "autoupdate": false,
  "share": "disabled",
  "snapshot": false,
  "agent": {"title": {"disable": true}},
  "provider": {"fake": {
    "npm": "@ai-sdk/openai-compatible",
    "name": "Fake",
    "options": {"baseURL": "` + l.Model.URL + `/v1", "apiKey": "dummy"},
    "models": {"fake-model": {"name": "Fake", "limit": {"context": 200000, "output": 8000}}}
  }}
}
`
}

func openCodeScreen() *Screen {
	return &Screen{
		Prepare: func(l *Lab) {},
		Ready:   "Ask anything",
		Foot:    `^  ╹▀`,
		Also: map[string]string{
			"prompt blocked": "it was not sent) [no-passwords] this prompt holds a password: take it out",
		},
		Running: "a hook is still running",
		Varies: []Varying{
			{`· (\d+m )?\d+(\.\d+)?m?s\b *`, "· 0s  "},
			{`\d+ \(\d+%\)`, "0 (0%)"},
			{`[⬝■]{8}`, "⬝⬝⬝⬝⬝⬝⬝⬝"},
		},
		But: map[string]string{
			"tool blocked":      "the reason in a message for 15 s; what stays is the command, in red",
			"asked":             "it cannot ask: the command is blocked, and a message says so",
			"hanging":           onlyThatItRuns,
			"goes on at a stop": "as a prompt, which begins with the hook's name",
		},
	}
}
