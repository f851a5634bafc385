package internal_test

import (
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/cmd/internal/habits"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell/shelltest"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// habitsOf are the habits of a hook with a matcher and a script, one a line.
func habitsOf(t *testing.T, front, script string) string {
	t.Helper()
	h := habitsMachine(t)
	dir := filepath.Join(t.TempDir(), "a-hook")
	must.Write(t, filepath.Join(dir, "HOOK.md"), "---\nname: a-hook\n"+hookSaying(front)+front+"---\n")
	must.Script(t, filepath.Join(dir, "scripts", "run"), script)
	var lines []string
	for _, p := range habits.Of(h, hookset.HookAt(h, dir), false) {
		lines = append(lines, string(p.Severity)+" "+p.String())
	}
	return strings.Join(lines, "\n")
}

// hookSaying is used for a hook whose front matter has none.
func hookSaying(front string) string {
	if strings.Contains(front, "description:") {
		return ""
	}
	return "description: a hook\n"
}

// habitsMachine is one with the programs that scripts here need.
func habitsMachine(t *testing.T) host.Host {
	home, exe := t.TempDir(), ""
	if runtime.GOOS == "windows" {
		exe = ".exe"
	}
	for _, name := range []string{"sh", "bash", "python3", "python", "node", "grep", "jq", "ruby", "perl"} {
		must.Script(t, filepath.Join(home, "bin", name+exe), "")
	}
	return shelltest.Host(home, home, "PATH="+filepath.Join(home, "bin"))
}

const onTools = "trigger: pre-tool-call\n"

// A name of other letters is good as one that is typed in pieces is; signs, capitals and more
// than 64 characters are none.
func TestNamesOfOtherLetters(t *testing.T) {
	for name, want := range map[string]string{
		"caf\u00e9": "", "cafe\u0301-2": "", "\u65e5\u672c": "", "a-b": "", strings.Repeat("\u00e9", 64): "",
		"a_\u00e9": "contains U+005F", "\u00e9~": "contains U+007E", "Caf\u00e9": "holds capitals", strings.Repeat("\u00e9", 65): "has 65 characters",
	} {
		hook := &discovery.Hook{Name: name, Dir: filepath.Join(t.TempDir(), name)}
		habits.Named(hook)
		if (len(hook.Problems) > 0) != (want != "") || want != "" && !strings.Contains(hook.Problems[0].Message, want) {
			t.Errorf("%q: %+v, want %q", name, hook.Problems, want)
		}
	}
}

// An agent's own name for a tool in a matcher is reported with the portable one; an
// expression that matches the portable name is not.
func TestNativeNamesInMatchers(t *testing.T) {
	for tool, want := range map[string]string{
		"Bash": "write ^Shell$", "^Bash$": "write ^Shell$", "^(Edit|Write|MultiEdit)$": "write ^EditFile$", "Edit": "by chance only; write ^EditFile$",
		"run_shell_command": "write ^Shell$", "apply_patch": "write ^", "^Read$": "write ^ReadFile$",
		"^Shell$": "", "^(Bash|Shell)$": "", "^mcp__github__": "", "(?i)^shell$": "", "^(WriteFile|EditFile)$": "", "Task": "", ".*": "", "^mytool$": "",
	} {
		t.Run(fmt.Sprintf("%q", tool), func(t *testing.T) {
			got := habitsOf(t, onTools+"matcher:\n  tool: '"+tool+"'\n", "#!/bin/sh\nexit 2\n")
			if want == "" && got != "" || !strings.Contains(got, want) {
				t.Errorf("%s: %q, want %q", tool, got, want)
			}
		})
	}
}

// What a call changes is nothing where its tool only reads: such a matcher finds no call.
func TestTheMatcherOfToolsThatChangeNothing(t *testing.T) {
	const idle = "ReadFile changes nothing: no call matches both"
	for matcher, want := range map[string]string{
		"tool: ^ReadFile$\n  path: env$":            idle + "; write pattern in place of path",
		"tool: ^(ReadFile|Search)$\n  content: key": idle + "; write pattern in place of content",
		"tool: ^(ReadFile|EditFile)$\n  path: env$": "",
		"tool: ^Shell$\n  content: key":             "",
		"tool: ^mcp__files__read$\n  path: env$":    "", // whatever that does
		"tool: ^ReadFile$\n  pattern: env$":         "",
		"path: env$":                                "",
	} {
		t.Run(matcher, func(t *testing.T) {
			got := habitsOf(t, onTools+"matcher:\n  "+matcher+"\n", "#!/bin/sh\nexit 2\n")
			if want == "" && got != "" || !strings.Contains(got, want) {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}

// An entry in which nothing runs is told: it passes everything, and nobody notices.
func TestAnEntryThatDoesNothing(t *testing.T) {
	const idle = "nothing in it runs"
	for script, want := range map[string]bool{
		"": true, "\n\n": true, "#!/bin/sh\n# TODO\n": true,
		"#!/bin/sh\nexit 0\n": false, "#!/bin/sh\n:\n": false, "#!/usr/bin/env python3\npass\n": false,
	} {
		t.Run(fmt.Sprintf("%q", script), func(t *testing.T) {
			if got := habitsOf(t, onTools, script); strings.Contains(got, idle) != want {
				t.Errorf("%q, want %v", got, want)
			}
		})
	}
}

// A script that compares tool_name with an agent's own name never matches.
func TestNativeNamesInScripts(t *testing.T) {
	for name, script := range map[string]string{
		"python ==":         "#!/usr/bin/env python3\nimport json, sys\ne = json.load(sys.stdin)\nif e[\"tool_name\"] == \"Bash\":\n    sys.exit(2)\n",
		"python variable":   "#!/usr/bin/env python3\nimport json, sys\ne = json.load(sys.stdin)\ntool = e.get('tool_name', '')\nif tool != 'Bash':\n    sys.exit(0)\nsys.exit(2)\n",
		"python in":         "#!/usr/bin/env python3\nimport json, sys\ne = json.load(sys.stdin)\nif e.get('tool_name') not in ('Edit', 'Write'):\n    sys.exit(0)\nsys.exit(2)\n",
		"python set":        "#!/usr/bin/env python3\nimport json, sys\nTOOLS = {\n    'Edit',\n    'MultiEdit',\n}\ntool_name = json.load(sys.stdin)['tool_name']\nif tool_name in TOOLS:\n    sys.exit(2)\n",
		"python match":      "#!/usr/bin/env python3\nimport json, sys\nmatch json.load(sys.stdin)['tool_name']:\n    case 'Bash':\n        sys.exit(2)\n",
		"sh test":           "#!/bin/sh\ntool=$(jq -r .tool_name)\n[ \"$tool\" = \"Bash\" ] || exit 0\nexit 2\n",
		"sh bare test":      "#!/bin/sh\ntool=$(jq -r .tool_name)\nif [ \"$tool\" = Bash ]; then exit 2; fi\n",
		"sh case":           "#!/bin/sh\ntool=$(jq -r '.tool_name // empty')\ncase \"$tool\" in\n  Edit|MultiEdit) exit 2 ;;\nesac\n",
		"bash expression":   "#!/bin/bash\nTOOL=$(jq -r .tool_name)\n[[ $TOOL =~ ^(Edit|NotebookEdit)$ ]] && exit 2\n",
		"jq select":         "#!/bin/sh\njq -e 'select(.tool_name == \"Bash\")' >/dev/null && exit 2\nexit 0\n",
		"grep":              "#!/bin/sh\ngrep -q '\"tool_name\": *\"Bash\"' && exit 2\nexit 0\n",
		"node":              "#!/usr/bin/env node\nconst { tool_name: tool } = JSON.parse(require('fs').readFileSync(0));\nif (tool === 'Bash') process.exit(2);\n",
		"node includes":     "#!/usr/bin/env node\nconst e = JSON.parse(require('fs').readFileSync(0));\nif (['Edit', 'Write'].includes(e.tool_name)) process.exit(2);\n",
		"another agent's":   "#!/bin/sh\ncase $(jq -r .tool_name) in\nrun_shell_command) exit 2 ;;\nesac\n",
		"powershell switch": "#!/usr/bin/env pwsh\n$e = [Console]::In.ReadToEnd() | ConvertFrom-Json\nif ($e.tool_name -eq 'Bash') { exit 2 }\n",
	} {
		t.Run(name, func(t *testing.T) {
			if got := habitsOf(t, onTools, script); !strings.Contains(got, "error ") || !strings.Contains(got, "tool_name is never") {
				t.Errorf("%q", got)
			}
		})
	}
	for name, script := range map[string]string{
		"both names":      "#!/usr/bin/env python3\nimport json, sys\nif json.load(sys.stdin)['tool_name'] in ('Bash', 'Shell'):\n    sys.exit(2)\n",
		"portable":        "#!/bin/sh\n[ \"$(jq -r .tool_name)\" = Shell ] && exit 2\nexit 0\n",
		"a comment":       "#!/bin/sh\n# in some agents tool_name = \"Bash\"\ntool=$(jq -r .tool_name)  # not \"Bash\"\n[ \"$tool\" = Shell ] && exit 2\nexit 0\n",
		"another text":    "#!/bin/sh\ntool=$(jq -r .tool_name)\necho \"use Read instead of $tool\" >&2\nexit 2\n",
		"no tool name":    "#!/usr/bin/env python3\nimport json, sys\nmode = json.load(sys.stdin)['tool_input']['mode']\nif mode == 'Write':\n    sys.exit(2)\n",
		"another value":   "#!/usr/bin/env python3\nimport json, sys\ne = json.load(sys.stdin)\nname = e['tool_name']\nif e['tool_input'].get('action') == 'Edit':\n    sys.exit(2)\n",
		"the native name": "#!/bin/sh\ntool=$(jq -r .context.native.tool_name)\n[ \"$tool\" = Bash ] && exit 2\nexit 0\n",
		"a docstring":     "#!/usr/bin/env python3\n\"\"\"Like\nif tool_name == \"Bash\":\nelsewhere.\n\"\"\"\nimport json, sys\nif json.load(sys.stdin)['tool_name'] == 'Shell':\n    sys.exit(2)\n",
		"ordinary words":  "#!/bin/sh\ntool=$(jq -r .tool_name)\nwhile read -r line; do [ \"$line\" = \"$tool\" ] && exit 2; done <list\nexit 0\n",
	} {
		t.Run(name, func(t *testing.T) {
			if got := habitsOf(t, onTools, script); got != "" {
				t.Errorf("%q", got)
			}
		})
	}
	if got := habitsOf(t, onTools+"metadata:\n  dialect: claude-code\n", "#!/bin/sh\n[ \"$(jq -r .tool_name)\" = Bash ] && exit 2\nexit 0\n"); got != "" {
		t.Errorf("one that is given that agent's own events: %q", got)
	}
}

// One fault does not hide others: if the trigger is not an event, a matcher tells
// that it is a tool event.
func TestAWrongTriggerHidesNothing(t *testing.T) {
	got := habitsOf(t, "trigger: PreToolUse\nmatcher:\n  tool: Bash\n", "#!/bin/sh\n[ \"$(jq -r .tool_name)\" = Bash ] && exit 2\nexit 0\n")
	if !strings.Contains(got, "this hook does not see that tool anywhere else") || !strings.Contains(got, "tool_name is never") {
		t.Errorf("%q", got)
	}
	if got := habitsOf(t, "trigger: SessionStart\n", "#!/bin/sh\n[ \"$(jq -r .tool_name)\" = Bash ] && exit 2\nexit 0\n"); strings.Contains(got, "tool_name") {
		t.Errorf("of an event of no tool: %q", got)
	}
}

// A script that looks for its event where another program has it finds nothing.
func TestEventsThatAreLookedForElsewhere(t *testing.T) {
	for script, want := range map[string]string{
		"#!/bin/bash\nif [[ \"$TOOL_INPUT\" == *rm* ]]; then exit 2; fi\n":                                  "error run:2:1: script: $TOOL_INPUT is set by nobody",
		"#!/bin/sh\ncase \"${CLAUDE_TOOL_INPUT}\" in *rm*) exit 2;; esac\n":                                 "$CLAUDE_TOOL_INPUT is set by nobody",
		"#!/usr/bin/env python3\nimport os,sys\nif 'rm' in os.environ.get('TOOL_INPUT', ''): sys.exit(2)\n": "$TOOL_INPUT is set by nobody",
		"#!/usr/bin/env node\nif (process.env.TOOL_NAME) process.exit(2)\n":                                 "$TOOL_NAME is set by nobody",
		"#!/usr/bin/env node\nif (e.toolInput.command) process.exit(2)\n":                                   "an event has no toolInput: it says tool_input; write tool_input",
		"#!/bin/sh\njq -e .toolArgs.command >/dev/null && exit 2\n":                                         "an event has no toolArgs: it says tool_input",
		"#!/bin/sh\nTOOL_INPUT=$(jq .tool_input)\ncase $TOOL_INPUT in *rm*) exit 2;; esac\n":                "",
		"#!/bin/sh\nread -r HOOK_INPUT\ncase $HOOK_INPUT in *rm*) exit 2;; esac\n":                          "",
		"#!/usr/bin/env node\nif ((e.tool_input || e.toolInput).command) process.exit(2)\n":                 "",
		"#!/bin/sh\r\nexit 2\r\n":                       "its lines end as on Windows",
		"#!/bin/sh\n# $TOOL_INPUT is not set\nexit 2\n": "",
	} {
		t.Run(fmt.Sprintf("%q", script), func(t *testing.T) {
			got := habitsOf(t, onTools, script)
			if want == "" && (strings.Contains(got, "nobody") || strings.Contains(got, "an event has no")) || !strings.Contains(strings.ReplaceAll(got, "scripts/", ""), strings.TrimPrefix(want, "error run")) {
				t.Errorf("%s: %q, want %q", script, got, want)
			}
		})
	}
	if got := habitsOf(t, onTools+"metadata:\n  dialect: claude-code\n", "#!/bin/sh\necho $CLAUDE_TOOL_INPUT\n"); strings.Contains(got, "nobody") {
		t.Errorf("of another dialect: %q", got)
	}
}

// A hook that refuses with 1 refuses nothing; an observer may fail.
func TestHabitOfExitOne(t *testing.T) {
	for script, want := range map[string]bool{
		"#!/bin/sh\ngrep -q force && exit 1\nexit 0\n":                                              true,
		"#!/usr/bin/env python3\nimport sys\nif 'force' in sys.stdin.read():\n    sys.exit('no')\n": true,
		"#!/bin/sh\ngrep -q force && exit 2\nexit 1\n":                                              false,
		"#!/bin/sh\nexit 0\n": false,
	} {
		t.Run(fmt.Sprintf("%q", script), func(t *testing.T) {
			if got := habitsOf(t, onTools, script); strings.Contains(got, "exit 1 refuses nothing") != want {
				t.Errorf("%s: %q", script, got)
			}
		})
	}
	for dialect, want := range map[string]bool{"cursor": true, "copilot-cli": false} { // which blocks where a hook fails
		if got := habitsOf(t, onTools+"metadata:\n  dialect: "+dialect+"\n", "#!/bin/sh\nexit 1\n"); strings.Contains(got, "exit 1 refuses nothing") != want {
			t.Errorf("%s: %q", dialect, got)
		}
	}
	if got := habitsOf(t, onTools+"metadata:\n  dialect: copilot-cli\n  on_error: allow\n", "#!/bin/sh\nexit 1\n"); !strings.Contains(got, "exit 1 refuses nothing") {
		t.Errorf("one whose failure lets pass: %q", got)
	}
	if got := habitsOf(t, onTools+"metadata:\n  role: observer\n", "#!/bin/sh\nexit 1\n"); got != "" {
		t.Errorf("an observer: %q", got)
	}
	if got := habitsOf(t, "trigger: post-session\n", "#!/bin/sh\nexit 1\n"); got != "" {
		t.Errorf("nothing to refuse: %q", got)
	}
}

func TestInterpreterThatIsNotThere(t *testing.T) {
	for script, want := range map[string]string{
		"#!/usr/bin/env no-such-python\nexit 2\n": `"no-such-python" is not there`, "#!/opt/no/such/node\nprocess.exit(2)\n": `"/opt/no/such/node" is not there`,
		"#!/bin/sh\nexit 2\n": "", "#!/usr/bin/env -S sh -e\nexit 2\n": "",
	} {
		t.Run(fmt.Sprintf("%q", script), func(t *testing.T) {
			if runtime.GOOS == "windows" && strings.Contains(script, "/node") {
				return // searched for by its name there, and found
			}
			if got := habitsOf(t, onTools, script); want == "" && got != "" || !strings.Contains(got, want) {
				t.Errorf("%q: %q", script, got)
			}
		})
	}
}

// An entry that Windows without Unix tools cannot start, or that needs some of them,
// is reported if the caller asks about other systems.
func TestEntriesForOneSystem(t *testing.T) {
	h := habitsMachine(t)
	for name, files := range map[string]map[string]string{
		"wants":  {"run": "#!/bin/sh\nif grep -q rm; then exec jq . >&2; fi\n"},
		"sh":     {"run": "#!/bin/sh\nsay() { echo no >&2; }\nevent=$(cat)\nsay\nexit 2\n"},
		"bash":   {"run.sh": "read -r event\n[[ $event == *rm* ]] && exit 2\n"},
		"both":   {"run": "#!/bin/sh\ngrep -q rm && exit 2\n", "run.cmd": "exit /b 2\n"},
		"python": {"run": "#!/usr/bin/env python3\nimport sys\nsys.exit(2)\n"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), name)
			must.Write(t, filepath.Join(dir, "HOOK.md"), "---\nname: "+name+"\ndescription: a hook\ntrigger: pre-session\n---\n")
			for file, text := range files {
				must.Script(t, filepath.Join(dir, "scripts", file), text)
			}
			told := slices.ContainsFunc(habits.Of(h, hookset.HookAt(h, dir), true), func(p discovery.Problem) bool {
				return strings.Contains(p.Message, "wants grep, jq: on a Windows")
			})
			if told != (name == "wants") {
				t.Errorf("%s: %v", name, told)
			}
		})
	}
}

// An agent's own name for an event has one portable name.
func TestEventsOfAgents(t *testing.T) {
	for name, want := range map[string]protocol.EventType{
		"PreToolUse": protocol.PreToolCall, "PostToolUse": protocol.PostToolCall, "UserPromptSubmit": protocol.PreAgentTurn, "Stop": protocol.PreAgentTurnStop,
		"beforeShellExecution": protocol.PreToolCall, "tool.execute.before": protocol.PreToolCall, "BeforeTool": protocol.PreToolCall, "user_prompt_submit": protocol.PreAgentTurn,
		"PreCompact": protocol.PreContextCompact, "SubagentStop": protocol.PostSubagent, "pre-lunch": "", "": "",
	} {
		t.Run(fmt.Sprintf("%q", name), func(t *testing.T) {
			p := discovery.Problem{Field: "trigger", Value: name, Fix: "as it was"}
			if habits.At(&p); want != "" && p.Fix != "write "+string(want) || want == "" && p.Fix != "as it was" {
				t.Errorf("%s: %s", name, p.Fix)
			}
		})
	}
}

// Exit 1 for a refusal is a warning; in a hook that claims to refuse it is an error.
func TestWhoPromisesToRefuseEndsWithTwo(t *testing.T) {
	one := "#!/bin/sh\ngrep -q rm && exit 1\nexit 0\n"
	for description, want := range map[string]string{
		"Refuses rm.": "error ", "Blocks writes to migrations": "error ", "Does not let the agent stop": "error ", "A guard of paths": "error ",
		"Logs calls.": "warning ", "Counts what was blocked": "warning ", "Looks on and blocks nothing": "warning ", "Never denies a call": "warning ",
	} {
		t.Run(description, func(t *testing.T) {
			if got := habitsOf(t, onTools+"description: "+description+"\n", one); !strings.HasPrefix(got, want) || !strings.Contains(got, "write exit 2") {
				t.Errorf("%s: %q, want %q", description, got, want)
			}
		})
	}
	for name, script := range map[string]string{
		"2 as well": "#!/bin/sh\ncommand -v jq || exit 1\ngrep -q rm && exit 2\nexit 0\n",
		"it asks":   "#!/bin/sh\ncommand -v jq || exit 1\necho '{\"decision\": \"ask\"}'\n",
	} {
		t.Run(name, func(t *testing.T) {
			if got := habitsOf(t, onTools+"description: Refuses rm.\n", script); strings.Contains(got, "error ") {
				t.Errorf("%q", got)
			}
		})
	}
	for front, want := range map[string]string{"^src/": "write (^|/)", `^\.env$`: "write (^|/)", "^(src|lib)/": "write (^|/)", "^/etc/": "", "(^|/)src/": "", `^\./src/`: "", "^(/|C:)": "", "^C:": "", ".env$": ""} {
		t.Run(front, func(t *testing.T) {
			if got := habitsOf(t, onTools+"matcher:\n  path: '"+front+"'\n", "#!/bin/sh\nexit 2\n"); want == "" && got != "" || !strings.Contains(got, want) {
				t.Errorf("path %s: %q, want %q", front, got, want)
			}
		})
	}
}

// Nothing here reads the JSON answers of Claude Code's hooks, unless the hook names
// its protocol; if nothing else refuses, that is an error.
func TestAnswersOfAnotherProgram(t *testing.T) {
	deny := "#!/bin/sh\necho '{\"hookSpecificOutput\": {\"hookEventName\": \"PreToolUse\", \"permissionDecision\": \"deny\"}}'\n"
	for name, c := range map[string]struct{ script, want string }{
		"a permission":     {deny, "error run:2:1: script: permissionDecision is an answer that this runner does not read, nor hookSpecificOutput"},
		"python":           {"#!/usr/bin/env python3\nimport json\nprint(json.dumps({'decision': 'block', 'reason': 'no'}))\n", "error run:3:1: script: decision: block is"},
		"python's dict":    {"#!/usr/bin/env python3\nimport json\nprint(json.dumps(dict(decision=\"block\")))\n", "error run:3:1: script: decision=block is"},
		"jq":               {"#!/bin/sh\njq -n '{decision: \"block\", reason: \"no\"}'\n", "error run:2:1: script: decision: block is"},
		"escaped":          {"#!/bin/bash\nprintf \"{\\\"decision\\\": \\\"block\\\"}\"\n", "error run:2:1: script: decision: block is"},
		"it stops all":     {"#!/bin/sh\necho '{\"continue\": false, \"stopReason\": \"no\"}'\n", "error run:2:1: script: continue: false is"},
		"node":             {"#!/usr/bin/env node\nconsole.log(JSON.stringify({ hookSpecificOutput: { additionalContext: 'x' } }));\n", "warning run:2:1: script: additionalContext is"},
		"a message":        {"#!/bin/sh\necho '{\"systemMessage\": \"x\"}'\n", "warning write user_message"},
		"2 as well":        {deny + "exit 2\n", "warning run:2:1: script: permissionDecision"},
		"the format's own": {"#!/bin/sh\necho '{\"decision\": \"deny\"}'\n", "error run:2:1: script: decision: deny is"},
	} {
		t.Run(name, func(t *testing.T) {
			got := habitsOf(t, onTools, c.script)
			severity, rest, _ := strings.Cut(c.want, " ")
			if !strings.HasPrefix(got, severity) || !strings.Contains(got, rest) {
				t.Errorf("%q, want %q", got, c.want)
			}
			if told := strings.Contains(got, "{dialect: "); told == (name == "the format's own") {
				t.Errorf("%q", got)
			}
		})
	}
	for name, script := range map[string]string{
		"ours":      "#!/bin/sh\necho '{\"additional_context\": \"x\", \"decision\": \"ask\"}'\n",
		"allow":     "#!/bin/sh\necho '{\"decision\": \"allow\"}'\n",
		"a comment": "#!/bin/sh\n# no permissionDecision here, and no \"decision\": \"block\"\nexit 2\n",
		"words":     "#!/bin/sh\necho 'a decision to block it was made' >&2; exit 2\n",
	} {
		t.Run(name, func(t *testing.T) {
			if got := habitsOf(t, onTools, script); got != "" {
				t.Errorf("%q", got)
			}
		})
	}
	if got := habitsOf(t, onTools+"matcher:\n  tool: Bash\nmetadata:\n  dialect: claude-code\n", deny); got != "" {
		t.Errorf("with its dialect: %q", got)
	}
}

// Callers that do not check hooks are still told why a guard is none.
func TestUntrueGuards(t *testing.T) {
	h := habitsMachine(t)
	for script, want := range map[string]int{
		"#!/bin/sh\n[ \"$(jq -r .tool_name)\" = Bash ] && exit 2\nexit 0\n": 1,
		"#!/bin/sh\necho '{\"decision\": \"block\"}'\n":                     1,
		"#!/bin/sh\nexit 1\n": 0, "#!/bin/sh\nexit 2\n": 0,
		"#!/no/such/interpreter\nexit 2\n": 1,
	} {
		t.Run(fmt.Sprintf("%q", script), func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "a-hook")
			must.Write(t, filepath.Join(dir, "HOOK.md"), "---\nname: a-hook\ndescription: a hook\ntrigger: pre-tool-call\n---\n")
			must.Script(t, filepath.Join(dir, "scripts", "run"), script)
			if got := habits.Untrue(h, hookset.HookAt(h, dir)); len(got) != want {
				t.Errorf("%q: %v", script, got)
			}
		})
	}
}
