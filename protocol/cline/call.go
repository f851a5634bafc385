package cline

import (
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/internal/patch"
)

// A list is a key of a tool that holds several of what a hook knows as one
// (cline/7).
type list struct {
	tool     string
	native   string // the key
	member   string // of an element that is an object
	portable string
	whole    bool // the portable key has all elements, a line each; else the first, and portable+"s" all
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
		// It is the list's now, and of no key beside it.
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

// texts are the elements of a list, which may be one without a list around it,
// and in the extension the text of a list.
func (l list) texts(input protocol.Object) []string {
	raw := input.Get(l.native)
	if text := protocol.TextOf(raw); strings.HasPrefix(text, "[") && protocol.ValidValue([]byte(text)) == nil {
		raw = protocol.Raw(text)
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

// text is what an element says: a text, or an object with the member, and the
// arguments of a command behind it.
func (l list) text(raw protocol.Raw) string {
	if text := protocol.TextOf(raw); text != "" || l.member == "" {
		return text
	}
	o := protocol.ObjectOf(raw)
	words := []string{o.Text(l.member)}
	words = append(words, protocol.TextsOf(o.Get("args"))...)
	return strings.Join(words, " ")
}

// nativeInput maps a changed input back to the agent's own keys: that of a list
// goes back into it, where it was one element, or is one text for all.
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

// with is the value of a list's key with one text in it: an object with the
// member, where that is what stood there, but for a command, which then is one
// of the shell.
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
