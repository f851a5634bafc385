//go:build e2e && unix

package e2e

import (
	"github.com/agents-hooks/agents-hooks/e2e/model"
)

// A Scene is something that happens to a person, and what they have to see of it.
type Scene struct {
	Name   string
	Prompt string
	Lay    func(l *Lab)              // the hooks
	After  func(l *Lab)              // what is done once our entry is installed, nil for nothing
	Script func(l *Lab) model.Script // what the model does
	Starts func(l *Lab) bool         // whether it has begun to happen, nil: it shows
	Done   string                    // stands there when the scene is over; "": what is shown
	Shows  []string                  // stand on the screen at once
	Hides  []string                  // must not stand there
	Holds  func(l *Lab)              // what is true beside the screen, nil for nothing
}

const lastWord = "That is all."

// scenes are the rows of the table, in its order.
func scenes() []Scene {
	push := func(l *Lab) model.Script { return commandThen(l, "git push --force", lastWord) }
	list := func(l *Lab) model.Script { return commandThen(l, "echo listed", lastWord) }
	hook := func(h Hook) func(*Lab) { return func(l *Lab) { l.userHook(h) } }
	return []Scene{
		{
			Name: "tool blocked", Prompt: "push my work",
			Lay: hook(Hook{Name: "no-force-push", Trigger: "pre-tool-call", Matter: "matcher:\n  command: 'git push .*--force'",
				Script: `echo "others work on this branch: push without --force" >&2; exit 2`}),
			Script: push, Done: lastWord,
			Shows: []string{"[no-force-push] others work on this branch: push without"},
		},
		{
			Name: "prompt blocked", Prompt: "log in with hunter2",
			Lay: hook(Hook{Name: "no-passwords", Trigger: "pre-agent-turn",
				Script: `echo "this prompt holds a password: take it out" >&2; exit 2`}),
			Script: list,
			Shows:  []string{"[no-passwords] this prompt holds a password: take it out"},
			Hides:  []string{lastWord, "Unexpected"},
			Holds: func(l *Lab) {
				if l.Model.First("hunter2") >= 0 {
					l.t.Error("the model was told the prompt")
				}
			},
		},
		{
			Name: "asked", Prompt: "deploy it",
			Lay: hook(Hook{Name: "ask-to-deploy", Trigger: "pre-tool-call", Matter: "matcher:\n  command: 'deploy'",
				Script: `echo '{"decision": "ask", "reason": "this goes to production"}'`}),
			Script: func(l *Lab) model.Script { return commandThen(l, "echo deploy > "+l.mark("deployed"), lastWord) },
			Shows:  []string{"[ask-to-deploy] this goes to production"},
			Holds: func(l *Lab) {
				if l.marked("deployed") {
					l.t.Error("it was deployed, and nobody said yes")
				}
			},
		},
		{
			Name: "crashed", Prompt: "list the files",
			Lay:    hook(Hook{Name: "lint", Trigger: "pre-tool-call", Script: `echo "eslint: command not found" >&2; exit 127`}),
			Script: list, Done: lastWord,
			Shows: []string{"hook lint:", "eslint: command not found"},
		},
		{
			Name: "timed out", Prompt: "list the files",
			Lay:    hook(Hook{Name: "slow-scan", Trigger: "pre-tool-call", Matter: "timeout: 500", Script: `sleep 60`}),
			Script: list, Done: lastWord,
			Shows: []string{"hook slow-scan:", "was stopped after 500ms"},
		},
		{
			Name: "message", Prompt: "list the files",
			Lay:    hook(Hook{Name: "budget", Trigger: "pre-tool-call", Script: `echo '{"user_message": "80 % of the budget of today is used"}'`}),
			Script: list, Done: lastWord,
			Shows: []string{"[budget] 80 % of the budget of today is used"},
		},
		{
			Name: "untrusted", Prompt: "list the files",
			Lay: func(l *Lab) {
				l.projectHook(Hook{Name: "team-rules", Trigger: "pre-tool-call", Script: `echo no >&2; exit 2`})
			},
			Script: list, Done: lastWord,
			Shows: []string{"hook team-rules of this project did not run", "agents-hooks trust"},
		},
		{
			Name: "hanging", Prompt: "list the files",
			Lay:    hook(Hook{Name: "hang", Trigger: "pre-tool-call", Script: `: > "$MARKS/hangs"; sleep 60`}),
			Script: list,
			Starts: func(l *Lab) bool { return l.marked("hangs") },
			Hides:  []string{lastWord},
		},
		{
			Name: "goes on at a stop", Prompt: "finish it",
			Lay: hook(Hook{Name: "tests-pass", Trigger: "pre-agent-turn-stop",
				Script: `[ -e "$MARKS/stopped" ] && exit 0; : > "$MARKS/stopped"; echo "a test still fails: mend it first" >&2; exit 2`}),
			Script: func(l *Lab) model.Script { return model.Play(says("It is finished."), says(lastWord)) },
			Done:   lastWord,
			Shows:  []string{"[tests-pass] a test still fails: mend it first"},
		},
		{
			Name: "context added", Prompt: "which branch is it",
			Lay:    hook(Hook{Name: "branch", Trigger: "pre-agent-turn", Script: `echo '{"additional_context": "The branch is called WILLOW."}'`}),
			Script: func(l *Lab) model.Script { return model.Play(says(lastWord)) },
			Done:   lastWord,
			Hides:  []string{"WILLOW", "[branch]"},
			Holds: func(l *Lab) {
				if l.Model.First("WILLOW") < 0 {
					l.t.Error("the model was not told the context")
				}
			},
		},
	}
}
