package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/find"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/index"
)

func (t *tool) memorySearch() *cli.Command {
	return &cli.Command{
		Name: "search", Aliases: []string{"search_memory"}, Usage: "find what is remembered", ArgsUsage: "QUERY",
		Description: "Prints JSON; --text prints lines. The project's memory and your own are\n" +
			"searched, as the setting scope says. No hit is exit 0 and an empty list.",
		Flags: memoryFlags(
			&cli.IntFlag{Name: "max-results", Aliases: []string{"n"}, Value: 5, Usage: "at most `N` hits"},
			&cli.IntFlag{Name: "days", Usage: "of the last `N` days"},
			&cli.StringFlag{Name: "from", Usage: "not before `DATE`, such as 2026-02-17"},
			&cli.StringFlag{Name: "to", Usage: "not after `DATE`"},
			&cli.StringSliceFlag{Name: "type", Usage: "of `TYPE` W, B, O or S only"},
			&cli.StringSliceFlag{Name: "entity", Usage: "about `NAME` only"},
			&cli.BoolFlag{Name: "include-stage", Usage: "stage summaries (S) too"},
			&cli.BoolFlag{Name: "include-replaced", Usage: "facts too that a later one stands for"},
			&cli.StringFlag{Name: "method", Value: "hybrid", Usage: "`METHOD`: hybrid, fts, vector"},
			&cli.StringFlag{Name: "fusion", Value: "rrf", Usage: "`WAY` to put the two together: rrf, weighted"},
			&cli.BoolFlag{Name: "mmr", Usage: "prefer hits that differ"},
			&cli.BoolFlag{Name: "text", Usage: "lines for people"},
		),
		Action: t.search,
	}
}

// A memoryHit is one hit of search --json.
type memoryHit struct {
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
}

func (t *tool) search(c *cli.Context) error {
	words, err := args(c, 1, -1, "what to look for")
	if err != nil {
		return err
	}
	q, err := t.memoryQuery(c, strings.Join(words, " "))
	if err != nil {
		return err
	}
	s, err := t.memoryOf(c)
	if err != nil {
		return err
	}
	if days := s.set("recency_days").Int; days > 0 {
		q.HalfLife = time.Duration(days) * 24 * time.Hour
	}
	found, err := t.lookUp(c.Context, s, s.shelves(c.Bool("user")), q)
	if err != nil {
		return fmt.Errorf("memory search: %w", err)
	}
	hits := make([]memoryHit, 0, len(found))
	for _, f := range found {
		hits = append(hits, hitOf(f))
	}
	if !c.Bool("text") {
		return t.json(map[string]any{"schema": 1, "results": hits, "method": q.Method, "total": len(hits)})
	}
	if len(hits) == 0 {
		t.printf("nothing is remembered about that\n")
	}
	for _, h := range hits {
		t.printf("%.2f  [%s] %s\n      %s\n", h.Score, cmp.Or(h.Type, h.Kind), headline(h.Content), strings.Join(slices.DeleteFunc([]string{h.Timestamp, h.ID, h.Source}, func(s string) bool { return s == "" }), "  "))
	}
	return nil
}

// headline is the beginning of a text, on one line.
func headline(text string) string {
	const most = 200
	runes := []rune(strings.Join(strings.Fields(text), " "))
	if len(runes) > most {
		return string(runes[:most]) + " …"
	}
	return string(runes)
}

// memoryQuery reads the flags of a search.
func (t *tool) memoryQuery(c *cli.Context, text string) (q find.Query, err error) {
	q = find.Query{
		Text: text, Max: c.Int("max-results"), Method: find.Method(c.String("method")), Now: t.host.Now(),
		Types: words2(c.StringSlice("type")), Entities: words2(c.StringSlice("entity")),
		Stages: c.Bool("include-stage"), Replaced: c.Bool("include-replaced"),
		Weighted: c.String("fusion") == "weighted", Diverse: c.Bool("mmr"),
	}
	if q.Max < 1 || q.Max > 100 {
		return q, usagef("search: --max-results %d: want 1 to 100", q.Max)
	}
	if !slices.Contains([]find.Method{find.Hybrid, find.Text, find.Vector}, q.Method) {
		return q, usagef("search: --method %q: want hybrid, fts or vector", q.Method)
	}
	if f := c.String("fusion"); f != "rrf" && f != "weighted" {
		return q, usagef("search: --fusion %q: want rrf or weighted", f)
	}
	for i, ty := range q.Types {
		if q.Types[i] = strings.ToUpper(ty); !strings.Contains("WBOS", q.Types[i]) || len(q.Types[i]) != 1 {
			return q, usagef("search: --type %q: want W, B, O or S", ty)
		}
	}
	if d := c.Int("days"); d > 0 {
		q.From = q.Now.AddDate(0, 0, -d)
	}
	for _, f := range []struct {
		name string
		to   *time.Time
		end  time.Duration
	}{{"from", &q.From, 0}, {"to", &q.To, 24*time.Hour - 1}} {
		text := c.String(f.name)
		if text == "" {
			continue
		}
		if day, err := time.Parse(time.DateOnly, text); err == nil {
			*f.to = day.Add(f.end)
		} else if at, err := time.Parse(time.RFC3339, text); err == nil {
			*f.to = at
		} else {
			return q, usagef("search: --%s %q: want a date such as 2026-02-17", f.name, text)
		}
	}
	return q, nil
}

// shelves are the folders that a search looks into.
func (s shelf) shelves(user bool) []find.Shelf {
	which := s.set("scope").Text
	if user {
		which = "user"
	}
	return find.Shelves(which, s.place.Dir, s.place.User, s.cache)
}

// lookUp searches: the snapshots if they will do, else the indexes, after they
// were brought up to date.
func (t *tool) lookUp(ctx context.Context, s shelf, shelves []find.Shelf, q find.Query) (found []find.Found, err error) {
	e, ownVectors := t.embedder(s)
	if ownVectors {
		found, ok, err := find.Quick(ctx, shelves, e, q, t.host.Now())
		if ok || err != nil {
			return found, err
		}
	}
	for _, at := range shelves {
		hits, err := t.searchIndex(ctx, at, e, q)
		if err != nil {
			return nil, err
		}
		for _, h := range hits {
			found = append(found, find.Found{Hit: h, Scope: at.Scope})
		}
		if ownVectors {
			_ = at.Keep(t.host.Now(), keepMost) // for the next search
		}
	}
	return find.Best(found, q.Max), nil
}

// keepMost is how many bytes of memories a search makes a snapshot of: three
// thousand facts, in a twentieth of a second. For more, the end of a session and
// rebuild-index make it.
const keepMost = 1 << 20

func (t *tool) searchIndex(ctx context.Context, at find.Shelf, e find.Embedder, q find.Query) ([]find.Hit, error) {
	x, err := openIndex(at, e)
	if err != nil {
		return nil, err
	}
	defer x.Close()
	if _, err := x.Sync(ctx, find.Sources(at.Dir), t.host.Now()); err != nil {
		return nil, err
	}
	return x.Search(ctx, q)
}

func hitOf(f find.Found) memoryHit {
	hit := memoryHit{ID: f.ID, Content: f.Content, Type: f.Type, Kind: f.Kind, Score: f.Score, Source: f.File, Entities: f.Entities, Session: f.Session, Origin: f.Origin, Scope: f.Scope}
	if hit.Entities == nil {
		hit.Entities = []string{}
	}
	if !f.Time.IsZero() {
		hit.Timestamp = f.Time.Format(time.RFC3339)
	}
	return hit
}

// openIndex opens the index of a folder: in it or, where nothing can be written,
// in the cache.
func openIndex(at find.Shelf, e find.Embedder) (*index.Index, error) {
	path, beside := at.Derived(index.FileName)
	x, err := index.Open(path, e)
	if err == nil {
		return x, nil
	}
	if x, err2 := index.Open(beside, e); err2 == nil {
		return x, nil
	} else {
		return nil, errors.Join(err, err2)
	}
}

// embedder is the vector leg that the settings ask for, nil for none, and whether
// it is one that snapshots have, too.
func (t *tool) embedder(s shelf) (e find.Embedder, own bool) {
	url := s.set("embedding_url").Text
	switch s.set("embedding").Text {
	case "none":
		return nil, true
	case "http":
		if url == "" {
			break
		}
		key := ""
		if name := s.set("embedding_key_env").Text; name != "" {
			key = t.host.Getenv(name)
		}
		return index.HTTP{URL: url, Model: s.set("embedding_model").Text, Key: key, Query: 300 * time.Millisecond, Client: &http.Client{}}, false
	}
	return find.Hash{}, true
}

// readAll reads to the end, and refuses what is longer than most bytes.
func readAll(r io.Reader, most int64) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r, most+1))
	if err == nil && int64(len(b)) > most {
		err = fmt.Errorf("more than %d bytes", most)
	}
	return b, err
}
