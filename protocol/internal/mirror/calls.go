package mirror

import (
	"path"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A Call is a tool call as a program would make it that has one tool for commands and
// tools that each write, edit or read one file: in portable names and keys.
type Call struct {
	Name  string       // "Shell", "WriteFile" …; the tool's own name if it is none of these
	Files bool         // of a search: it searches file names
	Also  []string     // further names that a regular expression is tried on
	Input protocol.Raw // what the tool is given
	Path  string       // of the file that it changes

	Deletes bool // it deletes that file
}

// File is the file that a call reads or changes, "" if it is not about one.
func (c Call) File() string { return protocol.ObjectOf(c.Input).Text("file_path") }

// Keyed is the input in a program's keys; nil if it is no object.
func (c Call) Keyed(keys []protocol.Key) protocol.Object {
	out := protocol.ObjectOf(c.Input).Clone()
	for i := range out {
		for _, k := range keys {
			if out[i].Name == k.Portable {
				out[i].Name = k.Native
				break
			}
		}
	}
	return out
}

// maxCalls limits what one call of another agent becomes.
const maxCalls = 500

// Calls turns any agent's call into the calls that such a program would make for the
// same deed. A call that changes several files becomes one call for each, so that a
// guard of file tools judges each.
func Calls(ev *protocol.Event) []Call {
	c := ev.Call
	if c == nil {
		c = protocol.Tools(nil).NewCall(ev.Fields.Text("tool_name"), ev.Fields.Get("tool_input"))
	}
	mcp := strings.HasPrefix(c.Name, "mcp__")
	switch name := c.Name; {
	case name == protocol.Shell || !mcp && c.Does.Has(protocol.Runs|protocol.RawShell) && !portable(name):
		calls := []Call{{Name: protocol.Shell, Input: shell(ev, c).Raw()}}
		if protocol.HasPatch(c.Input.Raw()) {
			calls = append(calls, edits(ev)...) // a patch that is applied by a command
		}
		return calls
	case name == protocol.EditFile || name == protocol.WriteFile || !mcp && c.Does.Has(protocol.Changes|protocol.Deletes|protocol.Moves) && !portable(name):
		if calls := edits(ev); len(calls) > 0 {
			return calls
		}
		if name != protocol.WriteFile {
			name = protocol.EditFile
		}
		return []Call{{Name: name, Input: located(ev, c.Input).Raw()}}
	case name == protocol.ReadFile:
		return reads(ev, c)
	case name == protocol.Search:
		n := strings.ToLower(c.NativeName)
		files := strings.Contains(n, "glob") || strings.Contains(n, "find") || strings.Contains(n, "list")
		return []Call{{Name: name, Files: files, Input: picked(c.Input, "pattern", "path", "glob", "output_mode").Raw()}}
	case name == protocol.Fetch:
		return []Call{{Name: name, Input: picked(c.Input, "url", "prompt").Raw()}}
	case name == protocol.WebSearch:
		return []Call{{Name: name, Input: picked(c.Input, "query", "allowed_domains", "blocked_domains").Raw()}}
	case name == protocol.Task:
		return []Call{{Name: name, Input: picked(c.Input, "description", "prompt", "subagent_type").Raw()}}
	}
	only := Call{Name: c.Name, Input: ev.Fields.Get("tool_input")}
	if c.NativeInput != nil {
		only.Input = c.Input.Raw()
	}
	for _, n := range c.Names()[1:] {
		if strings.HasPrefix(n, "mcp__") {
			only.Also = append(only.Also, n)
		}
	}
	return []Call{only}
}

// portable reports whether a name is that of a tool whose keys are known.
func portable(name string) bool {
	return slices.Contains(protocol.PortableTools(), name)
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

// shell is the input of a call that runs commands.
func shell(ev *protocol.Event, c *protocol.Call) protocol.Object {
	line := lineOf(ev, c)
	out := protocol.Object{{Name: "command", Value: protocol.Quote(line)}}
	out = append(out, picked(c.Input, "description", "run_in_background")...)
	if c.Input.Bool("is_background") {
		out.Set("run_in_background", protocol.Raw("true"))
	}
	return out
}

// lineOf is what a call runs, as one line for a shell.
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

// lineMember is the member of a call's input that holds its line, "" if the line is
// spread over several members or is a list.
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

// joined is a list as one text: a command's words, or several commands.
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

// lineWord is the index of the line in the words "bash -lc LINE", 0 if they are other
// words.
func lineWord(words []string) int {
	switch path.Base(words[0]) {
	case "sh", "bash", "zsh", "dash", "ksh":
		if len(words) == 3 && strings.HasPrefix(words[1], "-") && strings.HasSuffix(words[1], "c") {
			return 2
		}
	}
	return 0
}

// edits are the calls for changed files. Deleting a file becomes an edit that removes
// its text, so that guards of file tools see it.
func edits(ev *protocol.Event) (calls []Call) {
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

func edit(c protocol.Change) Call {
	in := protocol.Object{{Name: "file_path", Value: protocol.Quote(c.Path)}}
	if c.Action == protocol.Create {
		if c.HasNew {
			in.SetText("content", c.New)
		}
		return Call{Name: protocol.WriteFile, Input: in.Raw(), Path: c.Path}
	}
	if c.HasOld {
		in.SetText("old_string", c.Old)
	}
	if c.HasNew || c.Action == protocol.Delete {
		in.SetText("new_string", c.New)
	}
	return Call{Name: protocol.EditFile, Input: in.Raw(), Path: c.Path, Deletes: c.Action == protocol.Delete}
}

// reads are the calls for the files that are read.
func reads(ev *protocol.Event, c *protocol.Call) (calls []Call) {
	for _, e := range protocol.ElementsOf(c.Input.Get("file_paths")) {
		if file := protocol.TextOf(e); file != "" && len(calls) < maxCalls {
			in := protocol.Object{{Name: "file_path", Value: protocol.Quote(absolute(ev, file))}}
			calls = append(calls, Call{Name: protocol.ReadFile, Input: in.Raw()})
		}
	}
	if len(calls) == 0 {
		calls = []Call{{Name: protocol.ReadFile, Input: picked(located(ev, c.Input), "file_path", "offset", "limit").Raw()}}
	}
	return calls
}

// located is an input whose file_path is absolute, as in the program's own calls.
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
