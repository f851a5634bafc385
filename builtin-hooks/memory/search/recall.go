package search

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/lexicon"
	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/internal/ledger"
	"github.com/agents-hooks/agents-hooks/internal/order"
	"github.com/agents-hooks/agents-hooks/internal/text"
)

// A Folder is a memory folder with the name of its scope: project, user.
type Folder struct {
	Scope string
	Dir   string
	Cache string // the cache directory
	// Within is the root that contains Dir, if that is a project; nil: it is the user's own.
	Within *beneath.Root
	Ledger *ledger.Ledger // that project's
	// Waiting also finds unapproved entries; nothing derived is used or made then.
	Waiting bool

	Root, Tree string // the project's, and the working tree that it was found from: see memory.Place
	Ask        memory.Asker
}

// Sources are the files of the folder.
func (s Folder) Sources() []Source { return Sources(s.place()) }

func (s Folder) place() memory.Place {
	return memory.Place{Root: s.Root, Tree: s.Tree, Dir: s.Dir, Within: s.Within, Ledger: s.Ledger, Waiting: s.Waiting, Ask: s.Ask}
}

// A Found is a hit with its scope.
type Found struct {
	Hit
	Scope string
}

// Folders are the existing folders for the setting scope, the project's first.
func Folders(scope string, p memory.Place, cache string) []Folder {
	project := Folder{Scope: "project", Dir: p.Dir, Cache: cache, Within: p.Within, Ledger: p.Ledger, Waiting: p.Waiting, Root: p.Root, Tree: p.Tree, Ask: p.Ask}
	both := []Folder{project, {Scope: "user", Dir: p.User, Cache: cache}}
	return slices.DeleteFunc(both, func(s Folder) bool {
		if s.Dir == "" {
			return true
		}
		_, err := s.Within.Stat(s.Dir)
		return err != nil || scope != "both" && scope != s.Scope
	})
}

// Derived is the path of a derived file: in the folder and, if that cannot be written, in the
// cache. A project's is only in the cache: one that came with the project would be trusted, and
// its link followed when writing. Without a cache there is none, "". It contains approved
// texts, so a new one is made whenever the user approves something or revokes that.
func (s Folder) Derived(name string) (path, beside string) {
	if s.Cache == "" {
		return s.inOwn(name), ""
	}
	of := s.cacheName()
	if s.Ledger != nil {
		of += s.Ledger.Epoch()
	}
	beside = filepath.Join(s.Cache, "memory", of+filepath.Ext(name))
	if s.Within != nil {
		return beside, beside
	}
	return s.inOwn(name), beside
}

// cacheName is the beginning of the names of the folder's files in the cache.
func (s Folder) cacheName() string {
	sum := sha256.Sum256([]byte(s.Dir))
	return hex.EncodeToString(sum[:]) + "-"
}

// ForgetPurged makes the folder's snapshot anew, and removes those from before an approval, which
// nobody reads any more: they contain what was purged, too.
func (s Folder) ForgetPurged(now time.Time) error {
	path, beside := s.Derived(SnapshotFile)
	if path == "" {
		return nil // without a cache there is none
	}
	_, err := s.Anew(now)
	current := strings.TrimSuffix(filepath.Base(beside), filepath.Ext(beside)) + "."
	entries, _ := os.ReadDir(filepath.Dir(beside))
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), s.cacheName()) && !strings.HasPrefix(e.Name(), current) {
			err = errors.Join(err, os.Remove(filepath.Join(filepath.Dir(beside), e.Name())))
		}
	}
	return err
}

// inOwn is the path of a file in a user's own folder, "" for a project's.
func (s Folder) inOwn(name string) string {
	if s.Within != nil {
		return ""
	}
	return filepath.Join(s.Dir, name)
}

// Best merges the hits of several folders.
func Best(found []Found, most int) []Found {
	order.By(found, func(a, b Found) int {
		if a.Weak != b.Weak {
			if b.Weak {
				return -1
			}
			return 1
		}
		return cmp.Compare(b.Score, a.Score)
	})
	return found[:min(len(found), most)]
}

// readMost is how many bytes a quick search reads of files that changed since the snapshot was
// made: ten thousand facts.
const readMost = 1 << 20

// Quick searches the snapshots of some folders. ok is false if one of them has no usable one:
// then it has to be made ([Folder.Keep]), which takes longer than a prompt should wait.
func Quick(folders []Folder, q Query, now time.Time) (found []Found, ok bool, err error) {
	q.rough = true
	return look(folders, q, now, readMost, false)
}

// Thorough searches folders whatever has to be read for that, and stores it for the next
// search.
func Thorough(folders []Folder, q Query, now time.Time) (found []Found, err error) {
	found, _, err = look(folders, q, now, 0, true)
	return found, err
}

// longestQuery is how many characters of a query count. Each of its words is compared with each
// other, and a log of a megabyte would be searched for minutes.
const longestQuery = 4000

func look(folders []Folder, q Query, now time.Time, most int, anew bool) (found []Found, ok bool, err error) {
	q.Text = text.Clip(q.Text, longestQuery)
	for _, shelf := range folders {
		hits, err := shelf.search(q, now, most, anew)
		if err != nil {
			return nil, false, notThere(err)
		}
		for _, h := range shelf.trueNow(hits, q.Text, now) {
			found = append(found, Found{h, shelf.Scope})
		}
	}
	return Best(found, q.Max), true, nil
}

// Hidden are the ids of those of some facts that another one stands for: one that is older, too,
// such as one that was restored in their place. A large folder without a snapshot is not read.
func Hidden(folders []Folder, facts []*memory.Fact, now time.Time) map[string]bool {
	out := map[string]bool{}
	for _, s := range folders {
		snap, err := s.open(nil)
		if err != nil {
			snap = New("", nil)
		}
		if snap.Refresh(s.Sources(), now, readMost) == nil {
			for _, f := range facts {
				if _, is := snap.stoodFor(f.ID, f.Since, f.Since, nil); is {
					out[f.ID] = true
				}
			}
		}
		snap.Close()
	}
	return out
}

// notThere drops errors that only mean that there is no usable snapshot.
func notThere(err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, ErrTooMuch) {
		return nil
	}
	return err
}

func (s Folder) search(q Query, now time.Time, most int, anew bool) ([]Hit, error) {
	l, _ := lexicon.Open(lexicon.Path(s.Cache)) // without one, search uses words
	defer l.Close()
	snap, err := s.open(l)
	if q.Other != nil && !s.Waiting {
		if q.other = q.Other(s); q.other != nil {
			defer q.other.Kept.Close()
		}
	}
	made := false
	switch {
	case s.Waiting:
		snap, err, most = New("", l), nil, 0
	case anew && (errors.Is(err, fs.ErrNotExist) || err == nil && snap.lacking()):
		if snap != nil {
			snap.Close()
		}
		made = true
		defer sparing(s.Sources())()
		snap, err = New("", l), nil
	}
	if err != nil {
		return nil, err
	}
	defer snap.Close()
	if err := snap.Refresh(s.Sources(), now, most); err != nil {
		return nil, err
	}
	hits := Search(snap, q)
	write := func() error { return s.write(snap) }
	switch { // what could not be written is read again the next time
	case s.Waiting:
	case made:
		_ = write()
	default:
		_ = snap.keep(write)
	}
	return hits, nil
}

func (s Folder) open(l *lexicon.Lexicon) (*Snapshot, error) {
	path, beside := s.Derived(SnapshotFile)
	snap, err := Open(path, l)
	if errors.Is(err, fs.ErrNotExist) {
		snap, err = Open(beside, l)
	}
	return snap, err
}

// A Change is the number of files and entries that a snapshot lacked, or had in excess, and of
// the entries that it has now.
type Change struct{ Files, Entries, Changed int }

// Keep updates a folder's snapshot file, and makes it if there is none. most is how many bytes
// it may read for that; beyond, it returns ErrTooMuch; 0 means no limit.
func (s Folder) Keep(now time.Time, most int) (Change, error) { return s.keep(now, most, false) }

// Anew makes it from the beginning.
func (s Folder) Anew(now time.Time) (Change, error) { return s.keep(now, 0, true) }

func (s Folder) keep(now time.Time, most int, anew bool) (c Change, err error) {
	path, _ := s.Derived(SnapshotFile)
	if path == "" {
		return c, errors.New("memory: there is no cache directory for what searches need: set HOME or XDG_CACHE_HOME")
	}
	l, _ := lexicon.Open(lexicon.Path(s.Cache))
	defer l.Close()
	snap, err := s.open(l)
	if err == nil && (anew || most == 0 && snap.lacking()) {
		snap.Close()
		err = fs.ErrNotExist
	}
	sources := s.Sources()
	if errors.Is(err, fs.ErrNotExist) {
		if most > 0 && size(sources) > int64(most) { // mutant: nobody reads one byte at most
			return c, ErrTooMuch
		}
		defer sparing(sources)()
		snap, err = New(path, l), nil
	}
	if err != nil {
		return c, err
	}
	defer snap.Close()
	if err := snap.Refresh(sources, now, most); err != nil {
		return c, err
	}
	c = Change{len(snap.files), snap.count, snap.new}
	if !snap.changed {
		return c, nil
	}
	return c, s.write(snap)
}

// sparing has garbage collected often, until the end that it returns is called, if what is read
// is large: making a snapshot of it then needs a third of the memory, and a little more time.
func sparing(sources []Source) (end func()) {
	const large, percent = 2 << 20, 25
	if size(sources) < large {
		return func() {}
	}
	was := debug.SetGCPercent(percent)
	return func() { debug.SetGCPercent(was) }
}

func size(sources []Source) (n int64) {
	for _, s := range sources {
		if info, err := s.In.Stat(s.Path); err == nil {
			n += info.Size()
		}
	}
	return n
}

// write writes a snapshot to its place or, if that fails, to the other one.
func (s Folder) write(snap *Snapshot) error {
	path, beside := s.Derived(SnapshotFile)
	snap.path = path
	if path == "" {
		return nil
	}
	if path == beside {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
	}
	err := snap.Write()
	if err == nil || beside == "" || beside == path {
		return err
	}
	if snap.path = beside; os.MkdirAll(filepath.Dir(beside), 0o700) != nil {
		return err
	}
	return snap.Write()
}

// ClearOld removes what earlier versions derived: an SQLite index and its snapshot.
func (s Folder) ClearOld() {
	path, beside := s.Derived("agents-index.sqlite")
	for _, p := range [...]string{path, beside} {
		for _, rest := range [...]string{"", "-wal", "-shm", "-journal", "-recall"} {
			if p != "" {
				_ = os.Remove(p + rest)
			}
		}
	}
	path, beside = s.Derived("agents-index.sqlite-recall")
	for _, p := range [...]string{path, beside} {
		if p != "" {
			_ = os.Remove(p)
		}
	}
}

// About describes a folder's snapshot, for people. It returns an error if the file is damaged.
func (s Folder) About() (string, error) {
	snap, err := s.open(nil)
	if err == nil {
		defer snap.Close()
		err = snap.base.check()
	}
	if errors.Is(err, errDamaged) {
		err = errDamaged // it exists, so it is damaged
	}
	if err != nil {
		return "", fmt.Errorf("reading what searches need: %w", err)
	}
	return fmt.Sprintf("%s, %s, in %s", text.Count(snap.count, "entry"), snap.model(), snap.path), nil
}
