// Package memories opens the memory of a folder or of the person, and searches it
// with its index: for the commands of memory, the MCP server and the built-in
// hooks that run outside the dispatcher.
package memories

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	builtinhooks "github.com/agents-hooks/agents-hooks/builtin-hooks"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/find"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/index"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/keeper"
	"github.com/agents-hooks/agents-hooks/cmd/internal/builtin"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/mcp"
	"github.com/agents-hooks/agents-hooks/cmd/internal/shell"
	"github.com/agents-hooks/agents-hooks/discovery"
)

// A ShelvedDoc is an entry, and which memory it is of.
type ShelvedDoc struct {
	find.Doc
	Scope string
}

// Docs are all entries that hold, of the project and of the person: facts,
// summaries, and the parts of the pages.
func (s Shelf) Docs() ([]ShelvedDoc, error) {
	var out []ShelvedDoc
	for _, at := range s.Shelves(false) {
		gone := map[string]bool{}
		var here []ShelvedDoc
		for _, src := range find.Sources(at.Dir) {
			part, err := os.ReadFile(src.Path)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				return nil, err
			}
			for _, d := range src.Read(part) {
				for _, id := range d.Replaces {
					gone[id] = true
				}
				here = append(here, ShelvedDoc{d, at.Scope})
			}
		}
		for _, d := range here {
			if d.Content != "" && !gone[d.ID] {
				out = append(out, d)
			}
		}
	}
	return out, nil
}

// Keep saves a fact, and answers as memory save does.
func (s Shelf) Keep(f memory.Fact, topicKey string) (any, error) {
	saved, err := s.Save(f, topicKey)
	if err != nil {
		return nil, Refusal(err)
	}
	return saved, nil
}

// SessionOf is the session of a call: what it says, else what the server was
// told, else the last one that began here.
func (s Shelf) SessionOf(c mcp.Call) string {
	if id := cmp.Or(c.Args.Text("session"), c.Session); id != "" {
		return id
	}
	return memory.CurrentSession(s.Dir)
}

// Refusal is what a model can mend; other errors stay as they are.
func Refusal(err error) error {
	var refused keeper.Refused
	if errors.As(err, &refused) {
		return mcp.Fail("REFUSED", "mend it and call again, or leave it", "%s", refused.Reason)
	}
	return err
}

func (s Shelf) Path(name string) string { return s.Dir + string(os.PathSeparator) + name }

// A Shelf is a memory folder that a command works on.
type Shelf struct {
	keeper.Keeper
	Place memory.Place
	cache string
	Set   func(key string) builtinhooks.Value
}

// Shelf is the folder for a search of it alone.
func (s Shelf) Shelf() find.Shelf { return find.Shelf{Scope: "project", Dir: s.Dir, Cache: s.cache} }

// MemoryOf is the folder that a command means.
func MemoryOf(sh *shell.Shell, c *cli.Context) (Shelf, error) {
	from, err := hookset.LookFrom(sh, c)
	if err != nil {
		return Shelf{}, err
	}
	return ShelfOf(sh, c.Context, from, c.Bool("user"))
}

// ShelfOf is the memory folder of the project that a folder lies in or, with
// user, the person's own.
func ShelfOf(sh *shell.Shell, ctx context.Context, from string, user bool) (Shelf, error) {
	project, root := discovery.FindProject(from, sh.Host.Home)
	if project != "" {
		root = project
	}
	env := append(sh.Host.Env[:len(sh.Host.Env):len(sh.Host.Env)], "AGENTS_HOOKS_PROJECT_DIR="+root)
	place, values := builtinhooks.MemoryOf(ctx, builtin.Standalone(sh.Host), env, from)
	s := Shelf{keeper.Keeper{Dir: place.Dir, Now: sh.Host.Now(), Random: rand.Uint64}, place, sh.Host.Cache, values.Of}
	if user {
		if place.User == "" {
			return s, errors.New("memory: there is no data directory for you: want HOME or XDG_DATA_HOME")
		}
		s.Dir = place.User
	}
	return s, nil
}

// A memoryRow is one entry of memory list --json.
type memoryRow struct {
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
}

func (s Shelf) Rows(c *cli.Context) ([]memoryRow, error) {
	rows := []memoryRow{}
	if c.Bool("sessions") {
		sums, err := s.Summaries()
		for _, m := range slices.Backward(sums) {
			rows = append(rows, memoryRow{ID: m.ID, Type: "summary", Content: strings.TrimSpace(m.Topic + "\n" + m.Text), Entities: []string{}, Confidence: 1, Timestamp: memory.Stamp(m.Time), Session: m.Session, Seen: 1, File: memory.SessionsFile})
		}
		return rows, err
	}
	all, err := s.Facts()
	if err != nil {
		return nil, err
	}
	if !c.Bool("deleted") {
		all = keeper.Living(all)
	}
	types, about := shell.SplitCommas(c.StringSlice("type")), shell.SplitCommas(c.StringSlice("entity"))
	for _, e := range all {
		if e.Deleted != c.Bool("deleted") || len(types) > 0 && !slices.Contains(types, e.Kind) ||
			len(about) > 0 && !slices.ContainsFunc(about, func(n string) bool {
				return slices.ContainsFunc(e.Entities, func(h string) bool { return strings.EqualFold(n, h) })
			}) {
			continue
		}
		entities := e.Entities
		if entities == nil {
			entities = []string{}
		}
		rows = append(rows, memoryRow{e.ID, e.Kind, e.Content, entities, e.Confidence, memory.Stamp(e.Time), e.Session, e.Origin, e.TopicKey, e.Seen, e.Deleted, e.File})
	}
	slices.SortStableFunc(rows, func(a, b memoryRow) int { return strings.Compare(b.Timestamp, a.Timestamp) })
	return rows, nil
}

// SyncIndex brings the index of a folder up to date, and its snapshot.
func SyncIndex(sh *shell.Shell, ctx context.Context, s Shelf) (index.Change, error) {
	if _, err := os.Stat(s.Dir); err != nil {
		return index.Change{}, nil // no memory, and none is begun for its index
	}
	e, own := Embedder(sh, s)
	x, err := OpenIndex(s.Shelf(), e)
	if err != nil {
		return index.Change{}, err
	}
	defer x.Close()
	n, err := x.Sync(ctx, find.Sources(s.Dir), sh.Host.Now())
	if err == nil && own {
		_ = s.Shelf().Keep(sh.Host.Now(), 0) // what it would have spared is done each time
	}
	return n, err
}

// A MemoryHit is one hit of search --json.
type MemoryHit struct {
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

// Shelves are the folders that a search looks into.
func (s Shelf) Shelves(user bool) []find.Shelf {
	which := s.Set("scope").Text
	if user {
		which = "user"
	}
	return find.Shelves(which, s.Place.Dir, s.Place.User, s.cache)
}

// LookUp searches: the snapshots if they will do, else the indexes, after they
// were brought up to date.
func LookUp(sh *shell.Shell, ctx context.Context, s Shelf, shelves []find.Shelf, q find.Query) (found []find.Found, err error) {
	e, ownVectors := Embedder(sh, s)
	if ownVectors {
		found, ok, err := find.Quick(ctx, shelves, e, q, sh.Host.Now())
		if ok || err != nil {
			return found, err
		}
	}
	for _, at := range shelves {
		hits, err := searchIndex(sh, ctx, at, e, q)
		if err != nil {
			return nil, err
		}
		for _, h := range hits {
			found = append(found, find.Found{Hit: h, Scope: at.Scope})
		}
		if ownVectors {
			_ = at.Keep(sh.Host.Now(), keepMost) // for the next search
		}
	}
	return find.Best(found, q.Max), nil
}

// keepMost is how many bytes of memories a search makes a snapshot of: three
// thousand facts, in a twentieth of a second. For more, the end of a session and
// rebuild-index make it.
const keepMost = 1 << 20

func searchIndex(sh *shell.Shell, ctx context.Context, at find.Shelf, e find.Embedder, q find.Query) ([]find.Hit, error) {
	x, err := OpenIndex(at, e)
	if err != nil {
		return nil, err
	}
	defer x.Close()
	if _, err := x.Sync(ctx, find.Sources(at.Dir), sh.Host.Now()); err != nil {
		return nil, err
	}
	return x.Search(ctx, q)
}

func HitOf(f find.Found) MemoryHit {
	hit := MemoryHit{ID: f.ID, Content: f.Content, Type: f.Type, Kind: f.Kind, Score: f.Score, Source: f.File, Entities: f.Entities, Session: f.Session, Origin: f.Origin, Scope: f.Scope}
	if hit.Entities == nil {
		hit.Entities = []string{}
	}
	if !f.Time.IsZero() {
		hit.Timestamp = f.Time.Format(time.RFC3339)
	}
	return hit
}

// OpenIndex opens the index of a folder: in it or, where nothing can be written,
// in the cache.
func OpenIndex(at find.Shelf, e find.Embedder) (*index.Index, error) {
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

// Embedder is the vector leg that the settings ask for, nil for none, and whether
// it is one that snapshots have, too.
func Embedder(sh *shell.Shell, s Shelf) (e find.Embedder, own bool) {
	url := s.Set("embedding_url").Text
	switch s.Set("embedding").Text {
	case "none":
		return nil, true
	case "http":
		if url == "" {
			break
		}
		key := ""
		if name := s.Set("embedding_key_env").Text; name != "" {
			key = sh.Host.Getenv(name)
		}
		return index.HTTP{URL: url, Model: s.Set("embedding_model").Text, Key: key, Query: 300 * time.Millisecond, Client: &http.Client{}}, false
	}
	return find.Hash{}, true
}
