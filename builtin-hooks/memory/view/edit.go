package view

import (
	_ "embed"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/store"
	"github.com/agents-hooks/agents-hooks/internal/ledger"
	"github.com/agents-hooks/agents-hooks/internal/linediff"
	"github.com/agents-hooks/agents-hooks/internal/page"
)

var (
	//go:embed edit.css
	editStyle string
	//go:embed edit.js
	editScript string
)

// An Editing is the part of a page in which the user changes things.
type Editing struct {
	User     bool      `json:"user"` // it is the user's own memory
	May      bool      `json:"may"`
	Why      string    `json:"why"` // why it may not
	Page     string    `json:"page"`
	Waiting  int       `json:"waiting"` // facts that are not approved yet
	Findings []Finding `json:"findings"`
	Deleted  []Fact    `json:"deleted"`
	Sessions []Session `json:"sessions"` // deleted summaries
	Versions []Version `json:"versions"`
}

type Finding struct {
	Why   string `json:"why"`
	Fact  Fact   `json:"fact"`
	Other *Fact  `json:"other,omitempty"`
	Uses  int    `json:"uses"`
	Seen  string `json:"seen"` // the mark of the fact, of both if it has two versions
	// Page is the line of MEMORY.md that says otherwise; its fact is Fact, and Other what took its place.
	Page *store.PageLine `json:"page,omitempty"`
}

// A Version is a page that was replaced, with what would change if it were restored.
type Version struct {
	Name string `json:"name"`
	Diff string `json:"diff"` // "" if it is too large to be compared here
	Same bool   `json:"same"` // it says the same as the present page
}

const (
	mostVersions = 20
	largest      = 256 << 10 // size of a page that is compared
)

// Allow makes it a page in which the user changes things. Each fact gets the mark of what is
// shown of it, which a change repeats: a fact that has changed since stays as it is.
func (p *Page) Allow(k store.Keeper, e Editing, findings []store.Finding) error {
	marks, err := k.Marks()
	if err != nil {
		return err
	}
	marked := func(f Fact) Fact {
		if f.Whose != "waiting" {
			f.Mark = marks[f.ID]
		}
		return f
	}
	for i, f := range p.Facts {
		if p.Facts[i] = marked(f); f.Whose == "waiting" {
			e.Waiting++
		}
	}
	e.Findings, e.Versions = []Finding{}, []Version{}
	for _, f := range findings {
		// Nothing is proposed for unapproved facts, nor for those that changed since they were
		// found.
		if f.Waits() || f.Why != store.Versions && marks[f.ID] != f.Fact.Mark() || f.Beside != nil && f.Why != store.Versions && marks[f.Beside.ID] != f.Beside.Mark() {
			continue
		}
		one := Finding{Why: f.Why, Fact: marked(factOf(f.Fact)), Uses: f.Uses, Seen: marks[f.ID], Page: f.Page}
		if f.Beside != nil {
			other := marked(factOf(*f.Beside))
			if f.Why == store.Versions {
				// Both have the same id, so they are distinguished by their content.
				other.Mark, one.Fact.Mark = f.Beside.Mark(), f.Fact.Mark()
			}
			one.Other = &other
		}
		e.Findings = append(e.Findings, one)
	}
	if e.Deleted, err = deleted(k); err != nil {
		return err
	}
	for i, f := range e.Deleted {
		e.Deleted[i] = marked(f)
	}
	for i, s := range p.Sessions {
		if s.Whose != "waiting" {
			p.Sessions[i].Mark = marks[s.ID]
		}
	}
	if e.Sessions, err = deletedSessions(k, marks); err != nil {
		return err
	}
	core, err := k.Read(k.Core())
	if err != nil {
		return err
	}
	e.Page = store.PageMark(core)
	list, err := k.Versions(mostVersions)
	for _, v := range list {
		one := Version{Name: v.Name, Same: v.Text == string(core)}
		if len(v.Text)+len(core) <= largest && !one.Same {
			var b strings.Builder
			linediff.Write(&b, string(core), v.Text, func(line string) string { return line })
			one.Diff = b.String()
		}
		e.Versions = append(e.Versions, one)
	}
	p.Edit = &e
	return err
}

// deleted are the deleted facts, the newest first.
func deleted(k store.Keeper) ([]Fact, error) {
	all, err := k.Facts()
	out := []Fact{}
	have, gone := map[string]bool{}, store.Deleted(all)
	for _, e := range slices.Backward(all) {
		if e.Deleted && gone[e.ID] && e.ID != "" && !have[e.ID] && e.Whose != ledger.Nobody {
			have[e.ID] = true
			out = append(out, factOf(e))
		}
	}
	return out, err
}

// deletedSessions are the deleted summaries, the newest first.
func deletedSessions(k store.Keeper, marks map[string]string) ([]Session, error) {
	all, err := k.EverySummary()
	out := []Session{}
	for _, s := range slices.Backward(all) {
		if s.Deleted && s.ID != "" && s.Whose != ledger.Nobody {
			one := sessionOf(s)
			one.Mark = marks[s.ID]
			out = append(out, one)
		}
	}
	return out, err
}

// Editor is the page as a part of a larger one that is served.
func (p Page) Editor() page.Part {
	part := p.Part()
	part.Style, part.Script = style+editStyle, editScript+script
	return part
}
