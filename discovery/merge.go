package discovery

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// rank orders layers from the weakest to the one that overrides all others.
func (n LayerName) rank() int {
	switch n {
	case BuiltinLayer:
		return 0
	case SystemLayer:
		return 1
	case UserLayer:
		return 2
	}
	return 3
}

// turn orders layers as their hooks run (HM-ORD-06).
func (n LayerName) turn() int {
	if n == BuiltinLayer {
		return 4
	}
	return n.rank()
}

// persons reports whether a layer is the person's own: no repository writes there.
func (n LayerName) persons() bool { return n == SystemLayer || n == UserLayer }

// A rival is one of the hooks that share a name. hook is nil for one of another
// event that nothing more is known of.
type rival struct {
	bystander
	hook *Hook
}

// mergePerson decides which of the hooks of the person run. A project that needs
// no approval may override each of them that no lock holds: those wait until its
// folder is open. Where it does, the record of approvals tells which hooks of the
// project may stand in for the person's, and only these are looked at.
func (l *loader) mergePerson() {
	l.winners = map[string]*Hook{}
	put := len(l.projects) > 0 && l.always
	byName(l.rivals(), func(name string, rivals []rival) {
		if _, locked := l.lock(name); put && !locked && !ofPlugin(name) {
			l.waiting = append(l.waiting, slices.DeleteFunc(rivals, func(r rival) bool { return r.hook == nil })...)
		} else {
			l.winners[name] = l.decide(l.byLock(l.unique(append(l.standIns(name), rivals...))))
		}
	})
	l.settled()
}

// mergeProject decides which of the others run. Where a hook of the person has won
// its name, nothing that is found now takes that from it.
func (l *loader) mergeProject() {
	byName(l.rivals(l.waiting...), func(name string, rivals []rival) {
		winner := l.winners[name]
		if winner == nil {
			l.decide(l.byLock(l.unique(rivals)))
			return
		}
		for i := range rivals {
			r := &rivals[i]
			if _, locked := l.lock(name); !locked && r.layer == ProjectLayer && r.hook != nil {
				l.examine(r.hook, true)
				if r.hook.Status != Ready {
					continue
				}
			}
			l.override(winner, r)
		}
	})
	l.settled()
}

// ofPlugin reports whether a name is of a plugin's hook. None of a project stands in
// for one of the person's: their authors chose the names, and the same ones are the
// same hooks.
func ofPlugin(name string) bool { return strings.Contains(name, "/") }

// settled ends a step: which hooks run is decided.
func (l *loader) settled() {
	if l.anyLock() {
		l.absent()
		l.against()
	}
	l.order()
}

// rivals are the hooks that were found since the last time and may run, besides
// some others, with those of other events that have the name of one of them.
func (l *loader) rivals(rivals ...rival) []rival {
	for _, h := range l.hooks {
		h.near = l.set
		if l.event == "" {
			l.look(h)
		}
		l.apply(h)
		if h.Status == Ready {
			rivals = append(rivals, rival{bystander{name: h.Name, folder: h.folder, layer: h.Layer, place: h.place}, h})
		} else {
			l.settleBroken(h)
		}
	}
	l.set.Hooks = append(append(l.set.Hooks, l.hooks...), l.foreign...)
	l.hooks, l.foreign = nil, nil
	rivals = append(rivals, l.woken(rivals)...)
	for _, o := range l.named(rivals) {
		rivals = append(rivals, rival{o, nil})
	}
	return rivals
}

// woken are the hooks that were passed since they are for another tool, and that have the
// name of a rival, of one that has won already, or of one whose folder has another name.
func (l *loader) woken(rivals []rival) (list []rival) {
	names := map[string]bool{}
	for _, r := range rivals {
		names[r.name] = true
	}
	for name := range l.winners {
		names[name] = true
	}
	for _, o := range l.bystanders {
		if o.name != o.folder {
			names[o.name] = true
		}
	}
	if len(names) == 0 {
		return nil
	}
	wakes := func(o bystander) bool {
		if !o.idle || !names[o.name] {
			return false
		}
		if h := l.wake(o); h != nil {
			h.near = l.set
			l.apply(h)
			l.set.Hooks = append(l.set.Hooks, h)
			if h.Status == Ready {
				list = append(list, rival{o, h})
			} else {
				l.settleBroken(h)
			}
		}
		return true
	}
	l.bystanders = slices.DeleteFunc(l.bystanders, wakes)
	for _, c := range l.catalogs {
		for i := range c.records {
			if c.records[i].pass == otherTool && wakes(c.bystander(i)) {
				c.records[i].pass = notPassed
			}
		}
	}
	return list
}

// byName hands over the rivals of each name, the strongest first.
func byName(rivals []rival, each func(name string, rivals []rival)) {
	slices.SortFunc(rivals, func(a, b rival) int {
		return cmp.Or(strings.Compare(a.name, b.name), cmp.Compare(b.layer.rank(), a.layer.rank()),
			cmp.Compare(a.place, b.place), strings.Compare(a.folder, b.folder))
	})
	for len(rivals) > 0 {
		n := 1
		for n < len(rivals) && rivals[n].name == rivals[0].name {
			n++
		}
		each(rivals[0].name, rivals[:n:n])
		rivals = rivals[n:]
	}
}

// standIns are the hooks of projects that their user approved, and that override
// the hooks of the person of that name: they are what of a project is looked at
// before the person's hooks run.
func (l *loader) standIns(name string) (rivals []rival) {
	if l.always || ofPlugin(name) {
		return nil
	}
	if _, locked := l.lock(name); locked {
		return nil
	}
	for place, p := range l.projects {
		for _, folder := range l.record().Folders(p.dir, name) {
			l.ownSettings()
			o := bystander{name: name, folder: folder, layer: ProjectLayer, place: place}
			h := l.reread(o)
			l.apply(h)
			if _, off := l.disabled(h); off || h.Status != Ready || h.Name != name {
				continue
			}
			if l.read == nil {
				l.read = map[string]*Hook{}
			}
			l.read[h.Dir] = h
			l.set.Found++
			if l.event == "" || h.Trigger == l.event {
				l.set.Hooks = append(l.set.Hooks, h)
			}
			rivals = append(rivals, rival{o, h})
		}
	}
	return rivals
}

// settleBroken decides about a hook that cannot run: one that is disabled or not
// trusted is none that an event must warn of.
func (l *loader) settleBroken(h *Hook) {
	if h.Status != Broken {
		return
	}
	if l.event != "" {
		if by, off := l.disabled(h); off {
			h.Status, h.DisabledBy = Disabled, by
			return
		}
		l.look(h)
	}
	if h.Status == Broken {
		l.hold(h, false)
	}
}

// named are the bystanders whose name a hook of this event has too.
func (l *loader) named(rivals []rival) (same []bystander) {
	if len(rivals) == 0 {
		return nil
	}
	names := make(map[string]bool, len(rivals))
	for _, r := range rivals {
		names[r.name] = true
	}
	for o := range l.beside {
		if names[o.name] {
			same = append(same, o)
		}
	}
	return same
}

// unique breaks all but the first folder of a layer that have the same name
// (HM-FMT-37). A hook of the project that nobody approved is not asked.
func (l *loader) unique(rivals []rival) []rival {
	out := rivals[:0:0]
	for _, r := range rivals {
		if r.hook != nil && r.layer == ProjectLayer && r.hook.Plugin == "" && len(rivals) > 1 && !l.always && !l.record().Knows(r.hook.Project, r.hook.thing().ID) {
			r.hook.Status = Untrusted
			continue
		}
		if n := len(out); n > 0 && out[n-1].layer == r.layer && out[n-1].place == r.place && r.layer != BuiltinLayer {
			if r.hook != nil {
				r.hook.breakWith(fatal(field{line: 1, col: 1, text: r.name}, "name", "give it another name",
					"%s is the name of the hook in %s too, which comes first and runs", quoted(r.name), quoted(out[n-1].folder)))
				l.settleBroken(r.hook)
			}
			continue
		}
		out = append(out, r)
	}
	return out
}

// byLock puts rivals, strongest first, into the order that a lock gives them:
// whoever is of the locking layer or weaker wins, the strongest of these first;
// if there is none, the weakest of the rest. Nobody of the rest stands in for one
// that is broken.
func (l *loader) byLock(rivals []rival) []rival {
	if len(rivals) == 0 {
		return nil // none is left of a name that only strangers have
	}
	k, locked := l.lock(rivals[0].name)
	if !locked {
		return rivals
	}
	var held, rest []rival
	for _, r := range rivals {
		if r.layer.rank() <= k.rank {
			held = append(held, r)
		} else {
			rest = append(rest, r)
		}
	}
	at := slices.IndexFunc(l.set.Hooks, func(h *Hook) bool {
		return h.Status == Broken && h.Held != nil && h.Layer.rank() <= k.rank && cmp.Or(h.Name, h.folder) == rivals[0].name
	})
	if at >= 0 {
		for i := range rest {
			l.override(l.set.Hooks[at], &rest[i])
		}
		return held
	}
	slices.Reverse(rest)
	return append(held, rest...)
}

// decide finds the first of some rivals that can run; it overrides those after
// it. A hook that is disabled, broken or not trusted overrides nothing.
func (l *loader) decide(rivals []rival) (winner *Hook) {
	for i := range rivals {
		r := &rivals[i]
		if winner != nil {
			l.override(winner, r)
			continue
		}
		displaces := slices.ContainsFunc(rivals[i+1:], func(r rival) bool { return r.hook != nil })
		if r.hook == nil {
			if !displaces {
				continue
			}
			h := l.reread(r.bystander)
			if _, off := l.disabled(h); !off && h.Status == Ready {
				winner = h
			}
			continue
		}
		if by, off := l.disabled(r.hook); off {
			r.hook.Status, r.hook.DisabledBy = Disabled, by
			continue
		}
		if r.layer != ProjectLayer || l.read[r.hook.Dir] != r.hook {
			l.examine(r.hook, displaces)
		}
		if r.hook.Status == Ready {
			winner = r.hook
			if _, locked := l.lock(winner.Name); locked {
				l.hold(winner, true)
			}
		} else if r.hook.Status == Broken {
			l.hold(r.hook, false)
		}
	}
	return winner
}

// examine looks at what a hook needs in order to run: at once if it displaces
// another one or no matcher comes first, else when its turn comes.
func (l *loader) examine(h *Hook, displaces bool) {
	switch {
	case l.event == "":
		// It was looked at before.
		if !h.Trusted {
			h.Status = Untrusted
		}
	case h.Plugin != "":
		l.admit(h) // whether it is trusted was asked of all of its plugin
	case displaces:
		l.look(h)
	case h.Layer == ProjectLayer && !l.always && !l.record().Knows(h.Project, h.thing().ID):
		h.Status = Untrusted // never approved: there is nothing to compare with
	case l.event.IsTool():
		h.vouch, h.admit = l.vouch, l.admit
	default:
		if l.vouch(h); h.Status == Ready {
			l.admit(h)
		}
	}
	if _, locked := l.lock(h.Name); locked {
		h.ask(&h.vouch) // whether it holds must not wait for its turn
	}
}

// override marks a rival as overridden, and reports it: always to those who ask
// for all hooks, at an event if a project's hook stands in for one of the
// person's.
func (l *loader) override(winner *Hook, r *rival) {
	if r.hook == nil {
		return
	}
	by := string(winner.Layer)
	if winner.Dir != "" {
		by += " " + winner.Dir
	}
	k, locked := l.lock(r.name)
	locked = locked && r.layer.rank() > winner.Layer.rank()
	if locked {
		by += ", locked by " + k.at
		if winner.Held != nil && l.event == "" {
			winner.Held.Against = append(winner.Held.Against, "the "+string(r.layer)+" hook "+r.hook.Dir)
		}
	}
	r.hook.Status, r.hook.OverriddenBy = Overridden, by
	if l.event == "" || winner.Layer == ProjectLayer || locked {
		what := "stands in place of"
		if locked {
			what = "is locked and stays in place of"
		}
		l.problem(Problem{File: winner.File, Field: "name", Severity: Warning, Value: r.name,
			Message: fmt.Sprintf("the %s hook %s %s the %s hook of that name", winner.Layer, quoted(r.name), what, r.layer)})
	}
}

// order puts the hooks that run in running order, and the rest behind them.
func (l *loader) order() {
	if len(l.set.Problems) > 1 {
		sortProblems(l.set.Problems)
	}
	slices.SortStableFunc(l.set.Hooks, func(a, b *Hook) int {
		if a.Status != Ready || b.Status != Ready {
			return cmp.Or(sooner(a.Status == Ready, b.Status == Ready), cmp.Compare(a.Layer.turn(), b.Layer.turn()),
				strings.Compare(a.Name, b.Name), strings.Compare(a.Dir, b.Dir))
		}
		return cmp.Or(l.first(a, b), cmp.Compare(b.Priority, a.Priority), cmp.Compare(a.Layer.turn(), b.Layer.turn()), strings.Compare(a.Name, b.Name))
	})
}

// first compares two hooks by what comes before their priority: a hook of the
// person that a lock holds is before all others, and then one layer is before the
// next, unless priorities are compared over all layers. In its layer a locked hook
// is first.
func (l *loader) first(a, b *Hook) int {
	guards := sooner(a.Held != nil && a.Layer.persons(), b.Held != nil && b.Layer.persons())
	layer := 0
	if l.set.Settings.Order == OrderLayer {
		layer = cmp.Compare(a.Layer.turn(), b.Layer.turn())
	}
	return cmp.Or(guards, layer, sooner(a.Held != nil, b.Held != nil))
}

// sooner compares two answers: yes is before no.
func sooner(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}
