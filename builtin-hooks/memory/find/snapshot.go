package find

import (
	"errors"
	"io/fs"
	"math"
	"slices"
	"time"
)

// SnapshotFile is what the snapshot of a memory folder is called.
const SnapshotFile = "agents-index.sqlite-recall"

// A Snapshot is a folder's memories, ready to be searched: those of its file, and
// over them what changed since. It is not written by searching; see Write.
type Snapshot struct {
	path  string
	base  table
	files []file
	dead  []bool // of base: what is there no more; nil: none

	fresh []entry
	count int // entries that are there
	words int // and how many words they have

	uses map[string]*use // of words that were asked for

	changed bool // since the file was written
	new     int  // entries that the file lacks, or has too many
	read    int  // bytes that had to be read to know
}

// A file is one of the files that the memories are from.
type file struct {
	name string
	seen Seen
}

// An entry is a memory that the file of the snapshot does not have.
type entry struct {
	doc    Doc
	words  map[string]int // and how often it has them; nil: it is gone
	size   int
	vector []byte // made when it is asked for, see packed
}

// packed is the entry's vector: what only looks at words needs none.
func (e *entry) packed() []byte {
	if e.vector == nil {
		e.vector = Pack(hashVector(e.doc.Text()))
	}
	return e.vector
}

// ErrTooMuch is that more has changed than a search should read.
var ErrTooMuch = errors.New("too much has changed since the snapshot was made")

// Open reads a snapshot. One that is not there, or is damaged, or of another
// version, is fs.ErrNotExist. Close gives its memory back.
func Open(path string) (*Snapshot, error) {
	b, err := load(path)
	if err != nil {
		return nil, err
	}
	s := &Snapshot{path: path}
	if s.files, err = s.base.read(b); err != nil {
		unload(b)
		return nil, errors.Join(err, fs.ErrNotExist)
	}
	s.count, s.words = s.base.docs, s.base.total
	return s, nil
}

// New is a snapshot of nothing.
func New(path string) *Snapshot { return &Snapshot{path: path} }

// Close ends the use of a snapshot, and of texts that it gave.
func (s *Snapshot) Close() { unload(s.base.all); s.base = table{} }

// behind reports whether so much has changed that the file should be written
// anew: reading a new entry takes a hundredth as long as writing a thousand.
func (s *Snapshot) behind() bool { return s.new > 16+s.base.docs/200 || s.read > 256<<10 }

// Refresh brings the snapshot up to date with the files. most is how many bytes
// it may read for that; beyond, it is ErrTooMuch and of no use; 0 is no limit.
func (s *Snapshot) Refresh(sources []Source, now time.Time, most int) error {
	s.uses = nil
	known := make(map[string]int, len(s.files))
	for i, f := range s.files {
		known[f.name] = i
	}
	for _, src := range sources {
		var before Seen
		i, have := known[src.Name]
		if have {
			before = s.files[i].seen
			delete(known, src.Name)
		}
		w, changed, err := Look(src, before, have, now)
		if err != nil {
			return err
		}
		if !changed {
			continue
		}
		if !have {
			i = len(s.files)
			s.files = append(s.files, file{name: src.Name})
		}
		s.files[i].seen = w.Seen
		s.changed = true
		s.read += len(w.Part)
		if have && string(before.Hash) == string(w.Seen.Hash) {
			continue
		}
		if most > 0 && s.read > most {
			return ErrTooMuch
		}
		s.take(w, have)
	}
	for name, i := range known {
		s.forget(name, nil)
		s.files[i].name, s.changed = "", true
	}
	return nil
}

// take puts what is new in a file over what was known of it.
func (s *Snapshot) take(w Stale, have bool) {
	docs := LastOfEach(w.Source.Read(w.Part))
	if have && w.Tail {
		ids := make(map[string]bool, len(docs))
		for _, d := range docs {
			ids[d.ID] = true
		}
		s.forget(w.Source.Name, ids)
	} else if have {
		s.forget(w.Source.Name, nil)
	}
	for _, d := range docs {
		d.File = w.Source.Name
		e := entry{doc: d, words: map[string]int{}}
		for _, word := range words(d.Text()) {
			e.words[word.text]++
			e.size++
		}
		if d.Topic != "" {
			e.words[topicWord(d.Topic)] = 1
		}
		for _, id := range d.Replaces {
			e.words[standsFor(id)] = 1
		}
		s.fresh = append(s.fresh, e)
		s.count, s.words, s.new = s.count+1, s.words+e.size, s.new+1
	}
}

// forget takes out what came from a file: the entries with these ids, or all.
func (s *Snapshot) forget(name string, ids map[string]bool) {
	i := slices.IndexFunc(s.base.files, func(f file) bool { return f.name == name })
	for n := 0; n < s.base.docs && i >= 0; n++ {
		if s.base.file(n) != i || s.gone(n) || ids != nil && !ids[s.base.doc(n).ID] {
			continue
		}
		if s.dead == nil {
			s.dead = make([]bool, s.base.docs)
		}
		s.dead[n] = true
		s.count, s.words, s.new = s.count-1, s.words-s.base.size(n), s.new+1
	}
	for i := range s.fresh {
		e := &s.fresh[i]
		if e.words != nil && e.doc.File == name && (ids == nil || ids[e.doc.ID]) {
			s.count, s.words = s.count-1, s.words-e.size
			e.words = nil
		}
	}
}

func (s *Snapshot) gone(n int) bool { return s.dead != nil && s.dead[n] }

// Count is how many entries there are.
func (s *Snapshot) Count() (int, error) { return s.count, nil }

// Frequency is in how many entries a word is.
func (s *Snapshot) Frequency(word string) (int, error) { return len(s.use(word).in), nil }

// Has reports whether an entry has a word.
func (s *Snapshot) Has(n int64, word string) (bool, error) {
	return s.use(word).bits[n/64]>>(n%64)&1 == 1, nil
}

// A use is which entries have a word, as a list and as bits.
type use struct {
	in   []occurrence
	bits []uint64
}

// An occurrence is one of them: its number, how often it has the word, and how
// many words it has.
type occurrence struct{ n, times, size int32 }

// use looks a word up, once.
func (s *Snapshot) use(word string) *use {
	if u := s.uses[word]; u != nil {
		return u
	}
	u := &use{bits: make([]uint64, (s.base.docs+len(s.fresh))/64+1)}
	add := func(n, times, size int) {
		u.in = append(u.in, occurrence{int32(n), int32(times), int32(size)})
		u.bits[n/64] |= 1 << (n % 64)
	}
	s.base.each(word, func(n, times int) {
		if !s.gone(n) {
			add(n, times, s.base.size(n))
		}
	})
	for i, e := range s.fresh {
		if times := e.words[word]; times > 0 {
			add(s.base.docs+i, times, e.size)
		}
	}
	if s.uses == nil {
		s.uses = map[string]*use{}
	}
	s.uses[word] = u
	return u
}

// The constants of BM25, as FTS5 has them.
const (
	saturation = 1.2
	lengthPart = 0.75
	leastIDF   = 1e-6
)

// Best are the entries in which most of the words are, by BM25 as FTS5 counts.
func (s *Snapshot) Best(list []string, most int) ([]Scored, error) {
	if s.count == 0 {
		return nil, nil
	}
	average := float64(s.words) / float64(s.count)
	sums := make([]float64, s.base.docs+len(s.fresh))
	var touched []Scored
	for _, word := range list {
		in := s.use(word).in
		idf := math.Log((float64(s.count-len(in)) + 0.5) / (float64(len(in)) + 0.5))
		if idf <= 0 {
			idf = leastIDF
		}
		for _, o := range in {
			t, size := float64(o.times), float64(o.size)
			if sums[o.n] == 0 {
				touched = append(touched, Scored{N: int64(o.n)})
			}
			sums[o.n] += idf * (t * (saturation + 1)) / (t + saturation*(1-lengthPart+lengthPart*size/average))
		}
	}
	for i := range touched {
		touched[i].BM25 = sums[touched[i].N]
	}
	slices.SortFunc(touched, func(a, b Scored) int {
		switch {
		case a.BM25 > b.BM25:
			return -1
		case a.BM25 < b.BM25:
			return 1
		}
		return int(a.N - b.N)
	})
	return touched[:min(most, len(touched))], nil
}

// Vectors calls f with each vector.
func (s *Snapshot) Vectors(f func(n int64, packed []byte)) error {
	for n := range s.base.docs {
		if v := s.base.vector(n); len(v) > 0 && !s.gone(n) {
			f(int64(n), v)
		}
	}
	for i := range s.fresh {
		if e := &s.fresh[i]; e.words != nil {
			if v := e.packed(); v != nil {
				f(int64(s.base.docs+i), v)
			}
		}
	}
	return nil
}

// Entry is one memory by its number.
func (s *Snapshot) Entry(n int64) (Doc, error) {
	if n < int64(s.base.docs) {
		return s.base.doc(int(n)), nil
	}
	return s.fresh[n-int64(s.base.docs)].doc, nil
}

// Replaced are the ids that later entries stand for.
func (s *Snapshot) Replaced() (map[string]bool, error) {
	out := map[string]bool{}
	for _, n := range s.base.replacing {
		if !s.gone(n) {
			for _, id := range s.base.doc(n).Replaces {
				out[id] = true
			}
		}
	}
	for _, e := range s.fresh {
		if e.words != nil {
			for _, id := range e.doc.Replaces {
				out[id] = true
			}
		}
	}
	return out, nil
}
