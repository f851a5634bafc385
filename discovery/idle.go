package discovery

import (
	"slices"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// A brief is what most events ask of a hook: whether it is for another event, or for
// another tool. It is known only of hooks that nothing is wrong with, and that go by the
// name of their folder: of no two such hooks of a folder has one to be compared with
// the other.
type brief struct {
	event protocol.EventType // "" where nothing is known
	tool  string             // the matcher's expression, where that is plain text; "": any
}

// brief is that of a hook as it was taken from its front matter.
func (h *Hook) brief() brief {
	if h.Status != Ready || h.Name != h.folder {
		return brief{}
	}
	b := brief{event: h.Trigger}
	if h.Matcher.Tool == "" || h.Tongue != nil {
		return b
	}
	if _, plain := literals(h.Matcher.Tool); plain {
		b.tool = h.Matcher.Tool
	}
	return b
}

// briefOf is that of a front matter.
func briefOf(f *front, folder string, tongues func() []*protocol.Tongue) brief {
	h := Hook{folder: folder, Status: Ready}
	h.take(f, tongues)
	return h.brief()
}

// A wish is what is looked for: the hooks of an event, and if that calls a tool those
// for one of its names. The zero value is of all.
type wish struct {
	event protocol.EventType
	tools []string        // nil: any
	holds map[string]bool // of expressions, once they were tried
	kinds []answer        // of the briefs of a catalog
	at    int             // where the catalog was asked last
}

// An answer is whether a brief passes, once it was tried.
type answer byte

const (
	untried answer = iota
	passed
	wanted
)

// wishes is what the event looks for in a layer. Of a project's hook that nobody approved
// is told, whatever tool it is for; and what is locked is not decided about by halves.
func (l *loader) wishes(layer LayerName) wish {
	w := wish{event: l.event, tools: l.src.Tools}
	if !w.event.IsTool() || layer == ProjectLayer && !l.always && !l.owing || l.anyLock() {
		w.tools = nil
	}
	return w
}

// passes reports whether no more has to be known of a hook than that it is there.
func (w *wish) passes(b brief) bool {
	switch {
	case w.event == "" || b.event == "":
		return false
	case b.event != w.event:
		return true
	case b.tool == "" || len(w.tools) == 0:
		return false
	}
	holds, known := w.holds[b.tool]
	if !known {
		alts, _ := literals(b.tool)
		holds = slices.ContainsFunc(w.tools, func(name string) bool {
			return slices.ContainsFunc(alts, func(l literal) bool { return l.in(name) })
		})
		if w.holds == nil {
			w.holds = map[string]bool{}
		}
		w.holds[b.tool] = holds
	}
	return !holds
}

// why says what lets a brief pass: its event, or its tool.
func (w *wish) why(b brief) passing {
	if b.event == w.event {
		return otherTool
	}
	return otherEvent
}

// passesOne is passes of one of the briefs of a catalog, which many hooks have.
func (w *wish) passesOne(briefs []brief, i int) bool {
	if w.kinds == nil {
		w.kinds = make([]answer, len(briefs))
	}
	if w.kinds[i] == untried {
		w.kinds[i] = wanted
		if w.passes(briefs[i]) {
			w.kinds[i] = passed
		}
	}
	return w.kinds[i] == passed
}

// pass keeps no more than the name of a hook: where a hook that may run has the name of an
// idle one, that is read after all.
func (l *loader) pass(folder string, layer LayerName, place int, as passing) {
	l.bystanders = append(l.bystanders, bystander{name: folder, folder: folder, layer: layer, place: place, idle: as == otherTool})
}

// beside yields the hooks that count by their names alone: those that were kept, and those
// that a catalog knows of.
func (l *loader) beside(yield func(bystander) bool) {
	for _, o := range l.bystanders {
		if !yield(o) {
			return
		}
	}
	for _, c := range l.catalogs {
		for i := range c.records {
			if c.records[i].pass != notPassed && !yield(c.bystander(i)) {
				return
			}
		}
	}
}

// anyBeside reports whether one of them is as it is asked for.
func (l *loader) anyBeside(is func(bystander) bool) bool {
	for o := range l.beside {
		if is(o) {
			return true
		}
	}
	return false
}

// bystander is a record that was passed.
func (c *catalog) bystander(i int) bystander {
	k := &c.records[i]
	return bystander{name: k.name, folder: k.name, layer: c.layer, place: c.place, idle: k.pass == otherTool}
}

// wake reads a hook that was passed, as if its tool were not known; nil if it is gone.
func (l *loader) wake(o bystander) *Hook {
	one := newLoader(l.src, l.event)
	one.projects = make([]*project, len(l.projects))
	for i, p := range l.projects {
		one.projects[i] = &project{dir: p.dir}
	}
	d, err := one.below(o.layer, o.place).Folder(l.hooksIn(o.layer, o.place))
	if err != nil {
		return nil
	}
	defer d.Close()
	one.child(d, o.folder, o.layer, o.place)
	if len(one.hooks) == 0 {
		return nil
	}
	return one.hooks[0]
}

// hooksIn is the hooks folder of a place of a layer.
func (l *loader) hooksIn(layer LayerName, place int) string {
	switch layer {
	case SystemLayer:
		return join(l.src.System[place], "hooks")
	case UserLayer:
		return join(l.src.User, "hooks")
	}
	return hooksFolder(l.projects[place].dir)
}
