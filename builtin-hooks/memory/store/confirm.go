package store

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/internal/ledger"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// Confirm records that facts are still true. One that belongs to a branch holds everywhere from
// then on; beside are facts that each of them was shown to contradict or took the place of, and
// does not; replaced are those that each of them replaces.
func (k Keeper) Confirm(ids, beside, replaced []string) (int, error) {
	if err := errors.Join(k.mayReplace(ids, replaced), k.known(beside)); err != nil {
		return 0, err
	}
	if k.Seen == nil {
		if err := k.Present(ids); err != nil {
			return 0, err
		}
	}
	beside = identifiers(beside)
	if err := k.unplan(slices.Concat(beside, replaced), ids); err != nil {
		return 0, err
	}
	place := k.place()
	place.EveryBranch = true
	var moved []protocol.Object
	n, err := k.each(ids, func(o *protocol.Object) (bool, bool) {
		if f, ok := memory.ParseFact(*o); !ok || f.Deleted {
			return false, true
		}
		o.SetText("confirmed_at", memory.Stamp(k.Now))
		o.Set("confirmed_count", fmt.Appendf(nil, "%d", number(o.Get("confirmed_count"))+1))
		if len(beside) > 0 {
			apart(o, beside)
		}
		if len(replaced) > 0 {
			o.Set("supersedes", protocol.TextList(with(protocol.ElementsOf(o.Get("supersedes")), replaced)))
			without(o, "asked", replaced)
		}
		return true, true
	})
	if err != nil {
		return n, err
	}
	for _, file := range place.FactFiles() {
		if memory.BranchOf(file) == "" {
			continue
		}
		var mine []protocol.Object
		err := place.Lines(file, func(o protocol.Object, _ ledger.Whose) {
			if slices.Contains(ids, memory.IDOf(o)) {
				mine = append(mine, o)
			}
		})
		if err != nil {
			return n, err
		}
		moved = append(moved, mine...)
	}
	for _, o := range moved {
		if err := place.Everywhere(o); err != nil {
			return n, err
		}
	}
	if len(moved) > 0 {
		err = k.fromBranches(place, ids)
	}
	return n, err
}

// apart records that a fact stands beside others and replaces none of them.
func apart(o *protocol.Object, others []string) {
	o.Set("beside", protocol.TextList(with(protocol.ElementsOf(o.Get("beside")), others)))
	without(o, "supersedes", others)
	without(o, "asked", others)
}

// without takes ids off a list of a line, which goes with the last one.
func without(o *protocol.Object, name string, ids []string) {
	list := memory.OurIDs(protocol.TextsOf(o.Get(name)))
	if len(list) == 0 {
		return
	}
	left := slices.DeleteFunc(list, func(id string) bool { return slices.Contains(ids, id) })
	if len(left) == 0 {
		o.Delete(name)
		return
	}
	o.Set(name, protocol.TextList(left))
}

// with are the texts of a list and some more, each once.
func with(list []protocol.Raw, more []string) (out []string) {
	for _, raw := range list {
		out = append(out, protocol.TextOf(raw))
	}
	for _, text := range more {
		if !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}

// fromBranches removes facts from the files of branches.
func (k Keeper) fromBranches(place memory.Place, ids []string) error {
	var errs []error
	for _, file := range place.FactFiles() {
		if memory.BranchOf(file) != "" {
			errs = append(errs, place.Rewrite(file, func(o *protocol.Object) (bool, bool, error) {
				return false, !slices.Contains(ids, memory.IDOf(*o)), nil
			}))
		}
	}
	return errors.Join(errs...)
}

// Replaceable are facts that a new one may replace, by their ids.
func (k Keeper) Replaceable(ids []string) (out []Before, err error) {
	if len(ids) == 0 {
		return nil, nil
	}
	all, err := k.Facts()
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		i := slices.IndexFunc(all, func(e Entry) bool { return e.ID == id && !e.Deleted })
		if i < 0 {
			return nil, k.none(id)
		}
		if all[i].Whose == ledger.Nobody {
			return nil, waits(id)
		}
		out = append(out, all[i].before())
	}
	return out, nil
}

// known is an error if there is no fact with one of some ids, on any branch.
func (k Keeper) known(ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	place := k.place()
	place.EveryBranch, place.Waiting = true, true
	all, err := k.factsIn(place)
	for _, id := range ids {
		if err == nil && !slices.ContainsFunc(all, func(e Entry) bool { return e.ID == id }) {
			err = fmt.Errorf("%w: %s", ErrNoEntry, id)
		}
	}
	return err
}

// mayReplace refuses a cycle of facts that replace each other, which would leave none.
func (k Keeper) mayReplace(ids, replaced []string) error {
	if _, err := k.Replaceable(replaced); err != nil || len(replaced) == 0 {
		return err
	}
	all, err := k.Facts()
	if err != nil {
		return err
	}
	of := map[string][]string{}
	for _, e := range all {
		planned := !e.Begun(k.Now) && slices.Contains(replaced, e.ID) // what was to come does not come, see unplan
		for _, id := range e.Supersedes {
			if !e.Deleted && !(planned && slices.Contains(ids, id)) {
				of[e.ID] = append(of[e.ID], id)
			}
		}
	}
	seen := map[string]bool{}
	for list := slices.Clone(replaced); len(list) > 0; list = list[1:] {
		id := list[0]
		if seen[id] {
			continue
		}
		seen[id] = true
		list = append(list, of[id]...)
	}
	for _, id := range ids {
		if seen[id] {
			return Refused{Reason: fmt.Sprintf("%s is among what %s stand for, or replaced by it", id, strings.Join(replaced, ", ")), Fix: "delete what is wrong instead"}
		}
	}
	return nil
}

func number(raw protocol.Raw) int {
	n, err := strconv.Atoi(string(raw))
	if err != nil {
		return 0
	}
	return n
}
