package bring

import (
	"bytes"
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/install"
)

// An Entry is one hook as written in a configuration.
type Entry struct {
	Source
	Event       string // the agent's own name
	Matcher     string
	fields      value
	group       value // its group, for what applies to all entries in it
	First, Last int   // its lines, 0: it is the whole file

	never string // why nothing like it can be imported, "" if it may be
}

// maxEntries is how many entries are read from one source.
const maxEntries = 500

// entries are a source's entries.
func (f *finder) entries(s Source) []Entry {
	switch {
	case s.Agent == nil:
		return f.ofRunner(s)
	case s.Plugin != nil && s.Plugin.inline.kind == object:
		return f.inFile(s, s.Plugin.inline)
	case s.Agent.Config.Shape == protocol.Wrappers:
		return f.inFolder(s)
	}
	v, ok := f.read(s)
	if !ok {
		return nil
	}
	if v.kind != object {
		f.wrong(s, &fileError{v.first, 1, "want an object at the top, and there is " + v.kind.String()})
		return nil
	}
	return f.inFile(s, v)
}

// inFile are the entries in a settings file.
func (f *finder) inFile(s Source, v value) []Entry {
	r := rows{Source: s}
	if c := s.Agent.Config; c.Off != nil && s.Plugin == nil {
		if off := c.Off(protocol.ObjectOf(protocol.Raw(v.json()))); off != "" {
			r.never = "it is switched off there: " + off
		}
	}
	if c := s.Agent.Custom; c != nil && c.Skipped != nil && s.Plugin == nil {
		r.skipped = c.Skipped(protocol.ObjectOf(protocol.Raw(v.json())))
	}
	events := eventsOf(v)
	switch events.kind {
	case object:
		for _, m := range events.members {
			if m.kind == list {
				r.event(m.name, m.value)
			} else if _, known := nativeOf(s.Agent, m.name); known {
				f.wrong(s, &fileError{m.first, 1, fmt.Sprintf("%s: want a list, and there is %s", m.name, m.kind)})
			}
		}
	case list: // a table for each entry
		if shape := s.Agent.Config.Shape; shape == protocol.NestedJSON || shape == protocol.FlatJSON {
			r.never = "it stands in a list, and not below its event, so that " + s.Agent.Name + " does not run it either"
		}
		for _, e := range events.items {
			r.one(cmp.Or(e.str("event"), e.str("trigger")), e, e)
		}
	case absent:
	default:
		f.wrong(s, &fileError{events.first, 1, "hooks: want an object, and there is " + events.kind.String()})
	}
	if c := s.Agent.Custom; c != nil && c.Notify != "" {
		if n := v.get(c.Notify); n.kind == list || n.kind == text {
			r.list = append(r.list, Entry{Source: s, Event: c.Notify, First: n.first, Last: n.last, fields: commandOf(n)})
		}
	}
	if len(r.list) > maxEntries {
		f.wrong(s, &fileError{msg: fmt.Sprintf("%d entries: those after the first %d are passed over", len(r.list), maxEntries)})
		r.list = r.list[:maxEntries]
	}
	return r.list
}

// commandOf turns a program and its arguments into the fields of an entry.
func commandOf(v value) value {
	out := value{kind: object, first: v.first, last: v.last}
	if v.kind == list && len(v.items) > 0 {
		rest := v
		rest.items = v.items[1:]
		out.members = []member{{"command", v.items[0]}, {"args", rest}}
	} else {
		out.members = []member{{"command", v}}
	}
	return out
}

// eventsOf is the part with the events: the member hooks, or the whole file if its members are
// events.
func eventsOf(v value) value {
	if hooks := v.get("hooks"); hooks.kind != absent {
		return hooks
	}
	out := value{kind: object, first: v.first, last: v.last}
	for _, m := range v.members {
		if m.kind == list && len(m.items) > 0 && m.items[0].kind == object {
			out.members = append(out.members, m)
		}
	}
	return out
}

// isFlat reports whether entries are directly in their event's list, and not in groups.
func isFlat(events value) bool {
	for _, m := range events.members {
		for _, e := range m.items {
			return e.get("hooks").kind != list
		}
	}
	return false
}

// rows collects the entries of a source.
type rows struct {
	Source
	never   string
	skipped []string
	list    []Entry
}

// event adds the entries of an event, grouped or not.
func (r *rows) event(name string, v value) {
	for _, e := range v.items {
		hooks := e.get("hooks")
		if hooks.kind != list {
			before := len(r.list)
			r.one(name, e, e)
			if n, known := nativeOf(r.Agent, name); len(r.list) > before && r.Agent.Config.Shape == protocol.NestedJSON && known && !n.Flat {
				r.list[before].never = "it stands in no group, {\"hooks\": [...]}, so that " + r.Agent.Name + " does not run it either"
			}
			continue
		}
		for _, entry := range hooks.items {
			before := len(r.list)
			r.one(name, entry, e)
			if len(hooks.items) == 1 && len(r.list) > before { // the group goes with its only entry
				r.list[before].First, r.list[before].Last = e.first, e.last
			}
		}
	}
}

// one adds an entry, unless it is our own.
func (r *rows) one(event string, v, group value) {
	if v.kind != object {
		e := Entry{Source: r.Source, Event: event, Matcher: group.str("matcher"), fields: commandOf(v), group: group, First: v.first, Last: v.last}
		e.never = fmt.Sprintf("it is %s, not an object with a command, so that %s does not run it either", v.kind, r.Agent.Name)
		r.list = append(r.list, e)
		return
	}
	e := Entry{Source: r.Source, Event: event, Matcher: group.str("matcher"), fields: v, group: group, First: v.first, Last: v.last, never: r.never}
	if e.ours() {
		return
	}
	if name := cmp.Or(e.fields.str("name"), e.command()); e.never == "" && slices.Contains(r.skipped, name) {
		e.never = fmt.Sprintf("it is switched off there: the settings name %q as disabled", name)
	}
	r.list = append(r.list, e)
}

// maxWords is more words than an entry of ours has.
const maxWords = 64

// ours reports whether an entry runs our dispatcher, for whichever agent, system and shell it was
// written.
func (e *Entry) ours() bool {
	args, apart := e.args()
	fields := slices.Concat(e.fields.members, e.fields.get("action").members)
	return slices.ContainsFunc(fields, func(m member) bool {
		if m.kind != text {
			return false
		}
		if apart {
			return install.Dispatcher(append([]string{m.text}, args...))
		}
		for _, q := range []protocol.Quoting{protocol.QuoteSh, protocol.QuotePowerShell, protocol.QuoteCmd} {
			words, err := install.Split(m.text, q)
			if err == nil && slices.ContainsFunc(mayRun(words), install.Dispatcher) {
				return true
			}
		}
		return false
	})
}

// mayRun are the parts of a command that may run our dispatcher. It may stand behind any other
// word, and a project's settings hold as many words as they like: so none is looked at more
// than maxWords times.
func mayRun(words []string) (out [][]string) {
	for i := range words {
		if i+1 < len(words) && words[i+1] == "run" {
			out = append(out, words[i:min(len(words), i+maxWords)])
		}
	}
	return out
}

// notifies reports whether it is not a hook, but a program that is told when a turn ends.
func (e *Entry) notifies() bool {
	c := e.Agent.Custom
	return c != nil && c.Notify != "" && e.Event == c.Notify
}

// command is the entry's command as written; "" if it has none.
func (e *Entry) command() string {
	for _, name := range e.commandNames() {
		if c := e.fields.str(name); c != "" {
			return c
		}
	}
	return e.fields.get("action").str("command")
}

func (e *Entry) commandNames() []string {
	names := []string{"command", "exec"}
	if e.Agent != nil && e.Agent.Config != nil && e.Agent.Config.Command != "" {
		names = append([]string{e.Agent.Config.Command}, names...)
	}
	return append(names, "linux", "osx")
}

// args are the arguments of a command that is run without a shell, nil if there are none.
func (e *Entry) args() (words []string, exec bool) {
	v := e.fields.get("args")
	for _, a := range v.items {
		words = append(words, a.text)
	}
	return words, v.kind == list && (e.fields.get("command").kind == text || e.fields.get("exec").kind == text)
}

// line is what the entry runs as a line for a shell.
func (e *Entry) line() string {
	if args, exec := e.args(); exec {
		return quoted(append([]string{e.command()}, args...))
	}
	return e.command()
}

// plainLine is the same without quotes, for people and names.
func (e *Entry) plainLine() string {
	args, exec := e.args()
	if !exec {
		return e.command()
	}
	return e.command() + " " + strings.Join(args, " ")
}

// kind is the kind of entry: a command, or something else that an agent can do.
func (e *Entry) kind() string {
	t := e.fields.str("type")
	switch v := e.fields.get("type"); {
	case t != "" && t != "command":
		return t
	case v.kind != text && v.kind != absent:
		return v.json()
	case e.command() != "":
		return "command"
	}
	for _, is := range [][2]string{{"url", "http"}, {"prompt", "prompt"}, {"powershell", "powershell"}, {"windows", "powershell"}} {
		if e.fields.get(is[0]).kind == text {
			return is[1]
		}
	}
	return t
}

// inFolder are the scripts in a folder that are named after events.
func (f *finder) inFolder(s Source) (list []Entry) {
	files, err := s.in.List(s.Path)
	if err != nil {
		f.wrong(s, err)
	}
	for _, file := range files {
		event, _, _ := strings.Cut(file.Name(), ".")
		native, ok := s.Agent.Native(event)
		if !ok || file.IsDir() {
			continue
		}
		one := s
		one.Path = filepath.Join(s.Path, file.Name())
		if b, err := s.in.Read(one.Path, maxScript); err == nil && bytes.Contains(b, []byte(install.WrapperNote)) {
			continue
		}
		list = append(list, Entry{Source: one, Event: native.Name, fields: commandOf(value{kind: text, text: one.Path})})
	}
	return list
}
