// Package sample makes up events: one of each type, and one that a hook's matcher
// should match. For that it tries the tools of all agents, and texts generated from the
// regular expression. It guesses: only the hook's matcher decides whether a sample
// matches.
package sample

import (
	"cmp"

	"github.com/agents-hooks/agents-hooks/cmd/internal/eventarg"
	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/order"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/agents"
)

// Payload is a sample of an event type in the format's own form, as if it had just
// happened in a folder.
func Payload(h host.Host, e protocol.EventType, workDir string) protocol.Object {
	o := protocol.Sample(e)
	o.SetText("timestamp", protocol.Timestamp(h.Now()))
	o.PutText("work_dir", workDir)
	return o
}

// Event is a sample of a type.
func Event(h host.Host, e protocol.EventType, workDir string) (*protocol.Event, error) {
	return eventarg.Decode(h, Payload(h, e, workDir))
}

// For is a sample for a hook's trigger and matcher: of a tool and with an input that
// match. If none was found it is any sample, and fits is false.
func For(h host.Host, hook *discovery.Hook, workDir string) (ev *protocol.Event, fits bool, err error) {
	payload := Payload(h, hook.Trigger, workDir)
	ev, err = eventarg.Decode(h, payload)
	if err != nil || !hook.Trigger.IsTool() || reaches(hook, ev) {
		return ev, err == nil, err
	}
	texts := textsFor(hook.Trigger, hook.Matcher, workDir)
	tools := toolsFor(hook.Matcher.Tool, ev)
	if hook.Matcher.Command == "" && hook.Matcher.Path+hook.Matcher.Content != "" {
		// A tool that writes files is more likely than a shell that does.
		order.By(tools, func(a, b string) int { return cmp.Compare(shellLast(a), shellLast(b)) })
	}
	for _, tool := range tools {
		for _, input := range inputs(tool, texts, workDir) {
			payload.SetText("tool_name", tool)
			payload.Set("tool_input", input.Raw())
			if aimed, err := eventarg.Decode(h, payload); err == nil && reaches(hook, aimed) {
				return aimed, true, nil
			}
		}
	}
	return ev, false, nil
}

func shellLast(tool string) int {
	if portableName(tool) == protocol.Shell {
		return 1
	}
	return 0
}

// Aside is a sample of a hook's trigger that its matcher excludes; ok is false if
// none was found.
func Aside(h host.Host, hook *discovery.Hook, workDir string) (ev *protocol.Event, ok bool) {
	payload := Payload(h, hook.Trigger, workDir)
	tools := append(toolsFor(hook.Matcher.Tool, &protocol.Event{Type: hook.Trigger}), protocol.PortableTools()...)
	for _, tool := range append([]string{protocol.Shell}, tools...) {
		payload.SetText("tool_name", tool)
		payload.Set("tool_input", Input(tool, "", workDir).Raw())
		if aside, err := eventarg.Decode(h, payload); err == nil && !reaches(hook, aside) {
			return aside, true
		}
	}
	return nil, false
}

// Texts are, for each key of a matcher, some texts that it matches; "" if the key is
// absent.
type texts struct{ pattern, command, path, content []string }

// mostTexts is how many texts of a key are combined with those of the others.
const mostTexts = 3

// textsFor tries each key separately, so that combinations have a chance.
func textsFor(e protocol.EventType, m discovery.Matcher, workDir string) (t texts) {
	fitting := func(expression string, only discovery.Matcher, call func(text string) *protocol.Call) (list []string) {
		if expression == "" {
			return []string{""}
		}
		for _, text := range examples(expression) {
			ev := &protocol.Event{Type: e, WorkDir: workDir, Call: call(text)}
			if len(list) < mostTexts && matches(only, ev) {
				list = append(list, text)
			}
		}
		return list
	}
	calls := func(tool, key string) func(string) *protocol.Call {
		return func(text string) *protocol.Call {
			o := Input(tool, "", workDir)
			o.SetText(key, text)
			return protocol.Tools(nil).NewCall(tool, o.Raw())
		}
	}
	t.pattern = fitting(m.Pattern, discovery.Matcher{Pattern: m.Pattern}, calls("any", "value"))
	t.command = fitting(m.Command, discovery.Matcher{Command: m.Command}, calls(protocol.Shell, "command"))
	t.path = fitting(m.Path, discovery.Matcher{Path: m.Path}, calls(protocol.WriteFile, "file_path"))
	t.content = fitting(m.Content, discovery.Matcher{Content: m.Content}, calls(protocol.WriteFile, "content"))
	return t
}

// inputs are inputs of a tool that may match, the most likely first.
func inputs(tool string, t texts, workDir string) (list []protocol.Object) {
	for _, text := range t.pattern {
		for _, line := range t.command {
			for _, path := range t.path {
				for _, content := range t.content {
					list = append(list, input(tool, text, line, path, content, workDir))
				}
			}
		}
	}
	return list
}

// input is an input with a text for each key of a matcher, "" for a usual one.
func input(tool, text, line, path, content, workDir string) protocol.Object {
	if path != "" && path[0] != '/' {
		path = workDir + "/" + path
	}
	if path != "" && portableName(tool) == protocol.Shell {
		line = cmp.Or(line, "echo") + " > " + path
	}
	o := Input(tool, cmp.Or(line, text), workDir)
	if line != "" && text != "" {
		o.SetText("description", text)
	}
	if path != "" && portableName(tool) != protocol.Shell {
		o.SetText("file_path", path)
	}
	for _, key := range []string{"content", "new_string"} {
		if content != "" && o.Has(key) {
			o.SetText(key, content)
		}
	}
	return o
}

// matches asks only a matcher.
func matches(m discovery.Matcher, ev *protocol.Event) bool {
	return reaches(&discovery.Hook{Matcher: m}, ev)
}

// reaches asks a hook's matcher, by the rules of the hook's protocol.
func reaches(hook *discovery.Hook, ev *protocol.Event) bool {
	h := discovery.Hook{Name: "sample", Trigger: ev.Type, Status: discovery.Ready, Matcher: hook.Matcher, Tongue: hook.Tongue}
	return h.Match(ev, &discovery.Budget{}, false).OK
}

// toolsFor are names of tools that an expression matches: portable ones first, then
// an agent's, then names that the expression spells out.
func toolsFor(expression string, ev *protocol.Event) []string {
	names := protocol.PortableTools()
	for _, d := range agents.All() {
		for _, tool := range d.Tools {
			names = append(names, tool.Native)
		}
	}
	names = append(names, examples(expression)...)
	var found []string
	hook := discovery.Hook{Trigger: ev.Type, Status: discovery.Ready, Matcher: discovery.Matcher{Tool: expression}} // one, so that it is compiled once
	for _, name := range names {
		call := *ev
		call.Call = &protocol.Call{Name: name}
		if name != "" && hook.Match(&call, &discovery.Budget{}, false).OK {
			found = append(found, name)
		}
	}
	return found
}

// Input is an input of a tool, with a text in the place that a pattern is most likely
// about; "" for a usual one.
func Input(tool, text, workDir string) protocol.Object {
	var o protocol.Object
	or := func(usual string) string { return cmp.Or(text, usual) }
	switch portableName(tool) {
	case protocol.Shell:
		o.SetText("command", or("npm test -- --coverage"))
		if text == "" {
			o.SetText("description", "Run the tests")
		}
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
