package store

import (
	"cmp"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/search"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/truth"
	"github.com/agents-hooks/agents-hooks/internal/ledger"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A relation is an older fact that holds, and what a new one does to it.
type relation struct {
	Entry
	verdict truth.Verdict
	sure    float64
}

// relations are the facts that hold and have to do with a new one, the nearest
// first; and those that are about the same as it is, and of which it is doubtful whether
// it replaces them.
func (k Keeper) relations(f memory.Fact, topicKey string) (out []relation, akin []Entry, err error) {
	shelf := search.Folder{Scope: "project", Dir: k.Dir, Cache: k.Cache, Within: k.Within, Ledger: k.Ledger, Root: k.Root, Tree: k.Tree, Ask: k.Ask}
	docs, hits, err := shelf.Near(search.Doc{Content: f.Content, Entities: f.Entities}.Text(), topicKey, k.Now)
	if err != nil {
		return nil, nil, err
	}
	newer := read(&Entry{Fact: f, TopicKey: topicKey})
	sense := shelf.Sense()
	defer sense.Close()
	files := map[string]map[string]Entry{}
	held := func(d search.Doc) (e Entry, holds bool, err error) {
		if files[d.File] == nil {
			if files[d.File], err = k.holding(d.File); err != nil {
				return e, false, err
			}
		}
		e, there := files[d.File][d.ID]
		return e, there && e.Content == d.Content && (e.Until.IsZero() || k.Now.Before(e.Until)), nil
	}
	least := doubtLeast
	if truth.Changes(f.Content) {
		least = changedLeast
	}
	var doubtful []doubt
	seen := map[string]bool{}
	for i, d := range append(docs, meant(hits)...) {
		if seen[d.ID] && d.ID != "" {
			continue
		}
		seen[d.ID] = true
		meaning := sense
		if i < len(docs) && !slices.ContainsFunc(hits, func(h search.Hit) bool { return h.ID == d.ID }) {
			meaning = nil // it has words of the new one, and that is all
		}
		// The topic key of the older one stands in its line, not in the snapshot.
		v, sure := relate(read(&Entry{Fact: memory.Fact{ID: d.ID, Kind: d.Type, Content: d.Content, Entities: d.Entities}}), newer, meaning)
		if v == truth.Distinct && sure < least && topicKey == "" {
			continue
		}
		e, holds, err := held(d)
		if err != nil {
			return nil, nil, err
		}
		if !holds {
			continue
		}
		switch v, sure = relate(read(&e), newer, sense); {
		case v == truth.Distinct && sure >= least && (topicKey == "" || e.TopicKey == ""):
			doubtful = append(doubtful, doubt{e, sure})
		case v == truth.Conflict && sense.Has() && sure < least: // both name a thing, and are about different sides of it
		case v != truth.Distinct:
			out = append(out, relation{e, v, sure})
		}
	}
	out, doubtful = onlySurest(out, doubtful, newer)
	slices.SortStableFunc(doubtful, func(a, b doubt) int { return cmp.Compare(b.sure, a.sure) })
	for _, d := range doubtful[:min(akinMost, len(doubtful))] {
		akin = append(akin, d.Entry)
	}
	return out, akin, nil
}

// onlySurest leaves of the facts that a new one replaces by what it means the one that it
// does for the likeliest: an update is one of a single thing. The others are doubtful.
func onlySurest(list []relation, doubtful []doubt, newer *reading) ([]relation, []doubt) {
	most := 0.0
	for _, r := range list {
		if r.verdict == truth.Update {
			most = max(most, r.sure)
		}
	}
	list = slices.DeleteFunc(list, func(r relation) bool {
		byMeaning := r.verdict == truth.Update && r.sure < most && read(&r.Entry).statement().With(newer.statement()) != truth.Update
		if byMeaning {
			doubtful = append(doubtful, doubt{r.Entry, r.sure})
		}
		return byMeaning
	})
	return list, doubtful
}

// A doubt is a fact that a new one may replace, and how likely that is.
type doubt struct {
	Entry
	sure float64
}

// akinMost is how many facts a save asks about, and doubtLeast how likely it has to
// replace them; changedLeast, where it says that something changed.
const (
	akinMost     = 2
	doubtLeast   = 0.07
	changedLeast = 0.04
)

// meant are the facts that a search found, which may say the same in other words.
func meant(hits []search.Hit) (out []search.Doc) {
	for _, h := range hits {
		if h.Kind == "fact" && h.ID != "" && h.Type != "S" {
			out = append(out, h.Doc)
		}
	}
	return out
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

// A reading is a fact as it is compared with others: what is made of its text is made
// once.
type reading struct {
	*Entry
	normal string
	said   *truth.Statement
}

func read(e *Entry) *reading { return &reading{Entry: e, normal: memory.Normal(e.Content)} }

func (r *reading) statement() *truth.Statement {
	if r.said == nil {
		r.said = truth.Read(r.Content)
	}
	return r.said
}

// relate tells what a new fact does to an older one that holds, and how likely it
// replaces it, which is by rules alone without a sense.
func relate(old, f *reading, sense *search.Sense) (truth.Verdict, float64) {
	switch {
	case (old.Kind == "S") != (f.Kind == "S"):
		return truth.Distinct, 0
	case old.normal == f.normal:
		if f.TopicKey == "" || old.TopicKey == f.TopicKey {
			return truth.Same, 0
		}
		return truth.Distinct, 0
	case f.TopicKey != "" && old.TopicKey == f.TopicKey:
		return truth.Update, 1
	case f.TopicKey != "" && old.TopicKey != "" || old.ID == "" && old.File != "":
		return truth.Distinct, 0 // of another topic; or nothing can name it
	case len(old.Entities) > 0 && len(f.Entities) > 0 && !shareOne(old.Entities, f.Entities):
		return truth.Distinct, 0
	}
	v, sure := truth.Distinct, 0.0
	if sense.Has() {
		v, sure = truth.Judge(old.Content, f.Content, sense)
	} else {
		v = old.statement().With(f.statement())
	}
	if v == truth.Same && f.TopicKey != "" || v != truth.Same && (old.Kind != f.Kind || f.Kind == "S") {
		return truth.Distinct, 0
	}
	return v, sure
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
