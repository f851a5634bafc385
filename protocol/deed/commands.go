package deed

import (
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// member reads one member that holds commands.
func (r *reader) member(o protocol.Object, name string, v protocol.Raw) {
	text := protocol.TextOf(v)
	switch made, _ := protocol.ParseText(text); {
	case made != nil && made[0] == '[':
		v, text = made, ""
	case made != nil && made[0] == '{': // what a model wrote as a text, and a group of the shell
		r.object(protocol.ObjectOf(made))
	}
	switch {
	case text != "":
		r.withArgs(text, o)
	case len(v) > 0 && v[0] == '{':
		r.object(protocol.ObjectOf(v))
	case len(v) > 0 && v[0] == '[':
		r.elements(name, protocol.ElementsOf(v))
	}
}

// elements reads a list: the words of one command, or several commands.
func (r *reader) elements(name string, list []protocol.Raw) {
	words := make([]string, 0, len(list))
	lines := strings.HasSuffix(name, "s") // commands, keys, chars
	for _, e := range list {
		switch {
		case e[0] == '{':
			r.object(protocol.ObjectOf(e))
		case e[0] == '[':
			r.elements("command", protocol.ElementsOf(e))
		default:
			if text := protocol.TextOf(e); text != "" {
				words = append(words, text)
			} else if e[0] != '"' {
				words = append(words, string(e)) // a number
			}
		}
	}
	if len(words) == 0 {
		return
	}
	if strings.ContainsAny(words[0], " \t\n;") {
		lines = true // no program has such a name
	}
	if lines {
		for _, word := range words {
			r.text(word)
		}
		return
	}
	r.note(strings.Join(words, " "))
	r.command(words, 0)
}

// object reads a command that is an object: its program or line, and its
// arguments.
func (r *reader) object(o protocol.Object) {
	for _, m := range o {
		if protocol.IsCommand(m.Name) {
			r.member(o, m.Name, m.Value)
		}
	}
	for _, name := range [...]string{"program", "executable", "exec", "binary", "bin", "run", "line", "text", "value"} {
		if text := o.Text(name); text != "" {
			r.withArgs(text, o)
		}
	}
}

// withArgs reads a line, or a program with a list of arguments beside it.
func (r *reader) withArgs(text string, o protocol.Object) {
	for _, name := range protocol.ArgumentMembers {
		v := o.Get(name)
		if words := strings.TrimSpace(protocol.TextOf(v)); words != "" && words[0] != '[' && words[0] != '{' {
			r.text(text + " " + words)
			return
		}
		if list, _ := protocol.ParseText(protocol.TextOf(v)); list != nil {
			v = list
		}
		list := protocol.ElementsOf(v)
		if len(list) == 0 {
			continue
		}
		words := make([]string, 0, len(list)+1)
		for _, e := range list {
			if e[0] == '"' {
				words = append(words, protocol.TextOf(e))
			}
		}
		if len(words) == 0 {
			continue
		}
		r.note(text + " " + strings.Join(words, " "))
		r.command(append(strings.Fields(text), words...), 0)
		if !strings.ContainsAny(text, " \t\r\n;&|<>()$`'\"\\{}*?#~") {
			return // a program, and nothing else
		}
		break // a line for a tool that does not have such a list
	}
	r.text(text)
}

// learned reads what an unknown tool runs in other ways: a program beside its
// arguments, a text for a terminal.
func (r *reader) learned(tool []string, objects []protocol.Object) {
	for _, o := range objects {
		if name, ok := protocol.ProgramOf(o); ok {
			r.withArgs(name, o)
		}
		if code, language := protocol.CodeOf(tool, o); language == protocol.Shells {
			r.text(code)
		} else {
			r.interpreted(language, code, 0)
		}
		if member := protocol.WordsIn(tool, o); member != "" {
			r.elements("command", protocol.ElementsOf(o.Get(member)))
		}
		if member := protocol.TypedInto(tool, o); member != "" {
			r.text(o.Text(member))
		}
	}
}
