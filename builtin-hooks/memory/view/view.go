package view

import (
	"cmp"
	_ "embed"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/locale"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/store"
	"github.com/agents-hooks/agents-hooks/internal/ledger"
	"github.com/agents-hooks/agents-hooks/internal/order"
	"github.com/agents-hooks/agents-hooks/internal/page"
)

var (
	//go:embed memory.css
	style string
	//go:embed memory.js
	script string
	//go:embed still.js
	still string
)

// A Page is the content of a page.
type Page struct {
	Language string    `json:"language"` // zh or en: the language at the beginning
	Name     string    `json:"name"`     // the project's
	Dir      string    `json:"dir"`      // the memory's, as people write it
	Made     string    `json:"made"`     // RFC 3339
	Core     string    `json:"core"`
	Notes    string    `json:"notes"`
	Facts    []Fact    `json:"facts"` // the newest first
	Sessions []Session `json:"sessions"`
	Edit     *Editing  `json:"edit,omitempty"` // for a page in which the user changes things
}

// A Fact is one fact of a page.
type Fact struct {
	ID         string   `json:"id"`
	Type       string   `json:"type"`
	Text       string   `json:"text"`
	Entities   []string `json:"entities"`
	Confidence float64  `json:"confidence"`
	Time       string   `json:"time"` // RFC 3339; "" if it has none
	Session    string   `json:"session"`
	Origin     string   `json:"origin"`
	Seen       int      `json:"seen"`
	Old        bool     `json:"old"` // a later one replaced it
	Since      string   `json:"since,omitempty"`
	Until      string   `json:"until,omitempty"` // it no longer holds from then on
	Author     string   `json:"author,omitempty"`
	Branch     string   `json:"branch,omitempty"`
	Edited     string   `json:"edited,omitempty"`   // when it was last edited
	EditedBy   string   `json:"editedBy,omitempty"` // and by whom
	Before     string   `json:"before,omitempty"`   // what it said before
	Gone       bool     `json:"gone,omitempty"`     // it is deleted
	GoneAt     string   `json:"goneAt,omitempty"`   // when, and who did it
	GoneBy     string   `json:"goneBy,omitempty"`
	Replaced   bool     `json:"replaced,omitempty"` // another one took its place, so restore lets it hold again
	Whose      string   `json:"whose,omitempty"`    // repository, or waiting: it is not approved yet
	Mark       string   `json:"mark,omitempty"`     // see [Page.Allow]
}

type Session struct {
	ID        string   `json:"id"`
	Session   string   `json:"session"`
	Topic     string   `json:"topic"`
	Text      string   `json:"text"`
	Decisions []string `json:"decisions"`
	Todos     []string `json:"todos"`
	Time      string   `json:"time"`
	Auto      bool     `json:"auto"` // it is automatic
	Whose     string   `json:"whose,omitempty"`
	Mark      string   `json:"mark,omitempty"` // see [Page.Allow]
}

// Of is the page of a memory folder, without Language, Name and Dir.
func Of(k store.Keeper) (Page, error) {
	p := Page{Made: memory.Stamp(k.Now), Facts: []Fact{}, Sessions: []Session{}}
	for _, f := range []struct {
		name string
		to   *string
	}{{memory.CoreFile, &p.Core}, {memory.NotesFile, &p.Notes}} {
		b, err := k.WholePage(f.name)
		if err != nil {
			return p, err
		}
		*f.to = strings.TrimPrefix(strings.ReplaceAll(string(b), "\r\n", "\n"), "\ufeff")
	}
	all, err := k.Facts()
	if err != nil {
		return p, err
	}
	p.Facts = facts(all, k.Now)
	sums, err := k.Summaries()
	if err != nil {
		return p, err
	}
	p.Sessions = sessions(sums)
	return p, nil
}

// Language is the language that a setting or the locale asks for.
func Language(setting string, getenv func(string) string) string {
	return string(locale.Of(setting, getenv))
}

func facts(all []store.Entry, now time.Time) []Fact {
	// An unapproved fact neither hides nor replaces an approved one.
	known := slices.DeleteFunc(slices.Clone(all), func(e store.Entry) bool { return e.Whose == ledger.Nobody })
	waits := slices.DeleteFunc(slices.Clone(all), func(e store.Entry) bool { return e.Whose != ledger.Nobody })
	out := append(standing(known, now), standing(waits, now)...)
	order.By(out, func(a, b Fact) int { return cmp.Compare(b.Time, a.Time) })
	return out
}

// standing are the facts of a list that were not deleted, each id once: of two lines with the
// same id in a file, the one that was edited last counts, and otherwise the later one.
func standing(all []store.Entry, now time.Time) []Fact {
	holds, deleted, replaced := map[string]bool{}, store.Deleted(all), store.Replaced(all, now)
	for _, e := range store.Living(all, now) {
		holds[e.ID] = true
	}
	out := []Fact{}
	type place struct {
		store.Entry
		at int
	}
	have := map[string]place{}
	for _, e := range all {
		if e.Deleted || e.ID != "" && deleted[e.ID] {
			continue
		}
		f := factOf(e)
		f.Old, f.Replaced = !holds[e.ID], replaced[e.ID] != ""
		if p, is := have[e.ID]; is && e.ID != "" {
			if p.File == e.File && !e.Updated.Before(p.Updated) {
				out[p.at], have[e.ID] = f, place{e, p.at}
			}
			continue
		}
		have[e.ID] = place{e, len(out)}
		out = append(out, f)
	}
	return out
}

func factOf(e store.Entry) Fact {
	before := ""
	if n := len(e.Earlier); n > 0 {
		before = e.Earlier[n-1].Content
	}
	return Fact{
		Edited: stamp(e.Updated), EditedBy: e.Edited, Before: before, Gone: e.Deleted, GoneAt: stamp(e.DeletedAt), GoneBy: e.Remover,
		ID: e.ID, Type: e.Kind, Text: e.Content, Entities: filled(e.Entities), Confidence: e.Confidence, Time: stamp(e.Time), Session: e.Session, Origin: e.Origin, Seen: e.Seen,
		Since: stamp(e.Since), Until: stamp(e.Until), Author: e.From.Author, Branch: e.From.Branch, Whose: whose[e.Whose],
	}
}

// sessions are the last summaries of each session, the newest first.
func sessions(sums []memory.Summary) []Session {
	out := []Session{}
	have := map[string]bool{}
	for _, s := range slices.Backward(sums) {
		if s.Session != "" && have[s.Session] {
			continue
		}
		have[s.Session] = true
		out = append(out, sessionOf(s))
	}
	order.By(out, func(a, b Session) int { return cmp.Compare(b.Time, a.Time) })
	return out
}

func sessionOf(s memory.Summary) Session {
	return Session{ID: s.ID, Session: s.Session, Topic: s.Topic, Text: s.Text, Decisions: filled(s.Decisions), Todos: filled(s.Todos), Time: stamp(s.Time), Auto: s.Auto, Whose: whose[s.Whose]}
}

// whose says whose an entry is, if it is not the user's.
var whose = map[ledger.Whose]string{ledger.Nobody: "waiting", ledger.Memory: "repository"}

func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return memory.Stamp(t)
}

func filled(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// Part is the page as a part of a larger one.
func (p Page) Part() page.Part {
	return page.Part{Name: "memory", English: "Memory", Chinese: "记忆", Count: len(p.Facts), Style: style, Script: still + script, Docs: []any{p}}
}

func (p Page) Write(w io.Writer) error {
	return page.One(p.Language, p.Name, "memory", p.Dir, p.Made, p.Part()).Write(w)
}
