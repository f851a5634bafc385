package discovery

import (
	"cmp"
	"hash/fnv"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/beneath"
	"github.com/agents-hooks/agents-hooks/internal/safefile"
	"github.com/agents-hooks/agents-hooks/internal/statefile"
)

// An Index caches between events the contents of folders with many hooks: which hooks
// there are, and the front matter of each, as long as the time stamps of the folder and
// of the HOOK.md are the same. Checking a stamp takes a quarter of the time of opening
// and reading.
//
// It has one file per folder and program, derived and safe to lose: a missing or
// damaged one, or one of another program or folder, is ignored. It contains nothing
// about trust: approvals are checked against the bytes each time. It is not used where
// a change might go unnoticed: for files that changed a moment ago, folders on another
// machine, systems without stamps.
type Index struct {
	Dir     string // where its files are
	Program string // the executable that reads the hooks

	worth int // how many looks are worth a thread; 0: worthThread
}

const (
	// leastIndexed is the least number of folders worth an index file: for fewer,
	// opening and reading it takes as long as it saves.
	leastIndexed = 24
	// maxIndex bounds an index file. If there is more front matter, it is read each
	// time.
	maxIndex = 8 << 20
	// indexAge is how long an index file stays without being rewritten: its project may
	// be gone, its program replaced.
	indexAge = 30 * 24 * time.Hour
)

// A catalog is what the index knows about one hooks folder, and what has to be added.
type catalog struct {
	path    string // of the folder
	layer   LayerName
	place   int
	name    string // of the index file
	program []byte // the program that reads, and its stamp
	now     time.Time
	own     beneath.Stamp // of the folder, taken before it was listed
	briefs  []brief       // of the hooks, without duplicates
	records []record      // by name
	whole   bool          // the records are all that is in the folder
	listed  []beneath.Child
	due     bool   // has to be written
	ahead   *ahead // checks files before they are asked for; nil: none does

	mu   sync.Mutex
	read map[string]fresh // what had to be read this time
	tail tail             // the long texts of the records
}

// A record is what is known about one folder: its name, whether it is a link and, if
// its HOOK.md was read, its stamp, its brief and where its text is.
type record struct {
	name  string
	stamp string // "" if only the name is known
	text  extent
	brief int32 // index into briefs
	link  bool
	pass  passing // what became of it at this event
}

// A passing says why only the name of a hook is needed: its event or its tool differs.
type passing byte

const (
	notPassed passing = iota
	otherEvent
	otherTool
)

// catalog opens what is known about a folder; nil if nothing may be cached for it.
func (x *Index) catalog(d *beneath.Folder) *catalog {
	if beneath.StampSize == 0 {
		return nil
	}
	c := &catalog{path: d.Path, now: time.Now(), own: d.Own()}
	h := fnv.New64a()
	h.Write([]byte(d.Path))
	h.Write([]byte{0})
	h.Write([]byte(x.Program))
	c.name = filepath.Join(x.Dir, strconv.FormatUint(h.Sum64(), 16))
	file, err := safefile.Open(c.name)
	if err != nil {
		return c
	}
	if !d.Local() {
		file.Close()
		return nil
	}
	c.program = x.program()
	c.take(file)
	return c
}

// folders are the subfolders; the file system is not asked if they are known.
func (c *catalog) folders(d *beneath.Folder) ([]string, error) {
	if c.whole {
		names := make([]string, len(c.records))
		for i := range names {
			names[i] = c.records[i].name
		}
		return names, nil
	}
	list, err := d.Children()
	if err == nil {
		c.listed = list
	}
	return namesOf(list), err
}

func namesOf(list []beneath.Child) []string {
	names := make([]string, len(list))
	for i, c := range list {
		names[i] = c.Name
	}
	return names
}

// find is the index of a folder's record, -1 if there is none. at is the position after
// the last one found: folders are mostly asked for in order.
func (c *catalog) find(folder string, at *int) int {
	i := *at
	if i >= len(c.records) || c.records[i].name != folder {
		var ok bool
		if i, ok = slices.BinarySearchFunc(c.records, folder, func(r record, name string) int { return strings.Compare(r.name, name) }); !ok {
			return -1
		}
	}
	*at = i + 1
	return i
}

// isSame reports whether a record matches the current file.
func (c *catalog) isSame(d *beneath.Folder, k *record) bool {
	return k.stamp != "" && d.Stamp(k.name, hookFile, c.whole && !k.link).Is(k.stamp)
}

// front fills f with the HOOK.md of a folder, unless the file has to be read or less is
// enough.
func (c *catalog) front(d *beneath.Folder, folder string, w *wish, f *front) (r reading, known bool) {
	if d.Path != c.path {
		return r, false
	}
	i := c.find(folder, &w.at)
	if i < 0 {
		return r, false
	}
	k := &c.records[i]
	same, looked := c.ahead.knows(i)
	if !looked {
		same = c.isSame(d, k)
	}
	if !same {
		return r, false
	}
	if w.passesOne(c.briefs, int(k.brief)) {
		k.pass = w.why(c.briefs[k.brief])
		return reading{pass: k.pass, kept: true}, true
	}
	c.mu.Lock()
	text := c.tail.at(k.text)
	c.mu.Unlock()
	size, ok := decode(text, string(w.event), f)
	return reading{file: hookFile, size: size}, ok
}

// keep records what was read.
func (c *catalog) keep(d *beneath.Folder, folder string, stamp beneath.Stamp, f *front, size int, b brief) {
	if d.Path != c.path || !stamp.Beside(c.own) {
		return
	}
	k := fresh{string(stamp.Append(nil)), b, encode(f, size)}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.read == nil {
		c.read = map[string]fresh{}
	}
	c.read[folder] = k
}

// keepable reports whether what was read of a HOOK.md may be cached: a later change is
// sure to change the stamp, and it has nothing unusual, which is rare.
func keepable(stamp beneath.Stamp, f *front) bool {
	return stamp.Settled(time.Now()) && len(f.problems) == 0 && f.sandbox == nil && f.words == nil
}

// finish decides, while the folder is open, whether what had to be read is worth
// writing.
func (c *catalog) finish(d *beneath.Folder) {
	if c.ahead != nil {
		c.ahead.crew.wait()
	}
	n := len(c.listed)
	if c.whole {
		n = len(c.records)
	}
	relisted := !c.whole && c.own.Settled(c.now) && len(c.read)+len(c.records) > 0
	c.due = n >= leastIndexed && n <= maxHooks && (len(c.read)*32 >= n || relisted) && d.Local()
	if c.tail.file == nil {
		return
	}
	if c.due {
		c.tail.all()
	}
	c.tail.close()
}

// save writes the catalogs that are due. The last writer wins; what is lost is read
// again, and a failure to write is ignored.
func (x *Index) save(list []*catalog) {
	for _, c := range list {
		if !c.due {
			continue
		}
		if c.program == nil {
			c.program = x.program()
		}
		b := c.bytes()
		first := !beneath.Exists(c.name)
		if len(b) <= maxIndex && statefile.ReplaceHeld(c.name, false, b) == nil && first {
			x.sweep(c.now)
		}
	}
}

// program identifies this program among all others.
func (x *Index) program() []byte { return beneath.StampAt(x.Program).Append([]byte(x.Program)) }

// sweep removes files that nobody uses any more.
func (x *Index) sweep(now time.Time) {
	entries, _ := os.ReadDir(x.Dir)
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && now.Sub(info.ModTime()) > indexAge {
			_ = os.Remove(filepath.Join(x.Dir, e.Name()))
		}
	}
}

// recall opens what was read earlier of a hooks folder, from the index if there is one
// for this event.
func (l *loader) recall(d *beneath.Folder, layer LayerName, place int) *catalog {
	l.reads, l.known, l.ahead = nil, 0, nil
	if l.event == "" {
		return nil
	}
	if l.src.Memo != nil {
		l.reads = l.src.Memo
		return nil
	}
	if l.src.Index == nil {
		return nil
	}
	c := l.src.Index.catalog(d)
	if c != nil {
		c.layer, c.place = layer, place
		l.reads, l.known, l.catalogs = c, len(c.records), append(l.catalogs, c)
		if n := min(len(c.records)/cmp.Or(l.src.Index.worth, worthThread), runtime.NumCPU(), 4); n > 1 {
			l.ahead = c.lookAhead(d, n, func() bool { return l.over(layer) })
		}
	}
	return c
}
