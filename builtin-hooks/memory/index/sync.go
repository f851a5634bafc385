package index

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/ncruces/go-sqlite3"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/find"
)

// A Change is what Sync did.
type Change struct {
	Files, Added, Removed int
}

// Sync brings the index up to date with the files, and removes what is of none
// of them. With nothing to do it writes nothing.
func (x *Index) Sync(ctx context.Context, sources []Source, now time.Time) (Change, error) {
	defer x.db.Within(ctx)()
	var c Change
	known, err := x.files()
	if err != nil {
		return c, err
	}
	revive, err := x.otherModel()
	if err != nil {
		return c, err
	}
	var work []find.Stale
	for _, s := range sources {
		f, have := known[s.Name]
		delete(known, s.Name)
		w, changed, err := find.Look(s, f, have, now)
		if err != nil {
			return c, err
		}
		if changed {
			work = append(work, w)
		}
	}
	if len(work) == 0 && len(known) == 0 && !revive {
		return c, nil
	}
	err = x.db.Write(func() error {
		for name := range known {
			n, err := x.forget(name)
			if err != nil {
				return err
			}
			c.Files, c.Removed = c.Files+1, c.Removed+n
		}
		for _, w := range work {
			if err := x.take(ctx, w, &c); err != nil {
				return err
			}
		}
		if revive {
			if err := x.embedAll(ctx); err != nil {
				return err
			}
		}
		return x.setMeta("last_sync", now.UTC().Format(time.RFC3339))
	})
	return c, err
}

func (x *Index) files() (map[string]find.Seen, error) {
	out := map[string]find.Seen{}
	err := x.db.Each("SELECT path, size, mtime, seen, hash FROM files", nil, func(s *sqlite3.Stmt) error {
		out[s.ColumnText(0)] = find.Seen{Size: s.ColumnInt64(1), MTime: s.ColumnInt64(2), At: s.ColumnInt64(3), Hash: s.ColumnBlob(4, nil)}
		return nil
	})
	return out, err
}

// forget removes what came from a file.
func (x *Index) forget(name string) (int, error) {
	n := 0
	var docs []int64
	err := x.db.Each("SELECT doc FROM docs WHERE file = ?", []any{name}, func(s *sqlite3.Stmt) error {
		docs = append(docs, s.ColumnInt64(0))
		return nil
	})
	for _, d := range docs {
		if err == nil {
			err = x.drop(d)
			n++
		}
	}
	if err == nil {
		err = x.db.Run("DELETE FROM replaced WHERE file = ?", name)
	}
	if err == nil {
		err = x.db.Run("DELETE FROM files WHERE path = ?", name)
	}
	return n, err
}

func (x *Index) drop(doc int64) error {
	for _, sql := range []string{"DELETE FROM terms WHERE rowid = ?", "DELETE FROM vectors WHERE doc = ?", "DELETE FROM docs WHERE doc = ?"} {
		if err := x.db.Run(sql, doc); err != nil {
			return err
		}
	}
	return nil
}

// take puts what a file holds into the index: what is new or changed is added,
// what is there no more is removed.
func (x *Index) take(ctx context.Context, w find.Stale, c *Change) error {
	c.Files++
	docs := w.Source.Read(w.Part)
	for i := range docs {
		docs[i].File = w.Source.Name
	}
	docs = find.LastOfEach(docs)
	old, err := x.stored(w.Source.Name)
	if err != nil {
		return err
	}
	var fresh []Doc
	for _, d := range docs {
		have, ok := old[d.ID]
		delete(old, d.ID)
		if ok && have.content == print(d) {
			continue
		}
		if ok {
			if err := x.remove(have.doc, d.File, d.ID, c); err != nil {
				return err
			}
		}
		fresh = append(fresh, d)
	}
	if !w.Tail {
		for id, have := range old {
			if err := x.remove(have.doc, w.Source.Name, id, c); err != nil {
				return err
			}
		}
	}
	if err := x.add(ctx, fresh); err != nil {
		return err
	}
	c.Added += len(fresh)
	return x.db.Run("INSERT INTO files VALUES (?, ?, ?, ?, ?) ON CONFLICT (path) DO UPDATE SET size = excluded.size, mtime = excluded.mtime, seen = excluded.seen, hash = excluded.hash",
		w.Source.Name, w.Seen.Size, w.Seen.MTime, w.Seen.At, w.Seen.Hash)
}

func (x *Index) remove(doc int64, file, id string, c *Change) error {
	c.Removed++
	if err := x.db.Run("DELETE FROM replaced WHERE file = ? AND id = ?", file, id); err != nil {
		return err
	}
	return x.drop(doc)
}

type storedDoc struct {
	doc     int64
	content string
}

func (x *Index) stored(file string) (map[string]storedDoc, error) {
	out := map[string]storedDoc{}
	err := x.db.Each("SELECT doc, id, kind, type, content, entities, confidence, time, session, origin FROM docs WHERE file = ?", []any{file}, func(s *sqlite3.Stmt) error {
		d := readDoc(s, 1)
		out[d.ID] = storedDoc{s.ColumnInt64(0), print(d)}
		return nil
	})
	return out, err
}

// print is all of an entry that the index keeps, to tell whether it changed.
func print(d Doc) string {
	return strings.Join([]string{d.Kind, d.Type, d.Content, strings.Join(d.Entities, "\x01"), formatFloat(d.Confidence), d.Time.UTC().Format(time.RFC3339Nano), d.Session, d.Origin}, "\x00")
}

// batch is how many texts an embedder is given at once.
const batch = 64

// add stores new entries.
func (x *Index) add(ctx context.Context, docs []Doc) error {
	for part := range slices.Chunk(docs, batch) {
		ids := make([]int64, len(part))
		texts := make([]string, len(part))
		for i, d := range part {
			err := x.db.Run("INSERT INTO docs (file, id, kind, type, content, entities, confidence, time, session, origin) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
				d.File, d.ID, d.Kind, d.Type, d.Content, strings.Join(d.Entities, "\x01"), d.Confidence, nanos(d.Time), d.Session, d.Origin)
			if err != nil {
				return err
			}
			ids[i], texts[i] = x.db.LastInsertRowID(), d.Text()
			if err := x.db.Run("INSERT INTO terms (rowid, text) VALUES (?, ?)", ids[i], find.Words(texts[i])); err != nil {
				return err
			}
			for _, old := range d.Replaces {
				if err := x.db.Run("INSERT OR IGNORE INTO replaced VALUES (?, ?, ?)", old, d.File, d.ID); err != nil {
					return err
				}
			}
		}
		if err := x.vectors(ctx, ids, texts); err != nil {
			return err
		}
	}
	return nil
}

func nanos(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixNano()
}

// vectors stores the vectors of entries. An embedder that fails leaves them
// without: the text leg finds them, and otherModel notices.
func (x *Index) vectors(ctx context.Context, ids []int64, texts []string) error {
	if x.embed == nil {
		return nil
	}
	vs, err := x.embed.Embed(ctx, texts)
	if err != nil {
		return x.setMeta("without_vectors", err.Error())
	}
	for i, v := range vs {
		if packed := find.Pack(v); packed != nil {
			if err := x.db.Run("INSERT OR REPLACE INTO vectors VALUES (?, ?)", ids[i], packed); err != nil {
				return err
			}
		}
	}
	return nil
}

// otherModel reports that entries have no vector, or those of another embedder.
func (x *Index) otherModel() (bool, error) {
	if x.embed == nil {
		return false, nil
	}
	model, err := x.meta("embedding_model")
	if err != nil {
		return false, err
	}
	lacks, err := x.meta("without_vectors")
	return model != x.embed.ID() || lacks != "", err
}

// embedAll makes the vectors of entries that have none of this embedder.
func (x *Index) embedAll(ctx context.Context) error {
	model, err := x.meta("embedding_model")
	if err == nil && model != x.embed.ID() && model != "" {
		err = x.db.Run("DELETE FROM vectors")
	}
	if err == nil {
		err = x.setMeta("embedding_model", x.embed.ID())
	}
	if err == nil {
		err = x.setMeta("without_vectors", "")
	}
	if err != nil {
		return err
	}
	var ids []int64
	var texts []string
	err = x.db.Each("SELECT doc, content, entities FROM docs WHERE doc NOT IN (SELECT doc FROM vectors)", nil, func(s *sqlite3.Stmt) error {
		ids = append(ids, s.ColumnInt64(0))
		texts = append(texts, Doc{Content: s.ColumnText(1), Entities: list(s.ColumnText(2))}.Text())
		return nil
	})
	for i := 0; i < len(ids) && err == nil; i += batch {
		n := min(i+batch, len(ids))
		err = x.vectors(ctx, ids[i:n], texts[i:n])
	}
	return err
}
