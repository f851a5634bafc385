package tools

import (
	"context"
	"slices"

	"github.com/agents-hooks/agents-hooks/cmd/internal/eventarg"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/mcp"
	"github.com/agents-hooks/agents-hooks/cmd/internal/sample"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/cmd/internal/skillset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/translate"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
)

// hookTools tell a model which hooks there are. They run and change nothing.
func hookTools(sh *shell.Shell, inAgent bool) []mcp.Tool {
	return []mcp.Tool{
		{
			Name: "hooks_list", ReadOnly: true, Core: true, Command: "list --json",
			Description: "The hooks that count in this project, in running order, with their status: trigger, matcher, layer, whether they are trusted, and what is wrong with those that do not run.",
			Args: []mcp.Arg{
				{Name: "all", Type: mcp.Boolean, Description: "built-in hooks that are not enabled too"},
				{Name: "trigger", Type: mcp.String, Enum: eventNames(), Description: "of this event only"},
			},
			Call: func(_ context.Context, c mcp.Call) (any, error) {
				set := setIn(sh, c.Dir, inAgent)
				if !c.Args.Bool("all") {
					set = hookset.WithoutIdle(set)
				}
				want := protocol.EventType(c.Args.Text("trigger"))
				rows := slices.DeleteFunc(hookset.Rows(set.Hooks), func(r hookset.Row) bool { return want != "" && want != r.Trigger })
				return map[string]any{"hooks": rows}, nil
			},
		},
		{
			Name: "hooks_explain", ReadOnly: true, Core: true, Command: "explain --json",
			Description: "What would run for an event here, in which order, and why each other hook would not. Runs nothing. For tool events give tool_name and tool_input, such as Shell and {\"command\": \"git push\"}.",
			Args: []mcp.Arg{
				{Name: "event", Type: mcp.String, Required: true, Enum: eventNames(), Description: "the event"},
				{Name: "tool_name", Type: mcp.String, Description: "of a tool event: Shell, ReadFile, WriteFile, EditFile, Fetch, or an agent's own name"},
				{Name: "tool_input", Type: mcp.Object, Description: "of a tool event: its arguments"},
				{Name: "agent", Type: mcp.String, Description: "as this agent would send it: an id of agents-hooks agents"},
			},
			Call: func(_ context.Context, c mcp.Call) (any, error) { return explainCall(sh, c, inAgent) },
		},
	}
}

func eventNames() []string {
	var names []string
	for _, e := range protocol.EventTypes() {
		names = append(names, string(e))
	}
	return names
}

// setIn is every hook in a folder. As in the dispatcher, an agent's environment
// grants no trust and switches nothing on.
func setIn(sh *shell.Shell, dir string, inAgent bool) *discovery.Set {
	src := sh.Host.Sources()
	if inAgent {
		src.TrustAlways = false
	}
	return hookset.Load(sh.Host, src, dir, !inAgent)
}

// explainCall is explain for the arguments of a tool.
func explainCall(sh *shell.Shell, c mcp.Call, inAgent bool) (any, error) {
	payload := sample.Payload(sh.Host, protocol.EventType(c.Args.Text("event")), c.Dir)
	if name := c.Args.Text("tool_name"); name != "" {
		payload.SetText("tool_name", name)
		payload.Set("tool_input", protocol.Raw("{}"))
	}
	if input := c.Args.Get("tool_input"); input != nil {
		payload.Set("tool_input", input)
	}
	ev, err := eventarg.Decode(sh.Host, payload)
	if err != nil {
		return nil, mcp.Fail("BAD_ARGUMENT", "event is one of hooks_explain's list", "%v", err)
	}
	if id := c.Args.Text("agent"); id != "" {
		d, ok := agents.Lookup(id)
		if !ok || d.Config == nil {
			return nil, mcp.Fail("NOT_FOUND", "agents-hooks agents lists the ids", "there is no agent %q", id)
		}
		if ev, ok = translate.Event(d, ev); !ok {
			return nil, mcp.Fail("NOT_FOUND", "agents-hooks agents "+d.ID+" lists its events", "%s never happens on %s", c.Args.Text("event"), d.Name)
		}
		inAgent = true
	}
	ev.WorkDir = c.Dir
	return hookset.Explain(hookset.WithoutIdle(setIn(sh, c.Dir, inAgent)), ev), nil
}

// skillTools tell a model which skills bring prompts. The prompts come by
// themselves.
func skillTools(sh *shell.Shell) []mcp.Tool {
	return []mcp.Tool{{
		Name: "skills_list", ReadOnly: true, Core: true, Command: "skills list --json",
		Description: "The skills that bring prompts of their own, when each is given, and which of them count in this project.",
		Call: func(_ context.Context, c mcp.Call) (any, error) {
			shelf := skillset.SkillsFrom(sh, c.Dir)
			return map[string]any{"enabled": shelf.On, "project": shelf.Project, "skills": shelf.Skills, "without": shelf.Without}, nil
		},
	}}
}
