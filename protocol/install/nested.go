package install

import (
	"slices"
	"time"

	"github.com/tailscale/hujson"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// A handler is one entry of ours, and where it hangs in the document.
type handler struct {
	protocol.Handler
	argv   []string
	offset int
	object *hujson.Object
	group  *hujson.Object
	alone  bool // the only entry of its group
}

// A nested document is one of the shape [protocol.NestedJSON].
type nested struct {
	*document
	d    *protocol.Dialect
	site protocol.Site
}

// events is the member that holds the events; nil if there is none yet.
func (n *nested) events() (*hujson.Object, error) {
	return n.objectMember(n.root.Value.(*hujson.Object), n.d.Config.Events)
}

// ours are our entries, in the order of the file. What does not look like an
// entry is passed over, but keeps its place in the count.
func (n *nested) ours() ([]handler, error) {
	events, err := n.events()
	if events == nil || err != nil {
		return nil, err
	}
	var out []handler
	for i := range events.Members {
		name, _ := events.Members[i].Name.Value.(hujson.Literal)
		groups, ok := events.Members[i].Value.Value.(*hujson.Array)
		if !ok {
			continue
		}
		for g := range groups.Elements {
			out = append(out, n.inGroup(name.String(), g, groups.Elements[g])...)
		}
	}
	return out, nil
}

// inGroup are our entries in one group.
func (n *nested) inGroup(event string, g int, group hujson.Value) []handler {
	parent, ok := group.Value.(*hujson.Object)
	if !ok {
		return nil
	}
	hooks, err := n.arrayMember(parent, "hooks")
	if hooks == nil || err != nil {
		return nil
	}
	matcher, matched := "", false
	if m, err := n.member(parent, "matcher"); err == nil && m != nil {
		if lit, ok := m.Value.(hujson.Literal); ok && lit.Kind() == '"' {
			matcher, matched = lit.String(), true
		}
	}
	var out []handler
	for i, v := range hooks.Elements {
		obj, ok := v.Value.(*hujson.Object)
		if !ok {
			continue
		}
		fields := plain(v)
		argv := argvOf(fields, n.d.Config.Quoting(n.site))
		if !Ours(argv, n.d) {
			continue
		}
		out = append(out, handler{
			Handler: protocol.Handler{Event: event, Matcher: matcher, Matched: matched, Group: g, Index: i, Fields: fields},
			argv:    argv, offset: v.StartOffset, object: obj, group: parent, alone: len(hooks.Elements) == 1,
		})
	}
	return out
}

// argvOf is the command of an entry, split; some agents also take a program and
// its arguments apart.
func argvOf(fields protocol.Object, q protocol.Quoting) []string {
	command := fields.Text("command")
	if args := protocol.ElementsOf(fields.Get("args")); args != nil {
		argv := []string{command}
		for _, a := range args {
			argv = append(argv, protocol.TextOf(a))
		}
		return argv
	}
	argv, err := Split(command, q)
	if err != nil {
		return nil
	}
	return argv
}

// register makes the document hold exactly one entry of ours for each event
// that is wanted, up to date, and none for any other.
func (n *nested) register(e protocol.Entry) error {
	wanted := n.wanted(e)
	if err := n.dropExtra(wanted); err != nil {
		return err
	}
	have, err := n.ours()
	if err != nil {
		return err
	}
	command := Quote(e.Argv, n.d.Config.Quoting(n.site))
next:
	for _, native := range wanted {
		for _, h := range have {
			if h.Event == native.Name {
				n.update(h, command, native)
				continue next
			}
		}
		if err := n.append(command, native); err != nil {
			return err
		}
	}
	return nil
}

// wanted are the events to register.
func (n *nested) wanted(e protocol.Entry) []protocol.Native {
	var out []protocol.Native
	for _, native := range n.d.Natives {
		if e.Events == nil && !native.Manual || slices.Contains(e.Events, native.Name) {
			out = append(out, native)
		}
	}
	return out
}

// dropExtra removes our entries of events that are not wanted, and second ones.
func (n *nested) dropExtra(wanted []protocol.Native) error {
	have, err := n.ours()
	if err != nil {
		return err
	}
	var extra []handler
	seen := map[string]bool{}
	for _, h := range have {
		_, ok := protocol.FindNative(wanted, h.Event)
		if !ok || seen[h.Event] {
			extra = append(extra, h)
		}
		seen[h.Event] = true
	}
	return n.remove(extra)
}

// remove takes entries out, from the last to the first, and with them what they
// leave empty.
func (n *nested) remove(handlers []handler) error {
	for i := len(handlers) - 1; i >= 0; i-- {
		h := handlers[i]
		events, err := n.events()
		if err != nil {
			return err
		}
		groups, err := n.arrayMember(events, h.Event)
		if err != nil {
			return err
		}
		group := groups.Elements[h.Group].Value.(*hujson.Object)
		hooks, err := n.arrayMember(group, "hooks")
		if err != nil {
			return err
		}
		removeElement(hooks, h.Index)
		if len(hooks.Elements) > 0 || n.d.Config.Ledger != nil && h.Group+1 < len(groups.Elements) {
			// An approval is keyed by place: those behind this one keep theirs.
			continue
		}
		removeElement(groups, h.Group)
		if len(groups.Elements) > 0 {
			continue
		}
		removeNamed(events, h.Event)
		if len(events.Members) == 0 {
			removeNamed(n.root.Value.(*hujson.Object), n.d.Config.Events)
		}
	}
	return nil
}

func removeNamed(o *hujson.Object, name string) {
	for i := range o.Members {
		if lit, ok := o.Members[i].Name.Value.(hujson.Literal); ok && lit.String() == name {
			removeMember(o, i)
			return
		}
	}
}

// update brings an entry up to date where it stands. What its user added to it
// stays, but for what would make it another entry or keep its answer from being
// heard.
func (n *nested) update(h handler, command string, native protocol.Native) {
	o := h.object
	set := func(name string, v hujson.Literal) {
		for i := range o.Members {
			if lit, ok := o.Members[i].Name.Value.(hujson.Literal); ok && lit.String() == name {
				o.Members[i].Value.Value = v
				return
			}
		}
		appendMember(o, n.style, "", name, hujson.Value{Value: v})
	}
	set("command", hujson.Literal(protocol.Quote(command)))
	set("timeout", hujson.Int(n.timeout(native)))
	removeNamed(o, "args")
	removeNamed(o, "async")
	if native.Matcher != "" && h.Matcher == "" && h.alone {
		appendMember(h.group, n.style, "", "matcher", hujson.Value{Value: hujson.String(native.Matcher)})
	}
}

// timeout is an event's time limit in the agent's unit.
func (n *nested) timeout(native protocol.Native) int64 {
	return int64(native.Limit / n.d.Config.Unit)
}

// append adds an entry behind all others of its event.
func (n *nested) append(command string, native protocol.Native) error {
	root := n.root.Value.(*hujson.Object)
	if err := n.ensure(root, "", n.d.Config.Events, "{}"); err != nil {
		return err
	}
	events, err := n.events()
	if err != nil {
		return err
	}
	prefix := prefixOf(root, n.d.Config.Events, n.style.indent)
	if err := n.ensure(events, prefix, native.Name, "[]"); err != nil {
		return err
	}
	groups, err := n.arrayMember(events, native.Name)
	if err != nil {
		return err
	}
	group, err := hujson.Parse(n.group(command, native).Raw())
	if err != nil {
		return err
	}
	appendElement(groups, n.style, prefixOf(events, native.Name, prefix+n.style.indent), group)
	return nil
}

// ensure adds a member with an empty value if there is none of that name.
func (n *nested) ensure(o *hujson.Object, prefix, name, empty string) error {
	v, err := n.member(o, name)
	if v != nil || err != nil {
		return err
	}
	value, err := hujson.Parse([]byte(empty))
	if err != nil {
		return err
	}
	appendMember(o, n.style, prefix, name, value)
	return nil
}

// prefixOf is what the line of a member begins with.
func prefixOf(o *hujson.Object, name, otherwise string) string {
	for _, m := range o.Members {
		if lit, ok := m.Name.Value.(hujson.Literal); ok && lit.String() == name {
			if prefix, ok := lineStart(m.Name.BeforeExtra); ok {
				return prefix
			}
		}
	}
	return otherwise
}

// group is a new group with one entry.
func (n *nested) group(command string, native protocol.Native) protocol.Object {
	var h, g protocol.Object
	if n.d.Config.Named != "" {
		h.SetText("name", n.d.Config.Named)
	}
	h.SetText("type", "command")
	h.SetText("command", command)
	h.Set("timeout", protocol.Raw(hujson.Int(n.timeout(native))))
	if native.Matcher != "" {
		g.SetText("matcher", native.Matcher)
	}
	g.Set("hooks", append(append(protocol.Raw{'['}, h.Raw()...), ']'))
	return g
}

// timeoutOf is the time limit of an entry, 0 if it has none.
func (n *nested) timeoutOf(fields protocol.Object) time.Duration {
	limit, err := time.ParseDuration(string(fields.Get("timeout")) + "s")
	if err != nil {
		return 0
	}
	return time.Duration(limit.Seconds() * float64(n.d.Config.Unit))
}
