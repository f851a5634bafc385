package search

import (
	"errors"
	"io/fs"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/lexicon"
)

// SnapshotFile is the name of a memory folder's snapshot.
const SnapshotFile = "agents-index.recall"

// A Snapshot is a folder's memories, ready to be searched: those in its file, and above them
// what has changed since. Searching does not write it; see Write.
type Snapshot struct {
	path    string
	lexicon *lexicon.Lexicon // nil: there is none
	base    table
	files   []file
	dead    []bool // entries of base that no longer exist; nil: none

	fresh   []entry
	numbers map[string]int32 // of words of fresh entries and of queries
	spelt   []string         // and the words of the numbers
	vectors map[int32]wordVector
	count   int // existing entries
	words   int // and the number of their words

	now  time.Time               // when it was refreshed
	uses map[string][]occurrence // of words that were looked up
	turn turned                  // the fresh entries by their words, once one was looked up

	changed bool // since the file was written
	new     int  // entries that the file lacks, or has in excess
	unkept  int  // those of them that the file beside it lacks too: see recent.go
	read    int  // bytes that had to be read to find that out
}

// A file that memories come from.
type file struct {
	name       string
	seen       Seen
	first, end int // its entries in the snapshot's file are between these
}

// An entry is a memory that the snapshot's file does not have.
type entry struct {
	doc    Doc
	key    uint64  // of its text
	words  []count // sorted by their numbers
	size   int
	vector []byte // made on demand, see packed
	gone   bool
}

// packed is the vector of a fresh entry, made on demand since word searches need none.
func (s *Snapshot) packed(i int) []byte {
	e := &s.fresh[i]
	if e.vector == nil && !e.gone && s.lexicon != nil {
		about := e.words
		if text := e.doc.Text(); chinese(text) > 0 {
			about = s.about(text)
		}
		e.vector = Pack(s.meaning(about))
	}
	return e.vector
}

// A count is a word, by its number, and its frequency.
type count struct{ word, times int32 }

// number is the number of a word.
func (s *Snapshot) number(word string) int32 {
	n, ok := s.numbers[word]
	if !ok {
		if s.numbers == nil {
			s.numbers = map[string]int32{}
		}
		word = strings.Clone(word)
		n = int32(len(s.spelt))
		s.numbers[word] = n
		s.spelt = append(s.spelt, word)
	}
	return n
}

// counted are the words of an entry, and their number; with the pseudo-words for its topic and
// what it replaces, and other spellings, which do not make it longer.
func (s *Snapshot) counted(d Doc) (out []count, size int) {
	list := words(d.Text())
	if d.Topic != "" {
		out = append(out, count{s.number(topicWord(d.Topic)), 1})
	}
	for _, id := range d.Replaces {
		out = append(out, count{s.number(standsFor(id)), 1})
	}
	if !d.Until.IsZero() {
		out = append(out, count{s.number(overOn(d.Until)), 1})
	}
	if !d.Since.IsZero() {
		out = append(out, count{s.number(beginsOn(d.Since)), 1})
	}
	for i, w := range list {
		out = append(out, count{s.number(w.text), 1})
		for _, plain := range w.spellings() {
			out = append(out, count{s.number(plain), 1})
		}
		if !w.cjk || len(w.text) > utf8.UTFMax || i == 0 { // a character is a part of two that are counted
			size++
		}
	}
	return slices.Clone(merged(out)), size
}

// merged sorts words, and counts repeated ones.
func merged(list []count) []count {
	slices.SortFunc(list, func(a, b count) int { return int(a.word - b.word) })
	kept := list[:0]
	for _, c := range list {
		if n := len(kept); n > 0 && kept[n-1].word == c.word {
			kept[n-1].times++
		} else {
			kept = append(kept, c)
		}
	}
	return kept
}

// chinese is the share of Chinese in an entry's text, by bytes.
func (s *Snapshot) chinese(n int) float32 {
	if n >= s.base.docs {
		return float32(chineseOf(s.fresh[n-s.base.docs].doc.Content)) / chineseAll
	}
	return s.base.chinese(n)
}

// ErrTooMuch says that more has changed than a search should read.
var ErrTooMuch = errors.New("too much has changed since the snapshot was made")

// Open reads a snapshot. If it does not exist, is damaged, or has another version, the error is
// fs.ErrNotExist. Close releases its memory. l may be nil.
func Open(path string, l *lexicon.Lexicon) (*Snapshot, error) {
	b, err := load(path, headSize)
	if err != nil {
		return nil, err
	}
	s := &Snapshot{path: path, lexicon: l}
	if s.files, err = s.base.read(b); err != nil {
		unload(b)
		return nil, errors.Join(err, fs.ErrNotExist)
	}
	s.count, s.words = s.base.docs, s.base.total
	s.addRecent()
	return s, nil
}

// New is an empty snapshot.
func New(path string, l *lexicon.Lexicon) *Snapshot { return &Snapshot{path: path, lexicon: l} }

// Close releases a snapshot, and the texts that it returned.
func (s *Snapshot) Close() { unload(s.base.all); s.base = table{} }

// lacking reports whether the file was written without vectors that are possible now.
func (s *Snapshot) lacking() bool {
	return s.lexicon != nil && s.base.docs > 0 && s.base.lexicon != lexicon.ID
}

// behind reports whether so much has changed that the file should be written again: writing a
// thousand entries takes as long as reading a few of the file beside it, and each search reads
// all of these, so the limit grows with the square root of the size. A file for another lexicon
// is rewritten when there is time for all of it.
func (s *Snapshot) behind() bool {
	if s.base.docs > 0 && s.base.lexicon != s.lexiconID() {
		return false
	}
	return s.new > 16+int(math.Sqrt(float64(s.base.docs))) || s.read > 256<<10
}

// keep stores what changed, in one file or the other.
func (s *Snapshot) keep(all func() error) error {
	if s.behind() {
		return all()
	}
	return s.keepRecent()
}

// bury takes out an entry of the file.
func (s *Snapshot) bury(n int) {
	if s.dead == nil {
		s.dead = make([]bool, s.base.docs)
	}
	if !s.dead[n] {
		s.dead[n] = true
		s.count, s.words, s.new = s.count-1, s.words-s.base.size(n), s.new+1
	}
}

func (s *Snapshot) gone(n int) bool { return s.dead != nil && s.dead[n] }

// there reports whether an entry still exists.
func (s *Snapshot) there(n int) bool {
	if n < s.base.docs {
		return !s.gone(n)
	}
	return !s.fresh[n-s.base.docs].gone
}

// Count is the number of entries.
func (s *Snapshot) Count() int { return s.count }

// model says how its entries can be compared, for people.
func (s *Snapshot) model() string {
	if s.base.lexicon == "" {
		return "words alone"
	}
	return "words and meaning"
}

// An occurrence is an entry with a word: its number, the word's frequency in it, and its number
// of words.
type occurrence struct {
	n           int32
	times, size uint16 // up to what two bytes hold
}

func short(n int) uint16 { return uint16(min(n, math.MaxUint16)) }

// leastPosting is the least size of an entry in a word's list, in bytes.
const leastPosting = 2

// use looks a word up, once.
func (s *Snapshot) use(word string) []occurrence {
	in, known := s.uses[word]
	if known {
		return in
	}
	p := s.base.postings(word)
	if most := len(p.b) / leastPosting; most > 0 {
		in = make([]occurrence, 0, most)
	}
	for p.next() {
		if s.dead == nil || !s.dead[p.n] {
			in = append(in, occurrence{int32(p.n), short(p.times), s.base.short(p.n)})
		}
	}
	if id, ok := s.numbers[word]; ok {
		for _, c := range s.freshWith(id) {
			in = append(in, occurrence{int32(s.base.docs) + c.word, short(int(c.times)), short(s.fresh[c.word].size)})
		}
	}
	if s.uses == nil {
		s.uses = map[string][]occurrence{}
	}
	s.uses[word] = in
	return in
}

// each calls f with those entries that have a word and are asked for.
func (s *Snapshot) each(word string, asked func(n int32) bool, f func(n int32, times, size uint16)) {
	for p := s.base.postings(word); p.next(); {
		if n := int32(p.n); asked(n) && !s.gone(p.n) {
			f(n, short(p.times), s.base.short(p.n))
		}
	}
	if id, ok := s.numbers[word]; ok {
		for _, c := range s.freshWith(id) {
			if n := int32(s.base.docs) + c.word; asked(n) {
				f(n, short(int(c.times)), short(s.fresh[c.word].size))
			}
		}
	}
}

// longList is how many bytes a list of entries has that belongs to a word that says little:
// it is not read for knowing how long it is.
const longList = 4 << 10

// isLong reports whether a word is in so many entries that its list has not been read so far.
func (s *Snapshot) isLong(word string) bool {
	_, known := s.uses[word]
	return !known && s.base.listSize(word) > longList
}

// spread is in how many entries a word is; of a long list those count too that are gone by now.
func (s *Snapshot) spread(word string) int {
	if !s.isLong(word) {
		return len(s.use(word))
	}
	n := s.base.many(word)
	if id, ok := s.numbers[word]; ok {
		n += len(s.freshWith(id))
	}
	return n
}

// freshWith are the fresh entries that have a word, by its number.
func (s *Snapshot) freshWith(id int32) []count {
	if s.turn.start == nil {
		s.turn = s.turned()
	}
	return s.turn.of(id)
}

// vector is the packed vector of an entry; empty if it has none.
func (s *Snapshot) vector(n int) []byte {
	if n >= s.base.docs {
		return s.packed(n - s.base.docs)
	}
	if s.base.lexicon != lexicon.ID {
		return nil
	}
	return s.base.vector(n)
}

func (s *Snapshot) sketch(n int) []byte {
	if n >= s.base.docs || s.base.lexicon != lexicon.ID {
		sign := sketch(s.vector(n))
		return sign[:]
	}
	return s.base.sketch(n)
}

// time is when an entry was written, in nanoseconds; 0: it has no time.
func (s *Snapshot) time(n int) int64 {
	if n < s.base.docs {
		return s.base.time(n)
	}
	return nanos(s.fresh[n-s.base.docs].doc.Time)
}

func nanos(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixNano()
}

// Entry is the memory with a number.
func (s *Snapshot) Entry(n int) Doc {
	if n < s.base.docs {
		return s.base.doc(n)
	}
	return s.fresh[n-s.base.docs].doc
}

// key is the key of an entry's text, in a file of vectors.
func (s *Snapshot) key(n int) uint64 {
	if n < s.base.docs {
		return s.base.key(n)
	}
	return s.fresh[n-s.base.docs].key
}

// ended are the ids of entries that have ended.
func (s *Snapshot) ended() map[string]bool {
	var out map[string]bool
	put := func(id string) {
		if out == nil {
			out = map[string]bool{}
		}
		out[id] = true
	}
	for _, e := range s.fresh {
		if !e.doc.Until.IsZero() && !s.now.Before(e.doc.Until) {
			put(e.doc.ID)
		}
	}
	s.base.from(overStart, func(word string) {
		if word <= overOn(s.now) {
			for p := s.base.postings(word); p.next(); {
				if !s.gone(p.n) {
					put(s.base.doc(p.n).ID)
				}
			}
		}
	})
	return out
}

// later are the entries that do not hold yet.
func (s *Snapshot) later() map[int32]bool {
	out := map[int32]bool{}
	for i, e := range s.fresh {
		if e.doc.Since.After(s.now) {
			out[int32(s.base.docs+i)] = true
		}
	}
	s.base.from(beginStart, func(word string) {
		if word > beginsOn(s.now) {
			for p := s.base.postings(word); p.next(); {
				out[int32(p.n)] = true
			}
		}
	})
	return out
}

// replaced reports whether another entry stands for one at the time of the search, or says that it
// is deleted. It says of one entry what [memory.Replaced] says of all.
func (s *Snapshot) replaced(d Doc) bool {
	_, is := s.stoodFor(d.ID, d.Since, d.Since, nil)
	return is
}

// standsForNow is the id of the fact that took the place of an entry, "" if none did.
func (s *Snapshot) standsForNow(d Doc) string {
	by, _ := s.stoodFor(d.ID, d.Since, d.Since, nil)
	return by
}

// stoodFor reports whether an entry that is not over stands for what began at a time, and which ("": it
// is deleted): one of those that replaced an id, which began at, or one of those that replaced that
// one, and so on. seen are the ids that were asked about on any way, since there may be more ways
// than anybody can go.
func (s *Snapshot) stoodFor(id string, began, at time.Time, seen map[string]bool) (by string, is bool) {
	first := seen == nil
	for _, o := range s.use(standsFor(id)) {
		d := s.Entry(int(o.n))
		if d.ID == id || d.Kind != "fact" {
			if d.Kind != "fact" || first {
				return "", true
			}
			continue
		}
		f := d.Fact()
		if !first && !f.Follows(at) || seen[f.ID] {
			continue
		}
		if seen == nil {
			seen = map[string]bool{id: true}
		}
		seen[f.ID] = true
		if !f.Over(s.now) && !s.deleted(f.ID) && f.Hides(began, s.now) {
			return f.ID, true
		}
		if by, is = s.stoodFor(f.ID, began, f.Since, seen); is {
			return by, true
		}
	}
	return "", false
}

// deleted reports whether an entry says that an id is deleted.
func (s *Snapshot) deleted(id string) bool {
	return slices.ContainsFunc(s.use(standsFor(id)), func(o occurrence) bool { return s.Entry(int(o.n)).ID == id })
}
