package ops

import (
	"context"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/lexicon"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/lexicon/words"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/search"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
)

// A Hit is a result of a search.
type Hit struct {
	ID        string   `json:"id"`
	Content   string   `json:"content"`
	Type      string   `json:"type"`
	Kind      string   `json:"kind"`
	Score     float64  `json:"score"`
	Source    string   `json:"source"`
	Timestamp string   `json:"timestamp"`
	Entities  []string `json:"entities"`
	Session   string   `json:"session,omitempty"`
	Origin    string   `json:"origin,omitempty"`
	Scope     string   `json:"scope"` // project, user
	Weak      bool     `json:"weak,omitempty"`
	Sure      bool     `json:"sure,omitempty"`
	Auto      bool     `json:"auto,omitempty"`  // a summary that nobody wrote
	Later     bool     `json:"later,omitempty"` // it would be sure, and does not hold yet
	Since     string   `json:"valid_from,omitempty"`
	Until     string   `json:"valid_until,omitempty"`
	Holds     string   `json:"holds,omitempty"` // the same, by the days of the person
	// ReplacedBy is the id of what took its place: only where such facts are asked for.
	ReplacedBy string `json:"replaced_by,omitempty"`
}

// Known reports whether something was found that is probably about the query.
func Known(hits []Hit) bool {
	return slices.ContainsFunc(hits, func(h Hit) bool { return !h.Weak })
}

// hits are found entries as they are printed.
func (m Memory) hits(found []search.Found) []Hit {
	list := make([]Hit, 0, len(found))
	for _, f := range found {
		h := Hit{ID: f.ID, Content: search.Harmless(f.Content, f.Origin), Type: f.Type, Kind: f.Kind, Score: max(0.001, math.Round(f.Score*1000)/1000), Source: f.File, Entities: search.Names(f.Entities, f.Origin), Session: f.Session, Origin: f.Origin, Scope: f.Scope, Weak: f.Weak, Sure: f.Sure, Auto: f.Auto(),
			Since: stampOf(f.Since), Until: stampOf(f.Until), Holds: m.holds(f.Doc), ReplacedBy: f.ReplacedBy}
		if f.Since.After(m.world.Now()) {
			h.Sure, h.Later = false, f.Sure
		}
		if !f.Time.IsZero() {
			h.Timestamp = f.Time.Format(time.RFC3339)
		}
		list = append(list, h)
	}
	return list
}

// methods are the ways to search, the default first.
func methods() []string {
	return []string{string(search.Hybrid), string(search.Text), string(search.Vector)}
}

// fusions are the ways to combine the ranks of two searches.
func fusions() []string { return []string{"weighted", "rrf"} }

// Query is what a call asks for: usual hits unless it says how many, and at most most. An
// invalid argument is an *[op.Wrong].
func Query(now time.Time, c op.Call, usual, most int) (q search.Query, err error) {
	q = search.Query{
		Text: c.Args.Text("query"), Max: c.Int("max_results", usual), Now: now, Entities: c.Texts("entities"),
		Stages: c.Args.Bool("include_stage"), Replaced: c.Args.Bool("include_replaced"), Diverse: c.Args.Bool("mmr"),
	}
	if strings.TrimSpace(q.Text) == "" {
		return q, &op.Wrong{Name: "query", Value: strconv.Quote(q.Text), Want: "what is looked for, in words"}
	}
	days, err := c.Int("days", 0), op.Within("max_results", q.Max, 1, most)
	if err == nil {
		err = op.Within("days", days, 0, longestAge)
	}
	if err != nil {
		return q, err
	}
	method, err := c.OneOf("method", methods())
	if err != nil {
		return q, err
	}
	fusion, err := c.OneOf("fusion", fusions())
	if err != nil {
		return q, err
	}
	q.Method, q.Ranks = search.Method(method), fusion == "rrf"
	if q.Types, err = TypesOf(c.Texts("type")); err != nil {
		return q, err
	}
	if days > 0 {
		q.From = now.AddDate(0, 0, -days)
	}
	if q.From, err = date(c, "from", 0, now.Location(), q.From); err != nil {
		return q, err
	}
	if q.To, err = date(c, "to", 24*time.Hour-1, now.Location(), q.To); err == nil && !q.To.IsZero() && q.To.Before(q.From) {
		err = &op.Wrong{Name: "to", Value: c.Args.Text("to"), Want: "a day that is not before the first"}
	}
	return q, err
}

// longestAge is the highest number of days that means something: a century.
const longestAge = 36500

// TypesOf are types of facts as the files have them.
func TypesOf(list []string) (types []string, err error) {
	for _, t := range list {
		up := strings.ToUpper(t)
		if len(up) != 1 || !strings.Contains(memory.Types, up) {
			return nil, &op.Wrong{Name: "type", Value: strconv.Quote(t), Want: "W, B, O or S"}
		}
		types = append(types, up)
	}
	return types, nil
}

// date is the time, or the day, in an argument; end is what is added to a whole day.
func date(c op.Call, name string, end time.Duration, in *time.Location, otherwise time.Time) (time.Time, error) {
	text := c.Args.Text(name)
	if text == "" {
		return otherwise, nil
	}
	return Date(name, text, end, in)
}

// Date is the time in a text, or the day somewhere; end is how much of it is included.
func Date(name, text string, end time.Duration, in *time.Location) (time.Time, error) {
	if day, err := time.ParseInLocation(time.DateOnly, text, in); err == nil {
		if end > 0 { // where clocks are changed, a day is not 24 hours
			day = day.AddDate(0, 0, 1).Add(end - 24*time.Hour)
		}
		return day, nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return at, &op.Wrong{Name: name, Value: strconv.Quote(text), Want: "a date such as 2026-02-17"}
	}
	return at, nil
}

// Aged includes age in a query, if the settings say so.
func (m Memory) Aged(q search.Query) search.Query {
	if days := m.Settings.Of("recency_days").Int; days > 0 {
		q.HalfLife = time.Duration(days) * 24 * time.Hour
	}
	return q
}

// Search searches folders. What their snapshots lack is read first, and stored. wait is how
// long an endpoint for vectors has to answer.
func (m Memory) Search(ctx context.Context, folders []search.Folder, q search.Query, wait time.Duration) ([]Hit, error) {
	if !m.Waiting { // nothing is derived from unapproved texts
		_ = lexicon.Lay(m.world.Cache, words.Unpack) // without it, search uses words
	}
	if m.Settings.Of("embedding").Text == "none" && q.Method == search.Hybrid {
		q.Method = search.Text
	}
	if q.Method != search.Text && !m.Waiting {
		var done func()
		q.Other, done = m.other(ctx, q.Text, wait)
		defer done()
	}
	found, err := search.Thorough(folders, q, m.world.Now())
	if err != nil {
		return nil, err
	}
	return m.hits(found), nil
}

// Sync updates what searches of the folder need.
func (m Memory) Sync(ctx context.Context) (search.Change, error) { return m.keep(ctx, false) }

// Rebuild makes it again from the files.
func (m Memory) Rebuild(ctx context.Context) (search.Change, error) {
	c, err := m.keep(ctx, true)
	return c, errors.Join(err, m.derived().Forget(), lexicon.Clear(m.world.Cache))
}

func (m Memory) keep(ctx context.Context, anew bool) (c search.Change, err error) {
	if c, err = m.index(anew); err == nil && c != (search.Change{}) {
		err = m.fill(ctx, m.Folder())
	}
	return c, err
}

// index makes what searches need, except for the vectors of other models.
func (m Memory) index(anew bool) (c search.Change, err error) {
	at := m.Folder()
	if _, err := m.Within.Stat(m.Dir); err != nil {
		return c, nil // there is no memory, and none is created for its index
	}
	_ = lexicon.Lay(m.world.Cache, words.Unpack) // without it, search uses words
	if anew {
		c, err = at.Anew(m.world.Now())
	} else {
		c, err = at.Keep(m.world.Now(), 0)
	}
	if err == nil {
		at.ClearOld()
	}
	return c, err
}
