package hookset

import (
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
	"github.com/agents-hooks/agents-hooks/protocol/spec"
)

// Sample is a made-up event of a type in spec form, as if it came from here.
func Sample(sh *shell.Shell, e protocol.EventType, workDir string) protocol.Object {
	o := protocol.Sample(e)
	o.SetText("timestamp", protocol.Timestamp(sh.Host.Now()))
	if workDir != "" {
		o.SetText("work_dir", workDir)
	}
	return o
}

// SampleFor is a sample for the matcher of a hook: a tool and an input that it
// is for. That is a guess, and the caller has to ask the matcher.
func SampleFor(sh *shell.Shell, h *discovery.Hook, workDir string) (*protocol.Event, error) {
	payload := Sample(sh, h.Trigger, workDir)
	ev, err := SpecEvent(sh, payload)
	if err != nil || !h.Trigger.IsTool() || matches(h.Matcher, ev) {
		return ev, err
	}
	for _, tool := range toolsFor(h.Matcher.Tool, ev) {
		for _, text := range append([]string{""}, examples(h.Matcher.Pattern)...) {
			payload.SetText("tool_name", tool)
			payload.Set("tool_input", sampleInput(tool, text, workDir).Raw())
			if aimed, err := SpecEvent(sh, payload); err == nil && matches(h.Matcher, aimed) {
				return aimed, nil
			}
		}
	}
	return ev, nil
}

// SpecEvent reads an event in spec form.
func SpecEvent(sh *shell.Shell, payload protocol.Object) (*protocol.Event, error) {
	events, err := spec.Dialect.Decode(protocol.Input{Payload: payload, Env: sh.Host.Getenv, Now: sh.Host.Now()})
	if err != nil {
		return nil, err
	}
	if len(events) == 0 {
		return nil, NoSuchEvent("the event", payload.Text("event_type"))
	}
	return events[0], nil
}

// matches asks a matcher alone.
func matches(m discovery.Matcher, ev *protocol.Event) bool {
	h := discovery.Hook{Name: "sample", Trigger: ev.Type, Status: discovery.Ready, Matcher: m}
	return h.Match(ev, &discovery.Budget{}, false).OK
}

// toolsFor are names of tools that an expression finds: portable ones rather
// than those of an agent, and those rather than what the expression spells out.
func toolsFor(expression string, ev *protocol.Event) []string {
	names := PortableTools()
	for _, d := range agents.All() {
		for _, tool := range d.Tools {
			names = append(names, tool.Native)
		}
	}
	names = append(names, examples(expression)...)
	var found []string
	for _, name := range names {
		call := *ev
		call.Call = &protocol.Call{Name: name}
		if name != "" && matches(discovery.Matcher{Tool: expression}, &call) {
			found = append(found, name)
		}
	}
	return found
}

// sampleInput is an input of a tool, with text in the place that a pattern is
// most likely about; "" for a usual one.
func sampleInput(tool, text, workDir string) protocol.Object {
	var o protocol.Object
	or := func(usual string) string {
		if text != "" {
			return text
		}
		return usual
	}
	switch portableName(tool) {
	case protocol.Shell:
		o.SetText("command", or("npm test -- --coverage"))
		o.SetText("description", "Run the tests")
	case protocol.ReadFile:
		o.SetText("file_path", or(workDir+"/README.md"))
	case protocol.WriteFile:
		o.SetText("file_path", or(workDir+"/notes.md"))
		o.SetText("content", "# Notes\n\nNothing yet.\n")
	case protocol.EditFile:
		o.SetText("file_path", or(workDir+"/main.go"))
		o.SetText("old_string", "fmt.Println(\"hello\")")
		o.SetText("new_string", "fmt.Println(\"hello, world\")")
	case protocol.Search:
		o.SetText("pattern", or("TODO"))
		o.SetText("path", workDir)
	case protocol.Fetch:
		o.SetText("url", or("https://example.com/"))
	case protocol.WebSearch:
		o.SetText("query", or("how to paginate a list"))
	case protocol.Task:
		o.SetText("description", "Find the pager")
		o.SetText("prompt", or("Find out where the list of users is cut into pages."))
		o.SetText("subagent_type", "explore")
	default:
		o.SetText("value", or("sample"))
	}
	return o
}

// portableName is the portable name of a tool that some agent has.
func portableName(tool string) string {
	for _, d := range agents.All() {
		if found, ok := d.Tools.Find(tool); ok {
			return found.Name
		}
	}
	return tool
}
