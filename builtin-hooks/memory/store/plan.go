package store

import (
	"slices"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// planned are those of the kin that begin later and take the place of what a new fact replaces.
func (k Keeper) planned(f memory.Fact, akin kin) (out []Entry) {
	for _, e := range slices.Concat(akin.asked, akin.nearest) {
		if start(e.Fact, k.Now).After(start(f, k.Now)) && shareReplaced(e.Fact, f) {
			out = append(out, e)
		}
	}
	return out
}

func shareReplaced(a, b memory.Fact) bool {
	return slices.ContainsFunc(a.Supersedes, func(id string) bool { return slices.Contains(b.Supersedes, id) })
}

// plan lets facts that begin later take the place of one that was just saved as well, if they take the
// place of what that one replaced: it holds until then in place of it.
func (k Keeper) plan(f memory.Fact, later []Entry) error {
	for _, e := range later {
		if !shareReplaced(e.Fact, f) || memory.Shared(e.Origin) || slices.Contains(e.Supersedes, f.ID) {
			continue
		}
		err := k.place().Rewrite(e.File, func(o *protocol.Object) (bool, bool, error) {
			if memory.IDOf(*o) != e.ID {
				return false, true, nil
			}
			o.Set("supersedes", protocol.TextList(with(protocol.ElementsOf(o.Get("supersedes")), []string{f.ID})))
			return true, true, nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// unplan lets facts that begin later no longer take the place of some others, of which somebody says that
// they stand beside them or take theirs.
func (k Keeper) unplan(later, others []string) error {
	if len(later) == 0 {
		return nil
	}
	_, err := k.eachFound(later, func(o *protocol.Object) (bool, bool) {
		f, ok := memory.ParseFact(*o)
		if !ok || f.Begun(k.Now) {
			return false, true
		}
		left := slices.DeleteFunc(slices.Clone(f.Supersedes), func(id string) bool { return slices.Contains(others, id) })
		if len(left) == len(f.Supersedes) {
			return false, true
		}
		if o.Delete("supersedes"); len(left) > 0 {
			o.Set("supersedes", protocol.TextList(left))
		}
		return true, true
	})
	return err
}
