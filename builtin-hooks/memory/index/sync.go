package index

import (
	"context"
	"crypto/sha256"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/ncruces/go-sqlite3"
)

// A Doc is one memory that can be found.
type Doc struct {
	ID         string
	Kind       string // fact, summary, core, notes
	Type       string // W, B, O, S of a fact
	Content    string
	Entities   []string
	Confidence float64
	Time       time.Time // zero for what has none, such as MEMORY.md
	Session    string
	Origin     string   // where it was imported from
	Replaces   []string // ids of facts that this one stands for
	File       string   // set by Sync
}

// A Source is one file, and how it is read.
type Source struct {
	Name string // as results show it: daily/2026-02-17.jsonl
	Path string

	// Lines is set if the file only ever grows by whole lines, unless a person
	// or a command rewrites it: then what was read once is not read again.
	Lines bool

	// Read gives what a part of the file holds: the whole, or its last lines.
	Read func(part []byte) []Doc
}

// A Change is what Sync did.
type Change struct {
	Files, Added, Removed int
}

// settle is how old a change of a file has to be before its time and size are
// enough to know that nothing changed: clocks of file systems are coarse.
const settle = 2 * time.Second

// Sync brings the index up to date with the files, and removes what is of none
// of them. With nothing to do it writes nothing.
func (x *Index) Sync(ctx context.Context, sources []Source, now time.Time) (Change, error) {
	defer x.interrupt(ctx)()
	var c Change
	known, err := x.files()
	if err != nil {
		return c, err
	}
	revive, err := x.otherModel()
	if err != nil {
		return c, err
	}
	var work []stale
	for _, s := range sources {
		f, have := known[s.Name]
		delete(known, s.Name)
		w, changed, err := look(s, f, have, now)
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
	err = x.write(func() error {
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

// A seen is a file as it was read.
type seen struct {
	size, mtime, at int64
	hash            []byte
}

func (x *Index) files() (map[string]seen, error) {
	out := map[string]seen{}
	err := x.each("SELECT path, size, mtime, seen, hash FROM files", nil, func(s *sqlite3.Stmt) error {
		out[s.ColumnText(0)] = seen{s.ColumnInt64(1), s.ColumnInt64(2), s.ColumnInt64(3), s.ColumnBlob(4, nil)}
		return nil
	})
	return out, err
}

// A stale file is one that has to be read.
type stale struct {
	source Source
	seen   seen
	part   []byte
	tail   bool // part is what was added; what was there before stands
}

// look finds out what of a file is new. A file that is gone is one that is
// empty.
func look(s Source, before seen, have bool, now time.Time) (w stale, changed bool, err error) {
	info, err := os.Stat(s.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return stale{source: s, seen: seen{hash: []byte{}}}, have && before.size > 0, nil
	}
	if err != nil {
		return w, false, err
	}
	mtime := info.ModTime().UnixNano()
	if have && before.size == info.Size() && before.mtime == mtime && before.at-mtime > int64(settle) {
		return w, false, nil
	}
	b, err := os.ReadFile(s.Path)
	if err != nil {
		return w, false, err
	}
	if s.Lines {
		// A line without its end is still being written.
		b = b[:strings.LastIndexByte(string(b), '\n')+1]
	}
	sum := sha256.Sum256(b)
	w = stale{s, seen{int64(len(b)), mtime, now.UnixNano(), sum[:]}, b, false}
	if !have {
		return w, true, nil
	}
	if string(before.hash) == string(sum[:]) {
		// Only its time is another. That is noted once it can be relied on.
		return w, now.UnixNano()-mtime > int64(settle), nil
	}
	if n := before.size; s.Lines && n > 0 && n < int64(len(b)) {
		if head := sha256.Sum256(b[:n]); string(head[:]) == string(before.hash) {
			w.part, w.tail = b[n:], true
		}
	}
	return w, true, nil
}

// forget removes what came from a file.
func (x *Index) forget(name string) (int, error) {
	n := 0
	var docs []int64
	err := x.each("SELECT doc FROM docs WHERE file = ?", []any{name}, func(s *sqlite3.Stmt) error {
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
		err = x.run("DELETE FROM replaced WHERE file = ?", name)
	}
	if err == nil {
		err = x.run("DELETE FROM files WHERE path = ?", name)
	}
	return n, err
}

func (x *Index) drop(doc int64) error {
	for _, sql := range []string{"DELETE FROM terms WHERE rowid = ?", "DELETE FROM vectors WHERE doc = ?", "DELETE FROM docs WHERE doc = ?"} {
		if err := x.run(sql, doc); err != nil {
			return err
		}
	}
	return nil
}

// take puts what a file holds into the index: what is new or changed is added,
// what is there no more is removed.
func (x *Index) take(ctx context.Context, w stale, c *Change) error {
	c.Files++
	docs := w.source.Read(w.part)
	for i := range docs {
		docs[i].File = w.source.Name
	}
	docs = lastOfEach(docs)
	old, err := x.stored(w.source.Name)
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
	if !w.tail {
		for id, have := range old {
			if err := x.remove(have.doc, w.source.Name, id, c); err != nil {
				return err
			}
		}
	}
	if err := x.add(ctx, fresh); err != nil {
		return err
	}
	c.Added += len(fresh)
	return x.run("INSERT INTO files VALUES (?, ?, ?, ?, ?) ON CONFLICT (path) DO UPDATE SET size = excluded.size, mtime = excluded.mtime, seen = excluded.seen, hash = excluded.hash",
		w.source.Name, w.seen.size, w.seen.mtime, w.seen.at, w.seen.hash)
}

func (x *Index) remove(doc int64, file, id string, c *Change) error {
	c.Removed++
	if err := x.run("DELETE FROM replaced WHERE file = ? AND id = ?", file, id); err != nil {
		return err
	}
	return x.drop(doc)
}

// lastOfEach keeps the last of several entries with one id: a later line of a
// file replaces an earlier one.
func lastOfEach(docs []Doc) []Doc {
	at := map[string]int{}
	for i, d := range docs {
		at[d.ID] = i
	}
	return slices.DeleteFunc(slices.Clone(docs), func(d Doc) bool {
		keep := at[d.ID]
		return docs[keep].Content != d.Content || !docs[keep].Time.Equal(d.Time)
	})
}

type storedDoc struct {
	doc     int64
	content string
}

func (x *Index) stored(file string) (map[string]storedDoc, error) {
	out := map[string]storedDoc{}
	err := x.each("SELECT doc, id, kind, type, content, entities, confidence, time, session, origin FROM docs WHERE file = ?", []any{file}, func(s *sqlite3.Stmt) error {
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
			err := x.run("INSERT INTO docs (file, id, kind, type, content, entities, confidence, time, session, origin) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
				d.File, d.ID, d.Kind, d.Type, d.Content, strings.Join(d.Entities, "\x01"), d.Confidence, nanos(d.Time), d.Session, d.Origin)
			if err != nil {
				return err
			}
			ids[i], texts[i] = x.db.LastInsertRowID(), text(d)
			if err := x.run("INSERT INTO terms (rowid, text) VALUES (?, ?)", ids[i], join(words(texts[i]))); err != nil {
				return err
			}
			for _, old := range d.Replaces {
				if err := x.run("INSERT OR IGNORE INTO replaced VALUES (?, ?, ?)", old, d.File, d.ID); err != nil {
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

// text is what an entry is found by.
func text(d Doc) string {
	if len(d.Entities) == 0 {
		return d.Content
	}
	return d.Content + "\n" + strings.Join(d.Entities, " ")
}

func join(ws []word) string {
	var b strings.Builder
	for i, w := range ws {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(w.text)
	}
	return b.String()
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
		if packed := pack(v); packed != nil {
			if err := x.run("INSERT OR REPLACE INTO vectors VALUES (?, ?)", ids[i], packed); err != nil {
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
		err = x.run("DELETE FROM vectors")
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
	err = x.each("SELECT doc, content, entities FROM docs WHERE doc NOT IN (SELECT doc FROM vectors)", nil, func(s *sqlite3.Stmt) error {
		ids = append(ids, s.ColumnInt64(0))
		texts = append(texts, text(Doc{Content: s.ColumnText(1), Entities: list(s.ColumnText(2))}))
		return nil
	})
	for i := 0; i < len(ids) && err == nil; i += batch {
		n := min(i+batch, len(ids))
		err = x.vectors(ctx, ids[i:n], texts[i:n])
	}
	return err
}
