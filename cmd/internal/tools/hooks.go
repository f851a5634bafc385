package tools

import (
	"context"
	"slices"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/cmd/internal/eventarg"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/sample"
	"github.com/agents-hooks/agents-hooks/cmd/internal/translate"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
)

// Hooks are tools that show hooks. They run and change nothing. The commands list and
// explain are made from the same rows, but read and print in their own way.
func Hooks(h host.Host, inAgent bool) op.Set {
	list := op.Op{
		Name: "hooks_list", Command: "list", ReadOnly: true, Core: true, Near: "list --json", Needs: op.Project,
		Words: []string{"folders"}, Rest: true, Usage: "[FOLDER...]",
		People: op.Text{English: "show every hook with its status, in running order", Chinese: "按运行顺序列出每个 Hook 及其状态"},
		Model: op.Text{English: "The hooks that count in this project, in running order, with their status: trigger, matcher, layer, whether they are trusted, and what is wrong with those that do not run.",
			Chinese: "在此项目中生效的 Hook，按运行顺序及状态：触发事件、匹配、层级、是否受信任，以及未运行者的问题。"},
		Args: []op.Arg{
			{Name: "all", Kind: op.Bool, Model: op.Text{English: "built-in hooks that are not enabled too", Chinese: "也包括未启用的内置 Hook"}},
			{Name: "trigger", NoFlag: true, Words: protocol.EventNames(), Model: op.Text{English: "of this event only", Chinese: "仅此事件"}},
			{Name: "folders", Kind: op.Texts, NoFlag: true, NoTool: true},
		},
	}
	list.Do = func(_ context.Context, c op.Call) (any, error) {
		set := hookset.Listed(h, c.Dir, inAgent, c.Args.Bool("all"))
		want := protocol.EventType(c.Args.Text("trigger"))
		rows := slices.DeleteFunc(hookset.Rows(set.Hooks), func(r hookset.Row) bool { return want != "" && want != r.Trigger })
		return map[string]any{"hooks": rows}, nil
	}
	explain := op.Op{
		Name: "hooks_explain", Command: "explain", ReadOnly: true, Core: true, Near: "explain --json", Needs: op.Project, Usage: "[EVENT]",
		People: op.Text{English: "say what would run for an event, and why not the rest", Chinese: "说明某事件会运行什么，其余为何不运行"},
		Model: op.Text{English: "What would run for an event here, in which order, and why each other hook would not. Runs nothing. For tool events give tool_name and tool_input, such as Shell and {\"command\": \"git push\"}.",
			Chinese: "某事件发生时会运行什么、顺序如何，以及其他 Hook 为何不运行。不会运行任何内容。工具事件请提供 tool_name 与 tool_input，例如 Shell 与 {\"command\": \"git push\"}。"},
		Args: []op.Arg{
			{Name: "event", NoFlag: true, Required: true, Words: protocol.EventNames(), Model: op.Text{English: "the event", Chinese: "事件"}},
			{Name: "tool_name", NoFlag: true, Model: op.Text{English: "of a tool event: Shell, ReadFile, WriteFile, EditFile, Fetch, or an agent's own name", Chinese: "工具事件的工具：Shell、ReadFile、WriteFile、EditFile、Fetch，或代理自己的名称"}},
			{Name: "tool_input", NoFlag: true, Kind: op.JSON, Model: op.Text{English: "of a tool event: its arguments", Chinese: "工具事件的参数"}},
			{Name: "agent", NoFlag: true, Model: op.Text{English: "as this agent would send it: an id of agents-hooks agents", Chinese: "以该代理的形式发送：agents-hooks agents 列出的 id"}},
		},
	}
	explain.Do = func(_ context.Context, c op.Call) (any, error) { return explainCall(h, c, inAgent) }
	return op.Set{Name: "hooks", About: "which hooks there are, and what would run for an event", Ops: []op.Op{list, explain}}
}

// explainCall is explain for the arguments of a tool.
func explainCall(h host.Host, c op.Call, inAgent bool) (any, error) {
	payload := sample.Payload(h, protocol.EventType(c.Args.Text("event")), c.Dir)
	if name := c.Args.Text("tool_name"); name != "" {
		payload.SetText("tool_name", name)
		payload.Set("tool_input", protocol.Raw("{}"))
	}
	if input := c.Args.Get("tool_input"); input != nil {
		payload.Set("tool_input", input)
	}
	ev, err := eventarg.Decode(h, payload)
	if err != nil {
		return nil, op.Fail(op.BadArgument, "event is one of hooks_explain's list", "%v", err)
	}
	if id := c.Args.Text("agent"); id != "" {
		d, ok := agents.Lookup(id)
		if !ok || d.Config == nil {
			hint, _ := agents.Meant(id)
			return nil, op.Fail("NOT_FOUND", hint, "no such agent: %q", id)
		}
		if ev, ok = translate.Event(d, ev); !ok {
			return nil, op.Fail("NOT_FOUND", "agents-hooks agents "+d.ID+" lists its events", "%s never happens on %s", c.Args.Text("event"), d.Name)
		}
	}
	if ev.WorkDir = c.Dir; hookset.FromAgent(ev) {
		return hookset.Explain(hookset.OfEvent(h, ev), ev), nil
	}
	return hookset.Explain(hookset.Listed(h, c.Dir, inAgent, false), ev), nil
}
