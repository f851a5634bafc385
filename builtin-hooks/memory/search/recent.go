package search

import (
	"encoding/binary"
	"hash/crc32"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/lexicon"
	"github.com/agents-hooks/agents-hooks/internal/safefile"
)

// What was saved since a snapshot's file was written is in a second, small file beside it, already
// parsed: reading an entry there costs a tenth of reading it in the folder, and writing that file
// a thousandth of writing the other. So the cost of a save does not grow with the memory.
//
// Numbers have four bytes or as few as they need, the lowest first:
//
//	magic, checksum of the rest, the snapshot's own checksums, the lexicon's name
//	the numbers of files, entries of the snapshot that are gone, words, entries
//	files      those that are not as in the snapshot: number, name ("": gone), size, time of change, time of reading, SHA-256
//	gone       their numbers, as distances
//	words      one after another
//	entries    file, key, size, texts, numbers, words by their place above and how often, vector
//
// It is read as a whole, and trusted if its checksum is right and it belongs to this very snapshot.

const (
	recentMagic = "ahnews3\n"
	recentHead  = len(recentMagic) + 4
	unkeptMost  = 8 // entries that each search reads in the folder before they are kept there
)

// recentPath is the path of that file.
func (s *Snapshot) recentPath() string {
	return strings.TrimSuffix(s.path, filepath.Ext(s.path)) + ".recent"
}

// identity distinguishes a snapshot's file from any other.
func (t *table) identity() string {
	if len(t.all) < headSize {
		return ""
	}
	return string(t.all[len(magic) : len(magic)+8])
}

// keepRecent writes that file if enough is new.
func (s *Snapshot) keepRecent() error {
	if s.unkept < unkeptMost || s.path == "" || s.base.docs == 0 {
		return nil
	}
	b := s.recent()
	return replace(s.recentPath(), [][]byte{b})
}

// recent is the content of that file.
func (s *Snapshot) recent() []byte {
	b := append([]byte(recentMagic), 0, 0, 0, 0)
	b = append(b, s.base.identity()...)
	b = appendText(b, s.lexiconID())
	var fresh []*entry
	for i := range s.fresh {
		if !s.fresh[i].gone {
			_ = s.packed(i)
			fresh = append(fresh, &s.fresh[i])
		}
	}
	place := make([]int, len(s.spelt)) // from 1 on
	var spelt []string
	for _, e := range fresh {
		for _, c := range e.words {
			if place[c.word] == 0 {
				spelt = append(spelt, s.spelt[c.word])
				place[c.word] = len(spelt)
			}
		}
	}
	var files []int
	number := map[string]int{}
	for i, f := range s.files {
		if i >= len(s.base.files) || !f.as(s.base.files[i]) {
			files = append(files, i)
		}
	}
	for i := len(s.files) - 1; i >= 0; i-- {
		number[s.files[i].name] = i
	}
	var gone []int
	for n, dead := range s.dead {
		if dead {
			gone = append(gone, n)
		}
	}
	for _, n := range [...]int{len(files), len(gone), len(spelt), len(fresh)} {
		b = binary.AppendUvarint(b, uint64(n))
	}
	for _, i := range files {
		b = appendSeen(appendText(binary.AppendUvarint(b, uint64(i)), s.files[i].name), s.files[i].seen)
	}
	last := 0
	for _, n := range gone {
		b = binary.AppendUvarint(b, uint64(n-last))
		last = n
	}
	for _, w := range spelt {
		b = appendText(b, w)
	}
	for _, e := range fresh {
		d := &e.doc
		b = binary.AppendUvarint(b, uint64(number[d.File]))
		b = binary.LittleEndian.AppendUint64(b, e.key)
		b = binary.AppendUvarint(b, uint64(e.size))
		for _, text := range [...]string{d.ID, d.Kind, d.Type, d.Content, strings.Join(d.Entities, between), d.Session, d.Origin, strings.Join(d.Replaces, between), d.Topic} {
			b = appendText(b, text)
		}
		for _, n := range [...]uint64{math.Float64bits(d.Confidence), uint64(nanos(d.Time)), uint64(nanos(d.Since)), uint64(nanos(d.Until))} {
			b = binary.LittleEndian.AppendUint64(b, n)
		}
		words := make([]count, len(e.words))
		for i, c := range e.words {
			words[i] = count{int32(place[c.word] - 1), c.times}
		}
		slices.SortFunc(words, func(a, b count) int { return int(a.word - b.word) })
		b = binary.AppendUvarint(b, uint64(len(words)))
		for _, c := range words {
			b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(c.word)), uint64(c.times))
		}
		b = appendText(b, string(e.vector))
	}
	binary.LittleEndian.PutUint32(b[len(recentMagic):], crc32.ChecksumIEEE(b[recentHead:]))
	return b
}

// addRecent reads that file, if there is one that belongs to the snapshot.
func (s *Snapshot) addRecent() {
	b, err := safefile.Read(s.recentPath(), math.MaxInt32)
	if err != nil || len(b) < recentHead || string(b[:len(recentMagic)]) != recentMagic {
		return
	}
	if binary.LittleEndian.Uint32(b[len(recentMagic):]) != crc32.ChecksumIEEE(b[recentHead:]) {
		return
	}
	id := s.base.identity()
	r := reader{b: b[recentHead:]}
	if len(r.b) < len(id) || string(r.b[:len(id)]) != id {
		return
	}
	r.b = r.b[len(id):]
	r.copy = string(r.b)
	vectors := r.text() == s.lexiconID()
	// At most as many as there are bytes: memory is not allocated for a mere count.
	many := func() int { return int(min(r.number(), uint64(len(r.b)))) }
	files, gone, words, entries := many(), many(), many(), many()
	for range files {
		i, f := int(min(r.number(), uint64(len(s.files)))), file{name: r.text(), seen: r.seen()}
		if i == len(s.files) {
			s.files = append(s.files, f)
		} else {
			s.files[i] = f
		}
	}
	n := 0
	for range gone {
		if n += int(r.number()); n >= 0 && n < s.base.docs {
			s.bury(n)
		}
	}
	s.spelt, s.numbers = make([]string, words), make(map[string]int32, words)
	for i := range s.spelt {
		s.spelt[i] = r.text()
		s.numbers[s.spelt[i]] = int32(i)
	}
	s.fresh = make([]entry, 0, entries)
	for range entries {
		e := s.readEntry(&r)
		if !vectors {
			e.vector = nil
		}
		s.fresh = append(s.fresh, e)
		s.count, s.words, s.new = s.count+1, s.words+e.size, s.new+1
	}
	s.changed, s.unkept = s.new > 0, 0
}

func (s *Snapshot) readEntry(r *reader) (e entry) {
	d := &e.doc
	if f := int(r.number()); f < len(s.files) {
		d.File = s.files[f].name
	}
	e.key, e.size = uint64(r.fixed()), int(r.number())
	d.ID, d.Kind, d.Type, d.Content, d.Entities = r.text(), r.text(), r.text(), r.text(), listed(r.text())
	d.Session, d.Origin, d.Replaces, d.Topic = r.text(), r.text(), listed(r.text()), r.text()
	d.Confidence, d.Time = math.Float64frombits(uint64(r.fixed())), moment(r.fixed())
	d.Since, d.Until = moment(r.fixed()), moment(r.fixed())
	many := int(min(r.number(), uint64(len(r.b))))
	e.words = make([]count, 0, many)
	for range many {
		if c := (count{int32(r.number()), int32(r.number())}); int(c.word) < len(s.spelt) {
			e.words = append(e.words, c)
		}
	}
	e.vector = r.part()
	return e
}

// moment is the time that nanos turned into a number.
func moment(n int64) time.Time {
	if n == 0 {
		return time.Time{}
	}
	return time.Unix(0, n).UTC()
}

func appendSeen(b []byte, s Seen) []byte {
	for _, n := range [...]int64{s.Size, s.MTime, s.At} {
		b = binary.LittleEndian.AppendUint64(b, uint64(n))
	}
	return appendText(b, string(s.Hash))
}

func (r *reader) seen() Seen {
	s := Seen{Size: r.fixed(), MTime: r.fixed(), At: r.fixed()}
	s.Hash = r.part()
	s.Hash = s.Hash[:len(s.Hash):len(s.Hash)]
	return s
}

// as reports whether a file is as another was.
func (f file) as(o file) bool {
	a, b := f.seen, o.seen
	return f.name == o.name && a.Size == b.Size && a.MTime == b.MTime && a.At == b.At && string(a.Hash) == string(b.Hash)
}

// lexiconID is the name of the lexicon that makes vectors, "" if there is none.
func (s *Snapshot) lexiconID() string {
	if s.lexicon == nil {
		return ""
	}
	return lexicon.ID
}
