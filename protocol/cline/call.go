package cline

import (
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/patch"
)

// A list is a key of a tool that holds several values where a hook expects one
// (cline/7).
type list struct {
	tool     string
	native   string // the key
	member   string // the member, if an element is an object
	portable string
	whole    bool // the portable key holds all elements, one a line; otherwise the first, and portable+"s" all
}

var lists = [...]list{
	{"run_commands", "commands", "command", "command", true},
	{"search_codebase", "queries", "", "pattern", true},
	{"read_files", "files", "path", "file_path", false},
	{"read_files", "paths", "path", "file_path", false},
	{"read_files", "file_paths", "", "file_path", false},
	{"fetch_web_content", "requests", "url", "url", false},
}

// newCall makes the call of a tool.
func newCall(name string, input protocol.Raw) *protocol.Call {
	c := tools.NewCall(name, input)
	switch name {
	case "apply_patch":
		derive(c, "file_path", false, patch.Files(c.NativeInput.Text("input")))
	case "use_mcp_tool":
		if server, tool := c.NativeInput.Text("server_name"), c.NativeInput.Text("tool_name"); server != "" && tool != "" {
			c.Name = "mcp__" + server + "__" + tool
		}
	}
	for _, l := range lists {
		texts := l.texts(c.NativeInput)
		if l.tool != name || len(texts) == 0 {
			continue
		}
		// Only the list holds it now.
		c.Keys = slices.DeleteFunc(c.Keys, func(k protocol.Key) bool { return k.Portable == l.portable })
		derive(c, l.portable, l.whole, texts)
	}
	return c
}

func derive(c *protocol.Call, name string, whole bool, texts []string) {
	switch {
	case len(texts) == 0:
	case whole:
		c.Derive(name, protocol.Quote(strings.Join(texts, "\n")))
	default:
		c.Derive(name, protocol.Quote(texts[0]))
		if len(texts) > 1 {
			c.Derive(name+"s", protocol.TextList(texts))
		}
	}
}

// texts are the elements of a list. A single element may come without the list and,
// in the extension, as the list's text.
func (l list) texts(input protocol.Object) []string {
	raw := input.Get(l.native)
	if list, _ := protocol.ParseText(protocol.TextOf(raw)); list != nil && list[0] == '[' {
		raw = list
	}
	elements := protocol.ElementsOf(raw)
	if elements == nil && len(raw) > 0 {
		elements = []protocol.Raw{raw}
	}
	var texts []string
	for _, e := range elements {
		if text := l.text(e); text != "" {
			texts = append(texts, text)
		}
	}
	return texts
}

// text is what an element says: a text, or an object's member, followed by the
// arguments if it is a command.
func (l list) text(raw protocol.Raw) string {
	if text := protocol.TextOf(raw); text != "" || l.member == "" {
		return text
	}
	o := protocol.ObjectOf(raw)
	words := []string{o.Text(l.member)}
	words = append(words, protocol.TextsOf(o.Get("args"))...)
	return strings.Join(words, " ")
}

// nativeInput maps a changed input back to the agent's own keys: the value of a list
// goes back into the list if that had one element; otherwise the list becomes that
// one text.
func nativeInput(c *protocol.Call, modified protocol.Object) (protocol.Object, []string) {
	for _, l := range lists {
		if l.tool != c.NativeName {
			continue
		}
		texts := l.texts(c.NativeInput)
		if len(texts) == 0 || len(texts) > 1 && !l.whole {
			continue
		}
		was, now := strings.Join(texts, "\n"), modified.Text(l.portable)
		if now == "" || now == was {
			continue
		}
		modified = modified.Clone()
		modified.SetText(l.portable, was)
		modified.Set(l.native, l.with(c.NativeInput.Get(l.native), now))
	}
	return c.NativeInputOf(modified)
}

// with is the value of a list's key with one text in it: an object with that member
// if an object was there. A command becomes a shell command instead.
func (l list) with(old protocol.Raw, text string) protocol.Raw {
	element := protocol.Quote(text)
	elements := protocol.ElementsOf(old)
	if len(elements) == 1 && elements[0][0] == '{' && l.tool != "run_commands" {
		o := protocol.ObjectOf(elements[0])
		o.SetText(l.member, text)
		element = o.Raw()
	}
	return append(append(protocol.Raw{'['}, element...), ']')
}
