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
// first.
func (k Keeper) relations(f memory.Fact, topicKey string) ([]relation, error) {
	shelf := find.Shelf{Scope: "project", Dir: k.Dir, Cache: k.Cache, Within: k.Within, Ledger: k.Ledger, Root: k.Root, Tree: k.Tree, Ask: k.Ask}
	docs, err := shelf.Near(find.Doc{Content: f.Content, Entities: f.Entities}.Text(), topicKey, k.Now)
	if err != nil {
		return nil, err
	}
	var out []relation
	files := map[string]map[string]Entry{}
	for _, d := range docs {
		v := relate(Entry{Fact: memory.Fact{Kind: d.Type, Content: d.Content, Entities: d.Entities}}, f, topicKey)
		// The topic key of the older one stands in its line, not in the snapshot.
		if v == truth.Distinct && topicKey == "" {
			continue
		}
		if files[d.File] == nil {
			if files[d.File], err = k.holding(d.File); err != nil {
				return nil, err
			}
		}
		e, there := files[d.File][d.ID]
		if !there || e.Content != d.Content || !e.Until.IsZero() && !k.Now.Before(e.Until) {
			continue
		}
		if v = relate(e, f, topicKey); v != truth.Distinct {
			out = append(out, relation{e, v})
		}
	}
	return out, nil
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
	near, err := k.relations(f, "")
	for _, r := range near {
		if r.ID != f.ID && (r.verdict == truth.Update || r.verdict == truth.Conflict) && !slices.Contains(f.Supersedes, r.ID) && !slices.Contains(r.Supersedes, f.ID) {
			out = append(out, r.before())
		}
	}
	return out, err
}
