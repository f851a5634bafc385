package install

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// A jsonFile is a file of one of the JSON shapes.
type jsonFile struct {
	*document
	d    *protocol.Dialect
	site protocol.Site
	name string // of the member that holds the events, "" if the file does

	strays map[int]string // entries of ours that name another agent, by their offset
}

// A handler is one entry of ours, and where it hangs in the document.
type handler struct {
	found
	key    string         // the event's name in the file
	member string         // the one with the command
	entry  *hujson.Object // the entry
	holder *hujson.Object // what has the command: the entry, or its action
	sorter *hujson.Object // what has the matcher: its group, or the entry
	row    *hujson.Array  // what the entry or its group is an element of
	hooks  *hujson.Array  // the entries of its group, nil if it stands in none
}

func openJSON(d *protocol.Dialect, s protocol.Site, path string) (*jsonFile, error) {
	b, err := read(s, path)
	if err != nil {
		return nil, err
	}
	doc, err := parseDocument(path, b)
	if err != nil {
		return nil, err
	}
	doc.head = d.Config.Head
	name := d.Config.Events
	if d.Config.EventsIn != nil {
		name = d.Config.EventsIn(s, path)
	}
	return &jsonFile{document: doc, d: d, site: s, name: name, strays: map[int]string{}}, nil
}

func (f *jsonFile) object() *hujson.Object { return f.root.Value.(*hujson.Object) }

// events is the object that holds the events; nil if there is none yet.
func (f *jsonFile) events() (*hujson.Object, error) {
	if f.name == "" {
		return f.object(), nil
	}
	return f.objectMember(f.object(), f.name)
}

// off says which of the agent's settings keeps it from running any entry.
func (f *jsonFile) off() string {
	if f.d.Config.Off == nil {
		return ""
	}
	return f.d.Config.Off(plain(f.root))
}

// ours are our entries, in the order of the file.
func (f *jsonFile) ours() ([]found, error) {
	have, err := f.handlers()
	out := make([]found, len(have))
	for i, h := range have {
		out[i] = h.found
	}
	return out, err
}

// handlers are our entries, in the order of the file. What does not look like an
// entry is passed over, but keeps its place in the count.
func (f *jsonFile) handlers() ([]handler, error) {
	if f.d.Config.Shape == protocol.ListJSON {
		return f.inList()
	}
	events, err := f.events()
	if events == nil || err != nil {
		return nil, err
	}
	var out []handler
	for i := range events.Members {
		name, _ := events.Members[i].Name.Value.(hujson.Literal)
		row, ok := events.Members[i].Value.Value.(*hujson.Array)
		if !ok {
			continue
		}
		for g := range row.Elements {
			h := handler{key: name.String(), row: row}
			h.Group = g
			out = append(out, f.inElement(h, row.Elements[g])...)
		}
	}
	return out, nil
}

// inElement are our entries in one element of an event's row: an entry, or a
// group of entries.
func (f *jsonFile) inElement(h handler, v hujson.Value) []handler {
	object, ok := v.Value.(*hujson.Object)
	if !ok {
		return nil
	}
	h.sorter = object
	h.Matcher, h.Matched = f.text(object, "matcher")
	hooks, err := f.arrayMember(object, "hooks")
	if err != nil {
		return nil
	}
	if hooks == nil {
		return f.asEntry(h, object, object, v)
	}
	h.hooks = hooks
	var out []handler
	for i, v := range hooks.Elements {
		if object, ok := v.Value.(*hujson.Object); ok {
			h.Index = i
			out = append(out, f.asEntry(h, object, object, v)...)
		}
	}
	return out
}

// inList are our entries in a file that has those of all events in one row.
func (f *jsonFile) inList() ([]handler, error) {
	row, err := f.arrayMember(f.object(), f.name)
	if row == nil || err != nil {
		return nil, err
	}
	var out []handler
	for i, v := range row.Elements {
		object, ok := v.Value.(*hujson.Object)
		if !ok {
			continue
		}
		action, err := f.objectMember(object, "action")
		if action == nil || err != nil {
			continue
		}
		h := handler{row: row, sorter: object}
		h.Group = i
		h.key, _ = f.text(object, "trigger")
		h.Matcher, h.Matched = f.text(object, "matcher")
		out = append(out, f.asEntry(h, object, action, v)...)
	}
	return out, nil
}

// said is the shell that a command with separate arguments is quoted for.
func said(s protocol.Site) protocol.Quoting {
	if s.GOOS == "windows" {
		return protocol.QuotePowerShell
	}
	return protocol.QuoteSh
}

// asEntry fills a handler in, if its command is ours; else there is none.
func (f *jsonFile) asEntry(h handler, entry, holder *hujson.Object, v hujson.Value) []handler {
	h.Fields, h.entry, h.holder = plain(v), entry, holder
	fields := plain(hujson.Value{Value: holder})
	for _, member := range f.commandMembers() {
		argv := argvOf(fields, member, f.d.Config.Quoting(f.site))
		if !Ours(argv, f.d) {
			f.notice(argv, v.StartOffset)
			continue
		}
		h.member, h.argv, h.command = member, argv, fields.Text(member)
		if h.apart = fields.Get("args") != nil; h.apart {
			h.command = Quote(argv, said(f.site))
		}
		h.Event = eventOf(f.d, h.key)
		h.file, h.line = f.path, f.document.line(v.StartOffset)
		h.limit = f.timeoutOf(h.Fields)
		return []handler{h}
	}
	return nil
}

// notice remembers an entry of ours that names another agent: some programs copy the
// entries of others into their own files.
func (f *jsonFile) notice(argv []string, offset int) {
	if Dispatcher(argv) {
		f.strays[offset] = flagOf(argv, "agent")
	}
}

func (f *jsonFile) notes() []string {
	var out []string
	for _, offset := range slices.Sorted(maps.Keys(f.strays)) {
		out = append(out, fmt.Sprintf("%s:%d: an entry of ours that is for %s stands here; take it out by hand", f.path, f.document.line(offset), f.strays[offset]))
	}
	return out
}

// commandMembers are the members that the command may stand in, the one that
// install writes first.
func (f *jsonFile) commandMembers() []string {
	c := f.d.Config
	members := []string{commandMember(c, f.site)}
	for _, name := range []string{"command", c.Command, c.CommandWindows} {
		if name != "" && name != members[0] {
			members = append(members, name)
		}
	}
	return members
}

func commandMember(c *protocol.Config, s protocol.Site) string {
	switch {
	case s.GOOS == "windows" && c.CommandWindows != "":
		return c.CommandWindows
	case c.Command != "":
		return c.Command
	}
	return "command"
}

// argvOf is the command of an entry, split; some agents also take a program and its
// arguments separately.
func argvOf(fields protocol.Object, member string, q protocol.Quoting) []string {
	command := fields.Text(member)
	if args := protocol.ElementsOf(fields.Get("args")); args != nil {
		argv := []string{command}
		for _, a := range args {
			argv = append(argv, protocol.TextOf(a))
		}
		return argv
	}
	argv, err := Words(command, q)
	if err != nil {
		return nil
	}
	return argv
}

// text is a member that is a string, and whether there is one.
func (f *jsonFile) text(o *hujson.Object, name string) (string, bool) {
	v, err := f.member(o, name)
	if v == nil || err != nil {
		return "", false
	}
	lit, ok := v.Value.(hujson.Literal)
	if !ok || lit.Kind() != '"' {
		return "", false
	}
	return lit.String(), true
}

// eventOf is the native event of a name in the agent's configuration; one that we
// do not know keeps its name.
func eventOf(d *protocol.Dialect, key string) string {
	for _, n := range d.NativeEvents {
		if n.Key() == key {
			return n.Name
		}
	}
	return key
}

// edits are those of the file, and of the ledger that goes with it.
func (f *jsonFile) edits() ([]protocol.Edit, error) {
	edits := change(f.path, f.before, f.bytes())
	if f.d.Config.Ledger == nil {
		return edits, nil
	}
	have, err := f.ours()
	if err != nil {
		return nil, err
	}
	l, err := openLedger(f.d, f.site)
	if err != nil {
		return nil, err
	}
	recorded, err := l.record(f.path, have)
	if err != nil {
		return nil, err
	}
	return append(edits, recorded...), nil
}

// flat reports whether an event's entry stands in no group.
func (f *jsonFile) flat(n protocol.Native) bool {
	return f.d.Config.Shape != protocol.NestedJSON || n.Flat
}

// listName is the name of an event's entry in a list.
func (f *jsonFile) listName(n protocol.Native) string {
	return f.d.Config.Named + "-" + strings.ToLower(n.Key())
}
