package store

import (
	"slices"
	"time"

	"github.com/agents-hooks/agents-hooks/protocol"
)

// handOver gives what some facts replaced to those that replaced them.
func (k Keeper) handOver(ids []string) error {
	if err := k.Shown(ids); err != nil {
		return err
	}
	k.Seen = nil // who purges a fact was not shown what took its place
	place := k.place()
	place.EveryBranch = true
	all, err := k.factsIn(place)
	if err != nil {
		return err
	}
	of, since := map[string][]string{}, map[string]time.Time{}
	for _, e := range all {
		of[e.ID], since[e.ID] = append(of[e.ID], e.Supersedes...), e.Since
	}
	for _, e := range all {
		var more []string
		for list := slices.Clone(e.Supersedes); len(list) > 0; list = list[1:] {
			if id := list[0]; slices.Contains(ids, id) && e.Follows(since[id]) {
				for _, older := range of[id] {
					if !slices.Contains(e.Supersedes, older) && !slices.Contains(more, older) && older != e.ID {
						more, list = append(more, older), append(list, older)
					}
				}
			}
		}
		if len(more) == 0 || e.ID == "" || slices.Contains(ids, e.ID) {
			continue
		}
		_, err := k.eachFound([]string{e.ID}, func(o *protocol.Object) (bool, bool) {
			o.Set("supersedes", protocol.TextList(with(protocol.ElementsOf(o.Get("supersedes")), more)))
			return true, true
		})
		if err != nil {
			return err
		}
	}
	return nil
}
