package store

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution"
	"github.com/agents-hooks/agents-hooks/internal/statefile"
)

// A Store is an open store. It belongs to one goroutine.
type Store struct {
	path string
	known
	log
	broken []string // lines that could not be read, unchanged
	rids   bool     // the change being made removes texts from the file
}

// Exists reports whether a folder has a store already, of this version or of one that
// is imported.
func Exists(dir string) bool { return evolution.HasGenes(dir) }

// A Damaged error means that a file is not a readable store. The file is left
// unchanged.
type Damaged struct {
	Path string
	Err  error
}

func (d *Damaged) Error() string {
	return fmt.Sprintf("the gene store %q cannot be read: %v; it was left as it is: move it away, and a new one is made", d.Path, d.Err)
}

func (d *Damaged) Unwrap() error { return d.Err }

// A Newer error means that a newer program wrote the file.
type Newer struct {
	Path       string
	Has, Knows int
}

func (n *Newer) Error() string {
	return fmt.Sprintf("the gene store %q was written by a newer version (%d, this one knows %d): use that one", n.Path, n.Has, n.Knows)
}

// busyFor is how long to wait for another process that writes.
const busyFor = 10 * time.Second

// Open opens the store of a folder. If there is none, the first change creates it: who
// only reads needs no place to write to.
func Open(ctx context.Context, dir string) (*Store, error) {
	s := &Store{path: filepath.Join(dir, evolution.Genes)}
	if err := s.refresh(); err != nil {
		return nil, s.fail("opening the gene store", err)
	}
	if err := s.carry(ctx); err != nil {
		return nil, s.fail("taking over the genes of an older version", err)
	}
	if len(s.broken) > 0 {
		if err := s.setAside(ctx); err != nil {
			return nil, s.fail("keeping lines aside that cannot be read", err)
		}
	}
	return s, nil
}

// Close ends the use of the store.
func (s *Store) Close() error {
	*s = Store{}
	return nil
}

// Path is the store's file.
func (s *Store) Path() string { return s.path }

// fail adds what was being done, unless the error says it all.
func (s *Store) fail(what string, err error) error {
	var damaged *Damaged
	var newer *Newer
	if err == nil || errors.As(err, &damaged) || errors.As(err, &newer) {
		return err
	}
	return fmt.Errorf("%s: %w", what, err)
}

// write changes the store: it locks out others, reads what they did, lets do stage its
// changes, and appends these as one line. If nothing comes of it, what was staged is
// dropped.
func (s *Store) write(ctx context.Context, do func() error) error {
	release, err := statefile.Hold(s.path, within(ctx))
	if err != nil {
		return err
	}
	defer release()
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := s.refresh(); err != nil {
		return err
	}
	s.staged = entry{}
	err = do()
	if err == nil {
		err = s.commit()
	}
	if err == nil && (s.rids || s.Puts > 2*s.written()+mostReplaced) {
		err = s.erase()
	}
	s.rids = false
	if s.staged = (entry{}); err != nil {
		s.forget()
	}
	return err
}

// mostReplaced is how many replaced genes the file keeps.
const mostReplaced = 500

// within is how long a caller can wait.
func within(ctx context.Context) time.Duration {
	if end, ok := ctx.Deadline(); ok {
		return max(min(busyFor, time.Until(end)), 0)
	}
	return busyFor
}

// read brings the state up to date, for callers that only read.
func (s *Store) read(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return s.refresh()
}

// stage makes a change that [Store.write] appends.
func (s *Store) stage(e entry) {
	s.staged.add(&e)
	s.apply(&e)
}

// Check reports the copies, beside the file, of lines that could not be read.
func (s *Store) Check() error {
	kept, err := filepath.Glob(s.path + ".corrupt-*")
	if err == nil && len(kept) > 0 {
		err = fmt.Errorf("lines of %q could not be read and were kept in %q: nothing else was lost; look at them, and remove that file", s.path, kept)
	}
	return err
}

// written is how many genes have a line of their own: unchanged seeds have none.
func (k *known) written() (n int) {
	for i := range k.Kept {
		if !k.Kept[i].asItCame() {
			n++
		}
	}
	return n
}
