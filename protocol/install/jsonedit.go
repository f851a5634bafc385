package install

import (
	"slices"
	"strconv"
	"time"

	"github.com/tailscale/hujson"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// register makes the document hold exactly one entry of ours for each event
// that is wanted, up to date, and none for any other.
func (f *jsonFile) register(e protocol.Entry) error {
	if err := f.begin(); err != nil {
		return err
	}
	wanted := wanted(f.d, e)
	if err := f.dropExtra(wanted); err != nil {
		return err
	}
	have, err := f.handlers()
	if err != nil {
		return err
	}
next:
	for _, native := range wanted {
		for _, h := range have {
			if h.Event == native.Name {
				if err := f.update(h, e, native); err != nil {
					return err
				}
				continue next
			}
		}
		if err := f.append(e, native); err != nil {
			return err
		}
	}
	return nil
}

// begin writes what a file that holds nothing begins with.
func (f *jsonFile) begin() error {
	if len(f.object().Members) > 0 {
		return nil
	}
	return f.complete(f.object(), "", f.head)
}

// complete adds the members of a JSON object that an object does not have.
func (f *jsonFile) complete(o *hujson.Object, prefix, fields string) error {
	if fields == "" {
		return nil
	}
	object, err := protocol.ParseObject([]byte(fields))
	if err != nil {
		return err
	}
	for _, m := range object {
		if err := f.ensure(o, prefix, m.Name, string(m.Value)); err != nil {
			return err
		}
	}
	return nil
}

// dropExtra removes our entries for events that are not wanted, and duplicates.
func (f *jsonFile) dropExtra(wanted []protocol.Native) error {
	have, err := f.handlers()
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
	f.remove(extra)
	return nil
}

// clear removes all our entries.
func (f *jsonFile) clear() error {
	have, err := f.handlers()
	if err != nil {
		return err
	}
	f.remove(have)
	return nil
}

// remove removes entries, from the last to the first, and with them what they leave
// empty.
func (f *jsonFile) remove(handlers []handler) {
	for i := len(handlers) - 1; i >= 0; i-- {
		h := handlers[i]
		if h.hooks != nil {
			removeElement(h.hooks, h.Index)
			if len(h.hooks.Elements) > 0 || f.d.Config.Ledger != nil && h.Group+1 < len(h.row.Elements) {
				// An approval is keyed by place: the entries behind this one keep
				// theirs.
				continue
			}
		}
		removeElement(h.row, h.Group)
		if len(h.row.Elements) > 0 {
			continue
		}
		if f.d.Config.Shape != protocol.ListJSON {
			events, _ := f.events()
			removeNamed(events, h.key)
			if len(events.Members) > 0 {
				continue
			}
		}
		if f.name != "" {
			removeNamed(f.object(), f.name)
		}
	}
}

func removeNamed(o *hujson.Object, name string) {
	for i := range o.Members {
		if lit, ok := o.Members[i].Name.Value.(hujson.Literal); ok && lit.String() == name {
			removeMember(o, i)
			return
		}
	}
}

// update brings an entry up to date in place. What its user added to it stays, except
// what would make it another entry or keep its answer from being heard.
func (f *jsonFile) update(h handler, e protocol.Entry, native protocol.Native) error {
	c, args := f.d.Config, argsFor(f.d, f.site, e, native)
	if member := commandMember(c, f.site); member != h.member {
		removeNamed(h.holder, member)
		rename(h.holder, h.member, member)
		h.member = member
	}
	f.set(h.holder, h.member, hujson.Literal(protocol.Quote(commandFor(f.d, f.site, e, native))))
	if name := timeoutMember(c); name != "" {
		f.set(h.entry, name, hujson.Int(f.timeout(native)))
	}
	switch beside := protocol.ElementsOf(plain(hujson.Value{Value: h.holder}).Get("args")); {
	case args == nil:
		removeNamed(h.holder, "args")
	case beside == nil || !slices.Equal(h.argv[1:], args):
		removeNamed(h.holder, "args")
		v, err := hujson.Parse(protocol.TextList(args))
		if err != nil {
			return err
		}
		appendMember(h.holder, f.style, "", "args", v)
	}
	removeNamed(h.entry, "async")
	if native.Matcher != "" && h.Matcher == "" && (h.hooks == nil || len(h.hooks.Elements) == 1) {
		f.set(h.sorter, "matcher", hujson.String(native.Matcher))
	}
	for _, fields := range []string{c.Fields, native.Fields, closing(f.d, e, native)} {
		if err := f.complete(h.entry, "", fields); err != nil {
			return err
		}
	}
	return nil
}

func rename(o *hujson.Object, from, to string) {
	for i := range o.Members {
		if lit, ok := o.Members[i].Name.Value.(hujson.Literal); ok && lit.String() == from {
			o.Members[i].Name.Value = hujson.String(to)
		}
	}
}

// set gives a member a value, adding it if there is none of that name.
func (f *jsonFile) set(o *hujson.Object, name string, v hujson.Literal) {
	for i := range o.Members {
		if lit, ok := o.Members[i].Name.Value.(hujson.Literal); ok && lit.String() == name {
			o.Members[i].Value.Value = v
			return
		}
	}
	appendMember(o, f.style, "", name, hujson.Value{Value: v})
}

// append adds an entry after all others of its event.
func (f *jsonFile) append(e protocol.Entry, native protocol.Native) error {
	holder, prefix, name := f.object(), "", native.Key()
	switch {
	case f.d.Config.Shape == protocol.ListJSON:
		name = f.name
	case f.name != "":
		if err := f.ensure(holder, prefix, f.name, "{}"); err != nil {
			return err
		}
		events, err := f.events()
		if err != nil {
			return err
		}
		prefix = prefixOf(holder, f.name, f.style.indent)
		holder = events
	}
	if err := f.ensure(holder, prefix, name, "[]"); err != nil {
		return err
	}
	row, err := f.arrayMember(holder, name)
	if err != nil {
		return err
	}
	element, err := f.element(e, native)
	if err != nil {
		return err
	}
	v, err := hujson.Parse(element.Raw())
	if err != nil {
		return err
	}
	appendElement(row, f.style, prefixOf(holder, name, prefix+f.style.indent), v)
	return nil
}

// ensure adds a member if there is none of that name.
func (f *jsonFile) ensure(o *hujson.Object, prefix, name, value string) error {
	v, err := f.member(o, name)
	if v != nil || err != nil {
		return err
	}
	parsed, err := hujson.Parse([]byte(value))
	if err != nil {
		return err
	}
	appendMember(o, f.style, prefix, name, parsed)
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

// element is a new element of an event's row, or of the list.
func (f *jsonFile) element(e protocol.Entry, native protocol.Native) (protocol.Object, error) {
	c, command, args := f.d.Config, commandFor(f.d, f.site, e, native), argsFor(f.d, f.site, e, native)
	var h protocol.Object
	if c.Shape == protocol.ListJSON {
		h.SetText("name", f.listName(native))
		h.SetText("trigger", native.Key())
	} else if c.Named != "" {
		h.SetText("name", c.Named)
	}
	if f.flat(native) && native.Matcher != "" {
		h.SetText("matcher", native.Matcher)
	}
	var run protocol.Object
	if c.Shape != protocol.FlatJSON {
		run.SetText("type", "command")
	}
	if c.Shape == protocol.ListJSON {
		run.SetText(commandMember(c, f.site), command)
		h.Set("action", run.Raw())
	} else {
		h = append(h, run...)
		if err := merge(&h, c.Fields); err != nil {
			return nil, err
		}
		h.SetText(commandMember(c, f.site), command)
		if args != nil {
			h.Set("args", protocol.TextList(args))
		}
	}
	if name := timeoutMember(c); name != "" {
		h.Set(name, protocol.Raw(strconv.FormatInt(f.timeout(native), 10)))
	}
	if c.Shape == protocol.ListJSON {
		if err := merge(&h, c.Fields); err != nil {
			return nil, err
		}
	}
	if err := merge(&h, c.Label); err != nil {
		return nil, err
	}
	if err := merge(&h, native.Fields); err != nil {
		return nil, err
	}
	if err := merge(&h, closing(f.d, e, native)); err != nil || f.flat(native) {
		return h, err
	}
	var g protocol.Object
	g.PutText("matcher", native.Matcher)
	g.Set("hooks", append(append(protocol.Raw{'['}, h.Raw()...), ']'))
	return g, nil
}

// merge adds the members of a JSON object.
func merge(o *protocol.Object, fields string) error {
	if fields == "" {
		return nil
	}
	more, err := protocol.ParseObject([]byte(fields))
	for _, m := range more {
		o.Set(m.Name, m.Value)
	}
	return err
}

// timeoutMember is the member with the time limit, "" if entries have none.
func timeoutMember(c *protocol.Config) string {
	switch c.Timeout {
	case "":
		return "timeout"
	case "-":
		return ""
	}
	return c.Timeout
}

// timeout is an event's time limit in the agent's unit.
func (f *jsonFile) timeout(native protocol.Native) int64 {
	return int64(native.Limit / f.d.Config.Unit)
}

// timeoutOf is the time limit of an entry, 0 if it has none.
func (f *jsonFile) timeoutOf(fields protocol.Object) time.Duration {
	name := timeoutMember(f.d.Config)
	if name == "" {
		return 0
	}
	limit, err := time.ParseDuration(string(fields.Get(name)) + "s")
	if err != nil {
		return 0
	}
	return time.Duration(limit.Seconds() * float64(f.d.Config.Unit))
}
