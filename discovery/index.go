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

// An Index caches between events what a folder with many hooks contains: which hooks
// there are, and the front matter of each, as long as the time stamps of the folder and
// of the HOOK.md are the same. Checking a stamp takes a quarter of the time of opening
// and reading.
//
// It is one file for each such folder and program, derived and safe to lose: a missing
// or damaged one, or one of another program or folder, is ignored. It contains nothing
// about trust: approvals are checked against the bytes each time. It is not used if a
// change might not be noticed at once: for files that changed a moment ago, folders on
// another machine, systems without stamps.
type Index struct {
	Dir     string // where the files are
	Program string // the executable, whose readings they are

	worth int // looks that are worth a thread; 0: worthThread
}

const (
	// leastIndexed is how many folders are worth a file of the index: of fewer, to open
	// and read that takes as long as what it spares.
	leastIndexed = 24
	// maxIndex bounds a file of the index. Who has more text in front matter reads it.
	maxIndex = 8 << 20
	// indexAge is when a file that nobody wrote anew is removed: of a project that is
	// gone, of a program that was replaced.
	indexAge = 30 * 24 * time.Hour
)

// A catalog is what the index says of one hooks folder, and what has to be added.
type catalog struct {
	path    string // of the folder
	layer   LayerName
	place   int
	name    string // of the file
	program []byte // that reads, and its stamp
	now     time.Time
	own     beneath.Stamp // of the folder, before it was listed
	briefs  []brief       // that their hooks have, each once
	records []record      // by name
	whole   bool          // they are all that is in the folder
	listed  []beneath.Child
	due     bool   // to be written
	ahead   *ahead // looks at the files before they are asked for; nil: nothing does

	mu   sync.Mutex
	read map[string]fresh // what had to be read
	tail tail             // what the records say at length
}

// A record is what is known of one folder: its name, whether that is a link, and where
// its HOOK.md was read, its stamp and its brief; what it says at length is a text.
type record struct {
	name  string
	stamp string // "" where nothing is known but the name
	text  extent
	brief int32 // which one
	link  bool
	pass  passing // what became of it at this event
}

// A passing is why a hook is asked for no more than its name: what it is for.
type passing byte

const (
	notPassed passing = iota
	otherEvent
	otherTool
)

// catalog opens what is known of a folder; nil if nothing is to be known of it.
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

// folders are those in the folder, which is not asked where that is known.
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

// find is where the record of a folder is; -1 if there is none. at is behind the one that
// was found before: mostly they are asked for in order.
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

// isSame reports whether a record is of the file that is there.
func (c *catalog) isSame(d *beneath.Folder, k *record) bool {
	return k.stamp != "" && d.Stamp(k.name, hookFile, c.whole && !k.link).Is(k.stamp)
}

// front puts into f what the HOOK.md of a folder says, unless it has to be read, or less
// is enough.
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

// keep keeps what was read.
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

// keepable reports whether what a HOOK.md says may be kept: a later change is sure to
// change the stamp, and nothing out of the ordinary is in it, which is rare.
func keepable(stamp beneath.Stamp, f *front) bool {
	return stamp.Settled(time.Now()) && len(f.problems) == 0 && f.sandbox == nil && f.words == nil
}

// finish says whether what had to be read is worth writing, while the folder is open.
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

// save writes the catalogs that are due. Whoever is last wins, and what is lost is read
// again. A cache that cannot be written is none.
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

// program is what tells this program from each other one.
func (x *Index) program() []byte { return beneath.StampAt(x.Program).Append([]byte(x.Program)) }

// sweep removes what nobody uses any more.
func (x *Index) sweep(now time.Time) {
	entries, _ := os.ReadDir(x.Dir)
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && now.Sub(info.ModTime()) > indexAge {
			_ = os.Remove(filepath.Join(x.Dir, e.Name()))
		}
	}
}

// recall takes up what was read before of a folder of hooks, from the index if there
// is one for this event.
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
