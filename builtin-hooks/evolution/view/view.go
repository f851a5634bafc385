package view

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/gene"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/journal"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/selector"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/store"
	"github.com/agents-hooks/agents-hooks/internal/order"
	"github.com/agents-hooks/agents-hooks/internal/page"
	"github.com/agents-hooks/agents-hooks/protocol"
)

var (
	//go:embed evolution.css
	style string
	//go:embed evolution.js
	script string
	//go:embed edit.css
	editStyle string
	//go:embed edit.js
	editScript string
	//go:embed still.js
	stillScript string
)

// A Page is the content of one page.
type Page struct {
	Language    string       `json:"language"` // zh or en, shown at first
	Name        string       `json:"name"`     // of the scope
	Dir         string       `json:"dir"`      // of the store, with ~ for the home
	Made        string       `json:"made"`     // RFC 3339
	Signals     []Signal     `json:"signals"`  // each occurrence, the oldest first
	Genes       []Gene       `json:"genes"`    // the most used first
	Suggestions []Suggestion `json:"suggestions"`
	Edit        *Editing     `json:"edit,omitempty"` // if the page is served
}

// Editing says whether a person may change genes on the page, and if not, why.
type Editing struct {
	May bool   `json:"may"`
	Why string `json:"why"`
}

// A Signal is one occurrence of a signal.
type Signal struct {
	Key     string `json:"key"`
	Time    string `json:"time"`
	Session string `json:"session"`
}

// A Gene is one gene, with the distribution of its rate of success.
type Gene struct {
	ID            string               `json:"id"`
	Title         string               `json:"title"`
	Steps         []string             `json:"steps"`
	Translations  map[string]gene.Text `json:"translations"`
	Description   string               `json:"description"`
	Preconditions []string             `json:"preconditions"`
	Category      string               `json:"category"`
	Visibility    string               `json:"visibility"`
	Origin        string               `json:"origin"`
	Scope         string               `json:"scope"`
	Signals       []string             `json:"signals"`
	Good          float64              `json:"good"` // weights of outcomes, here and elsewhere
	Bad           float64              `json:"bad"`
	Uses          int                  `json:"uses"`
	Alpha         float64              `json:"alpha"` // of the Beta distribution, decayed by age
	Beta          float64              `json:"beta"`
	Last          string               `json:"last"`
	Author        string               `json:"author,omitempty"`
	HeldFor       string               `json:"held_for,omitempty"`
	Mark          string               `json:"mark"` // of what is shown
}

// A Suggestion is one that an agent got, and what became of it.
type Suggestion struct {
	Gene       string   `json:"gene"`
	Session    string   `json:"session"`
	Time       string   `json:"time"`
	Signals    []string `json:"signals"`
	Confidence float64  `json:"confidence"`
	Outcome    string   `json:"outcome"`  // success, failed; "": unknown
	Followed   string   `json:"followed"` // yes, no; "": nobody said
	Judged     bool     `json:"judged"`   // somebody looked; otherwise it was inferred
	Summary    string   `json:"summary"`
}

// Of is the page for a store and the journals beside it. Language, Name and Dir are
// left empty.
func Of(ctx context.Context, st *store.Store, dir string, now time.Time) (Page, error) {
	p := Page{Made: stamp(now), Signals: []Signal{}, Genes: []Gene{}, Suggestions: []Suggestion{}}
	rows, err := st.List(ctx, store.Filter{})
	if err != nil {
		return p, err
	}
	for _, r := range rows {
		p.Genes = append(p.Genes, geneOf(r, now))
	}
	order.By(p.Genes, func(a, b Gene) int {
		return cmp.Or(cmp.Compare(b.Good+b.Bad, a.Good+a.Bad), cmp.Compare(a.ID, b.ID))
	})
	offered, err := st.Suggestions(ctx, "", time.Time{})
	if err != nil {
		return p, err
	}
	seen, err := st.Observations(ctx, store.Search{Standing: true})
	if err != nil {
		return p, err
	}
	for _, s := range slices.Backward(offered) {
		p.Suggestions = append(p.Suggestions, suggestionOf(s, seen))
	}
	known := map[string]bool{}
	if p.Signals, err = journals(dir, known); err != nil {
		return p, err
	}
	for _, s := range offered {
		if known[fileOf(dir, s.Session)] {
			continue
		}
		for _, key := range s.Signals {
			p.Signals = append(p.Signals, Signal{key, stamp(s.At), s.Session})
		}
	}
	order.By(p.Signals, func(a, b Signal) int { return cmp.Compare(a.Time, b.Time) })
	return p, nil
}

func geneOf(r store.Row, now time.Time) Gene {
	all := r.All()
	b := selector.Posterior(all, now)
	why := ""
	if r.Visibility == gene.Held {
		why = r.HeldFor
	}
	return Gene{
		ID: r.ID, Title: r.Title, Steps: filled(r.Strategy), Translations: r.Translations, Description: r.Description, Preconditions: filled(r.Preconditions),
		Category: string(r.Category), Visibility: string(r.Visibility), Origin: r.Origin, Scope: r.Scope, Signals: gene.Types(r.SignalsMatch),
		Good: all.Successes, Bad: all.Failures, Uses: r.Uses, Alpha: b.Alpha, Beta: b.Beta, Last: stamp(all.Last),
		Author: r.Author, HeldFor: why, Mark: gene.Mark(&r.Gene),
	}
}

// suggestionOf finds what became of a suggestion: the session's last judgement of the
// gene or, without one, the first outcome after it.
func suggestionOf(s store.Suggestion, seen []store.Observation) Suggestion {
	out := Suggestion{Gene: s.Gene, Session: s.Session, Time: stamp(s.At), Signals: filled(s.Signals), Confidence: s.Confidence}
	var best *store.Observation
	for i := range seen {
		o := &seen[i]
		if o.Gene != s.Gene || o.Session != s.Session || s.Session == "" || o.At.Before(s.At) {
			continue
		}
		if best == nil || o.Explicit {
			best = o
		}
	}
	if best == nil {
		return out
	}
	out.Outcome, out.Judged, out.Summary = best.Outcome(), best.Explicit, best.Summary
	if best.Followed != nil {
		out.Followed = "no"
		if *best.Followed {
			out.Followed = "yes"
		}
	}
	return out
}

func fileOf(dir, session string) string {
	if session == "" {
		return ""
	}
	return filepath.Base(journal.Of(dir, session).Path())
}

// journals returns the signals of all journals. known gets the names of their files.
func journals(dir string, known map[string]bool) ([]Signal, error) {
	out := []Signal{}
	list, err := os.ReadDir(journal.Folder(dir))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return out, err
	}
	for _, e := range list {
		session, ok := strings.CutSuffix(e.Name(), ".md")
		if !ok || !e.Type().IsRegular() {
			continue
		}
		b, err := os.ReadFile(filepath.Join(journal.Folder(dir), e.Name()))
		if err != nil {
			return out, err
		}
		known[e.Name()] = true
		out = append(out, signals(journal.Parse(string(b)), session)...)
	}
	return out, nil
}

// signals are the signals of a journal, with their times: a line has the hour and the
// minute, in UTC, and the journal says when it began. A time earlier than the one
// before belongs to the next day.
func signals(j journal.Journal, session string) (out []Signal) {
	if j.Started.IsZero() {
		return nil
	}
	last := j.Started.UTC().Truncate(time.Minute)
	for _, e := range j.Entries {
		if clock, err := time.Parse("15:04", e.At); err == nil {
			at := time.Date(last.Year(), last.Month(), last.Day(), clock.Hour(), clock.Minute(), 0, 0, last.Location())
			if at.Before(last.Add(-time.Minute)) {
				at = at.AddDate(0, 0, 1)
			}
			last = at
		}
		for _, s := range e.Signals {
			out = append(out, Signal{string(s.Key), stamp(last), session})
		}
	}
	return out
}

func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return protocol.Timestamp(t)
}

func filled(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// Part is the page as a part of a larger one.
func (p Page) Part() page.Part {
	return page.Part{Name: "evolution", English: "Evolution", Chinese: "进化", Count: len(p.Suggestions), Style: style, Script: stillScript + script, Docs: []any{p}}
}

// Editor is the page as a part of a larger one that is served.
func (p Page) Editor() page.Part {
	part := p.Part()
	part.Style, part.Script = style+editStyle, editScript+script
	return part
}

// Write writes the page.
func (p Page) Write(w io.Writer) error {
	return page.One(p.Language, p.Name, "evolution", p.Dir, p.Made, p.Part()).Write(w)
}
