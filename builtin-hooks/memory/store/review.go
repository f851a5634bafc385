package store

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/truth"
	"github.com/agents-hooks/agents-hooks/internal/ledger"
	"github.com/agents-hooks/agents-hooks/internal/order"
)

// Why a fact is worth a look.
const (
	Contradicted = "contradicted" // another one that holds says something else
	Undecided    = "undecided"    // the save asked whether it replaces or contradicts another one, and nobody said so
	Repeated     = "repeated"     // another one that holds says the same
	Versions     = "versions"     // two people changed it, and both versions were merged
	Overridden   = "overridden"   // the person changed it here, and later on another machine without knowing
	OnPage       = "page"         // MEMORY.md says otherwise
	Over         = "over"         // it held until a date that has passed
	Abandoned    = "abandoned"    // its branch no longer exists and was not merged
	Proven       = "proven"       // it was used or saved so often that every session should begin with it
	Old          = "old"          // it was not used or confirmed for a long time
	Unused       = "unused"       // it was never used
)

// A Finding is a fact that is worth a look, and what is proposed.
type Finding struct {
	Why      string    `json:"why"`
	ID       string    `json:"id"`
	Content  string    `json:"content"`
	Time     string    `json:"timestamp"`
	Origin   string    `json:"origin,omitempty"`
	Author   string    `json:"author,omitempty"`
	Uses     int       `json:"uses"`
	Branch   string    `json:"branch,omitempty"`
	Other    *Before   `json:"other,omitempty"` // the contradicting fact
	Page     *PageLine `json:"page,omitempty"`  // the line of MEMORY.md that says otherwise
	Proposed []string  `json:"proposed"`        // commands, one of which should be run

	Fact   Entry  `json:"-"` // the fact it is about
	Beside *Entry `json:"-"` // the other fact, if there is one
}

// When a review considers a fact never used, or proven.
const (
	unusedDays = 30
	provenUses = 3
)

// Review are the facts that are worth a look, the most urgent first. A fact is old if it was
// not used or confirmed for days; most is how many of each kind are listed, and left how many
// more there are.
func (k Keeper) Review(days, most int) (list []Finding, left int, err error) {
	place := k.place()
	place.EveryBranch = true
	every, err := k.factsIn(place)
	if err != nil {
		return nil, 0, err
	}
	holds := k.place().FactFiles()
	here := slices.DeleteFunc(slices.Clone(every), func(e Entry) bool { return !slices.Contains(holds, e.File) })
	uses := k.place().Uses()
	living := Living(here, k.Now)
	r := &review{k: k, uses: uses, days: days, most: most, of: map[string]int{}, paired: map[[2]string]bool{}, near: map[string]map[string]truth.Judgement{}}
	if err := r.strays(every, living); err != nil {
		return nil, 0, err
	}
	r.versions(here)
	r.over(here)
	r.abandoned(every, here)
	r.replaced(here, living)
	r.contradicted(append(r.byHand, living...))
	r.undecided(living)
	for _, e := range living {
		if e.Lost != nil {
			r.add(Overridden, e, "agents-hooks memory restore "+e.ID+" --edit", "agents-hooks memory confirm "+e.ID).Other = &Before{ID: e.ID, Content: e.Lost.Content, Author: e.Lost.By, Time: e.Lost.At}
		}
		r.aged(e)
	}
	order.By(r.list, func(a, b Finding) int { return cmp.Compare(rank(a.Why), rank(b.Why)) })
	return r.list, r.left, nil
}

func rank(why string) int {
	return slices.Index([]string{Contradicted, Versions, Overridden, OnPage, Undecided, Repeated, Over, Abandoned, Proven, Old, Unused}, why)
}

// A review in progress.
type review struct {
	k     Keeper
	uses  map[string]memory.Use
	days  int
	pages map[string]string // MEMORY.md
	most  int
	list  []Finding
	left  int

	of     map[string]int                        // number of findings by kind
	paired map[[2]string]bool                    // pairs that are listed
	near   map[string]map[string]truth.Judgement // what a save of a fact would say of its neighbours
	byHand []Entry                               // items of MEMORY.md that somebody wrote there, in the form of facts
}

func (r *review) add(why string, e Entry, proposed ...string) *Finding {
	if r.of[why]++; r.of[why] > r.most {
		r.left++
		return &Finding{}
	}
	r.list = append(r.list, Finding{Why: why, ID: e.ID, Content: e.said(), Origin: e.origin(), Time: memory.Stamp(e.Time), Author: e.by(), Uses: r.uses[e.ID].Count, Branch: e.From.Branch, Proposed: proposed, Fact: e})
	return &r.list[len(r.list)-1]
}

// Waits reports whether it is about an unapproved fact.
func (f Finding) Waits() bool {
	return f.Fact.Whose == ledger.Nobody || f.Beside != nil && f.Beside.Whose == ledger.Nobody
}

func (f *Finding) beside(e Entry) {
	before := e.before()
	f.Other, f.Beside = &before, &e
}

// over are the facts whose end has passed.
func (r *review) over(all []Entry) {
	for _, e := range all {
		if !e.Deleted && !e.Until.IsZero() && !r.k.Now.Before(e.Until) {
			r.add(Over, e, "agents-hooks memory edit "+e.ID+" --until DATE", "agents-hooks memory edit "+e.ID+" --until always", "agents-hooks memory delete "+e.ID)
		}
	}
}

// abandoned are the facts of branches that no longer exist.
func (r *review) abandoned(every, here []Entry) {
	files := map[string]bool{}
	for _, e := range here {
		files[e.File] = true
	}
	for _, e := range every {
		if memory.BranchOf(e.File) != "" && !files[e.File] && !e.Deleted && !r.k.place().HasBranch(e.File) {
			r.add(Abandoned, e, "agents-hooks memory confirm "+e.ID, "agents-hooks memory delete "+e.ID)
		}
	}
}

// says reports whether MEMORY.md has the text of a fact.
func (r *review) says(e Entry) bool {
	for _, page := range r.pages {
		if strings.Contains(page, strings.TrimSpace(e.Content)) {
			return true
		}
	}
	return false
}

// aged determines whether a fact has proven itself, or is old.
func (r *review) aged(e Entry) {
	use := r.uses[e.ID]
	last := e.Time
	for _, at := range []time.Time{e.Since, use.Last, e.Confirmed, e.SeenAt} {
		if at.After(last) {
			last = at
		}
	}
	times := use.Count + e.Seen - 1 + e.Confirms
	days := func(t time.Time) int { return int(r.k.Now.Sub(t).Hours() / 24) }
	switch {
	case e.Kind == "S" || e.ID == "" || last.IsZero() || !e.Begun(r.k.Now): // what begins later is not old before, and nobody knows how old one without a time is
	case times >= provenUses && r.k.fitsPage(e) == nil && !e.Promoted && !e.Declined && e.Whose == ledger.Own && !memory.Shared(e.Origin) && !r.says(e):
		r.add(Proven, e, "agents-hooks memory promote "+e.ID, "agents-hooks memory promote "+e.ID+" --decline")
	case e.Kind != "O" && days(last) >= r.days:
		r.add(Old, e, "agents-hooks memory confirm "+e.ID, "agents-hooks memory delete "+e.ID)
	case times == 0 && e.Kind != "O" && days(last) >= unusedDays:
		r.add(Unused, e, "agents-hooks memory confirm "+e.ID, "agents-hooks memory delete "+e.ID)
	}
}
