package server

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"strings"
)

// A file is a memory file of a person.
type file struct {
	ID          string `json:"id"`
	Scope       string `json:"scope"`
	Path        string `json:"path"`
	MemoryType  string `json:"memoryType,omitempty"`
	Description string `json:"description,omitempty"`
	Version     int    `json:"version"`
	UpdatedAt   int64  `json:"updatedAt"`
	content     string
}

const fileColumns = `id, scope, path, type, description, version, updated, content`

func scanFile(r *sql.Rows) (f file, err error) {
	return f, r.Scan(&f.ID, &f.Scope, &f.Path, &f.MemoryType, &f.Description, &f.Version, &f.UpdatedAt, &f.content)
}

// files are the memory files of a person in a scope; path "" means all.
func (s *Store) files(ctx context.Context, person, scope, path string) ([]file, error) {
	return all(ctx, s.db, scanFile, `SELECT `+fileColumns+` FROM files WHERE person = $1 AND scope = $2 AND (path = $3 OR $3 = '') ORDER BY path LIMIT 1000`, person, scope, path)
}

// saveFile stores a memory file, in place of one with the same scope and path.
func (s *Store) saveFile(ctx context.Context, person string, f file) (file, error) {
	f.ID = "mem_" + s.random()[:16]
	err := s.transaction(ctx, func(tx *sql.Tx) error {
		if _, err := s.tick(ctx, tx); err != nil {
			return err
		}
		f.UpdatedAt = s.now().UnixMilli()
		return tx.QueryRowContext(ctx, `INSERT INTO files (person, scope, path, id, content, type, description, version, updated) VALUES ($1, $2, $3, $4, $5, $6, $7, 1, $8)
			ON CONFLICT (person, scope, path) DO UPDATE SET content = excluded.content, type = excluded.type, description = excluded.description, version = files.version + 1, updated = excluded.updated
			RETURNING id, version`, person, f.Scope, f.Path, f.ID, f.content, f.MemoryType, f.Description, f.UpdatedAt).Scan(&f.ID, &f.Version)
	})
	return f, err
}

// memories are the files that mention a signal, for the answer to analyze.
func (s *Store) memories(ctx context.Context, person, scope string, signals []string) ([]map[string]any, error) {
	out := []map[string]any{}
	list, err := s.files(ctx, person, scope, "")
	for _, f := range list {
		for _, signal := range signals {
			i := strings.Index(f.content, signal)
			if i < 0 {
				continue
			}
			snippet := strings.ToValidUTF8(f.content[max(0, i-80):min(len(f.content), i+120)], "")
			if out = append(out, map[string]any{"id": f.ID, "path": f.Path, "snippet": snippet, "relevance": 1.0}); len(out) == 5 {
				return out, err
			}
			break
		}
	}
	return out, err
}

// A skill is a text that a person's agents can load.
type skill struct {
	Slug        string `json:"slug"`
	Name        string `json:"name"`
	Description string `json:"description"`
	Content     string `json:"content,omitempty"`
	Version     int    `json:"version"`
	UpdatedAt   int64  `json:"updatedAt"`
}

func scanSkill(r *sql.Rows) (k skill, err error) {
	return k, r.Scan(&k.Slug, &k.Name, &k.Description, &k.Content, &k.Version, &k.UpdatedAt)
}

// skills are the skills of a person; slug "" means all.
func (s *Store) skills(ctx context.Context, person, slug string) ([]skill, error) {
	return all(ctx, s.db, scanSkill, `SELECT slug, name, description, content, version, updated FROM skills WHERE person = $1 AND (slug = $2 OR $2 = '') ORDER BY slug LIMIT 500`, person, slug)
}

// saveSkill stores a skill; the same content again changes nothing.
func (s *Store) saveSkill(ctx context.Context, person string, k skill) error {
	_, err := s.db.ExecContext(ctx, `INSERT INTO skills (person, slug, name, description, content, version, updated) VALUES ($1, $2, $3, $4, $5, 1, $6)
		ON CONFLICT (person, slug) DO UPDATE SET name = excluded.name, description = excluded.description, content = excluded.content,
		version = CASE WHEN skills.content = excluded.content THEN skills.version ELSE skills.version + 1 END, updated = excluded.updated`,
		person, k.Slug, k.Name, k.Description, k.Content, s.now().UnixMilli())
	return err
}

// A page is a saved web page.
type page struct {
	url, hqcc, raw, visibility string
	meta                       map[string]any
	saved                      int64
}

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// loadPage is the page of a URL that a person may read: their own or, if they have
// none, the newest that somebody made public.
func (s *Store) loadPage(ctx context.Context, person, url string) (p page, ok bool, err error) {
	list, err := all(ctx, s.db, func(r *sql.Rows) (p page, err error) {
		var meta string
		if err := r.Scan(&p.url, &p.hqcc, &p.raw, &p.visibility, &p.saved, &meta); err != nil {
			return p, err
		}
		return p, json.Unmarshal([]byte(meta), &p.meta)
	}, `SELECT url, hqcc, raw, visibility, saved, meta FROM contexts WHERE hash = $1 AND (person = $2 OR visibility = 'public') ORDER BY CASE WHEN person = $2 THEN 0 ELSE 1 END, saved DESC LIMIT 1`, hashOf(url), person)
	if err != nil || len(list) == 0 {
		return p, false, err
	}
	return list[0], true, nil
}

func (s *Store) savePage(ctx context.Context, person string, p page) error {
	meta, err := json.Marshal(p.meta)
	if err != nil {
		return err
	}
	_, err = s.db.ExecContext(ctx, `INSERT INTO contexts (person, hash, url, hqcc, raw, meta, visibility, saved) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
		ON CONFLICT (person, hash) DO UPDATE SET hqcc = excluded.hqcc, raw = excluded.raw, meta = excluded.meta, visibility = excluded.visibility, saved = excluded.saved`,
		person, hashOf(p.url), p.url, p.hqcc, p.raw, string(meta), p.visibility, s.now().UnixMilli())
	return err
}

// report stores a report unchanged. One that the same person sent before with the same
// id is stored once.
func (s *Store) report(ctx context.Context, c caller, given string, document any) (id string, err error) {
	b, err := json.Marshal(document)
	if err != nil {
		return "", err
	}
	id = "trace_" + s.random()[:20]
	if given != "" {
		id = "trace_" + hashOf(c.person + " " + given)[:20]
	}
	_, err = s.db.ExecContext(ctx, `INSERT INTO reports (id, person, agent, document, at) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (id) DO NOTHING`, id, c.person, c.agent, string(b), s.now().UnixMilli())
	return id, err
}
