package discovery

import (
	"slices"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// A brief is all that most events need to know about a hook: that it is for another
// event, or for another tool. It exists only for hooks that have no problems and are
// named like their folder; so no two such hooks of a folder ever need to be compared.
type brief struct {
	event protocol.EventType // "" if unknown
	tool  string             // the matcher's expression, if it is plain text; "": any tool
}

// brief is the brief of a hook filled from its front matter.
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

// briefOf is the brief of a front matter.
func briefOf(f *front, folder string, tongues func() []*protocol.Tongue) brief {
	h := Hook{folder: folder, Status: Ready}
	h.take(f, tongues)
	return h.brief()
}

// A wish is what is searched for: the hooks of an event and, if the event calls a tool,
// only those for one of the tool's names. The zero value matches all.
type wish struct {
	event protocol.EventType
	tools []string        // nil: any
	holds map[string]bool // whether an expression matches, once tried
	kinds []answer        // for each brief of a catalog
	at    int             // position of the last search in the catalog
}

// An answer is whether a brief passes, once tried.
type answer byte

const (
	untried answer = iota
	passed
	wanted
)

// wishes is what the event searches for in a layer. A project's unapproved hooks are
// reported whatever tool they are for, and locks need all hooks: neither filters by
// tool.
func (l *loader) wishes(layer LayerName) wish {
	w := wish{event: l.event, tools: l.src.Tools}
	if !w.event.IsTool() || layer == ProjectLayer && !l.always && !l.owing || l.anyLock() {
		w.tools = nil
	}
	return w
}

// passes reports whether it is enough to know that a hook exists.
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

// why says which part lets a brief pass: its event, or its tool.
func (w *wish) why(b brief) passing {
	if b.event == w.event {
		return otherTool
	}
	return otherEvent
}

// passesOne is passes for one of a catalog's briefs, each of which many hooks share.
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

// pass keeps only the name of a hook. If a hook that may run has the same name as an
// idle one, the idle one is read after all.
func (l *loader) pass(folder string, layer LayerName, place int, as passing) {
	l.bystanders = append(l.bystanders, bystander{name: folder, folder: folder, layer: layer, place: place, idle: as == otherTool})
}

// beside yields the hooks that are known by name alone: those that were passed over,
// and those in a catalog.
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

// anyBeside reports whether one of them satisfies a condition.
func (l *loader) anyBeside(is func(bystander) bool) bool {
	for o := range l.beside {
		if is(o) {
			return true
		}
	}
	return false
}

// bystander is a record that was passed over.
func (c *catalog) bystander(i int) bystander {
	k := &c.records[i]
	return bystander{name: k.name, folder: k.name, layer: c.layer, place: c.place, idle: k.pass == otherTool}
}

// wake reads a hook that was passed over, as if its tool were not known; nil if it is
// gone.
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

// hooksIn is the hooks folder of one place in a layer.
func (l *loader) hooksIn(layer LayerName, place int) string {
	switch layer {
	case SystemLayer:
		return join(l.src.System[place], "hooks")
	case UserLayer:
		return join(l.src.User, "hooks")
	}
	return hooksFolder(l.projects[place].dir)
}
