package ops

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/find"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/index"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/op"
	"github.com/agents-hooks/agents-hooks/internal/keyring"
	"github.com/agents-hooks/agents-hooks/internal/outbound"
)

// A Hit is one hit of a search.
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
}

// hits are found entries as they are printed.
func hits(found []find.Found) []Hit {
	list := make([]Hit, 0, len(found))
	for _, f := range found {
		h := Hit{ID: f.ID, Content: find.Harmless(f.Content, f.Origin), Type: f.Type, Kind: f.Kind, Score: f.Score, Source: f.File, Entities: find.Names(f.Entities, f.Origin), Session: f.Session, Origin: f.Origin, Scope: f.Scope}
		if !f.Time.IsZero() {
			h.Timestamp = f.Time.Format(time.RFC3339)
		}
		list = append(list, h)
	}
	return list
}

// methods are the ways to search, the usual one first.
func methods() []string {
	return []string{string(find.Hybrid), string(find.Text), string(find.Vector)}
}

// fusions are the ways to put the ranks of two searches together.
func fusions() []string { return []string{"rrf", "weighted"} }

// Query is what a call asks for: so many hits if it does not say how many, and at
// most as many as most. What will not do is an *[op.Wrong].
func Query(now time.Time, c op.Call, usual, most int) (q find.Query, err error) {
	q = find.Query{
		Text: c.Args.Text("query"), Max: c.Int("max_results", usual), Now: now, Entities: c.Texts("entities"),
		Stages: c.Args.Bool("include_stage"), Replaced: c.Args.Bool("include_replaced"), Diverse: c.Args.Bool("mmr"),
	}
	if err = op.Within("max_results", q.Max, 1, most); err != nil {
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
	q.Method, q.Weighted = find.Method(method), fusion == "weighted"
	if q.Types, err = TypesOf(c.Texts("type")); err != nil {
		return q, err
	}
	if days := c.Int("days", 0); days > 0 {
		q.From = now.AddDate(0, 0, -days)
	}
	if q.From, err = date(c, "from", 0, q.From); err != nil {
		return q, err
	}
	q.To, err = date(c, "to", 24*time.Hour-1, q.To)
	return q, err
}

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

// date is a day, or a part of one, that an argument names; end is what is added to
// a whole day.
func date(c op.Call, name string, end time.Duration, otherwise time.Time) (time.Time, error) {
	text := c.Args.Text(name)
	if text == "" {
		return otherwise, nil
	}
	if day, err := time.Parse(time.DateOnly, text); err == nil {
		return day.Add(end), nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return at, &op.Wrong{Name: name, Value: strconv.Quote(text), Want: "a date such as 2026-02-17"}
	}
	return at, nil
}

// Aged lets age count in a query, if the settings say so.
func (m Memory) Aged(q find.Query) find.Query {
	if days := m.Settings.Of("recency_days").Int; days > 0 {
		q.HalfLife = time.Duration(days) * 24 * time.Hour
	}
	return q
}

// Search looks into folders: into their snapshots if they will do, else into the
// indexes, after they were brought up to date.
func (m Memory) Search(ctx context.Context, folders []find.Shelf, q find.Query) ([]Hit, error) {
	e, ownVectors := m.embedder()
	if m.Waiting {
		e, ownVectors = find.Hash{}, true // nothing is derived from what nobody looked at
	}
	if ownVectors {
		found, ok, err := find.Quick(ctx, folders, e, q, m.world.Now())
		if ok || err != nil {
			return hits(found), err
		}
	}
	var found []find.Found
	for _, at := range folders {
		list, err := m.searchIndex(ctx, at, e, q)
		if err != nil {
			return nil, err
		}
		for _, h := range list {
			found = append(found, find.Found{Hit: h, Scope: at.Scope})
		}
		if ownVectors {
			_ = at.Keep(m.world.Now(), keepMost) // for the next search
		}
	}
	return hits(find.Best(found, q.Max)), nil
}

// keepMost is how many bytes of memories a search makes a snapshot of: three
// thousand facts, in a twentieth of a second. For more, the end of a session and
// rebuild-index make it.
const keepMost = 1 << 20

func (m Memory) searchIndex(ctx context.Context, at find.Shelf, e find.Embedder, q find.Query) ([]find.Hit, error) {
	x, err := openIndex(at, e)
	if err != nil {
		return nil, err
	}
	defer x.Close()
	if _, err := x.Sync(ctx, at.Sources(), m.world.Now()); err != nil {
		return nil, err
	}
	return x.Search(ctx, q)
}

// openIndex opens the index of a folder: in it or, where nothing can be written,
// in the cache.
func openIndex(at find.Shelf, e find.Embedder) (*index.Index, error) {
	path, beside := at.Derived(index.FileName)
	if path == "" {
		return nil, errors.New("memory: there is no cache directory for the index: want HOME or XDG_CACHE_HOME")
	}
	x, err := index.Open(path, e)
	if err == nil || beside == "" || beside == path {
		return x, err
	}
	x, err2 := index.Open(beside, e)
	if err2 != nil {
		return nil, errors.Join(err, err2)
	}
	return x, nil
}

// embedder is the vector leg that the settings ask for, nil for none, and whether
// it is one that snapshots have, too.
func (m Memory) embedder() (e find.Embedder, own bool) {
	url := m.Settings.Of("embedding_url").Text
	switch m.Settings.Of("embedding").Text {
	case "none":
		return nil, true
	case "http":
		if url == "" {
			break
		}
		return m.endpoint(url), false
	}
	return find.Hash{}, true
}

// endpoint is the one at an address, with the key that goes there. A key of a file
// goes to no server that the environment names.
func (m Memory) endpoint(address string) find.Embedder {
	e := index.HTTP{URL: address, Model: m.Settings.Of("embedding_model").Text, Key: m.Settings.Of("embedding_key").Text, Query: 300 * time.Millisecond}
	ofFile := e.Key != ""
	if name := m.Settings.Of("embedding_key_env").Text; !ofFile && name != "" {
		e.Key = m.env(name)
	}
	way, err := outbound.Transport(m.Settings.Of("proxy").Text, m.Settings.Of("ca_file").Text, m.env)
	if err == nil && e.Key != "" {
		err = keyring.Ring{State: m.world.State}.May(e.Key, address, !ofFile || m.Settings.Of("embedding_url").From != "environment")
	}
	if err != nil && m.world.Unnoted != nil {
		m.world.Unnoted(fmt.Errorf("builtin.memory.embedding_url: %w", err))
	}
	e.Withheld, e.Client = err, &http.Client{Transport: way}
	return e
}

// Sync brings the index of the folder up to date, and its snapshot.
func (m Memory) Sync(ctx context.Context) (index.Change, error) {
	if _, err := m.Within.Stat(m.Dir); err != nil {
		return index.Change{}, nil // no memory, and none is begun for its index
	}
	e, own := m.embedder()
	x, err := openIndex(m.Folder(), e)
	if err != nil {
		return index.Change{}, err
	}
	defer x.Close()
	n, err := x.Sync(ctx, m.Folder().Sources(), m.world.Now())
	if err == nil && own {
		_ = m.Folder().Keep(m.world.Now(), 0) // what it would have spared is done each time
	}
	return n, err
}

// Rebuild makes the index anew from the files.
func (m Memory) Rebuild(ctx context.Context) (index.Change, error) {
	path, _ := m.Folder().Derived(index.FileName)
	for _, rest := range []string{"", "-wal", "-shm", "-recall"} {
		if err := os.Remove(path + rest); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return index.Change{}, err
		}
	}
	return m.Sync(ctx)
}
