//go:build e2e && unix

package e2e

import (
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/e2e/model"
)

// crush is built from its module: its package in npm downloads the program from
// elsewhere.
func crush() *Agent {
	callsOnly := "it reports tool calls before they run, and nothing else"
	a := &Agent{
		ID:      "crush",
		Package: "@charmland/crush",
		Module:  "github.com/charmbracelet/crush",
		Version: "0.90.0",
		Command: "crush",
		Wire:    model.Chat,
		Env: func(l *Lab) []string {
			return []string{"CRUSH_DISABLE_METRICS=1", "CRUSH_DISABLE_PROVIDER_AUTO_UPDATE=1", "DO_NOT_TRACK=1"}
		},
		Prepare: func(l *Lab) { l.WriteHome(".config/crush/crush.json", crushConfig(l, "")) },
		Args:    func(l *Lab, prompt string) []string { return []string{"run", "--quiet", prompt} },
		Resume:  func(l *Lab, prompt string) []string { return []string{"run", "--quiet", "--continue", prompt} },
		Ask:     crushAsks,
		AskingShell: func(command string) model.Call { // it asks for no echo
			return model.Call{Name: "bash", Args: map[string]any{"command": "sh -c '" + command + "'", "description": "scripted command"}}
		},
		Config: []string{".config/crush/crush.json"},
		OwnHook: func(l *Lab, command string) {
			l.WriteHome(".config/crush/crush.json", crushConfig(l, `  "hooks": {"PreToolUse": [{"command": "`+command+`"}]},
`))
		},
		Shell: func(command string) model.Call {
			return model.Call{Name: "bash", Args: map[string]any{"command": command, "description": "scripted command"}}
		},
		Write:     writes("write", "file_path", "content"),
		Edit:      edits("edit", "file_path", "old_string", "new_string"),
		Screen:    crushScreen(),
		ShellTool: "bash", ShellKey: "command",
		Untold: []string{"pre-session.source"},
		Events: []string{"pre-tool-call"},
		Never:  map[string]string{},
		But: map[string]string{
			"context at pre-tool":                   "at the end of what the tool says",
			"hook before a call gives a permission": "in its terminal; crush run asks for nothing",
			"project hook gives no permission":      "in its terminal",
		},
		Cannot: map[string]string{
			"guard stops a command of a subagent": "its subagents run without hooks",
			"user_message reaches the person":     "there is no place for it",
		},
	}
	for _, event := range []string{
		"pre-session", "post-session", "pre-agent-turn", "post-agent-turn", "pre-agent-turn-stop", "post-agent-turn-stop",
		"post-tool-call", "post-tool-call-failure", "pre-subagent", "post-subagent", "pre-context-compact", "post-context-compact",
	} {
		a.Never[event] = callsOnly
	}
	for _, name := range []string{
		"guard stops a prompt", "feedback after a tool reaches the model", "context at session start", "context at prompt",
		"context at post-tool", "context for a subagent", "follow-up makes a subagent go on", "context at compaction",
		"guard stops a compaction", "env of a session reaches its commands", "quality gate makes the agent go on",
		"follow-up makes the agent go on", "loop guard ends a gate that never opens", "loop guard ends endless follow-ups",
		"notification reaches hooks", "hook denies a permission",
		"hook gives a permission that is asked for", "modified_output is what the model reads",
		"a hook of others: formatter, a line with jq",
	} {
		a.Cannot[name] = callsOnly
	}
	return a
}

// crushConfig is a configuration as a user has it, with more members before its end.
func crushConfig(l *Lab, more string) string {
	return strings.NewReplacer("URL", l.Model.URL, "DATA", l.mark("crush"), "  MORE\n", more).Replace(`{
  "$schema": "https://charm.land/crush.json",
  "options": {
     "data_directory": "DATA", "disable_metrics": true, "disable_default_providers": true, "disable_auto_summarize": true
  },
  MORE
  "models": {"large": {"model": "fake-model", "provider": "fake"}, "small": {"model": "fake-model", "provider": "fake"}},
  "providers": {"fake": {
    "name": "Fake", "type": "openai-compat", "base_url": "URL/v1", "api_key": "dummy",
    "models": [{"id": "fake-model", "name": "Fake", "context_window": 200000, "default_max_tokens": 8000}]
  }}
}
`)
}

// crushAsks gives its terminal a prompt, and plays the person as well: a question that is
// asked is answered with no. That it came to this is TimedOut.
func crushAsks(l *Lab, script model.Script) *Run {
	l.Agent.Screen.Prepare(l)
	l.Model.Begin(script)
	r := &Run{l: l}
	term := l.sit()
	defer term.Close()
	term.Type(promptMark)
	term.Until(runLimit, func(screen string) bool { return strings.Contains(read(screen), promptMark) })
	// An Enter close behind the text is taken for a line of it, and a key that comes as the
	// question does for one of the prompt.
	press := func(key string, done func(screen string) bool) {
		for begun := time.Now(); time.Since(begun) < runLimit && !done(term.Screen()); {
			term.Type(key)
			term.Until(time.Second, done)
		}
	}
	shows := func(text string) func(string) bool {
		return func(screen string) bool { return strings.Contains(read(screen), text) }
	}
	question, ends := shows("Permission Required"), shows("all is well")
	press("\r", func(string) bool { return len(l.Model.Turns()) > 0 })
	term.Until(runLimit, func(screen string) bool { return question(screen) || ends(screen) })
	if question(term.Screen()) {
		r.TimedOut = true
		press("d", func(screen string) bool { return !question(screen) })
	}
	r.Turns = l.Model.Turns()
	return r
}

func crushScreen() *Screen {
	callsOnly := "it has no event for that"
	return &Screen{
		Prepare: func(l *Lab) { l.write(l.mark("crush/init"), "", 0o644) }, // or it wants to describe the project first
		Ready:   "ctrl+p commands",
		Sent:    asked,
		Head:    `^ +Charm™ CRUSH`,
		Foot:    `^ {2,3}> `,
		Varies:  []Varying{{`in \d+s ─+`, "in 0s"}},
		Never:   map[string]string{"prompt blocked": callsOnly, "goes on at a stop": callsOnly, "context added": callsOnly},
		Cannot:  messages("it shows no messages of hooks; agents-hooks log has them"),
		But: map[string]string{
			"asked":   "it cannot ask: the command is blocked, and its place says the reason",
			"hanging": onlyACommand,
		},
	}
}
