package workspace

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/statefile"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A Binding says on what a session works.
type Binding struct {
	Session   string
	Workspace string
	Node      string // its own focus; "" if it follows that of the workspace
	BoundAt   time.Time
	// LastSeen is when a hook of the session last ran, to ten minutes; zero if
	// nobody noted it. Ended is that the session is over, as far as is known.
	LastSeen time.Time
	Ended    bool
	Agent    string // whose session it is, "" if no hook of it noted that
	// LastReminder is the original's single slot, Reminders the time of the last
	// reminder of each type (BW-REM-03).
	LastReminder string
	LastReminded time.Time
	Reminders    map[string]time.Time
	// Alone says that no other session that is still at work is bound to the
	// same workspace.
	Alone bool
}

const (
	// unused is how long a binding is kept that nobody uses (BW-SES-12).
	unused = 7 * 24 * time.Hour
	// asleep is how long a session may be silent and still count as a window that
	// is at work.
	asleep = 12 * time.Hour
	// seenEvery is how exactly LastSeen is kept.
	seenEvery = 10 * time.Minute
)

// used is when a binding was last of use.
func (b Binding) used() time.Time {
	at := b.BoundAt
	for _, t := range []time.Time{b.LastSeen, b.LastReminded} {
		if t.After(at) {
			at = t
		}
	}
	return at
}

func (b Binding) awake(now time.Time) bool { return !b.Ended && now.Sub(b.used()) < asleep }

func bindingOf(session string, raw protocol.Raw) Binding {
	o := protocol.ObjectOf(raw)
	b := Binding{
		Session: session, Workspace: o.Text("workspaceId"), Node: o.Text("focusedNodeId"),
		BoundAt: timeOf(o.Get("boundAt")), LastSeen: timeOf(o.Get("lastSeen")), Ended: o.Bool("ended"), Agent: o.Text("agent"),
	}
	if last := o.Sub("lastReminder"); last != nil {
		b.LastReminder, b.LastReminded = last.Text("type"), timeOf(last.Get("time"))
	}
	b.Reminders = map[string]time.Time{}
	for _, m := range o.Sub("reminders") {
		if t := timeOf(m.Value); !t.IsZero() {
			b.Reminders[m.Name] = t
		}
	}
	if b.LastReminder != "" && b.LastReminded.After(b.Reminders[b.LastReminder]) {
		b.Reminders[b.LastReminder] = b.LastReminded
	}
	return b
}

func (p Place) bindingsPath() string { return filepath.Join(p.Home, bindingsFile) }

// Bindings are those of all sessions, in both shapes that exist (BW-SES-10). A file
// that cannot be read has none.
func (p Place) Bindings() []Binding {
	var out []Binding
	for _, m := range p.bindings() {
		if b := bindingOf(m.Name, m.Value); b.Workspace != "" {
			out = append(out, b)
		}
	}
	return out
}

func (p Place) bindings() protocol.Object {
	list, _ := p.readBindings()
	return list
}

// readBindings are the bindings, and why they cannot be read.
func (p Place) readBindings() (list protocol.Object, err error) {
	if p.Home == "" {
		return nil, nil
	}
	b, err := statefile.Read(p.bindingsPath())
	if err != nil || len(b) == 0 {
		return nil, err
	}
	_, list, err = parseBindings(b)
	return list, err
}

// parseBindings reads the file; a newer version, or something that is not a list, is an
// error.
func parseBindings(b []byte) (rest, list protocol.Object, err error) {
	doc, err := protocol.ParseObject(b)
	if err != nil {
		return nil, nil, err
	}
	if major, _, _ := strings.Cut(doc.Text("version"), "."); len(major) > 1 || major > "1" {
		return nil, nil, fmt.Errorf("%w: version %q, want at most 1.0", ErrNewer, doc.Text("version"))
	}
	if inner := doc.Get("bindings"); inner != nil && inner[0] != '{' {
		return nil, nil, errors.New("bindings is not an object")
	}
	rest, list = unwrap(doc)
	return rest, list, nil
}

// unwrap tells the two shapes apart: {version, bindings: {session: …}}, and the
// sessions directly in the document. rest is what is around them.
func unwrap(doc protocol.Object) (rest, list protocol.Object) {
	if inner := doc.Sub("bindings"); inner != nil && !inner.Has("workspaceId") {
		return doc, inner
	}
	for _, m := range doc {
		if protocol.ObjectOf(m.Value).Has("workspaceId") {
			list = append(list, m)
		} else {
			rest = append(rest, m)
		}
	}
	return rest, list
}

// Binding is that of one session; ok is false if it is bound to nothing. An
// event of a session that is not bound costs this one small file.
func (p Place) Binding(session string, now time.Time) (b Binding, ok bool) {
	if session == "" {
		return b, false
	}
	list := p.bindings()
	raw := list.Get(session)
	if raw == nil {
		return b, false
	}
	b = bindingOf(session, raw)
	b.Alone = alone(list, b, now)
	return b, b.Workspace != ""
}

func alone(list protocol.Object, b Binding, now time.Time) bool {
	for _, m := range list {
		if m.Name == b.Session {
			continue
		}
		if other := bindingOf(m.Name, m.Value); other.Workspace == b.Workspace && other.awake(now) {
			return false
		}
	}
	return true
}

// isBinding reports whether an object is the binding of a session.
func isBinding(o protocol.Object) bool {
	return o.Text("sessionId") != "" && o.Text("workspaceId") != ""
}

// updateBindings changes the bindings under their lock. One that nobody used for seven
// days is removed (BW-SES-12); unknown members stay.
func (p Place) updateBindings(now time.Time, change func(list *protocol.Object) error) error {
	if p.Home == "" {
		return fmt.Errorf("there is no data directory: set HOME or XDG_DATA_HOME")
	}
	return statefile.UpdateDurable(p.bindingsPath(), lockWait, func(old []byte) ([]byte, error) {
		var rest, list protocol.Object
		if len(old) > 0 {
			var err error
			rest, list, err = parseBindings(old)
			switch {
			case errors.Is(err, ErrNewer):
				return nil, fmt.Errorf("%s: %w", p.bindingsPath(), err)
			case err != nil: // what of it is intact is kept
				if _, err := statefile.Keep(p.bindingsPath(), now, old); err != nil {
					return nil, err
				}
				for _, o := range whole(old, isBinding) {
					list.Set(o.Text("sessionId"), o.Raw())
				}
			}
		}
		was := string(list.Raw())
		if change == nil { // what is damaged is repaired
			was = "{"
		} else if err := change(&list); err != nil {
			return nil, err
		}
		if string(list.Raw()) == was {
			return nil, nil
		}
		kept := make(protocol.Object, 0, len(list))
		for _, m := range list {
			b := bindingOf(m.Name, m.Value)
			if used := b.used(); used.IsZero() || now.Sub(used) < unused {
				kept = append(kept, m)
			}
		}
		if !rest.Has("version") {
			rest = append(protocol.Object{{Name: "version", Value: protocol.Quote("1.0")}}, rest...)
		}
		rest.Set("bindings", kept.Raw())
		return pretty(rest), nil
	})
}

// update changes the binding of one session; nothing happens if it has none.
func (p Place) update(session string, now time.Time, change func(o *protocol.Object)) error {
	return p.updateBindings(now, func(list *protocol.Object) error {
		if o := list.Sub(session); o != nil {
			change(&o)
			list.Set(session, o.Raw())
		}
		return nil
	})
}

// Bind binds a session to a workspace, and to a node of it if one is given. It
// takes the place of whatever the session was bound to.
func (p Place) Bind(session, workspace, node string, now time.Time) error {
	return p.updateBindings(now, func(list *protocol.Object) error {
		var o protocol.Object
		o.SetText("sessionId", session)
		o.SetText("workspaceId", workspace)
		o.PutText("focusedNodeId", node)
		o.Set("boundAt", millis(now))
		list.Set(session, o.Raw())
		return nil
	})
}

// Unbind takes the bindings away that match; it returns how many.
func (p Place) Unbind(now time.Time, match func(Binding) bool) (n int, err error) {
	if p.bindings() == nil {
		return 0, nil
	}
	err = p.updateBindings(now, func(list *protocol.Object) error {
		n = 0
		var kept protocol.Object
		for _, m := range *list {
			if match(bindingOf(m.Name, m.Value)) {
				n++
			} else {
				kept = append(kept, m)
			}
		}
		*list = kept
		return nil
	})
	return n, err
}

// Reminded notes that a session was reminded of something (BW-REM-03).
func (p Place) Reminded(session, kind string, now time.Time) error {
	return p.update(session, now, func(o *protocol.Object) {
		var last protocol.Object
		last.SetText("type", kind)
		last.Set("time", millis(now))
		o.Set("lastReminder", last.Raw())
		all := o.Sub("reminders")
		all.Set(kind, millis(now))
		o.Set("reminders", all.Raw())
	})
}

// Seen notes that a session of an agent is at work; it writes only if that is news.
func (p Place) Seen(b Binding, agent string, now time.Time) error {
	if !b.Ended && now.Sub(b.LastSeen) < seenEvery && (agent == "" || agent == b.Agent) {
		return nil
	}
	return p.update(b.Session, now, func(o *protocol.Object) {
		o.Set("lastSeen", millis(now))
		o.Delete("ended")
		o.PutText("agent", agent)
	})
}

// Ended notes that a session is over. Its binding stays: it may be resumed.
func (p Place) Ended(session string, now time.Time) error {
	return p.update(session, now, func(o *protocol.Object) {
		o.Set("lastSeen", millis(now))
		o.Set("ended", protocol.Raw("true"))
	})
}

// Focus changes the node that a session works on. Without a session it is that
// of the only window at work on the workspace; with several, nobody's.
func (p Place) Focus(session, workspace, node string, now time.Time) error {
	if p.bindings() == nil {
		return nil
	}
	return p.updateBindings(now, func(list *protocol.Object) error {
		if session == "" {
			for _, m := range *list {
				if b := bindingOf(m.Name, m.Value); b.Workspace == workspace && b.awake(now) {
					if session != "" {
						return nil
					}
					session = m.Name
				}
			}
		}
		o := list.Sub(session)
		if o == nil || o.Text("workspaceId") != workspace {
			return nil
		}
		o.SetText("focusedNodeId", node)
		list.Set(session, o.Raw())
		return nil
	})
}
