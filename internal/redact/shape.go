package redact

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// kinds are members whose values say what an object is of, and nothing of whoever
// it is about.
var kinds = []string{
	"agent_action_name", "event", "hook", "hookEventName", "hookName", "hook_event_name", "hookSource", "kind", "permissionMode",
	"permission_mode", "role", "source", "status", "trigger", "type",
}

// toolNames are members that name a tool: those of other people's servers tell whom
// somebody works with.
var toolNames = []string{"tool_name", "toolName", "tool", "name"}

// inputs are members that hold what a tool is given.
var inputs = []string{
	"args", "arguments", "input", "mcp_tool_arguments", "modified_input", "parameters", "toolArgs", "toolInput", "tool_args", "tool_input", "updatedInput",
}

// results are members whose names are made by whatever a tool gave back: the names of
// people or files as well.
var results = []string{
	"content", "env", "environment", "headers", "metadata", "output", "result", "toolResult", "tool_output", "tool_response", "tool_result", "toolResponse",
	"updatedMCPToolOutput", "updatedToolOutput",
}

// mostElements is how many elements of a list are told; the others are like them.
const mostElements = 3

// deepest bounds how far a shape goes down, and deepestKind where the kinds of things are
// told: what is an agent's own stands near the top.
const deepest, deepestKind = 5, 3

// Shape is what a JSON value is made of, without what stands in it: names of members and
// types stay, and the few words that say what kind of thing it is. Texts become their
// lengths, numbers 0. Of what a tool is given there are the names of its own members, if
// it is one of those that the agent is known to have, and else their number. It is for
// people to give away: no path, prompt, command or answer is left.
func Shape(raw protocol.Raw, own protocol.Tools) protocol.Raw { return shaper{own}.value("", raw, 0) }

// A shaper knows the tools that are an agent's own.
type shaper struct{ own protocol.Tools }

func (s shaper) value(name string, raw protocol.Raw, depth int) protocol.Raw {
	switch {
	case len(raw) == 0:
		return protocol.Raw("null")
	case raw[0] == '{' && depth < deepest && !slices.Contains(results, name):
		return s.object(protocol.ObjectOf(raw), depth)
	case raw[0] == '[' && depth < deepest:
		return s.list(name, protocol.ElementsOf(raw), depth)
	case raw[0] == '"':
		return protocol.Quote(s.text(name, protocol.TextOf(raw), depth))
	}
	return size(raw)
}

func (s shaper) list(name string, list []protocol.Raw, depth int) protocol.Raw {
	out := protocol.Raw{'['}
	for i, e := range list {
		if i > 0 {
			out = append(out, ", "...)
		}
		if i == mostElements {
			out = append(out, protocol.Quote("<"+strconv.Itoa(len(list)-i)+" more>")...)
			break
		}
		out = append(out, s.value(name, e, depth+1)...)
	}
	return append(out, ']')
}

func (s shaper) object(o protocol.Object, depth int) protocol.Raw {
	known := slices.ContainsFunc(toolNames, func(name string) bool { return s.knows(o.Text(name)) })
	frame := depth == 0 && o.Has("hook") // of a plugin of ours, whose input is that of the hook
	return members(o, func(m protocol.Member) protocol.Raw {
		switch {
		case !slices.Contains(inputs, m.Name) || m.Name == "input" && frame:
			return s.value(m.Name, m.Value, depth+1)
		case known && len(m.Value) > 0 && m.Value[0] == '{':
			return members(protocol.ObjectOf(m.Value), func(m protocol.Member) protocol.Raw { return size(m.Value) })
		}
		return size(m.Value)
	})
}

// members is an object whose members have become something else, and whose names stay
// where programs give such names.
func members(o protocol.Object, of func(protocol.Member) protocol.Raw) protocol.Raw {
	var out protocol.Object
	for i, m := range o {
		name := m.Name
		if !identifier(name) || Log.Text(name) != name || out.Has(name) {
			name = "<name " + strconv.Itoa(i+1) + ">"
		}
		out.Set(name, of(m))
	}
	if out == nil {
		return protocol.Raw("{}")
	}
	return out.Raw()
}

// size is how much a value is, without what it is made of.
func size(raw protocol.Raw) protocol.Raw {
	switch {
	case len(raw) == 0:
		return protocol.Raw("null")
	case raw[0] == '{':
		return protocol.Quote("<object of " + strconv.Itoa(len(protocol.ObjectOf(raw))) + ">")
	case raw[0] == '[':
		return protocol.Quote("<list of " + strconv.Itoa(len(protocol.ElementsOf(raw))) + ">")
	case raw[0] == '"':
		return protocol.Quote(sizeOfText(protocol.TextOf(raw)))
	case raw[0] == 't', raw[0] == 'f', raw[0] == 'n':
		return raw
	}
	return protocol.Raw("0")
}

func (s shaper) text(name, text string, depth int) string {
	if slices.Contains(toolNames, name) && s.knows(text) || slices.Contains(kinds, name) && depth <= deepestKind && Kind(text) == text {
		return text
	}
	return sizeOfText(text)
}

func (s shaper) knows(tool string) bool {
	_, known := s.own.Find(tool)
	return known
}

// Kind is a text that should be a word which a program has for a thing, such as the name
// of an event; what is none, or could be a secret, is its length.
func Kind(text string) string {
	if text == "" || word(text) && !strings.Contains(text, "__") && Log.Text(text) == text {
		return text
	}
	return sizeOfText(text)
}

func sizeOfText(s string) string {
	switch {
	case s == "":
		return s
	case strings.HasPrefix(s, "/") || strings.HasPrefix(s, "~") || len(s) > 2 && s[1] == ':' && (s[2] == '\\' || s[2] == '/'):
		return "<path>"
	}
	return "<text of " + strconv.Itoa(utf8.RuneCountInString(s)) + ">"
}

// word reports whether a text is a name as programs give them.
func word(s string) bool {
	if len(s) == 0 || len(s) > 48 {
		return false
	}
	for i := range len(s) {
		if c := s[i]; !alnum(c) && (i == 0 && c != '_' || c != '_' && c != '-' && c != '.') {
			return false
		}
	}
	return true
}

// identifier reports whether a text is a name as programs give to members: no file's, no
// id and nobody's address.
func identifier(s string) bool { return word(s) && !strings.ContainsAny(s, "-.") }
