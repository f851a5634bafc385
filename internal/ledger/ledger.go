package ledger

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/safefile"
	"github.com/agents-hooks/agents-hooks/internal/statefile"
)

// Whose says where a text is from. Each but Nobody is how a record begins.
type Whose byte

const (
	Nobody    Whose = 0
	Own       Whose = 'o' // written on this machine, or said to be by its person
	Memory    Whose = 'm' // the repository's, let in as its memory
	Workspace Whose = 'w' // the repository's, let in as one of its workspaces

	purged Whose = 'p' // removed for good: whoever brings it back, it is Nobody's, and asked for no more
)

// A Key stands for a piece of text.
type Key [keySize]byte

const (
	keySize    = 20
	recordSize = 1 + 27 + 1 // whose, the key in base64, a newline
	headSize   = 48
	magic      = "agents-hooks ledger 1 "
	tailMost   = 256             // records that are not sorted
	wait       = 2 * time.Second // for another process that writes
)

var encoding = base64.RawURLEncoding

// A Ledger is that of one repository. A nil one is of a folder that belongs to the
// person: everything in it is Own. It belongs to one goroutine.
type Ledger struct {
	// Failed is told why the ledger could not be read, or something not be noted:
	// the text is written all the same, and asked for later. nil: nobody is.
	Failed func(error)

	path   string // "" where nothing can be kept
	always bool
	epoch  string
	sorted records
	tail   []byte
	read   bool
	stale  bool // it may know less than the text that is asked about
	forms  map[string][]Key
	err    error
	now    func() time.Time
}

// At is the ledger of a repository, by its root. It is read when it is asked for
// the first time. Without a state directory it knows nothing.
func At(state, root string) *Ledger {
	l := &Ledger{now: time.Now}
	if state == "" {
		return l
	}
	if real, err := filepath.EvalSymlinks(root); err == nil {
		root = real
	}
	sum := sha256.Sum256([]byte(root))
	l.path = filepath.Join(state, "ledger", hex.EncodeToString(sum[:16]))
	return l
}

// Always makes everything known: what this machine did not write counts as let in.
func (l *Ledger) Always() *Ledger {
	l.always = true
	return l
}

// Err is why the ledger could not be read; it knows nothing then.
func (l *Ledger) Err() error {
	if l == nil {
		return nil
	}
	l.load()
	return l.err
}

// Of says whose a piece is.
func (l *Ledger) Of(k Key) Whose {
	if l == nil {
		return Own
	}
	l.load()
	w := l.find(k)
	if w == Nobody && l.stale {
		l.stale = false
		l.again()
		w = l.find(k)
	}
	switch {
	case w == purged:
		return Nobody
	case w == Nobody && l.always:
		return Memory
	}
	return w
}

// Purge remembers pieces that their person removed for good.
func (l *Ledger) Purge(keys []Key) error {
	if l == nil || len(keys) == 0 {
		return nil
	}
	return l.add(purged, keys)
}

// Purged reports whether a piece was removed for good.
func (l *Ledger) Purged(k Key) bool {
	if l == nil {
		return false
	}
	l.load()
	return l.find(k) == purged
}

// About says that a text was read, whose pieces are asked about next. Another
// process may have noted what it wrote there after the ledger was read.
func (l *Ledger) About() {
	if l != nil {
		l.stale = l.read
	}
}

// again reads what was added since.
func (l *Ledger) again() {
	info, err := os.Stat(l.path)
	if err == nil && info.Size() != int64(headSize+l.sorted.n*recordSize+len(l.tail)) {
		failed := l.Failed
		*l = Ledger{path: l.path, always: l.always, now: l.now, forms: l.forms}
		l.load()
		l.Failed = failed
	}
}

func (l *Ledger) find(k Key) Whose {
	if l.sorted.n+len(l.tail) == 0 {
		return Nobody
	}
	var want [recordSize - 2]byte
	encoding.Encode(want[:], k[:])
	for at := len(l.tail) - recordSize; at >= 0; at -= recordSize { // the last one counts
		if r := l.tail[at:]; bytes.Equal(r[1:recordSize-1], want[:]) {
			return Whose(r[0])
		}
	}
	w := l.sorted.find(want[:])
	if l.sorted.err != nil && l.err == nil {
		l.failed(l.sorted.err)
	}
	return w
}

// Epoch is another one whenever the person let something in or took that back.
func (l *Ledger) Epoch() string {
	if l == nil {
		return ""
	}
	all := ""
	if l.always {
		all = "+"
	}
	if l.read || l.path == "" {
		return l.epoch + all
	}
	f, err := safefile.Open(l.path)
	if err != nil {
		return noEpoch + all
	}
	defer f.Close()
	var head [headSize]byte
	if _, err := io.ReadFull(f, head[:]); err != nil {
		return noEpoch + all
	}
	epoch, _, _ := parseHead(head[:])
	return epoch + all
}

// noEpoch is that of a ledger into which nothing was let yet.
const noEpoch = "0000000000000000"

// ErrDamaged is that the file of a ledger is none of this version.
var ErrDamaged = errors.New("it cannot be read: nothing of this project that waits for approval counts as known")

func (l *Ledger) load() {
	if l.read {
		return
	}
	l.read, l.epoch = true, noEpoch
	if l.path == "" {
		return
	}
	if err := l.open(); err != nil {
		l.failed(err)
	}
}

// open reads what has to be known of the file: all of it, or of a long one its ends.
func (l *Ledger) open() error {
	info, err := os.Stat(l.path)
	if err != nil || info.Size() <= wholeMost || !info.Mode().IsRegular() || runtime.GOOS == "windows" { // where nobody can replace a file that is open
		b, err := statefile.Read(l.path)
		if err == nil && b != nil {
			err = l.parse(b)
		}
		return err
	}
	f, err := safefile.Open(l.path)
	if err != nil {
		return err
	}
	if info, err = f.Stat(); err != nil {
		f.Close()
		return err
	}
	head := make([]byte, headSize)
	_, err = f.ReadAt(head, 0)
	epoch, n, ok := parseHead(head)
	tail := info.Size() - headSize - int64(n)*recordSize
	if err == nil && (!ok || tail < 0) {
		err = ErrDamaged
	}
	// Whoever writes a record may just be at it: what has no end is none.
	rest := make([]byte, max(0, tail)/recordSize*recordSize)
	if err == nil {
		_, err = f.ReadAt(rest, headSize+int64(n)*recordSize)
	}
	if err != nil {
		f.Close()
		return err
	}
	l.epoch, l.sorted, l.tail = epoch, records{file: f, n: n}, rest
	return nil
}

func (l *Ledger) failed(err error) {
	l.err = fmt.Errorf("the ledger %s: %w", l.path, err)
	l.tell(l.err)
}

func (l *Ledger) tell(err error) {
	if err != nil && l.Failed != nil {
		l.Failed(err)
	}
}

func (l *Ledger) parse(b []byte) error {
	epoch, n, ok := parseHead(b)
	if rest := b[min(len(b), headSize):]; ok && n*recordSize <= len(rest) {
		// Whoever writes a record may just be at it: what has no end is none.
		l.epoch, l.sorted, l.tail = epoch, sortedIn(rest[:n*recordSize]), rest[n*recordSize:len(rest)/recordSize*recordSize]
		return nil
	}
	return ErrDamaged
}

func parseHead(b []byte) (epoch string, sorted int, ok bool) {
	if len(b) < headSize || !bytes.HasPrefix(b, []byte(magic)) || b[headSize-1] != '\n' {
		return noEpoch, 0, false
	}
	epoch = string(b[len(magic) : len(magic)+16])
	n, err := strconv.ParseUint(string(b[len(magic)+17:headSize-1]), 16, 32)
	return epoch, int(n), err == nil
}

// Note remembers pieces as written on this machine. It is to be called before they
// are written, so that a process that is killed between the two leaves nothing
// behind that its person is asked for.
func (l *Ledger) Note(keys ...Key) error {
	if l == nil {
		return nil
	}
	return l.add(Own, keys)
}

// Let remembers pieces that the person said yes to.
func (l *Ledger) Let(whose Whose, keys []Key) error {
	return l.rewrite(func(records map[Key]Whose) {
		for _, k := range keys {
			records[k] = whose
		}
	})
}

// Revoke takes back what was let in of the repository in one way, and returns how
// many pieces that were.
func (l *Ledger) Revoke(whose Whose) (n int, err error) {
	l.load()
	if l.err == nil && l.count(whose) == 0 {
		return 0, nil
	}
	err = l.rewrite(func(records map[Key]Whose) {
		n = 0
		for k, w := range records {
			if w == whose {
				delete(records, k)
				n++
			}
		}
	})
	return n, err
}

// Count is how many pieces were let in.
func (l *Ledger) Count(whose Whose) int {
	if l == nil {
		return 0
	}
	l.load()
	return l.count(whose)
}

func (l *Ledger) count(whose Whose) (n int) {
	for _, records := range [][]byte{l.sorted.whole(), l.tail} {
		for at := 0; at < len(records); at += recordSize {
			if Whose(records[at]) == whose {
				n++
			}
		}
	}
	return n
}

func (l *Ledger) add(whose Whose, keys []Key) error {
	l.load()
	var fresh []Key
	for _, k := range keys {
		if l.find(k) != whose && !slices.Contains(fresh, k) {
			fresh = append(fresh, k)
		}
	}
	if len(fresh) == 0 && l.err == nil {
		return nil
	}
	if l.path == "" {
		return errors.New("noting in the ledger what was written here: there is no state directory: set HOME or XDG_STATE_HOME")
	}
	// Whether the file is there and whole was seen when it was read; from then on
	// it is never less.
	if len(fresh) == 1 && l.err == nil && l.sorted.n+len(l.tail) > 0 && len(l.tail) < tailMost*recordSize {
		r := record(whose, fresh[0])
		if err := statefile.Append(l.path, wait, r); err != nil {
			return fmt.Errorf("noting in the ledger what was written here: %w", err)
		}
		l.tail = append(l.tail[:len(l.tail):len(l.tail)], r...)
		return nil
	}
	return l.write(false, func(records map[Key]Whose) {
		for _, k := range fresh {
			records[k] = whose
		}
	})
}

func record(whose Whose, k Key) []byte {
	r := encoding.AppendEncode(append(make([]byte, 0, recordSize), byte(whose)), k[:])
	return append(r, '\n')
}

// rewrite is write for what a person said.
func (l *Ledger) rewrite(change func(map[Key]Whose)) error {
	if l == nil || l.path == "" {
		return errors.New("noting in the ledger what was written here: there is no state directory: set HOME or XDG_STATE_HOME")
	}
	return l.write(true, change)
}

// write replaces the file as a whole. What stands there and cannot be read is kept
// aside, and said.
func (l *Ledger) write(person bool, change func(map[Key]Whose)) error {
	kept := ""
	err := statefile.UpdateDurable(l.path, wait, func(old []byte) ([]byte, error) {
		now := &Ledger{epoch: noEpoch}
		if old != nil && now.parse(old) != nil {
			var err error
			if kept, err = statefile.Keep(l.path, l.now(), old); err != nil {
				return nil, err
			}
			person = true // what was derived from it counts no more
		}
		records := map[Key]Whose{}
		for _, list := range [][]byte{now.sorted.whole(), now.tail} {
			for at := 0; at < len(list); at += recordSize {
				var k Key
				if _, err := encoding.Decode(k[:], list[at+1:at+recordSize-1]); err == nil {
					records[k] = Whose(list[at])
				}
			}
		}
		change(records)
		if person {
			now.epoch = fmt.Sprintf("%016x", rand.Uint64())
		}
		return format(now.epoch, records), nil
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("noting in the ledger what was written here: %w", err)
	}
	*l = Ledger{Failed: l.Failed, path: l.path, always: l.always, now: l.now}
	if kept != "" {
		return fmt.Errorf("the ledger could not be read, and is kept as %s: you will be asked again about what it knew", kept)
	}
	return err
}

func format(epoch string, records map[Key]Whose) []byte {
	lines := make([][]byte, 0, len(records))
	for k, w := range records {
		lines = append(lines, record(w, k))
	}
	slices.SortFunc(lines, func(a, b []byte) int { return bytes.Compare(a[1:], b[1:]) })
	out := fmt.Appendf(make([]byte, 0, headSize+len(lines)*recordSize), "%s%s %08x\n", magic, epoch, len(lines))
	return append(out, bytes.Join(lines, nil)...)
}

// Take remembers of another ledger whose each piece is: a project was moved, and what
// its person wrote or let in there is the same text here.
func (l *Ledger) Take(from *Ledger) error {
	if l == nil || from == nil || l.path == from.path {
		return nil
	}
	from.load()
	keys := map[Whose][]Key{}
	for _, records := range [][]byte{from.sorted.whole(), from.tail} {
		for at := 0; at+recordSize <= len(records); at += recordSize {
			var k Key
			if _, err := encoding.Decode(k[:], records[at+1:at+recordSize-1]); err == nil && l.find(k) == Nobody {
				whose := from.find(k) // the last record counts
				keys[whose] = append(keys[whose], k)
			}
		}
	}
	err := l.Note(keys[Own]...)
	if err == nil {
		err = l.Purge(keys[purged])
	}
	for _, whose := range []Whose{Memory, Workspace} {
		if err == nil && len(keys[whose]) > 0 {
			err = l.Let(whose, keys[whose])
		}
	}
	return err
}
