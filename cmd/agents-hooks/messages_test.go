//go:build unix

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/cli"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	builtinhooks "github.com/agents-hooks/agents-hooks/builtin-hooks"
	"github.com/agents-hooks/agents-hooks/cmd/internal/builtin"
	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell/shelltest"
	"github.com/agents-hooks/agents-hooks/cmd/internal/tools"
	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/internal/toolref"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A stage is a machine on which all behaviours are on, and an agent that is told
// things. The hooks run in this process, on a clock of ours.
type stage struct {
	mcpHome
	t      *testing.T
	world  *builtinhooks.Runtime
	offset time.Duration // how far the hooks' clock is ahead
	agent  string        // the server is registered in
	calls  int
	told   []string
	made   map[string]bool // calls that were made
}

const stageSettings = `[builtin.memory]
enabled = true
save_mode = "always"
[builtin.evolution]
enabled = true
review = "block"
selector = "greedy"
[builtin.workspace]
enabled = true
activity_reminders = true
`

// newStage has the server registered in its agent if registered is set.
func newStage(t *testing.T, locale string, registered bool) *stage {
	t.Helper()
	s := &stage{mcpHome: newMCPHome(t), t: t, agent: "claude-code", made: map[string]bool{}}
	s.env = append(s.env, "LANG="+locale, "LC_ALL="+locale)
	must.Write(t, filepath.Join(s.home, ".config", "agents", "hooks.toml"), stageSettings)
	self, err := exec.LookPath("agents-hooks")
	must.Do(t, err)
	own := &shell.Shell{Host: host.New(s.env, runtime.GOOS, s.project, self, time.Now)}
	s.world = builtin.Standalone(own.Host)
	s.world.Now = func() time.Time { return time.Now().Add(s.offset) }
	if registered {
		names, err := tools.Offered(own, []string{"memory:full", "workspace:full", "evolution:full", "hooks:full"})
		must.Do(t, err)
		marker := toolref.Format([]toolref.Server{{Spelling: "mcp__agents-hooks__TOOL", Tools: names}})
		must.Write(t, toolref.File(own.Host.State, s.agent), string(marker))
	}
	return s
}

// on runs a hook on an event, and keeps what the agent is told.
func (s *stage) on(hook, event string, session string, fields map[string]any) string {
	s.t.Helper()
	b, h, ok := builtinhooks.Behaviours().Find(hook)
	if !ok {
		s.t.Errorf("there is no hook %s", hook)
		return ""
	}
	s.calls++
	ev := map[string]any{
		"event_type": event, "timestamp": protocol.Timestamp(s.world.Now()), "session_id": session, "work_dir": s.project,
		"context": map[string]any{"agent": s.agent, "can": []string{"block", "context", "continue", "message"}},
	}
	maps.Copy(ev, fields)
	if strings.Contains(event, "tool-call") {
		ev["tool_use_id"] = strconv.Itoa(s.calls)
	}
	stdin, err := json.Marshal(ev)
	must.Do(s.t, err)
	var out, errs bytes.Buffer
	env := append(slices.Clone(s.env), "AGENTS_HOOKS_PROJECT_DIR="+s.project)
	builtinhooks.Main(b, h, s.world)(context.Background(), env, stdin, &out, &errs)
	text := errs.String()
	if out.Len() > 0 {
		o, err := protocol.ParseObject(out.Bytes())
		if err != nil {
			s.t.Fatalf("%s: %v: %s", hook, err, out.String())
		}
		for _, name := range []string{"additional_context", "followup_message", "user_message"} {
			text += o.Text(name) + "\n"
		}
		if o.Has("log") {
			s.t.Logf("%s: %s", hook, o.Get("log"))
		}
	}
	if text = strings.TrimSpace(text); text != "" {
		s.told = append(s.told, text)
	}
	return text
}

// want is on, and something has to be told that has one of the marks, which are
// parted by zero bytes: the tool's name, or the command.
func (s *stage) want(mark, hook, event, session string, fields map[string]any) {
	s.t.Helper()
	text, any := s.on(hook, event, session, fields), false
	for m := range strings.SplitSeq(mark, "\x00") {
		any = any || strings.Contains(text, m)
	}
	if !any {
		s.t.Errorf("%s on %s says nothing of %q: %q", hook, event, mark, text)
	}
}

// hear makes the hooks say all that they have to say.
func (s *stage) hear() {
	s.want("[Memory Flush]", "memory-flush", "pre-context-compact", "m-1", map[string]any{"trigger": "auto", "usage_percent": 80, "message_count": 12})
	s.want("[Session Save]", "memory-session-save", "pre-agent-turn-stop", "m-1", map[string]any{"status": "completed"})
	s.want("[Memory Flush]", "memory-load", "pre-session", "m-1", map[string]any{"source": "compact"})

	shell := func(fields map[string]any) map[string]any {
		fields["tool_name"], fields["tool_input"] = "Shell", map[string]any{"command": "npm install left-pad"}
		return fields
	}
	for session, text := range map[string]string{"e-1": "npm ERR! network connect ECONNREFUSED 127.0.0.1:4873", "e-2": "npm ERR! code EACCES: permission denied, mkdir '/usr/lib/node_modules'"} {
		failed := func() map[string]any { return shell(map[string]any{"error": text}) }
		s.on("evolution-failure", "post-tool-call-failure", session, failed())
		s.want("evolve_record\x00evolution record", "evolution-failure", "post-tool-call-failure", session, failed())
	}
	s.want("evolve_create_gene\x00evolution create", "evolution-review", "pre-agent-turn-stop", "e-1", map[string]any{"status": "completed"})
	s.offset += 2 * time.Hour // over the cool-down
	s.want("memory_write\x00memory save", "evolution-review", "pre-agent-turn-stop", "e-2", map[string]any{"status": "completed"})
	s.offset = 0

	if _, _, ok := builtinhooks.Behaviours().Find("workspace-context"); !ok {
		return
	}
	s.hearOfWorkspaces()
}

func (s *stage) hearOfWorkspaces() {
	var made struct{ WorkspaceID string }
	s.json(&made, "workspace", "init", "shop", "--goal", "sell things", "--scenario", "feature", "--json")
	ws := made.WorkspaceID
	s.want("tanmi-session-info", "workspace-context", "pre-session", "w-1", map[string]any{"source": "startup"})
	s.want("tanmi-workspace-reminder", "workspace-reminder", "pre-agent-turn", "w-1", map[string]any{"prompt": "continue the workspace"})
	s.run(s.t, "workspace", "session", "bind", "--session-id", "w-1", "--workspace-id", ws)
	s.want("tanmi-workspace-context", "workspace-context", "pre-session", "w-1", map[string]any{"source": "clear"})
	var node struct{ NodeID string }
	s.json(&node, "workspace", "node", "create", "--workspace-id", ws, "--parent-id", "root", "--type", "execution", "--title", "paint", "--requirement", "red", "--json")
	s.run(s.t, "workspace", "node", "transition", "--workspace-id", ws, "--node-id", node.NodeID, "--action", "start", "--session-id", "w-1")
	s.run(s.t, "workspace", "context", "focus", "--workspace-id", ws, "--node-id", node.NodeID, "--session-id", "w-1")
	remind := func(mark string, after time.Duration) {
		s.t.Helper()
		s.offset = after
		s.want(mark, "workspace-reminder", "pre-agent-turn", "w-1", map[string]any{"prompt": "go on " + mark})
	}
	s.on("workspace-reminder", "pre-agent-turn", "w-1", map[string]any{"prompt": "first"})
	remind("tanmi-smart-reminder", 4*time.Minute)
	s.run(s.t, "workspace", "problem", "update", "--workspace-id", ws, "--node-id", node.NodeID, "--problem", "no paint")
	remind("problem_clear\x00workspace problem clear", 8*time.Minute)
	s.want("tanmi-", "workspace-subagent", "pre-subagent", "w-1", map[string]any{"subagent_name": "x", "subagent_type": "x", "task_description": "x"})
	s.offset = 20 * time.Minute
	s.on("workspace-activity", "post-tool-call", "w-1", map[string]any{"tool_name": "EditFile", "tool_input": map[string]any{"file_path": s.project + "/a.go", "old_string": "a", "new_string": "b"}})
	s.on("workspace-failure", "post-tool-call-failure", "w-1", map[string]any{"tool_name": "Shell", "tool_input": map[string]any{"command": "make"}, "error": "exit 2"})
	s.on("workspace-failure", "post-tool-call-failure", "w-1", map[string]any{"tool_name": "mcp__agents-hooks__node_create", "tool_input": map[string]any{}, "error": "INVALID_PARAMS"})
	s.offset = 0
}

// json runs a command and reads what it prints.
func (s *stage) json(into any, args ...string) {
	s.t.Helper()
	out := s.run(s.t, args...)
	if err := json.Unmarshal([]byte(out), into); err != nil {
		s.t.Fatalf("%q: %v\n%s", args, err, out)
	}
}

// placeholders are what an agent would put in their place.
var placeholders = strings.NewReplacer("success|failed", "success")

// tooLate is how a call is refused that fits the moment at which it was told, and
// not the end of the play.
var tooLate = regexp.MustCompile(`INVALID_TRANSITION|INCOMPLETE_CHILDREN`)

// What a hook tells an agent to call exists where it is told:
// every call that stands in a text of any behaviour, in both languages, is made,
// as a tool where the server is registered and as a command where it is not.
func TestEveryCallOfAMessageCanBeMade(t *testing.T) {
	for _, locale := range []string{"en_US.UTF-8", "zh_CN.UTF-8"} {
		for _, registered := range []bool{false, true} {
			if !slowtest.On() && (registered || locale == "zh_CN.UTF-8") {
				continue // commands in one language; -slow plays both ways in both
			}
			t.Run(fmt.Sprintf("%.2s registered %v", locale, registered), func(t *testing.T) {
				t.Parallel()
				s := newStage(t, locale, registered)
				s.hear()
				text := strings.Join(s.told, "\n----\n")
				if registered {
					s.callTools(text)
				} else {
					s.runCommands(text)
				}
				if len(s.made) < 6 {
					t.Errorf("only %d calls were found in %d texts:\n%s", len(s.made), len(s.told), text)
				}
			})
		}
	}
}

// runCommands runs each command of a text in a shell, as the agent would.
func (s *stage) runCommands(told string) {
	self, _ := exec.LookPath("agents-hooks")
	begin := text.ShellWord(self) + " "
	for rest := told; ; {
		i := strings.Index(rest, begin)
		if i < 0 {
			return
		}
		line := callLine(rest[i:])
		rest = rest[i+len(line):]
		if s.made[line] {
			continue
		}
		s.made[line] = true
		cmd := exec.Command("/bin/sh", "-c", s.filled(line))
		cmd.Dir, cmd.Env = s.project, s.env
		if out, err := cmd.CombinedOutput(); err != nil && !tooLate.Match(out) {
			s.t.Errorf("told to run, and it fails: %v\n%s\n%s", err, line, out)
		}
	}
}

// callLine is a command at the start of a text: up to the end of the line, or
// what cannot be part of it outside quotes.
func callLine(text string) string {
	quote := rune(0)
	for i, r := range text {
		switch {
		case quote != 0:
			if r == quote {
				quote = 0
			}
		case r == '"' || r == '\'':
			quote = r
		case strings.ContainsRune("\n)）,，;；。", r), strings.HasPrefix(text[i:], "   "):
			return text[:i]
		}
	}
	return text
}

var toolNamed = regexp.MustCompile(`mcp__agents-hooks__(\w+)`)

// callTools calls each tool of a text, as the agent would.
func (s *stage) callTools(told string) {
	session := s.serve(s.t, "--tools", "memory:full,workspace:full,evolution:full")
	for _, at := range toolNamed.FindAllStringSubmatchIndex(told, -1) {
		name, rest := told[at[2]:at[3]], told[at[1]:]
		args := json.RawMessage("{}")
		if strings.HasPrefix(rest, " {") {
			if err := json.NewDecoder(strings.NewReader(rest)).Decode(&args); err != nil {
				s.t.Errorf("the arguments of %s are no JSON: %v in %.200s", name, err, rest)
				continue
			}
		} else if _, ok := s.tool(name); ok {
			continue // named in passing
		}
		if s.made[name+string(args)] {
			continue
		}
		s.made[name+string(args)] = true
		res, err := session.CallTool(s.t.Context(), &sdk.CallToolParams{Name: name, Arguments: json.RawMessage(s.filled(string(args)))})
		if err != nil {
			s.t.Errorf("told to call %s: %v", name, err)
		} else if said := res.Content[0].(*sdk.TextContent).Text; res.IsError && !tooLate.MatchString(said) {
			s.t.Errorf("told to call %s, and it fails: %s\n%s", name, args, said)
		}
	}
	self, _ := exec.LookPath("agents-hooks")
	for line := range strings.Lines(told) {
		if strings.Contains(line, text.ShellWord(self)+" ") {
			s.t.Errorf("a command is named where tools are registered: %s", line)
		}
	}
}

func (s *stage) tool(name string) (string, bool) {
	own := shelltest.New(s.t)
	for _, set := range tools.Sets(own, s.agent) {
		for _, o := range set.Ops {
			if o.Name == name {
				return set.Command(&o), true
			}
		}
	}
	return "", false
}

// filled is a call with what the agent would write into it.
func (s *stage) filled(call string) string {
	call = placeholders.Replace(call)
	if strings.Contains(call, "WORKSPACE_ID") {
		var list struct{ Workspaces []struct{ ID string } }
		s.json(&list, "workspace", "list", "--json")
		call = strings.ReplaceAll(call, "WORKSPACE_ID", list.Workspaces[0].ID)
	}
	return strings.ReplaceAll(call, "NODE_ID", "root")
}

// What stands in the source counts too, said or not: each command that a text of
// a behaviour names is one of ours, and each pair of a tool and the command that
// does the same is one of the table.
func TestEveryCommandOfASourceExists(t *testing.T) {
	own := shelltest.New(t)
	tree := own.Commands(commandGroups(), "")
	commands := map[string]string{}
	for _, set := range tools.Sets(own, "any") {
		for _, o := range set.Ops {
			commands[o.Name] = set.Command(&o)
		}
	}
	set, list := sources(t)
	named := regexp.MustCompile(`\bagents-hooks ([a-z][a-z-]*(?: [a-z][a-z-]*)*)`)
	pairs, lines := 0, 0
	for _, src := range list {
		if src.test() || !strings.HasPrefix(src.dir, "builtin-hooks/") || strings.Contains(src.dir, "/example") {
			continue
		}
		ast.Inspect(src.ast, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				f, ok := n.Fun.(*ast.SelectorExpr)
				if !ok || f.Sel.Name != "Call" && f.Sel.Name != "Name" || len(n.Args) < 2 {
					return true
				}
				tool, command := literal(n.Args[0]), literal(n.Args[1])
				if _, there := commands[tool]; !there || command == "" || !strings.Contains(command, " ") {
					return true
				}
				pairs++
				if problem := noSuchCommand(tree, "agents-hooks "+command); problem != "" {
					t.Errorf("%s: %q stands for %s: %s", set.Position(n.Pos()), command, tool, problem)
				}
			case *ast.BasicLit:
				for _, m := range named.FindAllStringSubmatch(literal(n), -1) {
					words := strings.Fields(m[1])
					if !slices.ContainsFunc(tree, func(c *cli.Command) bool { return slices.Contains(c.Names(), words[0]) }) {
						continue // prose: "agents-hooks is …"
					}
					lines++
					if problem := noSuchCommand(tree, "agents-hooks "+strings.Join(words[:min(len(words), 2)], " ")); problem != "" {
						t.Errorf("%s: names %q: %s", set.Position(n.Pos()), m[0], problem)
					}
				}
			}
			return true
		})
	}
	if pairs < 4 || lines < 4 {
		t.Errorf("found %d pairs and %d commands: this test looks in the wrong place", pairs, lines)
	}
}

func literal(e ast.Expr) string {
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return ""
	}
	text, _ := strconv.Unquote(lit.Value)
	return text
}
