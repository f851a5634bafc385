package claude

import (
	"path"
	"strings"

	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A call is a tool call as Claude Code would make it.
type call struct {
	name  string
	also  []string // further names that a regular expression is tried on
	input protocol.Raw
	path  string // of the file that it changes
}

// maxCalls bounds what one call of another agent becomes.
const maxCalls = 500

// callsOf is the call of another agent as the calls that Claude Code would make for
// the same deed. What changes several files becomes a call for each, so that a guard
// of Edit and Write is asked about each.
func callsOf(ev *protocol.Event) []call {
	c := ev.Call
	if c == nil {
		c = protocol.Tools(nil).NewCall(ev.Fields.Text("tool_name"), ev.Fields.Get("tool_input"))
	}
	mcp := strings.HasPrefix(c.Name, "mcp__")
	switch name := c.Name; {
	case name == protocol.Shell || !mcp && c.Does.Has(protocol.Runs|protocol.RawShell) && !portable(name):
		calls := []call{{name: "Bash", input: bash(ev, c).Raw()}}
		if protocol.HasPatch(c.Input.Raw()) {
			calls = append(calls, edits(ev)...) // a patch that is applied by a command
		}
		return calls
	case name == protocol.EditFile || name == protocol.WriteFile || !mcp && c.Does.Has(protocol.Changes|protocol.Deletes|protocol.Moves) && !portable(name):
		if calls := edits(ev); len(calls) > 0 {
			return calls
		}
		return []call{{name: map[bool]string{true: "Write", false: "Edit"}[name == protocol.WriteFile], input: located(ev, c.Input).Raw()}}
	case name == protocol.ReadFile:
		return reads(ev, c)
	case name == protocol.Search:
		tool := "Grep"
		if n := strings.ToLower(c.NativeName); strings.Contains(n, "glob") || strings.Contains(n, "find") || strings.Contains(n, "list") {
			tool = "Glob"
		}
		return []call{{name: tool, input: picked(c.Input, "pattern", "path", "glob", "output_mode").Raw()}}
	case name == protocol.Fetch:
		return []call{{name: "WebFetch", input: picked(c.Input, "url", "prompt").Raw()}}
	case name == protocol.WebSearch:
		return []call{{name: "WebSearch", input: picked(c.Input, "query", "allowed_domains", "blocked_domains").Raw()}}
	case name == protocol.Task:
		return []call{{name: "Agent", input: picked(c.Input, "description", "prompt", "subagent_type").Raw()}}
	}
	only := call{name: c.Name, input: ev.Fields.Get("tool_input")}
	if c.NativeInput != nil {
		only.input = c.Input.Raw()
	}
	for _, n := range c.Names()[1:] {
		if strings.HasPrefix(n, "mcp__") {
			only.also = append(only.also, n)
		}
	}
	return []call{only}
}

// portable reports whether a name is that of a tool whose keys are known.
func portable(name string) bool {
	for _, n := range protocol.PortableTools() {
		if n == name {
			return true
		}
	}
	return false
}

// picked are some members of an input, in that order.
func picked(input protocol.Object, names ...string) protocol.Object {
	out := protocol.Object{}
	for _, n := range names {
		if v := input.Get(n); v != nil && string(v) != "null" {
			out = append(out, protocol.Member{Name: n, Value: v})
		}
	}
	return out
}

// bash is the input of a call that runs commands.
func bash(ev *protocol.Event, c *protocol.Call) protocol.Object {
	line := lineOf(ev, c)
	out := protocol.Object{{Name: "command", Value: protocol.Quote(line)}}
	out = append(out, picked(c.Input, "description", "run_in_background")...)
	if c.Input.Bool("is_background") {
		out.Set("run_in_background", protocol.Raw("true"))
	}
	return out
}

// lineOf is what a call runs, as one text for a shell.
func lineOf(ev *protocol.Event, c *protocol.Call) string {
	if name := lineMember(c); name != "" {
		return c.Input.Text(name)
	}
	for _, m := range c.Input {
		if list := protocol.ElementsOf(m.Value); protocol.IsCommand(m.Name) && len(list) > 0 && !c.Input.Has("args") {
			return joined(m.Name, list)
		}
	}
	return strings.Join(ev.Deed.Lines, "\n")
}

// lineMember is the member of a call's input that holds its line, "" if it is spread
// over several or a list.
func lineMember(c *protocol.Call) string {
	if c.Input.Has("args") || c.Input.Has("arguments") || c.Input.Has("argv") {
		return ""
	}
	for _, m := range c.Input {
		if protocol.IsCommand(m.Name) && protocol.TextOf(m.Value) != "" && !c.Derived(m.Name) {
			return m.Name
		}
	}
	return ""
}

// joined is a list as one text: the words of a command, or several commands.
func joined(member string, list []protocol.Raw) string {
	words := make([]string, 0, len(list))
	for _, e := range list {
		if e[0] != '"' {
			continue
		}
		words = append(words, protocol.TextOf(e))
	}
	if len(words) == 0 {
		return ""
	}
	if member == "commands" || member == "keys" || strings.ContainsAny(words[0], " \t\n;") {
		return strings.Join(words, "\n")
	}
	if i := lineWord(words); i > 0 {
		return words[i]
	}
	for i, w := range words {
		words[i] = text.ShellQuote(w)
	}
	return strings.Join(words, " ")
}

// lineWord is where the line stands in the words "bash -lc LINE", 0 if they are
// others.
func lineWord(words []string) int {
	switch path.Base(words[0]) {
	case "sh", "bash", "zsh", "dash", "ksh":
		if len(words) == 3 && strings.HasPrefix(words[1], "-") && strings.HasSuffix(words[1], "c") {
			return 2
		}
	}
	return 0
}

// edits are the calls for what is changed of files. What takes a file away is told as
// an edit that takes its text away: it is a tool for files that does it.
func edits(ev *protocol.Event) (calls []call) {
	for _, c := range ev.Deed.Changes {
		if len(calls) >= maxCalls {
			break
		}
		calls = append(calls, edit(c))
		if c.To != "" {
			there := c
			there.Path = c.To
			calls = append(calls, edit(there))
		}
	}
	return calls
}

func edit(c protocol.Change) call {
	in := protocol.Object{{Name: "file_path", Value: protocol.Quote(c.Path)}}
	if c.Action == protocol.Create {
		if c.HasNew {
			in.SetText("content", c.New)
		}
		return call{name: "Write", input: in.Raw(), path: c.Path}
	}
	if c.HasOld {
		in.SetText("old_string", c.Old)
	}
	if c.HasNew || c.Action == protocol.Delete {
		in.SetText("new_string", c.New)
	}
	return call{name: "Edit", input: in.Raw(), path: c.Path}
}

// reads are the calls for the files that are read.
func reads(ev *protocol.Event, c *protocol.Call) (calls []call) {
	for _, e := range protocol.ElementsOf(c.Input.Get("file_paths")) {
		if file := protocol.TextOf(e); file != "" && len(calls) < maxCalls {
			in := protocol.Object{{Name: "file_path", Value: protocol.Quote(absolute(ev, file))}}
			calls = append(calls, call{name: "Read", input: in.Raw()})
		}
	}
	if len(calls) == 0 {
		calls = []call{{name: "Read", input: picked(located(ev, c.Input), "file_path", "offset", "limit").Raw()}}
	}
	return calls
}

// located is an input whose file_path is absolute, as the program always has it.
func located(ev *protocol.Event, input protocol.Object) protocol.Object {
	file := input.Text("file_path")
	if file == "" {
		return input
	}
	out := input.Clone()
	out.SetText("file_path", absolute(ev, file))
	return out
}

func absolute(ev *protocol.Event, file string) string {
	if path.IsAbs(file) || strings.HasPrefix(file, `\\`) || len(file) > 2 && file[1] == ':' || ev.WorkDir == "" || file[0] == '~' {
		return file
	}
	return path.Join(strings.ReplaceAll(ev.WorkDir, `\`, "/"), strings.ReplaceAll(file, `\`, "/"))
}

// responseOf is how a call ended, in the shape that the program has for that tool as
// far as it is known; of any other tool as the agent tells it.
func responseOf(ev *protocol.Event, c call) protocol.Raw {
	own := ev.Fields.Get("tool_response")
	r := ev.Deed.Result
	switch {
	case c.name == "Bash":
		if r == nil {
			return own
		}
		var o protocol.Object
		if out := r.Stdout; out != nil {
			o.SetText("stdout", *out)
		} else if r.Text != nil {
			o.SetText("stdout", *r.Text)
		}
		if r.Stderr != nil {
			o.SetText("stderr", *r.Stderr)
		}
		if len(o) == 0 {
			return own
		}
		return o.Raw()
	case c.path != "":
		return protocol.Object{{Name: "filePath", Value: protocol.Quote(c.path)}}.Raw()
	case strings.HasPrefix(c.name, "mcp__") && len(own) > 0 && own[0] != '[' && r != nil && r.Text != nil:
		block := protocol.Object{{Name: "type", Value: protocol.Quote("text")}, {Name: "text", Value: protocol.Quote(*r.Text)}}
		return append(append(protocol.Raw{'['}, block.Raw()...), ']')
	}
	return own
}
