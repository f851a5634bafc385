package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/index"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/keeper"
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
	hits := []memoryHit{}
	for _, at := range s.scopes(c.Bool("user")) {
		found, err := t.searchIn(c.Context, s, at, q)
		if err != nil {
			return fmt.Errorf("memory search: %w", err)
		}
		hits = append(hits, found...)
	}
	slices.SortStableFunc(hits, func(a, b memoryHit) int { return cmp.Compare(b.Score, a.Score) })
	hits = hits[:min(len(hits), q.Max)]
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
func (t *tool) memoryQuery(c *cli.Context, text string) (q index.Query, err error) {
	q = index.Query{
		Text: text, Max: c.Int("max-results"), Method: index.Method(c.String("method")), Now: t.host.Now(),
		Types: words2(c.StringSlice("type")), Entities: words2(c.StringSlice("entity")),
		Stages: c.Bool("include-stage"), Replaced: c.Bool("include-replaced"),
		Weighted: c.String("fusion") == "weighted", Diverse: c.Bool("mmr"),
	}
	if q.Max < 1 || q.Max > 100 {
		return q, usagef("search: --max-results %d: want 1 to 100", q.Max)
	}
	if !slices.Contains([]index.Method{index.Hybrid, index.Text, index.Vector}, q.Method) {
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

// A scope is a folder that a search looks into.
type scope struct{ name, dir string }

func (s shelf) scopes(user bool) []scope {
	both := []scope{{"project", s.place.Dir}, {"user", s.place.User}}
	which := s.set("scope").Text
	if user {
		which = "user"
	}
	return slices.DeleteFunc(both, func(at scope) bool {
		_, err := os.Stat(at.dir)
		return at.dir == "" || err != nil || which != "both" && which != at.name
	})
}

// searchIn searches one folder, after its index was brought up to date.
func (t *tool) searchIn(ctx context.Context, s shelf, at scope, q index.Query) ([]memoryHit, error) {
	k := s.Keeper
	k.Dir = at.dir
	x, err := t.openIndex(s, k)
	if err != nil {
		return nil, err
	}
	defer x.Close()
	if _, err := x.Sync(ctx, k.Sources(), t.host.Now()); err != nil {
		return nil, err
	}
	found, err := x.Search(ctx, q)
	if err != nil {
		return nil, err
	}
	var out []memoryHit
	for _, h := range found {
		hit := memoryHit{ID: h.ID, Content: h.Content, Type: h.Type, Kind: h.Kind, Score: h.Score, Source: h.File, Entities: h.Entities, Session: h.Session, Origin: h.Origin, Scope: at.name}
		if hit.Entities == nil {
			hit.Entities = []string{}
		}
		if !h.Time.IsZero() {
			hit.Timestamp = h.Time.Format(time.RFC3339)
		}
		out = append(out, hit)
	}
	return out, nil
}

// openIndex opens the index of a folder: in it or, where nothing can be written,
// in the cache.
func (t *tool) openIndex(s shelf, k keeper.Keeper) (*index.Index, error) {
	e := t.embedder(s)
	x, err := index.Open(k.IndexPath(), e)
	if err == nil {
		return x, nil
	}
	beside, err2 := index.Open(filepath.Join(t.host.Cache, "memory", hashOf([]byte(k.Dir))+".sqlite"), e)
	if err2 != nil {
		return nil, errors.Join(err, err2)
	}
	return beside, nil
}

// embedder is the vector leg that the settings ask for; nil for none.
func (t *tool) embedder(s shelf) index.Embedder {
	url := s.set("embedding_url").Text
	switch s.set("embedding").Text {
	case "none":
		return nil
	case "http":
		if url == "" {
			break
		}
		key := ""
		if name := s.set("embedding_key_env").Text; name != "" {
			key = t.host.Getenv(name)
		}
		return index.HTTP{URL: url, Model: s.set("embedding_model").Text, Key: key, Query: 300 * time.Millisecond, Client: &http.Client{}}
	}
	return index.Hash{}
}

// readAll reads to the end, and refuses what is longer than most bytes.
func readAll(r io.Reader, most int64) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r, most+1))
	if err == nil && int64(len(b)) > most {
		err = fmt.Errorf("more than %d bytes", most)
	}
	return b, err
}
