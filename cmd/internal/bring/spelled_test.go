package bring

import (
	"strings"
	"testing"
)

// Copilot tells a hook in its own protocol if the event is spelled in its own way, and in
// Claude Code's if it is spelled in that one's.
func TestTheSpellingOfAnEventSaysWhoseProtocolItIs(t *testing.T) {
	for _, c := range []struct {
		event, entry string
		want         []string
	}{
		{"preToolUse", `"bash": "true", "powershell": "x", "timeoutSec": 9, "env": {"A": "b"}`, []string{"trigger: pre-tool-call", "timeout: 9000", "dialect: copilot-cli", "export A=b\n    true"}},
		{"PreToolUse", `"bash": "true"`, []string{"trigger: pre-tool-call", "timeout: 30000", "dialect: claude-code"}},
		{"preToolUse", `"bash": "true", "matcher": "edit|create"`, []string{"  tool: 'edit|create'", "dialect: copilot-cli"}},
		{"PreToolUse", `"bash": "true", "matcher": "edit|create"`, []string{"  tool: 'Edit|MultiEdit|NotebookEdit|Write'", "dialect: claude-code"}},
		{"preToolUse", `"bash": "grep toolArgs"`, []string{"command: 'grep toolArgs'"}},
		{"preToolUse", `"exec": "node", "args": ["-e", "1"]`, []string{"command: ['node', '-e', '1']"}},
		{"userPromptSubmitted", `"bash": "true"`, []string{"trigger: pre-agent-turn\n"}},
		{"agentStop", `"bash": "true"`, []string{"trigger: pre-agent-turn-stop"}},
		{"errorOccurred", `"bash": "true"`, []string{"trigger: post-agent-turn\n", "dialect: copilot-cli\n  event: errorOccurred\n"}},
		{"postToolUse", `"bash": "true"`, []string{"trigger: post-tool-call\n", "Unlike there: it is not called where the tool has failed"}},
		{"notification", `"bash": "true", "matcher": "permission_prompt"`, []string{"  tool: 'permission_prompt'"}},
		{"preToolUse", `"bash": "jq '.toolArgs | fromjson | .command'"`, []string{"Unlike there: it takes toolArgs for a text"}},
	} {
		t.Run(c.event+" "+c.entry, func(t *testing.T) {
			row, text := one(t, ".copilot/hooks/x.json", `{"version": 1, "hooks": {"`+c.event+`": [{"type": "command", `+c.entry+`}]}}`)
			for _, want := range c.want {
				if !strings.Contains(text, want) && !strings.Contains(strings.Join(row.Differences, "; "), strings.TrimPrefix(want, "Unlike there: ")) {
					t.Errorf("want %q in it (%s):\n%s", want, row.Reason, text)
				}
			}
		})
	}
}

// A script that asks what toolArgs is before it parses them reads both forms.
func TestAScriptThatReadsBothFormsIsNotDoubted(t *testing.T) {
	for _, line := range []string{`jq -r .toolArgs | jq -r .command`, `jq 'if (.toolArgs | type) == \"string\" then (.toolArgs | fromjson) else .toolArgs end'`, `jq '.toolArgs | fromjson? // .toolArgs'`} {
		t.Run(line, func(t *testing.T) {
			row, _ := one(t, ".copilot/hooks/x.json", `{"version": 1, "hooks": {"preToolUse": [{"bash": "`+line+`"}]}}`)
			if row.Result != Brought {
				t.Errorf("%s: %v", row.Reason, row.Differences)
			}
		})
	}
}

// The folder of an entry of a project is one below its root, wherever in it the session
// is; its script is looked for there.
func TestTheFolderOfAProjectsEntry(t *testing.T) {
	for _, c := range []struct{ cwd, want string }{
		{".", `cd "${CLAUDE_PROJECT_DIR:-.}" || exit 1` + "\n    ./scripts/x.sh\n"},
		{"scripts", `cd "${CLAUDE_PROJECT_DIR:-.}"/scripts || exit 1` + "\n    ./x.sh\n"},
		{"../../scripts", `cd "${CLAUDE_PROJECT_DIR:-.}"/scripts || exit 1` + "\n    ./x.sh\n"},
	} {
		t.Run(c.cwd, func(t *testing.T) {
			script := strings.TrimSpace(c.want[strings.Index(c.want, "\n"):])
			h := machine(t, map[string]string{"project/scripts/x.sh": "#!/bin/sh\n",
				"project/.github/hooks/x.json": `{"version": 1, "hooks": {"preToolUse": [{"bash": "` + script + `", "cwd": "` + c.cwd + `"}]}}`})
			p, err := Make(h, Options{})
			if err != nil || len(p.Rows) != 1 || len(p.jobs) != 1 {
				t.Fatalf("%v, %+v", err, p.Rows)
			}
			if text := p.finder.hookFile(p.jobs[0].hook); !strings.Contains(text, c.want) || len(p.Rows[0].Differences) > 0 {
				t.Errorf("want %q in it (%v):\n%s", c.want, p.Rows[0].Differences, text)
			}
		})
	}
}

// A file from anywhere is that of the agent whose events and members it has.
func TestAFileIsKnownByItsMembers(t *testing.T) {
	for content, want := range map[string]string{
		`{"version": 1, "hooks": {"preToolUse": [{"type": "command", "bash": "true"}]}}`: "copilot-cli",
		`{"version": 1, "hooks": {"preToolUse": [{"command": "true"}]}}`:                 "cursor",
		`{"version": 1, "hooks": {"agentStop": [{"command": "true"}]}}`:                  "copilot-cli",
	} {
		t.Run(content, func(t *testing.T) {
			h := machine(t, map[string]string{"project/some.json": content})
			p, err := Make(h, Options{From: "some.json"})
			if err != nil || len(p.Rows) != 1 || p.Rows[0].Agent != want {
				t.Errorf("%v: %+v, want %s", err, p.Rows, want)
			}
		})
	}
}
