package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agents-hooks/agents-hooks/internal/must"
	"github.com/agents-hooks/agents-hooks/internal/slowtest"
)

// What one task may take, both calls with their answers, and what the core tools may:
// 300 tokens by command, 400 by MCP, 1,800. As the tokenizer of current models has it
// (o200k), a token of these texts has 2.7, 3.3 and 4.1 characters: ids cost most.
const (
	taskByCommand = 300 * 27 / 10
	taskByMCP     = 400 * 33 / 10
	coreTools     = 1800 * 41 / 10
)

// fortyTasks is a plan of 40 tasks in five parts, with rules, requirements and criteria.
// In a part each second task waits for the one before it, and each part but the first two
// for the middle of the one before the last.
func fortyTasks() string {
	parts := []string{"Read the old format", "Write the new format", "Convert what is there", "Serve both", "Take the old one away"}
	var b strings.Builder
	b.WriteString("# Change the archive's format\n\nEvery record is kept in the new format, and the old one is gone.\n\n## Rules\n- a record is never changed in place\n- no call of the API changes\n\n")
	for p, part := range parts {
		fmt.Fprintf(&b, "## %s\n", part)
		for i := range 8 {
			fmt.Fprintf(&b, "- [ ] %d.%d %s, step %d", p, i, part, i)
			var after []string
			if i%2 == 1 {
				after = append(after, fmt.Sprintf("%d.%d", p, i-1))
			}
			if p > 1 {
				after = append(after, fmt.Sprintf("%d.4", p-2))
			}
			if after != nil {
				b.WriteString(" (after: " + strings.Join(after, ", ") + ")")
			}
			fmt.Fprintf(&b, "\n  Do what step %d of it needs, with a test that fails without it.\n  - accept: a record is damaged => step %d says which, and goes on\n", i, i)
		}
	}
	return b.String()
}

// courseOf holds the order in which tasks are begun to the plan.
type courseOf struct {
	t    *testing.T
	done []string
}

// begun checks that a task that is begun now may be.
func (c *courseOf) begun(title string) {
	c.t.Helper()
	_, step, ok := strings.Cut(title, ", step ")
	if !ok {
		return // a part that is summed up
	}
	if slices.Contains(c.done, title) {
		c.t.Errorf("%q was done twice", title)
	}
	if n := int(step[0] - '0'); n%2 == 1 {
		if before := strings.TrimSuffix(title, step) + fmt.Sprint(n-1); !slices.Contains(c.done, before) {
			c.t.Errorf("%q was begun before %q was done", title, before)
		}
	}
}

// BW-NXT-09, BW-NXT-02: forty tasks are worked to their end over servers that live, by
// two sessions that know nothing but what the answers say; one of the servers is killed
// with a task in its hands, and the next one of that session goes on with it.
func TestFortyTasksByMCP(t *testing.T) {
	if !slowtest.On() {
		t.Skip("the package workspace/ops plays the forty by itself: -slow also plays them through the MCP server")
	}
	t.Parallel()
	h := newMCPHome(t, "workspace")
	first := h.serve(t, "--tools", "workspace", "--session", "left")
	size := 0
	for tool, err := range first.Tools(t.Context(), nil) {
		must.Do(t, err)
		if strings.HasPrefix(tool.Name, "agents_hooks_") {
			continue
		}
		b, err := json.Marshal(map[string]any{"name": tool.Name, "description": tool.Description, "input_schema": tool.InputSchema})
		must.Do(t, err)
		t.Logf("tool: %s", b)
		size += len(b)
	}
	if size > coreTools {
		t.Errorf("the core tools have %d characters", size)
	}
	var made struct{ WorkspaceID string }
	ask(t, first, "workspace_init", map[string]any{"name": "archive", "goal": "the new format"}, &made)
	ask(t, first, "plan_create", map[string]any{"workspaceId": made.WorkspaceID, "plan": fortyTasks()}, &struct{}{})
	second, kill := h.mortal(t, "--tools", "workspace", "--session", "right")
	for s, session := range map[*sdk.ClientSession]string{first: "left", second: "right"} {
		ask(t, s, "session_bind", map[string]any{"sessionId": session, "workspaceId": made.WorkspaceID}, &struct{}{})
	}

	course := &courseOf{t: t}
	sum, tasks, idle, killed := 0, 0, 0, false
	call := func(s *sdk.ClientSession, tool string, args map[string]any) string {
		text := ask(t, s, tool, args, nil)
		given, _ := json.Marshal(args)
		t.Logf("call: %s %s\ntold: %s", tool, given, text)
		sum += len(tool) + len(given) + len(text)
		return text
	}
	servers := []*sdk.ClientSession{first, second}
	for turn := 0; idle < 2; turn++ {
		if turn > 200 {
			t.Fatal("it does not end")
		}
		s := servers[turn%2]
		before := sum
		begun := call(s, "node_begin", map[string]any{})
		var node struct{ Title string }
		if json.Unmarshal([]byte(begun), &node) != nil || node.Title == "" {
			if !strings.Contains(begun, "every node is done") && !strings.Contains(begun, "othing can be begun") {
				t.Fatal(begun)
			}
			idle, sum = idle+1, before
			continue
		}
		idle = 0
		course.begun(node.Title)
		if turn == 21 {
			kill()
			servers[1], killed = h.serve(t, "--tools", "workspace", "--session", "right"), true
			sum = before // the same task is begun once more
			continue
		}
		if said := call(s, "node_done", map[string]any{"conclusion": node.Title + ": done, and its test is green."}); !strings.Contains(said, `"completed"`) {
			t.Fatalf("%s: %s", node.Title, said)
		}
		course.done = append(course.done, node.Title)
		tasks++
	}
	if tasks != 45 && tasks != 46 || !killed { // 40, their five parts, and the whole if it is offered
		t.Errorf("%d were done: %q", tasks, course.done)
	}
	if per := sum / tasks; per > taskByMCP {
		t.Errorf("%d characters a task", per)
	} else {
		t.Logf("%d characters a task, the core tools %d", per, size)
	}
}

// mortal starts a server that can be killed at once, as an agent's window dies.
func (h mcpHome) mortal(t *testing.T, args ...string) (session *sdk.ClientSession, kill func()) {
	t.Helper()
	cmd := h.command(append([]string{"mcp"}, args...)...)
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &sdk.CommandTransport{Command: cmd}, nil)
	must.Do(t, err)
	return session, func() {
		if err := cmd.Process.Kill(); err != nil {
			t.Error(err)
		}
		_ = session.Close()
	}
}

// BW-NXT-09, BW-NXT-02: the same by commands, each a process of its own.
func TestFortyTasksByCommand(t *testing.T) {
	if !slowtest.On() {
		t.Skip("the package workspace/ops plays the forty by itself: -slow also plays them by commands")
	}
	t.Parallel()
	h := newMCPHome(t, "workspace")
	must.Write(t, filepath.Join(h.project, "plan.md"), fortyTasks())
	h.run(t, "workspace", "init", "--from", "plan.md")
	course := &courseOf{t: t}
	sum, tasks := 0, 0
	call := func(args ...string) string {
		out, _ := h.command(append([]string{"ws"}, args...)...).CombinedOutput()
		line := "agents-hooks ws '" + strings.Join(args, "' '") + "'"
		t.Logf("call: %s\ntold: %s", line, out)
		sum += len(line) + len(out)
		return string(out)
	}
	for turn := 0; ; turn++ {
		if turn > 200 {
			t.Fatal("it does not end")
		}
		session := []string{"8d3f0c52-7a41-4f0e-9b6d-21c7f5a0e934", "f1b7a6c0-52de-4c9a-8a13-6e0d94b7c2f8"}[turn%2]
		before := sum
		begun, ok := strings.CutPrefix(call("begin", "--session-id", session), "begun: ")
		if !ok {
			if !strings.Contains(begun, "every node is done") {
				t.Fatal(begun)
			}
			sum = before
			break
		}
		title, _, _ := strings.Cut(begun, " (")
		course.begun(title)
		if said := call("done", "-m", title+": done, and its test is green.", "--session-id", session); !strings.HasPrefix(said, "completed") {
			t.Fatalf("%s: %s", title, said)
		}
		course.done = append(course.done, title)
		tasks++
	}
	if tasks != 45 && tasks != 46 {
		t.Errorf("%d were done: %q", tasks, course.done)
	}
	if per := sum / tasks; per > taskByCommand {
		t.Errorf("%d characters a task", per)
	} else {
		t.Logf("%d characters a task", per)
	}
}
