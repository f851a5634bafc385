package view

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	memoryops "github.com/agents-hooks/agents-hooks/builtin-hooks/memory/ops"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/store"
	memoryview "github.com/agents-hooks/agents-hooks/builtin-hooks/memory/view"
	"github.com/agents-hooks/agents-hooks/cmd/internal/builtin"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/cmd/internal/webpage"
	"github.com/agents-hooks/agents-hooks/internal/page"
)

// memoryOf is the memory of the project, or of the user.
func memoryOf(sh *shell.Shell, l lookOptions, user bool) (memoryops.Memory, error) {
	call := builtin.Call(sh.Host, l.dir)
	call.Person = sh.Person()
	m := memoryops.At(builtin.Standalone(sh.Host), call)
	if user {
		return m.OfPerson()
	}
	return m, nil
}

// seeMemory collects the memory of the project, and of the user.
func seeMemory(_ context.Context, sh *shell.Shell, l lookOptions) (page.Part, error) {
	kind := memoryview.Page{}.Part()
	if l.may.live {
		kind = memoryview.Page{}.Editor()
	}
	part := begun(kind, "Memory is what agents remember of a project, in plain files. To switch it on: “agents-hooks enable memory”", "记忆是智能体对项目的记录，保存在普通文件中。启用：“agents-hooks enable memory”")
	for _, user := range []bool{false, true} {
		m, err := memoryOf(sh, l, user)
		if err != nil {
			return part, nil // no place for any
		}
		p, err := l.may.kept.page(sh, l, m, user)
		if err != nil {
			return part, fmt.Errorf("memory: %w", err)
		}
		n := len(p.Facts) + len(p.Sessions)
		if n > 0 || p.Core+p.Notes != "" || p.Edit != nil && len(p.Edit.Deleted) > 0 {
			part.Docs, part.Count = append(part.Docs, p), part.Count+n
		}
	}
	return part, nil
}

// A keep has the latest memory pages, for browser pages that stay open: nothing is read again
// while no file has changed, and facts are only compared with each other now and then. A nil
// keep keeps nothing, and its pages have no forms.
type keep struct {
	mu   sync.Mutex
	last map[string]kept
}

type kept struct {
	at, reviewed time.Time
	stamp        string
	page         memoryview.Page
	found        []store.Finding
}

const (
	pageEvery   = 10 * time.Second // for what no file of the folder shows: a branch, an approval
	reviewEvery = 30 * time.Second
	reviewMost  = 2000 // facts that are compared again whenever one has changed
	oldDays     = 90   // as in memory review
	foundMost   = 100  // of each kind
)

// page is the page of a memory.
func (k *keep) page(sh *shell.Shell, l lookOptions, m memoryops.Memory, user bool) (memoryview.Page, error) {
	if k == nil {
		p, err := webpage.Memory(sh, m, user)
		p.Made = ""
		return p, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	was, stamp := k.last[m.Dir], m.Stamp()
	if !was.at.IsZero() && was.stamp == stamp && time.Since(was.at) < pageEvery {
		return was.page, nil
	}
	is := kept{time.Now(), was.reviewed, stamp, memoryview.Page{}, was.found}
	var err error
	if is.page, err = webpage.Memory(sh, m, user); err != nil {
		return is.page, err
	}
	is.page.Made = ""
	if age := time.Since(is.reviewed); age >= reviewEvery || len(is.page.Facts) <= reviewMost && was.stamp != stamp {
		if is.found, _, err = m.Review(oldDays, foundMost); err != nil {
			return is.page, err
		}
		is.reviewed = time.Now()
	}
	if err := is.page.Allow(m.Keeper, memoryview.Editing{User: user, May: l.may.why == "", Why: l.may.why}, is.found); err != nil {
		return is.page, err
	}
	if k.last == nil {
		k.last = map[string]kept{}
	}
	k.last[m.Dir] = is
	return is.page, nil
}

// forget makes the next page a new one. Findings about the given facts are settled.
func (k *keep) forget(ids ...string) {
	if k == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	for dir, is := range k.last {
		is.at, is.stamp = time.Time{}, ""
		is.found = slices.DeleteFunc(slices.Clone(is.found), func(f store.Finding) bool {
			return slices.Contains(ids, f.ID) && (f.Beside == nil || slices.Contains(ids, f.Beside.ID))
		})
		k.last[dir] = is
	}
}

// A change is what the user did to memory, based on what was shown of it.
type change struct {
	User     bool              `json:"user"` // to the user's own memory, not the project's
	Do       string            `json:"do"`
	IDs      []string          `json:"ids"`
	Seen     map[string]string `json:"seen"` // by id
	Keep     string            `json:"keep"` // of two facts: the id, or the mark if both have one id
	Version  string            `json:"version"`
	Line     int               `json:"line"` // of MEMORY.md, which promote puts a fact in place of
	Content  *string           `json:"content"`
	Type     *string           `json:"type"`
	Entities []string          `json:"entities"`
	Since    *string           `json:"since"` // a day; "": always
	Until    *string           `json:"until"` // the last day

	// For a summary; its text is the content.
	Topic     *string  `json:"topic"`
	Decisions []string `json:"decisions"`
	Todos     []string `json:"todos"`
}

// An outcome is the result of a change: what is needed to change it again, or to undo it.
type outcome struct {
	id     string
	before string            // the page that was replaced
	undo   map[string]string // to be sent as Seen
}

// memory carries out the user's change, and answers with the resulting state.
func (s *server) memory(w http.ResponseWriter, r *http.Request) {
	var c change
	if !asked(w, r, &c) {
		return
	}
	// If two windows decide, one comes first.
	s.deciding.Lock()
	o, err := s.apply(c)
	if err == nil {
		s.options.may.kept.forget(c.IDs...)
	} else {
		s.options.may.kept.forget()
	}
	s.watch.stale()
	part, _ := seeMemory(r.Context(), s.sh, s.options)
	s.deciding.Unlock()
	status, answer := http.StatusOK, map[string]any{"error": "", "id": o.id, "before": o.before, "undo": o.undo}
	var stale store.Stale
	var refused store.Refused
	switch {
	case err == nil:
		s.sh.Say("ui: memory: %s %s", shell.Plain(c.Do), shell.Plain(strings.Join(append(c.IDs, c.Version), " ")))
	case s.options.may.why != "":
		status = http.StatusForbidden
	case errors.As(err, &stale):
		status, answer["stale"] = http.StatusConflict, true
	case errors.As(err, &refused):
		status = http.StatusUnprocessableEntity
	default:
		status = http.StatusInternalServerError
	}
	if err != nil {
		answer["error"] = shell.Plain(err.Error())
	}
	reply(w, status, answer, part)
}

// apply does it, by the operations of the commands. It changes exactly what was shown.
func (s *server) apply(c change) (o outcome, err error) {
	if s.options.may.why != "" {
		return o, errors.New(s.options.may.why)
	}
	m, err := memoryOf(s.sh, s.options, c.User)
	if err != nil {
		return o, err
	}
	if m.Seen = c.Seen; m.Seen == nil {
		m.Seen = map[string]string{}
	}
	since, until, err := c.days(m.Now.Location())
	if err != nil {
		return o, err
	}
	first := ""
	if len(c.IDs) > 0 {
		first = c.IDs[0]
	}
	switch c.Do {
	case "edit":
		return outcome{id: first}, m.Edit(first, store.Edit{Content: c.Content, Type: c.Type, Entities: c.Entities, Since: since, Until: until})
	case "undo":
		_, err = m.Undo(first, 1)
	case "summary":
		return outcome{id: first}, m.EditSummary(first, store.SummaryEdit{Topic: c.Topic, Text: c.Content, Decisions: c.Decisions, Todos: c.Todos})
	case "delete":
		_, err = m.Delete(c.IDs)
	case "restore":
		_, err = m.Restore(c.IDs)
	case "confirm":
		_, err = m.Confirm(c.IDs, nil, nil)
	case "decline":
		err = m.Decline(first)
	case "promote":
		return replaced(func() (store.Distilled, error) {
			if c.Line > 0 {
				return m.PromoteOver(first, c.Line, "", m.Language())
			}
			return m.Promote(first, "", m.Language())
		})
	case "demote":
		return replaced(func() (store.Distilled, error) { return m.Demote(first) })
	case "page":
		return replaced(func() (store.Distilled, error) { return m.RestorePage(c.Version) })
	case "save":
		f := memory.Fact{Kind: word(c.Type), Content: word(c.Content), Entities: c.Entities, Confidence: 1, Since: instant(since), Until: instant(until)}
		if err := store.TooLong(f.Content); err != nil {
			return o, err
		}
		saved, err := m.Save(f, "")
		return outcome{id: saved.ID}, err
	case "keep", "both", "merge":
		return s.settlePair(m, c)
	default:
		err = store.Refused{Reason: fmt.Sprintf("do %q: want edit, undo, summary, delete, restore, confirm, decline, promote, demote, page, save, keep, both or merge", c.Do)}
	}
	return outcome{id: first}, err
}

// settlePair handles two facts, or two versions of one, as the user chose.
func (s *server) settlePair(m memoryops.Memory, c change) (o outcome, err error) {
	ids := slices.Clone(c.IDs)
	if len(ids) == 1 {
		// From here on they are two, each with its own mark.
		if m.Seen, err = m.Separate(ids[0]); err != nil {
			return o, err
		}
		for id, mark := range m.Seen {
			if id != c.IDs[0] {
				ids = append(ids, id)
			}
			if mark == c.Keep {
				c.Keep = id
			}
		}
	}
	switch {
	case len(ids) < 2:
		return o, store.Refused{Reason: "want two facts"}
	case c.Do == "merge":
		saved, err := m.Merge(ids, memory.Fact{Content: word(c.Content), Kind: word(c.Type), Entities: c.Entities})
		return outcome{id: saved.ID}, err
	case c.Do == "both":
		for i, id := range ids {
			if _, err := m.Confirm([]string{id}, append(slices.Clone(ids[:i]), ids[i+1:]...), nil); err != nil {
				return o, err
			}
		}
		return outcome{id: ids[0]}, nil
	}
	if !slices.Contains(ids, c.Keep) {
		return o, store.Stale{IDs: c.IDs}
	}
	// The one that is kept must be as it was shown, too.
	if err := m.Shown([]string{c.Keep}); err != nil {
		return o, err
	}
	others := slices.DeleteFunc(ids, func(id string) bool { return id == c.Keep })
	if _, err := m.Delete(others); err != nil {
		return o, err
	}
	marks, err := m.Marks()
	o = outcome{id: c.Keep, undo: map[string]string{}}
	for _, id := range others {
		o.undo[id] = marks[id]
	}
	return o, err
}

// replaced replaces MEMORY.md, and says what would restore the previous page.
func replaced(do func() (store.Distilled, error)) (o outcome, err error) {
	d, err := do()
	return outcome{before: d.Before, undo: map[string]string{memory.CoreFile: store.PageMark([]byte(d.Page))}}, err
}

// days are the times for the days of a change.
func (c change) days(in *time.Location) (since, until *time.Time, err error) {
	for _, d := range []struct {
		name string
		word *string
		to   **time.Time
		end  time.Duration
	}{{"since", c.Since, &since, 0}, {"until", c.Until, &until, 24 * time.Hour}} {
		if d.word == nil {
			continue
		}
		*d.to = new(time.Time)
		if *d.word == "" {
			continue
		}
		at, err := memoryops.Date(d.name, *d.word, d.end, in)
		if err != nil {
			return nil, nil, store.Refused{Reason: err.Error()}
		}
		**d.to = at
	}
	return since, until, nil
}

func word(given *string) string { return *cmp.Or(given, new(string)) }

func instant(at *time.Time) time.Time { return *cmp.Or(at, new(time.Time)) }
