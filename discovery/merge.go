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

// turn orders layers by when their hooks run (HM-ORD-06).
func (n LayerName) turn() int {
	if n == BuiltinLayer {
		return 4
	}
	return n.rank()
}

// persons reports whether a layer is the user's own, which no repository can write to.
func (n LayerName) persons() bool { return n == SystemLayer || n == UserLayer }

// A rival is one of several hooks with the same name. hook is nil for one of another
// event, of which only the name is known.
type rival struct {
	bystander
	hook *Hook
}

// mergePerson decides which of the user's hooks run. A project that needs no approval
// may override each one that no lock holds: those wait until its folder is open. For a
// project that needs approval, the record of approvals names the hooks that may stand
// in for the user's, and only these are read.
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

// mergeProject decides which of the others run. If a user's hook has already won its
// name, nothing found now takes it away.
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

// ofPlugin reports whether a name belongs to a plugin's hook. A project's never
// overrides a user's: the plugin's author chose the names, and equal names mean the
// same hook.
func ofPlugin(name string) bool { return strings.Contains(name, "/") }

// settled ends a step: it is decided which hooks run.
func (l *loader) settled() {
	if l.anyLock() {
		l.absent()
		l.against()
	}
	l.order()
}

// rivals are the hooks found since the last time that may run, the given ones, and
// those of other events with the name of one of them.
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

// woken are the hooks that were passed over because they are for another tool, and
// whose name is that of a rival, of a winner, or of a hook whose folder is named
// differently.
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

// byName calls each with the rivals of each name, the strongest first.
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

// standIns are the approved hooks of projects that override the user's hook of that
// name: nothing else of a project is read before the user's hooks run.
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

// settleBroken decides about a hook that cannot run: if it is disabled or not trusted,
// no event need warn about it.
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

// named are the bystanders with the name of a rival.
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

// unique breaks all but the first of the folders of a layer that have the same name
// (HM-FMT-37). A project's unapproved hook does not count.
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

// byLock orders rivals, strongest first, as a lock demands: those of the locking layer
// or weaker come first, the strongest of them in front; if there are none, the weakest
// of the rest wins. None of the rest stands in for a broken one.
func (l *loader) byLock(rivals []rival) []rival {
	if len(rivals) == 0 {
		return nil // only strangers have hooks of this name
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

// decide finds the first rival that can run; it overrides those after it. A hook that
// is disabled, broken or not trusted overrides nothing.
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

// examine checks what a hook needs in order to run: at once if it displaces another one
// or no matcher comes first, else when its turn comes.
func (l *loader) examine(h *Hook, displaces bool) {
	switch {
	case l.event == "":
		// It was checked before.
		if !h.Trusted {
			h.Status = Untrusted
		}
	case h.Plugin != "":
		l.admit(h) // trust was already decided for its whole plugin
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
		h.ask(&h.vouch) // trust must not wait for its turn
	}
}

// override marks a rival as overridden, and reports it: always if all hooks are loaded,
// at an event only if a project's hook stands in for one of the user's.
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

// order sorts the hooks that run into running order, and puts the rest after them.
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

// first compares two hooks by what comes before their priority: a user's hook that a
// lock holds comes before all others, then the layers in order, unless priorities are
// compared across layers. Within its layer a locked hook is first.
func (l *loader) first(a, b *Hook) int {
	guards := sooner(a.Held != nil && a.Layer.persons(), b.Held != nil && b.Layer.persons())
	layer := 0
	if l.set.Settings.Order == OrderLayer {
		layer = cmp.Compare(a.Layer.turn(), b.Layer.turn())
	}
	return cmp.Or(guards, layer, sooner(a.Held != nil, b.Held != nil))
}

// sooner compares two answers: yes comes before no.
func sooner(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}
