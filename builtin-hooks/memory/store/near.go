package store

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/period"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/search"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/truth"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/wording"
	"github.com/agents-hooks/agents-hooks/internal/ledger"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A relation is an older fact that holds, and what a new one does to it.
type relation struct {
	Entry
	verdict truth.Verdict
}

// kin are the facts that a new one may replace, and otherwise those nearest to it.
type kin struct{ asked, nearest []Entry }

// relations are the facts that hold and are related to a new one, the nearest first; and its
// kin.
func (k Keeper) relations(f memory.Fact, topicKey string) (out []relation, akin kin, err error) {
	shelf := k.shelf()
	if f.Time.IsZero() {
		f.Time = k.Now
	}
	newer := k.read(&Entry{Fact: f, TopicKey: topicKey})
	near, many, err := shelf.Near(search.Doc{Content: newer.plain(), Entities: f.Entities}.Text(), topicKey, k.Now)
	if err != nil {
		return nil, akin, err
	}
	sense := shelf.Sense()
	defer sense.Close()
	asked, files := map[string]map[string]bool{}, map[string]map[string]Entry{} // by file, and id
	for _, n := range near {
		if asked[n.File] == nil {
			asked[n.File] = map[string]bool{}
		}
		asked[n.File][n.ID] = true
	}
	held := func(d search.Doc) (e Entry, holds bool, err error) {
		if files[d.File] == nil {
			if files[d.File], err = k.holding(d.File, asked[d.File]); err != nil {
				return e, false, err
			}
		}
		e, there := files[d.File][d.ID]
		return e, there && e.Content == d.Content && !e.Over(k.Now), nil
	}
	var doubtful []doubt
	for _, n := range k.judged(near, newer, many, sense) {
		if n.Verdict == truth.Distinct && !n.Ask && !n.Name && topicKey == "" {
			continue
		}
		e, holds, err := held(n.Doc)
		if err != nil {
			return nil, akin, err
		}
		if !holds {
			continue
		}
		// The older one's topic key is in its line, not in the snapshot.
		v, settled := settle(k.read(&e), newer)
		if !settled {
			v = allowed(n.Verdict, k.read(&e), newer)
		}
		switch {
		case v != truth.Distinct:
			out = append(out, relation{e, v})
		case settled || e.Kind != f.Kind || f.Kind == "S":
		case n.Ask:
			doubtful = append(doubtful, doubt{e, n.Sure})
		case n.Name:
			akin.nearest = append(akin.nearest, e)
		}
	}
	slices.SortStableFunc(doubtful, func(a, b doubt) int { return cmp.Compare(b.sure, a.sure) })
	for _, d := range doubtful[:min(akinMost, len(doubtful))] {
		akin.asked = append(akin.asked, d.Entry)
	}
	return out, akin, nil
}

func (k Keeper) shelf() search.Folder {
	return search.Folder{Scope: "project", Dir: k.Dir, Cache: k.Cache, Within: k.Within, Ledger: k.Ledger, Root: k.Root, Tree: k.Tree, Ask: k.Ask}
}

// judgements are what a save of a fact that is kept already would say of its neighbours, by their ids.
func (k Keeper) judgements(f *reading) map[string]truth.Judgement {
	out := map[string]truth.Judgement{}
	shelf := k.shelf()
	near, many, err := shelf.Near(search.Doc{Content: f.plain(), Entities: f.Entities}.Text(), f.TopicKey, k.Now)
	if err != nil {
		return out
	}
	sense := shelf.Sense()
	defer sense.Close()
	near = slices.DeleteFunc(near, func(n search.Neighbour) bool { return n.ID == f.ID })
	for _, n := range k.judged(near, f, many-1, sense) {
		out[n.ID] = n.Judgement
	}
	return out
}

// A judgedFact is a neighbour of a new fact, and what that does to it.
type judgedFact struct {
	search.Doc
	truth.Judgement
}

// judged says what a new fact does to its neighbours: results of a search are judged by
// meaning, those that only share words by rules, and without a lexicon all by rules.
func (k Keeper) judged(near []search.Neighbour, newer *reading, many int, sense *search.Sense) (out []judgedFact) {
	var rivals []truth.Rival
	var of []int
	for _, n := range near {
		older := k.read(&Entry{Fact: memory.Fact{ID: n.ID, Kind: n.Type, Content: n.Content, Entities: n.Entities, Time: n.Time, Since: n.Since, Until: n.Until}, File: n.File})
		v, settled := settle(older, newer)
		switch {
		case settled:
		case older.onlyWhen(newer):
			v, settled = older.with(newer), true
		case n.Score == 0 || !sense.Has():
			v = older.with(newer)
		}
		if !settled && sense.Has() && (n.Score > 0 || n.Weak || v != truth.Distinct) {
			rivals, of = append(rivals, truth.Rival{Text: older.plain(), Score: n.Score, Shares: n.Shares, Only: n.Only, Other: n.Other, Weak: n.Weak}), append(of, len(out))
		}
		out = append(out, judgedFact{n.Doc, truth.Judgement{Verdict: v}})
	}
	for i, j := range truth.Among(newer.plain(), rivals, many, sense) {
		out[of[i]].Judgement = j
	}
	return out
}

// A doubt is a fact that a new one may replace, and how likely that is.
type doubt struct {
	Entry
	sure float64
}

// akinMost is how many facts a save asks about.
const akinMost = 2

// holding are those facts in one file that are not deleted, by id.
func (k Keeper) holding(file string, ids map[string]bool) (map[string]Entry, error) {
	out := map[string]Entry{}
	err := k.place().LinesOf(file, ids, func(o protocol.Object, whose ledger.Whose) {
		// An unapproved fact is kept from agents, so it is neither a duplicate nor replaced.
		if e, ok := entryOf(o, file); ok && !e.Deleted && whose != ledger.Nobody && !e.Updated.Before(out[e.ID].Updated) {
			e.Whose = whose
			out[e.ID] = e
		}
	})
	return out, err
}

// A reading is a fact as it is compared with others: its derived forms are computed once.
type reading struct {
	*Entry
	in         *time.Location // of whose days it tells
	wording    string
	bare       string // what it says without when it holds, "" before it is computed
	said, full *truth.Statement
}

func (k Keeper) read(e *Entry) *reading {
	return &reading{Entry: e, in: k.Now.Location(), wording: wording.Of(e.Content)}
}

// plain is what it says without the words for when it holds, which count for nothing in whether it takes
// the place of another one: who is on call until Friday takes that of who is on call.
func (r *reading) plain() string {
	if r.bare == "" {
		r.bare = r.Content
		if r.Kind != "S" && !r.Time.IsZero() && !(r.Since.IsZero() && r.Until.IsZero()) {
			r.bare = period.Read(r.Content, r.Time.In(r.in)).Rest
		}
	}
	return r.bare
}

func (r *reading) statement() *truth.Statement {
	if r.said == nil {
		r.said = truth.Read(r.plain())
	}
	return r.said
}

func (r *reading) whole() *truth.Statement {
	if r.plain() == r.Content {
		return r.statement()
	}
	if r.full == nil {
		r.full = truth.Read(r.Content)
	}
	return r.full
}

// onlyWhen reports whether two facts differ in nothing but when they hold.
func (r *reading) onlyWhen(f *reading) bool {
	return (r.plain() != r.Content || f.plain() != f.Content) && r.statement().With(f.statement()) == truth.Same
}

// with is what a new fact does to it by rules. Where only the words for when they hold differ, these are
// compared, too: it is no repeat.
func (r *reading) with(f *reading) truth.Verdict {
	if v := r.statement().With(f.statement()); v != truth.Same {
		return v
	}
	return r.whole().With(f.whole())
}

// relate determines by rules what a new fact does to an older one that holds.
func relate(old, f *reading) truth.Verdict {
	v, settled := settle(old, f)
	if !settled {
		v = allowed(old.with(f), old, f)
	}
	return v
}

// settle determines what a new fact does to an older one if their content need not be compared:
// by the topic, the kind, the entities, or because both say the same.
func settle(old, f *reading) (v truth.Verdict, settled bool) {
	switch {
	case (old.Kind == "S") != (f.Kind == "S"):
		return truth.Distinct, true
	case old.wording == f.wording:
		if f.TopicKey == "" || old.TopicKey == f.TopicKey {
			return truth.Same, true
		}
		return truth.Distinct, true
	case f.TopicKey != "" && old.TopicKey == f.TopicKey:
		return truth.Update, true
	case f.TopicKey != "" && old.TopicKey != "" || old.ID == "" && old.File != "":
		return truth.Distinct, true // of another topic; or nothing can name it
	case len(old.Entities) > 0 && len(f.Entities) > 0 && !shareOne(old.Entities, f.Entities):
		return truth.Distinct, true
	}
	return truth.Distinct, false
}

// allowed is a verdict, if the kinds of both facts allow it.
func allowed(v truth.Verdict, old, f *reading) truth.Verdict {
	if v == truth.Same && f.TopicKey != "" || v != truth.Same && (old.Kind != f.Kind || f.Kind == "S") {
		return truth.Distinct
	}
	return v
}

func shareOne(a, b []string) bool {
	return slices.ContainsFunc(a, func(x string) bool {
		return slices.ContainsFunc(b, func(y string) bool { return strings.EqualFold(x, y) })
	})
}

// Contradicts are the facts that hold and may contradict one that came from elsewhere.
func (k Keeper) Contradicts(f memory.Fact) (out []Before, err error) {
	near, _, err := k.relations(f, "")
	for _, r := range near {
		if r.ID != f.ID && Together(r.Fact, f, k.Now) && (r.verdict == truth.Update || r.verdict == truth.Conflict) && !slices.Contains(f.Supersedes, r.ID) && !slices.Contains(r.Supersedes, f.ID) {
			out = append(out, r.before())
		}
	}
	return out, err
}

// Together reports whether two facts can contradict each other: whether they begin to hold at the
// same time, or have both begun, and one has not ended by then.
func Together(a, b memory.Fact, now time.Time) bool {
	return start(a, now).Equal(start(b, now)) && !apartInTime(a, b)
}

// start is when a fact begins to hold, at the earliest now.
func start(f memory.Fact, now time.Time) time.Time {
	if f.Begun(now) {
		return now
	}
	return f.Since
}

// apartInTime reports whether one of two facts ends before the other begins.
func apartInTime(a, b memory.Fact) bool {
	return !a.Until.IsZero() && !b.Since.Before(a.Until) || !b.Until.IsZero() && !a.Since.Before(b.Until)
}
