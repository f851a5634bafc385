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
	"agent", "agent_action_name", "event", "hook", "hookEventName", "hookName", "hook_event_name", "hookSource", "kind", "permissionMode",
	"permission_mode", "role", "source", "status", "toolName", "tool_name", "trigger", "type",
}

// results are members whose names are made by whatever a tool gave back: the names of
// people or files as well.
var results = []string{"content", "env", "environment", "output", "result", "toolResult", "tool_output", "tool_response", "tool_result", "toolResponse"}

// mostElements is how many elements of a list are told; the others are like them.
const mostElements = 3

// deepest bounds how far a shape goes down.
const deepest = 8

// Shape is what a JSON value is made of, without what stands in it: names of members and
// types stay, and the few words that say what kind of thing it is. Texts become their
// lengths, numbers 0. It is for people to give away: no path, prompt, command or
// answer is left.
func Shape(raw protocol.Raw) protocol.Raw { return shape("", raw, 0) }

func shape(name string, raw protocol.Raw, depth int) protocol.Raw {
	if len(raw) == 0 {
		return protocol.Raw("null")
	}
	switch raw[0] {
	case '{':
		o := protocol.ObjectOf(raw)
		if depth >= deepest || slices.Contains(results, name) && depth > 0 {
			return protocol.Quote("<object of " + strconv.Itoa(len(o)) + ">")
		}
		return shapeOfObject(o, depth)
	case '[':
		list := protocol.ElementsOf(raw)
		if depth >= deepest {
			return protocol.Quote("<list of " + strconv.Itoa(len(list)) + ">")
		}
		out := protocol.Raw{'['}
		for i, e := range list {
			if i > 0 {
				out = append(out, ", "...)
			}
			if i == mostElements {
				out = append(out, protocol.Quote("<"+strconv.Itoa(len(list)-i)+" more>")...)
				break
			}
			out = append(out, shape(name, e, depth+1)...)
		}
		return append(out, ']')
	case '"':
		return protocol.Quote(shapeOfText(name, protocol.TextOf(raw)))
	case 't', 'f', 'n':
		return raw
	}
	return protocol.Raw("0")
}

func shapeOfObject(o protocol.Object, depth int) protocol.Raw {
	var out protocol.Object
	for i, m := range o {
		name := m.Name
		if !word(name) || Log.Text(name) != name || out.Has(name) {
			name = "<name " + strconv.Itoa(i+1) + ">"
		}
		out.Set(name, shape(m.Name, m.Value, depth+1))
	}
	if out == nil {
		return protocol.Raw("{}")
	}
	return out.Raw()
}

func shapeOfText(name, s string) string {
	switch {
	case s == "":
		return s
	case slices.Contains(kinds, name) && word(s) && !strings.Contains(s, "__") && Log.Text(s) == s:
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
