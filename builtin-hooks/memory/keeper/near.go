package keeper

import (
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/find"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/truth"
	"github.com/agents-hooks/agents-hooks/internal/ledger"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A relation is an older fact that holds, and what a new one does to it.
type relation struct {
	Entry
	verdict truth.Verdict
}

// relations are the facts that hold and have to do with a new one, the nearest
// first; and those that are about the same as it is, and that nothing tells to be
// replaced or not.
func (k Keeper) relations(f memory.Fact, topicKey string) (out []relation, akin []Entry, err error) {
	shelf := find.Shelf{Scope: "project", Dir: k.Dir, Cache: k.Cache, Within: k.Within, Ledger: k.Ledger, Root: k.Root, Tree: k.Tree, Ask: k.Ask}
	docs, hits, err := shelf.Near(find.Doc{Content: f.Content, Entities: f.Entities}.Text(), topicKey, k.Now)
	if err != nil {
		return nil, nil, err
	}
	files := map[string]map[string]Entry{}
	held := func(d find.Doc) (e Entry, holds bool, err error) {
		if files[d.File] == nil {
			if files[d.File], err = k.holding(d.File); err != nil {
				return e, false, err
			}
		}
		e, there := files[d.File][d.ID]
		return e, there && e.Content == d.Content && (e.Until.IsZero() || k.Now.Before(e.Until)), nil
	}
	for _, d := range docs {
		v := relate(Entry{Fact: memory.Fact{Kind: d.Type, Content: d.Content, Entities: d.Entities}}, f, topicKey)
		// The topic key of the older one stands in its line, not in the snapshot.
		if v == truth.Distinct && topicKey == "" {
			continue
		}
		e, holds, err := held(d)
		if err != nil {
			return nil, nil, err
		}
		v = relate(e, f, topicKey)
		if v == truth.Conflict && !slices.ContainsFunc(hits, func(h find.Hit) bool { return h.ID == e.ID && h.Score >= akinLeast }) {
			continue // both name a thing, and are about different sides of it
		}
		if holds && v != truth.Distinct {
			out = append(out, relation{e, v})
		}
	}
	most := akinMost
	if truth.Changes(f.Content) {
		most = changedMost
	}
	for _, h := range hits {
		if len(akin) == most || !mayStand(h, f) || slices.ContainsFunc(out, func(r relation) bool { return r.ID == h.ID }) {
			continue
		}
		e, holds, err := held(h.Doc)
		if err != nil {
			return nil, nil, err
		}
		if holds && (topicKey == "" || e.TopicKey == "") {
			akin = append(akin, e)
		}
	}
	return out, akin, nil
}

// akinMost is how many facts a save asks about, changedMost how many if the new one says
// that something changed, and akinLeast how well a search for it has to find them. That
// tells what is about the same from what is not only roughly: of 40 updates that others
// wrote, most of them in quite other words, beside 150 facts, 14 are told and 12 asked
// about; of the 150 a third is asked about something as it is saved.
const (
	akinMost    = 2
	changedMost = 4
	akinLeast   = 0.28
)

// mayStand reports whether a fact that a search found may be what a new one replaces.
func mayStand(h find.Hit, f memory.Fact) bool {
	return h.Kind == "fact" && h.ID != "" && h.Type != "S" && f.Kind != "S" && h.Score >= akinLeast && !truth.Apart(h.Content, f.Content)
}

// holding are the facts of one file that are not deleted, by their ids.
func (k Keeper) holding(file string) (map[string]Entry, error) {
	out := map[string]Entry{}
	err := k.place().Lines(file, func(o protocol.Object, whose ledger.Whose) {
		// What nobody has looked at is told to nobody, so it is not what was said
		// already, and takes the place of nothing.
		if e, ok := entryOf(o, file); ok && !e.Deleted && whose != ledger.Nobody {
			out[e.ID] = e
		}
	})
	return out, err
}

// relate tells what a new fact does to an older one that holds.
func relate(old Entry, f memory.Fact, topicKey string) truth.Verdict {
	switch {
	case (old.Kind == "S") != (f.Kind == "S"):
		return truth.Distinct
	case memory.Normal(old.Content) == memory.Normal(f.Content):
		if topicKey == "" || old.TopicKey == topicKey {
			return truth.Same
		}
		return truth.Distinct
	case topicKey != "" && old.TopicKey == topicKey:
		return truth.Update
	case topicKey != "" && old.TopicKey != "" || old.ID == "" && old.File != "":
		return truth.Distinct // of another topic; or nothing can name it
	case len(old.Entities) > 0 && len(f.Entities) > 0 && !shareOne(old.Entities, f.Entities):
		return truth.Distinct
	}
	v := truth.Compare(old.Content, f.Content)
	if v == truth.Same && topicKey != "" || v != truth.Same && (old.Kind != f.Kind || f.Kind == "S") {
		return truth.Distinct
	}
	return v
}

func shareOne(a, b []string) bool {
	return slices.ContainsFunc(a, func(x string) bool {
		return slices.ContainsFunc(b, func(y string) bool { return strings.EqualFold(x, y) })
	})
}

// Contradicts are the facts that hold and may not be true beside one that came from
// elsewhere.
func (k Keeper) Contradicts(f memory.Fact) (out []Before, err error) {
	near, _, err := k.relations(f, "")
	for _, r := range near {
		if r.ID != f.ID && (r.verdict == truth.Update || r.verdict == truth.Conflict) && !slices.Contains(f.Supersedes, r.ID) && !slices.Contains(r.Supersedes, f.ID) {
			out = append(out, r.before())
		}
	}
	return out, err
}
