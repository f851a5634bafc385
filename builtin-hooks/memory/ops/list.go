package ops

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/setting"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/endpoint"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/search"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/store"
	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/internal/ledger"
	"github.com/agents-hooks/agents-hooks/internal/order"
	"github.com/agents-hooks/agents-hooks/internal/text"
)

// A Row is one entry of memory list --json.
type Row struct {
	ID         string   `json:"id"`
	Type       string   `json:"type"`
	Content    string   `json:"content"`
	Entities   []string `json:"entities"`
	Confidence float64  `json:"confidence"`
	Timestamp  string   `json:"timestamp"`
	Session    string   `json:"session"`
	Origin     string   `json:"origin"`
	TopicKey   string   `json:"topic_key"`
	Seen       int      `json:"seen_count"`
	Deleted    bool     `json:"deleted"`
	File       string   `json:"file"`
	Author     string   `json:"author"`
	Branch     string   `json:"branch"`
	Commit     string   `json:"commit"`
	At         string   `json:"at"`              // file:line that it is about
	Since      string   `json:"valid_from"`      // "" if always
	Until      string   `json:"valid_until"`     // "" if always
	Holds      string   `json:"holds,omitempty"` // the same, by the days of the person
	Supersedes []string `json:"supersedes"`
	ReplacedBy string   `json:"replaced_by,omitempty"` // where replaced ones are asked for
	EditedBy   string   `json:"edited_by,omitempty"`
	EditedAt   string   `json:"edited_at,omitempty"`
	DeletedBy  string   `json:"deleted_by,omitempty"`
	DeletedAt  string   `json:"deleted_at,omitempty"`
}

// A Filter selects entries.
type Filter struct {
	Types, Entities []string // only of these; nil: of any
	Deleted         bool     // only deleted ones
	Replaced        bool     // only those that another took the place of
	Sessions        bool     // summaries, not facts
	Last            int      // the newest; 0: all
}

func (m Memory) Rows(f Filter) ([]Row, error) {
	rows, err := m.factRows(f)
	if f.Sessions {
		rows, err = m.summaryRows()
	}
	if f.Last > 0 {
		rows = rows[:min(f.Last, len(rows))]
	}
	return rows, err
}

func (m Memory) summaryRows() ([]Row, error) {
	rows := []Row{}
	sums, err := m.Summaries()
	for _, s := range slices.Backward(sums) {
		rows = append(rows, Row{ID: s.ID, Type: "summary", Content: m.shown(strings.TrimSpace(s.Topic+"\n"+s.Text), search.OriginOf(s.Whose, "")), Entities: []string{}, Confidence: 1, Timestamp: memory.Stamp(s.Time), Session: s.Session, Origin: search.OriginOf(s.Whose, ""), Seen: 1, File: memory.SessionsFile, Author: s.Author, Supersedes: []string{}})
	}
	return rows, err
}

func (m Memory) factRows(f Filter) ([]Row, error) {
	all, err := m.Facts()
	if err != nil {
		return nil, err
	}
	by := map[string]string{}
	switch {
	case f.Replaced:
		by = store.Replaced(all, m.Now)
		all = slices.DeleteFunc(all, func(e store.Entry) bool { return by[e.ID] == "" })
	case !f.Deleted:
		all = store.Living(all, m.Now)
	}
	rows := []Row{}
	for _, e := range all {
		if e.Deleted == f.Deleted && (len(f.Types) == 0 || slices.Contains(f.Types, e.Kind)) && f.about(e) {
			from := search.OriginOf(e.Whose, e.Origin)
			rows = append(rows, Row{e.ID, e.Kind, m.shown(e.Content, from), search.Names(e.Entities, from), e.Confidence, memory.Stamp(e.Time), e.Session, from, e.TopicKey, e.Seen, e.Deleted, e.File,
				search.Harmless(e.From.Author, from), search.Harmless(e.From.Branch, from), e.From.Commit, search.Harmless(e.From.At, from),
				stampOf(e.Since), stampOf(e.Until), memory.Span(e.Since, e.Until, m.Now), append([]string{}, e.Supersedes...), by[e.ID],
				search.Harmless(e.Edited, from), stampOf(e.Updated), search.Harmless(e.Remover, from), stampOf(e.DeletedAt)})
		}
	}
	slices.Reverse(rows) // of one second the last that was written is the newest
	order.By(rows, func(a, b Row) int { return strings.Compare(b.Timestamp, a.Timestamp) })
	return rows, nil
}

// stampOf is a time as the files have it, "" for none.
func stampOf(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return memory.Stamp(t)
}

// shown is a text as it is shown: unchanged to a user.
func (m Memory) shown(text, origin string) string {
	if m.Waiting {
		return text
	}
	return search.Harmless(text, origin)
}

// about reports whether an entry is about one of the names.
func (f Filter) about(e store.Entry) bool {
	return len(f.Entities) == 0 || slices.ContainsFunc(f.Entities, func(n string) bool {
		return slices.ContainsFunc(e.Entities, func(h string) bool { return search.SameName(n, h) })
	})
}

// Counts says how much a memory contains.
type Counts struct {
	Types     map[string]int // of facts that hold
	Facts     int
	Hidden    int // deleted or replaced
	Summaries int
	Newest    time.Time
}

func (m Memory) Count() (Counts, error) {
	c := Counts{Types: map[string]int{"W": 0, "B": 0, "O": 0, "S": 0}}
	all, err := m.Facts()
	if err != nil {
		return c, err
	}
	sums, err := m.Summaries()
	if err != nil {
		return c, err
	}
	living := store.Living(all, m.Now)
	c.Facts, c.Hidden, c.Summaries = len(living), len(all)-len(living), len(sums)
	for _, e := range living {
		c.Types[e.Kind]++
		if e.Time.After(c.Newest) {
			c.Newest = e.Time
		}
	}
	return c, nil
}

// A Check is one check of a doctor, as --json prints it.
type Check struct {
	ID      string `json:"id"`
	Status  string `json:"status"` // ok, off, warn, error
	Message string `json:"message"`
	Fix     string `json:"fix"`
}

// Check checks that memory is intact, and can be written and searched.
func (m Memory) Check(ctx context.Context) (out []Check) {
	add := func(id, status, fix, format string, args ...any) {
		out = append(out, Check{id, status, fmt.Sprintf(format, args...), fix})
	}
	if _, err := m.Within.Stat(m.Dir); errors.Is(err, fs.ErrNotExist) {
		add("folder", "off", "agents-hooks memory save TEXT", "there is no memory here yet")
		return out
	}
	lines, damaged, err := m.Damage()
	switch {
	case err != nil:
		add("files", "error", "", "%v", err)
	case len(damaged) > 0:
		add("files", "warn", "mend or remove the lines; the others are read", "%d of %d lines cannot be read, the first is %s", len(damaged), lines, damaged[0])
	default:
		add("files", "ok", "", "%s can be read", text.Count(lines, "line"))
	}
	if err := m.Writable(); err != nil {
		add("writing", "error", "", "nothing can be saved: %s", beneath.Why(err))
	} else {
		add("writing", "ok", "", "facts can be saved")
	}
	if texts, err := m.Texts(); err != nil {
		add("approval", "error", "", "%v", err)
	} else if err := m.Ledger.Err(); err != nil {
		add("approval", "error", "agents-hooks memory accept", "%v", err)
	} else if n := ledger.Count(texts.Files); n > 0 {
		add("approval", "warn", "agents-hooks trust; if they are yours: agents-hooks memory accept", "not written here, and told to no agent before you approve: %d", n)
	} else {
		add("approval", "ok", "", "nothing waits for approval")
	}
	out = append(out, m.checkPurges()...)
	if m.Root != "" {
		if by := m.Place.IgnoredBy(); by != "" {
			add("git", "warn", "remove that line, or: agents-hooks enable memory --git ignore", "it is to be committed, and git ignores it because of %s: a pull or a checkout may replace it", by)
		}
		out = append(out, m.checkTeam())
	}
	if _, err := m.index(false); err != nil {
		add("index", "error", "agents-hooks memory rebuild-index", "%v", err)
		return out
	}
	if about, err := m.Folder().About(); err != nil {
		add("index", "error", "agents-hooks memory rebuild-index", "%v", err)
	} else {
		add("index", "ok", "", "%s", about)
	}
	return append(out, m.checkVectors(ctx))
}

// checkVectors makes those that are missing, unless the model cannot be used: an endpoint that does not
// answer is not waited for as long as one that computes.
func (m Memory) checkVectors(ctx context.Context) Check {
	model, err := m.vectors(ctx, func(endpoint.Endpoint) error { return nil })
	if err == nil {
		if err = m.fill(ctx, m.Folder()); err != nil {
			model = BuiltIn
		}
	}
	const list = "agents-hooks memory model list; agents-hooks memory model use built-in"
	c := Check{"vectors", "warn", fmt.Sprintf("those that are built in are used: %v", err), list}
	switch {
	case err == nil:
		c = Check{"vectors", "ok", model, ""}
	case model != BuiltIn:
		c.Message = err.Error()
	case m.Settings.Of("embedding").Text == "http":
		c.Fix = "check [builtin.memory] embedding_url"
	}
	return c
}

// checkPurges is the doctor's check of what was removed for good: whether all of it was done, and
// whether something came back.
func (m Memory) checkPurges() (out []Check) {
	const again = "agents-hooks memory delete --purge --confirm "
	begun, err := m.Unfinished()
	if err != nil {
		return []Check{{"purges", "error", err.Error(), ""}}
	}
	var ids []string
	for _, r := range begun {
		ids = append(ids, r.IDs...)
	}
	if len(ids) > 0 {
		out = append(out, Check{"purges", "warn", fmt.Sprintf("begun to be purged, and not done everywhere: %d; the end of the next session goes on with it", len(ids)), again + strings.Join(ids, " ")})
	}
	back, err := m.Place.CameBack()
	back = slices.DeleteFunc(back, func(id string) bool { return slices.Contains(ids, id) })
	if err == nil && len(back) > 0 && m.Ledger != nil {
		out = append(out, Check{"purged", "warn", fmt.Sprintf("came back after it was purged, by a merge or from a copy, and told to no agent: %d", len(back)), again + strings.Join(back, " ")})
	}
	return out
}

// A Set is a setting in effect, and where it comes from.
type Set struct {
	Key   string `json:"key"`
	Value any    `json:"value"`
	From  string `json:"from"`
}

// Config are the settings of memory, in the order of their table.
func (m Memory) Config() []Set {
	var out []Set
	for _, v := range m.Settings {
		out = append(out, Set{v.Setting.Key, plain(v), v.From})
	}
	return out
}

// plain is a setting's value for JSON.
func plain(v setting.Value) any {
	switch v.Setting.Kind {
	case setting.Bool:
		return v.Bool
	case setting.Int:
		return v.Int
	case setting.Number:
		return v.Number
	case setting.List:
		return append([]string{}, v.List...)
	}
	return v.Text
}
