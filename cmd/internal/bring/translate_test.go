package bring

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell/shelltest"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
)

// machine is a person with a home and a project, who works in the project.
func machine(t *testing.T, files map[string]string) host.Host {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must.Do(t, err)
	for name, content := range files {
		must.Script(t, filepath.Join(dir, filepath.FromSlash(name)), content)
	}
	for _, name := range []string{"home", "project/.git"} {
		must.Do(t, os.MkdirAll(filepath.Join(dir, filepath.FromSlash(name)), 0o755))
	}
	return hostOf(filepath.Join(dir, "home"), filepath.Join(dir, "project"))
}

func hostOf(home, project string) host.Host {
	return shelltest.Host(home, project, "PATH="+os.Getenv("PATH"))
}

// one is what becomes of the one entry of a configuration of the person's.
func one(t *testing.T, file, content string) (Row, string) {
	t.Helper()
	h := machine(t, map[string]string{"home/" + file: content})
	p, err := Carry(h, Options{}, func(*Plan) error { return nil })
	must.Do(t, err)
	if len(p.Rows) != 1 {
		t.Fatalf("%d entries: %+v %+v", len(p.Rows), p.Rows, p.Problems)
	}
	b, err := os.ReadFile(filepath.Join(p.Rows[0].Folder, "HOOK.md"))
	if err != nil && p.Rows[0].Result != NotBrought {
		t.Fatal(err)
	}
	return p.Rows[0], string(b)
}

// claude is a configuration with one entry.
func claude(event, group, entry string) string {
	return `{"hooks": {"` + event + `": [{` + group + `"hooks": [{"type": "command", ` + entry + `}]}]}}`
}

// call is a call of a tool as an agent makes it, by its own names.
func call(d *protocol.Dialect, t protocol.EventType, tool, key, value string) *protocol.Event {
	input := protocol.Object{{Name: key, Value: protocol.Quote(value)}}
	return &protocol.Event{Type: t, WorkDir: "/p", Call: d.Tools.NewCall(tool, input.Raw()), Fields: protocol.Object{{Name: "tool_input", Value: input.Raw()}}}
}

// A matcher finds the same tools as before, and those of other agents that are the
// same; an expression stays one.
func TestMatchersMeanTheSame(t *testing.T) {
	d := agent(t, "claude-code")
	gemini := agent(t, "gemini-cli")
	for matcher, want := range map[string]struct {
		yes, no       []string // by Claude Code's names
		other, others []string // by those of Gemini CLI
	}{
		"Edit|Write":       {[]string{"Edit", "Write"}, []string{"Bash", "Read", "mcp__x__Edit"}, []string{"replace", "write_file"}, []string{"run_shell_command", "read_file"}},
		"Edit, Write":      {[]string{"Edit", "Write"}, []string{"Bash"}, []string{"replace"}, []string{"read_file"}},
		"Bash":             {[]string{"Bash"}, []string{"BashOutput", "Edit"}, []string{"run_shell_command"}, []string{"write_file"}},
		"*":                {[]string{"Bash", "mcp__a__b"}, nil, []string{"read_file"}, nil},
		"":                 {[]string{"Bash"}, nil, nil, nil},
		"mcp__.*":          {[]string{"mcp__a__b"}, []string{"Bash", "Edit"}, nil, []string{"run_shell_command"}},
		"mcp__memory__.*":  {[]string{"mcp__memory__add"}, []string{"mcp__other__add"}, nil, nil},
		"^(Bash|Write)$":   {[]string{"Bash", "Write"}, []string{"Read"}, []string{"run_shell_command", "write_file"}, []string{"read_file"}},
		"Task":             {[]string{"Task", "Agent"}, []string{"TaskCreate"}, nil, nil},
		"Write|Edit|Multi": {[]string{"Write"}, []string{"MultiTool"}, nil, nil},
	} {
		t.Run(fmt.Sprintf("%q", matcher), func(t *testing.T) {
			row, text := one(t, ".claude/settings.json", claude("PreToolUse", `"matcher": "`+matcher+`", `, `"command": "true"`))
			if row.Result == NotBrought {
				t.Errorf("%q: %s", matcher, row.Reason)
				return
			}
			if b, err := os.ReadFile(filepath.Join(row.Folder, "tests", "passes-by.txtar")); err == nil {
				_, event, _ := strings.Cut(string(b), "-- event.json --\n")
				event, _, _ = strings.Cut(event, "\n-- want --")
				o := protocol.ObjectOf(protocol.Raw(event))
				ev := &protocol.Event{Type: protocol.PreToolCall, WorkDir: "/p", Call: protocol.Tools(nil).NewCall(o.Text("tool_name"), o.Get("tool_input")), Fields: o}
				if reaches(t, row, ev) {
					t.Errorf("%q: the test that is to pass by does not:\n%s", matcher, event)
				}
			} else if !anything(matcher) {
				t.Errorf("%q has no test", matcher)
			}
			for _, c := range []struct {
				d     *protocol.Dialect
				tools []string
				want  bool
			}{{d, want.yes, true}, {d, want.no, false}, {gemini, want.other, true}, {gemini, want.others, false}} {
				for _, tool := range c.tools {
					if got := reaches(t, row, call(c.d, protocol.PreToolCall, tool, "x", "y")); got != c.want {
						t.Errorf("%q: %s of %s: %v\n%s", matcher, tool, c.d.Name, got, text)
					}
				}
			}
		})
	}
}

// reaches reports whether the hook of a row is due for an event.
func reaches(t *testing.T, row Row, ev *protocol.Event) bool {
	t.Helper()
	h := discovery.ReadFolder(discovery.Sources{Tongues: agents.Tongues}, row.Folder, discovery.UserLayer)
	m := h.Match(ev, &discovery.Budget{}, false)
	if h.Status != discovery.Ready {
		t.Fatalf("%+v", h.Problems)
	}
	return m.OK
}

// A condition becomes keys of the matcher that ask the same.
func TestConditionsMeanTheSame(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("its paths are those of a Unix; discovery looks at roots of Windows")
	}
	d := agent(t, "claude-code")
	for _, c := range []struct {
		rule, tool, key string
		yes, no         []string
	}{
		{"Bash(git push:*)", "Bash", "command", []string{"git push", "git push -f origin", "cd x && git push"}, []string{"git pull", "git pushx", "echo git push"}},
		{"Bash(git *)", "Bash", "command", []string{"git", "git status"}, []string{"gitk", "ls"}},
		{"Bash(rm*)", "Bash", "command", []string{"rm -rf x", "rmdir x"}, []string{"ls"}},
		{"Bash(npm run build)", "Bash", "command", []string{"npm run build"}, []string{"npm run build --x", "npm run"}},
		{"Bash(git * --force)", "Bash", "command", []string{"git push --force"}, []string{"git push"}},
		{"Edit(*.ts)", "Edit", "file_path", []string{"/p/a.ts", "/p/src/b.TS", "/elsewhere/c.ts"}, []string{"/p/a.tsx", "/p/ts"}},
		{"Edit", "Edit", "file_path", []string{"/p/a.ts"}, nil},
		{"Edit(**)", "Edit", "file_path", []string{"/p/a.ts", "/x/y"}, nil},
		{"Write(src/**)", "Write", "file_path", []string{"/p/src/a/b.go", "/p/SRC/a"}, []string{"/p/lib/a.go", "/p/lib/src/a.go", "/src/a.go", "/p/srcs/x", "/px/src/a"}},
		{"Write(/src/**)", "Write", "file_path", []string{"/p/src/a/b.go"}, []string{"/p/lib/src/a.go", "/src/a.go"}},
		{"Write(./src/*.ts)", "Write", "file_path", []string{"/p/src/a.ts"}, []string{"/p/src/x/a.ts", "/p/x/src/a.ts", "/p/src/a.tsx"}},
		{"Write(src)", "Write", "file_path", []string{"/p/src/a", "/p/lib/src/a"}, []string{"/src/a", "/p/srcs/a"}},
		{"Write(src/)", "Write", "file_path", []string{"/p/src/a", "/p/lib/src/a"}, []string{"/p/src"}},
		{"Write(/src)", "Write", "file_path", []string{"/p/src/a"}, []string{"/p/lib/src/a"}},
		{"Write(src/x)", "Write", "file_path", []string{"/p/src/x/b"}, []string{"/p/lib/src/x"}},
		{"Write(src/**/b.ts)", "Write", "file_path", []string{"/p/src/b.ts", "/p/src/x/y/b.ts"}, []string{"/p/src/ab.ts"}},
		{"Write(**/src/**)", "Write", "file_path", []string{"/p/src/a", "/p/lib/src/a", "/elsewhere/src/a"}, []string{"/p/srcs/a"}},
		{"Write(/**/src/*)", "Write", "file_path", []string{"/p/src/a", "/p/lib/src/x/b"}, []string{"/elsewhere/src/a"}},
		{"Write(src**)", "Write", "file_path", []string{"/p/srcs/z.js", "/p/src/a"}, []string{"/p/a"}},
		{"Write([ab].ts)", "Write", "file_path", []string{"/p/a.ts", "/p/x/b.ts"}, []string{"/p/c.ts", "/elsewhere/a.ts"}},
		{"Write(?.ts)", "Write", "file_path", []string{"/p/a.ts"}, []string{"/p/aa.ts"}},
		{"Write( *.ts)", "Write", "file_path", []string{"/p/a.ts"}, []string{"/p/a.js"}},
		{"Edit(//etc/**)", "Edit", "file_path", []string{"/etc/passwd"}, []string{"/p/etc/passwd"}},
		{"Edit(/etc/**)", "Edit", "file_path", []string{"/p/etc/passwd"}, []string{"/etc/passwd"}},
		{"Edit(//**/out/**)", "Edit", "file_path", []string{"/etc/out/passwd"}, []string{"/p/etc/passwd"}},
		{"Read(.env)", "Read", "file_path", []string{"/p/.env", "/p/sub/.env", "sub/.env", ".env"}, []string{"/p/.envrc", "/elsewhere/.env", "../.env"}},
		{"Read(/README.md)", "Read", "file_path", []string{"/p/README.md", "README.md"}, []string{"/p/x/README.md"}},
		{"Bash(*push*)", "Bash", "command", []string{"git push", "echo push"}, []string{"ls"}},
		{"Bash(git push)", "Bash", "command", []string{"git push", "FOO=1 git push", "git  push"}, []string{"git push origin"}},
		{"WebFetch(domain:example.com)", "WebFetch", "url", []string{"https://example.com/x", "http://example.com"}, []string{"https://example.com.evil.org/", "https://not-example.com/"}},
		{"Bash", "Bash", "command", []string{"ls"}, nil},
	} {
		t.Run(c.rule, func(t *testing.T) {
			row, text := one(t, ".claude/settings.json", claude("PreToolUse", "", `"command": "true", "if": "`+c.rule+`"`))
			if row.Result == NotBrought {
				t.Errorf("%s: %s", c.rule, row.Reason)
				return
			}
			for _, v := range c.yes {
				if !reaches(t, row, call(d, protocol.PreToolCall, c.tool, c.key, v)) {
					t.Errorf("%s does not find %q\n%s", c.rule, v, text)
				}
			}
			for _, v := range c.no {
				if reaches(t, row, call(d, protocol.PreToolCall, c.tool, c.key, v)) {
					t.Errorf("%s finds %q\n%s", c.rule, v, text)
				}
			}
			for _, other := range []string{"Grep", "Edit", "Write", "Read"} {
				if other != c.tool && reaches(t, row, call(d, protocol.PreToolCall, other, c.key, c.yes[0])) {
					t.Errorf("%s is for %s, and finds %s", c.rule, c.tool, other)
				}
			}

		})
	}
}

// One command for several matchers is one hook, where a matcher can say what both find.
func TestEntriesOfOneCommandAreOneHook(t *testing.T) {
	for _, c := range []struct{ what, file, content, want string }{
		{"lists", ".claude/settings.json", `{"hooks": {"PreToolUse": [{"matcher": "Edit", "hooks": [{"type": "command", "command": "true"}]}, {"matcher": "Write", "hooks": [{"type": "command", "command": "true"}]}]}}`, "Edit|Write"},
		{"a list and an expression", ".claude/settings.json", `{"hooks": {"PreToolUse": [{"matcher": "Edit", "hooks": [{"type": "command", "command": "true"}]}, {"matcher": "mcp__.*", "hooks": [{"type": "command", "command": "true"}]}]}}`, "^(Edit)$|(?:mcp__.*)"},
		{"two expressions that look like lists", ".cursor/hooks.json", `{"hooks": {"beforeShellExecution": [{"matcher": "git", "command": "true"}, {"matcher": "rm.*x", "command": "true"}]}}`, "(?:git)|(?:rm.*x)"},
		{"events beside each other", ".cursor/hooks.json", `{"hooks": {"beforeShellExecution": [{"matcher": "git", "command": "true"}], "beforeReadFile": [{"command": "true"}]}}`, "git,"},
		{"one that blocks when it fails, in Claude Code", ".claude/settings.json", `{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "true"}]}, {"matcher": "Edit", "hooks": [{"type": "command", "command": "true", "onFailure": "block"}]}]}}`, "Bash,Edit"},
		{"one that blocks when it fails", ".cursor/hooks.json", `{"hooks": {"beforeShellExecution": [{"matcher": "git", "command": "true"}, {"matcher": "rm", "command": "true", "failClosed": true}]}}`, "git,rm"},
		{"words that stand for themselves", ".gemini/settings.json", `{"hooks": {"SessionStart": [{"matcher": "startup", "hooks": [{"type": "command", "command": "true"}]}, {"matcher": "resume", "hooks": [{"type": "command", "command": "true"}]}]}}`, "startup,resume"},
	} {
		t.Run(c.what, func(t *testing.T) {
			h := machine(t, map[string]string{"home/" + c.file: c.content})
			p, err := Carry(h, Options{}, func(*Plan) error { return nil })
			must.Do(t, err)
			var matchers []string
			for i, r := range p.Rows {
				if slices.ContainsFunc(p.Rows[:i], func(before Row) bool { return before.Folder == r.Folder }) {
					continue
				}
				hook := discovery.ReadFolder(discovery.Sources{Tongues: agents.Tongues}, r.Folder, discovery.UserLayer)
				matchers = append(matchers, hook.Matcher.Tool)
			}
			if got := strings.Join(matchers, ","); got != c.want {
				t.Errorf("%s: %q, want %q", c.what, got, c.want)
			}
		})
	}
}

// What cannot be brought says why; nothing is written for it.
func TestWhatIsNotBroughtSaysWhy(t *testing.T) {
	for _, c := range []struct{ file, content, why string }{
		{".claude/settings.json", `{"hooks": {"Stop": [{"hooks": [{"type": "prompt", "prompt": "x"}]}]}}`, "type prompt"},
		{".claude/settings.json", `{"hooks": {"Stop": [{"hooks": [{"type": "agent", "prompt": "x"}]}]}}`, "type agent"},
		{".claude/settings.json", `{"hooks": {"Stop": [{"hooks": [{"type": "http", "url": "x"}]}]}}`, "type http"},
		{".claude/settings.json", `{"hooks": {"Stop": [{"hooks": [{"type": "mcp_tool", "server": "x"}]}]}}`, "type mcp_tool"},
		{".claude/settings.json", `{"hooks": {"Stop": [{"hooks": [{"type": "dance"}]}]}}`, `its type is "dance"`},
		{".claude/settings.json", `{"hooks": {"Stop": [{"hooks": [{"type": "command"}]}]}}`, "its command is empty"},
		{".claude/settings.json", claude("ConfigChange", "", `"command": "x"`), "ConfigChange"},
		{".claude/settings.json", claude("StopFailure", "", `"command": "x"`), "post-agent-turn comes at each"},
		{".claude/settings.json", claude("Stop", "", `"command": "/no/such/thing --x"`), "/no/such/thing is not there"},
		{".claude/settings.json", claude("Stop", "", `"command": "python3 ~/gone.py"`), "gone.py is not there"},
		{".claude/settings.json", claude("Stop", "", `"command": "true", "if": "Bash(x)"`), "never met on Stop"},
		{".claude/settings.json", claude("PreToolUse", "", `"command": "true", "if": "Grep(x)"`), "too often"},
		{".claude/settings.json", claude("PreToolUse", "", `"command": "true", "if": "Edit(**/*.{ts,tsx})"`), "braces"},
		{".claude/settings.json", claude("PreToolUse", "", `"command": "true", "if": "Edit(*.ts)|Write(*.ts)"`), "an entry for each"},
		{".claude/settings.json", claude("PreToolUse", "", `"command": "true", "if": "Edit(!src)"`), "finds nothing"},
		{".claude/settings.json", claude("PreToolUse", `"matcher": "Write", `, `"command": "true", "if": "Edit(*.ts)"`), "none of the tools"},
		{".claude/settings.json", claude("preToolUse", "", `"command": "true"`), "did you mean PreToolUse?"},
		{".claude/settings.json", claude("UserPromptSubmitt", "", `"command": "true"`), "did you mean UserPromptSubmit?"},
		{".claude/settings.json", claude("ConfigChange", "", `"command": "true"`), "nothing happens in other agents as ConfigChange does"},
		{".claude/settings.json", `{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": ["true"]}]}}`, "it is a string, not an object with a command"},
		{".claude/settings.json", `{"hooks": {"PreToolUse": ["true"]}}`, "it stands in no group"},
		{".claude/settings.json", `{"hooks": [{"event": "PreToolUse", "command": "true"}]}`, "it stands in a list, and not below its event"},
		{".augment/settings.json", claude("PreToolUse", "", `"command": "true"`), "not spoken here"},
		{".kiro/hooks/mine.json", `{"version": "v1", "hooks": [{"name": "x", "trigger": "PreToolUse", "action": {"type": "command", "command": "true"}}]}`, "not spoken here"},
		{".config/crush/crush.json", `{"hooks": {"PreToolUse": [{"matcher": "bash", "command": "true"}]}}`, "not spoken here"},
		{".aws/amazonq/cli-agents/mine.json", `{"name": "mine", "hooks": {"preToolUse": [{"matcher": "execute_bash", "command": "true"}]}}`, "not spoken here"},
		{".claude/settings.json", claude("PreToolUse", `"matcher": "(", `, `"command": "true"`), "cannot be read"},
		{".gemini/settings.json", `{"hooksConfig": {"disabled": ["lint"]}, "hooks": {"BeforeTool": [{"hooks": [{"type": "command", "name": "lint", "command": "true"}]}]}}`, "switched off there"},
		{".claude/settings.json", `{"disableAllHooks": true, "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}}`, "switched off there"},
		{".codex/hooks.json", claude("PreToolUse", "", `"command": "grep apply_patch"`), "apply_patch"},
		{".qwen/settings.json", claude("PreToolUse", "", `"command": "grep run_shell_command"`), "run_shell_command"},
		{".factory/settings.json", claude("PreToolUse", "", `"command": "grep '\"Execute\"'"`), "Execute"},
		{".copilot/hooks/x.json", `{"version": 1, "hooks": {"userPromptTransformed": [{"type": "command", "bash": "true"}]}}`, "nothing happens in other agents"},
		{".copilot/hooks/x.json", `{"version": 1, "hooks": {"PreToolUse": [{"type": "command", "powershell": "x"}]}}`, "for Windows alone"},
		{".codeium/windsurf/hooks.json", `{"hooks": {"pre_run_command": [{"command": "true"}]}}`, "agent_action_name"},
		{"Documents/Cline/Hooks/PreToolUse", "#!/bin/sh\n", "hookName"},
	} {
		t.Run(c.file+": "+c.why, func(t *testing.T) {
			if runtime.GOOS == "windows" && strings.Contains(c.why, "/no/such/thing") {
				return // no absolute path there
			}
			row, text := one(t, c.file, c.content)
			if row.Result != NotBrought || !strings.Contains(row.Reason, c.why) || text != "" {
				t.Errorf("%s %s: %s %q", c.file, c.content, row.Result, row.Reason)
			}
		})
	}
}

// Times are milliseconds, whatever the agent counts in; what an entry leaves out is
// what its agent takes.
func TestTimes(t *testing.T) {
	for _, c := range []struct{ file, content, want string }{
		{".claude/settings.json", claude("Stop", "", `"command": "true", "timeout": 5`), "timeout: 5000"},
		{".claude/settings.json", claude("Stop", "", `"command": "true", "timeout": 0.5`), "timeout: 500"},
		{".claude/settings.json", claude("Stop", "", `"command": "true"`), "timeout: 600000"},
		{".claude/settings.json", claude("Stop", "", `"command": "true", "timeout": 3600`), "timeout: 600000"},
		{".claude/settings.json", claude("UserPromptSubmit", "", `"command": "true"`), "timeout: 30000"},
		{".claude/settings.json", claude("SessionEnd", "", `"command": "true"`), "timeout: 1500"},
		{".claude/settings.json", claude("Stop", "", `"command": "true", "async": true`), "async: true"},
		{".claude/settings.json", claude("Stop", `"async": true, `, `"command": "true"`), "timeout: 600000\nmetadata:"},
		{".qoder/settings.json", claude("Stop", `"async": true, `, `"command": "true"`), "async: true"},
		{".qoder/settings.json", claude("Stop", `"async": true, `, `"command": "true", "async": false`), "timeout: 600000\nmetadata:"},
		{".qwen/settings.json", claude("Stop", "", `"command": "true", "timeout": 5000`), "timeout: 5000"},
		{".qwen/settings.json", claude("Stop", "", `"command": "true", "timeout": 5`), "timeout: 5000"},
		{".kimi-code/config.toml", "[[hooks]]\nevent = \"Stop\"\ncommand = \"true\"\ntimeout = 7\n", "timeout: 7000"},
		{".kimi-code/config.toml", "[[hooks]]\nevent = \"Stop\"\ncommand = \"true\"\n", "timeout: 30000"},
		{".copilot/hooks/x.json", `{"version": 1, "hooks": {"PreToolUse": [{"type": "command", "bash": "true"}]}}`, "timeout: 30000"},
		{".qwen/settings.json", claude("Stop", "", `"command": "true"`), "timeout: 600000"},
		{".gemini/settings.json", claude("BeforeTool", "", `"command": "true"`), "timeout: 60000"},
		{".codex/config.toml", "[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = \"command\"\ncommand = \"true\"\n", "timeout: 600000"},
		{".copilot/hooks/x.json", `{"version": 1, "hooks": {"PreToolUse": [{"type": "command", "bash": "true", "timeoutSec": 9}]}}`, "timeout: 9000"},
		{".factory/settings.json", claude("Stop", "", `"command": "true"`), "timeout: 60000"},
	} {
		t.Run(c.file+": "+c.content, func(t *testing.T) {
			row, text := one(t, c.file, c.content)
			if row.Result == NotBrought || !strings.Contains(text, "\n"+c.want+"\n") {
				t.Errorf("%s %s: want %s: %s\n%s", c.file, c.content, c.want, row.Reason, text)
			}
		})
	}
}

// A time that is none is told of, whether the usual one is the agent's or the event's.
func TestATimeThatIsNone(t *testing.T) {
	for _, event := range []string{"Stop", "UserPromptSubmit"} {
		row, _ := one(t, ".claude/settings.json", claude(event, "", `"command": "true", "timeout": "soon"`))
		if want := `its timeout "soon" is not a number: it gets the usual one`; !slices.Contains(row.Differences, want) {
			t.Errorf("%s: %q, want %q", event, row.Differences, want)
		}
	}
}

// Cursor has events for one kind of tool, whose matchers are tried on the line or the
// tool; its user's hooks run beside the file that names them.
func TestEventsOfOneKindOfTool(t *testing.T) {
	row, text := one(t, ".cursor/hooks.json", `{"version": 1, "hooks": {"beforeShellExecution": [{"command": "./check.sh", "matcher": "rm -rf|curl"}]}}`)
	for _, want := range []string{"\n  dialect: cursor\n  event: beforeShellExecution\n", "cd \"$HOME\"/.cursor || exit 1\n    ./check.sh\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("want %q in it (%s):\n%s", want, row.Reason, text)
		}
	}
	cursor, _ := agents.Lookup("cursor")
	for line, want := range map[string]bool{"rm -rf build": true, "curl example.com": true, "ls": false} {
		t.Run(line, func(t *testing.T) {
			if got := reaches(t, row, call(cursor, protocol.PreToolCall, protocol.Shell, "command", line)); got != want {
				t.Errorf("%s: reaches it: %v, want %v", line, got, want)
			}
		})
	}
	if reaches(t, row, call(cursor, protocol.PreToolCall, "ReadFile", "file_path", "/rm -rf")) {
		t.Error("it is asked of a file that is read")
	}
}

// The commands are as they were; what an agent sets for them stands in front.
func TestCommandsAreAsTheyWere(t *testing.T) {
	for _, c := range []struct{ file, content, want string }{
		{".claude/settings.json", claude("Stop", "", `"command": "echo 'it''s' \"$X\" \\\\n | cat"`), `command: 'echo ''it''''s'' "$X" \\n | cat'`},
		{".claude/settings.json", claude("Stop", "", `"command": "python3", "args": ["-c", "print('${HOME}')"]`), `command: ['python3', '-c', 'print(''${HOME}'')']`},
		{".claude/settings.json", claude("Stop", "", `"command": "Get-Date", "shell": "powershell"`), `command: ['pwsh', '-NoProfile', '-NonInteractive', '-Command', 'Get-Date']`},
		{".qwen/settings.json", claude("Stop", "", `"command": "true", "env": {"A": "b c"}`), "    export A='b c'\n    true\n"},
		{".copilot/hooks/x.json", `{"version": 1, "hooks": {"PreToolUse": [{"type": "command", "bash": "true", "cwd": "~/scripts"}]}}`, "    cd \"$HOME\"/scripts || exit 1\n    true\n"},
	} {
		t.Run(c.content, func(t *testing.T) {
			row, text := one(t, c.file, c.content)
			if row.Result == NotBrought || !strings.Contains(text, c.want) {
				t.Errorf("%s: want %s: %s\n%s", c.content, c.want, row.Reason, text)
			}
		})
	}
}

// A line that writes into a folder that is not there is told of, such as one into the
// folder of an agent that this person does not have; nothing else is.
func TestWritesIntoNoFolder(t *testing.T) {
	for line, want := range map[string]string{
		`jq -r .tool_name >> ~/.codex/log`:                    "~/.codex/log",
		`date >>"$HOME/logs/a b/x.txt"`:                       "~/logs/a b/x.txt",
		`if true; then echo x &> ${HOME}/none/x; fi`:          "~/none/x",
		`cat | tee x >/dev/null 2>$HOME/gone/err`:             "~/gone/err",
		`echo x >> ~/.claude/log`:                             "",
		`mkdir -p ~/.codex && echo x >> ~/.codex/log`:         "",
		`echo 'x >> ~/.codex/log'`:                            "",
		`cat < ~/.codex/log`:                                  "",
		`echo x >> "$SOMEWHERE/x"`:                            "",
		`echo x >> relative/x`:                                "",
		`echo "no" >&2; exit 2`:                               "",
		"cat <<EOF >> ~/none/doc\n>> ~/.codex/log\nEOF\ntrue": "~/none/doc",
	} {
		t.Run(fmt.Sprintf("%q", line), func(t *testing.T) {
			row, _ := one(t, ".claude/settings.json", claude("PreToolUse", "", `"command": `+string(protocol.Quote(line))))
			told := ""
			for _, d := range row.Differences {
				if strings.HasPrefix(d, "it writes to ") {
					told += d
				}
			}
			if want == "" && told != "" || want != "" && !strings.HasPrefix(told, "it writes to "+filepath.FromSlash(want)+", ") {
				t.Errorf("%s: %q, want %q (%+v)", line, told, want, row)
			}
		})
	}
}

// Several entries with one command are one hook, whichever file they stand in; with
// another event they are two, with names that tell them apart.
func TestSameCommandsAreOneHook(t *testing.T) {
	h := machine(t, map[string]string{
		"home/.claude/settings.json": `{"hooks": {
			"PreToolUse": [{"matcher": "Edit", "hooks": [{"type": "command", "command": "guard"}]}, {"matcher": "Write", "hooks": [{"type": "command", "command": "guard"}]}],
			"Stop": [{"hooks": [{"type": "command", "command": "guard"}]}]}}`,
		"home/.codex/hooks.json": `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "guard"}]}]}}`,
	})
	p, err := Make(h, Options{})
	if err != nil || len(p.Rows) != 4 || p.Jobs() != 2 {
		t.Fatal(err, p)
	}
	var names []string
	for _, r := range p.Rows {
		names = append(names, r.Name)
	}
	if want := []string{"guard-before", "guard-before", "guard-on-stop", "guard-on-stop"}; !slices.Equal(names, want) {
		t.Error(names)
	}
	if !strings.Contains(p.finder.hookFile(p.jobs[0].hook), "tool: 'Edit|Write'") {
		t.Error(p.finder.hookFile(p.jobs[0].hook))
	}
}
