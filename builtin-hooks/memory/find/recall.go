package find

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/internal/ledger"
	"github.com/agents-hooks/agents-hooks/internal/order"
)

// A Shelf is a memory folder, by the name of its scope: project, user.
type Shelf struct {
	Scope string
	Dir   string
	Cache string // the cache directory
	// Within is what Dir lies in, if that is a project; nil: it is the person's own.
	Within *beneath.Root
	Ledger *ledger.Ledger // of that project
	// Waiting finds what nobody has looked at yet as well; nothing derived is used
	// then, nor made.
	Waiting bool
}

// Sources are the files of the folder.
func (s Shelf) Sources() []Source {
	return Sources(memory.Place{Dir: s.Dir, Within: s.Within, Ledger: s.Ledger, Waiting: s.Waiting})
}

// A Found memory is a hit, and in which scope it is.
type Found struct {
	Hit
	Scope string
}

// Shelves are the folders that the setting scope means: those that are there, the
// project's first.
func Shelves(scope string, p memory.Place, cache string) []Shelf {
	both := []Shelf{{"project", p.Dir, cache, p.Within, p.Ledger, p.Waiting}, {Scope: "user", Dir: p.User, Cache: cache}}
	return slices.DeleteFunc(both, func(s Shelf) bool {
		if s.Dir == "" {
			return true
		}
		_, err := s.Within.Stat(s.Dir)
		return err != nil || scope != "both" && scope != s.Scope
	})
}

// Derived is where a derived file of the folder lies: in it and, where that could
// not be written, in the cache. That of a project lies in the cache only: one that
// came with the project would be believed, and be written wherever it leads.
// Without a cache it lies nowhere, "". It holds what may be told, and so another
// one is made whenever the person let something in or took that back.
func (s Shelf) Derived(name string) (path, beside string) {
	sum := sha256.Sum256([]byte(s.Dir + "\x00" + s.Ledger.Epoch()))
	if s.Ledger == nil {
		sum = sha256.Sum256([]byte(s.Dir))
	}
	if s.Cache == "" {
		return s.inOwn(name), ""
	}
	beside = filepath.Join(s.Cache, "memory", hex.EncodeToString(sum[:])+filepath.Ext(name))
	if s.Within != nil {
		return beside, beside
	}
	return s.inOwn(name), beside
}

// inOwn is the path of a file in a folder of the person's own, "" in a project's.
func (s Shelf) inOwn(name string) string {
	if s.Within != nil {
		return ""
	}
	return filepath.Join(s.Dir, name)
}

// Best puts the hits of several folders together.
func Best(found []Found, most int) []Found {
	order.By(found, func(a, b Found) int { return cmp.Compare(b.Score, a.Score) })
	return found[:min(len(found), most)]
}

// readMost is how many bytes a quick search reads of files that changed since the
// snapshot was made: ten thousand facts.
const readMost = 1 << 20

// Quick searches the snapshots of some folders. ok is false if one of them has
// none that is of use: then the index has to be asked, which makes one.
func Quick(ctx context.Context, shelves []Shelf, e Embedder, q Query, now time.Time) (found []Found, ok bool, err error) {
	for _, shelf := range shelves {
		s, err := shelf.open()
		if shelf.Waiting {
			s, err = New(""), nil
		}
		if err != nil {
			return nil, false, notThere(err)
		}
		hits, err := s.quick(ctx, shelf, e, q, now)
		s.Close()
		if err != nil {
			return nil, false, notThere(err)
		}
		for _, h := range hits {
			found = append(found, Found{h, shelf.Scope})
		}
	}
	return Best(found, q.Max), true, nil
}

// notThere is no error where it only means that there is nothing of use.
func notThere(err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, ErrTooMuch) {
		return nil
	}
	return err
}

func (s Shelf) open() (*Snapshot, error) {
	path, beside := s.Derived(SnapshotFile)
	snap, err := Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		snap, err = Open(beside)
	}
	return snap, err
}

func (s *Snapshot) quick(ctx context.Context, of Shelf, e Embedder, q Query, now time.Time) ([]Hit, error) {
	most := readMost
	if of.Waiting {
		most = 0
	}
	if err := s.Refresh(of.Sources(), now, most); err != nil {
		return nil, err
	}
	hits, err := Search(ctx, s, e, q)
	if err == nil && s.behind() && !of.Waiting {
		_ = s.Write() // what cannot be written is read again the next time
	}
	return hits, err
}

// Keep brings the file of a folder's snapshot up to date, and makes it if there
// is none. most is as in Refresh.
func (s Shelf) Keep(now time.Time, most int) error {
	path, beside := s.Derived(SnapshotFile)
	if path == "" {
		return nil
	}
	snap, err := s.open()
	sources := s.Sources()
	if errors.Is(err, fs.ErrNotExist) {
		if most > 0 && size(sources) > int64(most) {
			return ErrTooMuch
		}
		snap, err = New(path), nil
	}
	if err != nil {
		return err
	}
	defer snap.Close()
	if err := snap.Refresh(sources, now, most); err != nil || !snap.changed {
		return err
	}
	if path == beside {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
	}
	if err = snap.Write(); err == nil {
		return nil
	}
	if snap.path = beside; beside == "" || os.MkdirAll(filepath.Dir(beside), 0o700) != nil {
		return err
	}
	return snap.Write()
}

func size(sources []Source) (n int64) {
	for _, s := range sources {
		if info, err := s.In.Stat(s.Path); err == nil {
			n += info.Size()
		}
	}
	return n
}
