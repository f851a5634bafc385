package search

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"
	"slices"
	"strings"
)

// A table is the file of a snapshot in memory: four-byte numbers, little-endian, and texts.
// Nothing is decoded before it is needed.
//
//	magic, checksums of the head and of all, length of the file, the lexicon's name, the sizes of the parts …
//	files      name, its first entry and the one after its last, size, time of change, time of reading, SHA-256
//	entries    file, number of words, place of its text, whether it has a vector and how Chinese it is, time, key
//	sizes      of each entry in two bytes, the number of its words once more: for a common word all are read
//	sketches   of each entry
//	vectors    of each entry, all of the same length
//	texts      of each entry: id, kind, type, content, entities … topic, end, beginning
//	words      place of the word, place of its list, how many entries that has; sorted
//	spelling   the words
//	lists      of each word: entries that have it, as distances, and its frequencies
//
// The head's checksum covers what precedes the entries: a search reads little of the rest, and
// does not trust it.
type table struct {
	all                                                              []byte
	lexicon                                                          string // "": no vectors
	docs, total, stride                                              int
	entries, sizes, sketches, texts, vectors, words, spelling, lists []byte
	files                                                            []file
	wordCount                                                        int
}

// magic changes with the layout, and with the way words are made.
const magic = "ahfindB\n"

const (
	nameSize  = 16 // of the lexicon
	numbers   = 15
	headSize  = len(magic) + 4*numbers + nameSize
	entrySize = 32
	wordSize  = 12
	shortSize = 2
)

var errDamaged = errors.New("the snapshot is damaged, or of another version")

// checked is how many bytes of a file the head's checksum covers.
func checked(number func(int) int) int {
	return headSize + number(8)
}

// sum is a checksum of what follows the two checksums.
func sum(part []byte) uint32 {
	return crc32.ChecksumIEEE(part[len(magic)+8:])
}

// read interprets the bytes of a file as a table.
func (t *table) read(all []byte) ([]file, error) {
	if len(all) < headSize || string(all[:len(magic)]) != magic {
		return nil, errDamaged
	}
	number := func(i int) int { return at(all[len(magic):], i) }
	if n := checked(number); number(2) != len(all) || n > len(all) || uint32(number(0)) != sum(all[:n]) {
		return nil, errDamaged
	}
	t.all, t.docs, t.wordCount, t.total, t.stride = all, number(3), number(4), number(5), number(6)
	t.lexicon = strings.TrimRight(string(all[headSize-nameSize:headSize]), "\x00")
	rest := all[headSize:]
	part := func(i int) []byte {
		n := min(number(i), len(rest))
		p := rest[:n:n]
		rest = rest[n:]
		return p
	}
	files := reader{b: bytes.Clone(part(8))} // of which the hashes are parts
	files.copy = string(files.b)
	t.entries = part(9)
	t.sizes = part(7)
	t.sketches, t.vectors, t.texts, t.words, t.spelling, t.lists = part(10), part(11), part(12), part(13), part(14), rest
	for len(files.b) > 0 {
		f := file{name: files.text(), first: int(files.number()), end: int(files.number())}
		f.seen = files.seen()
		t.files = append(t.files, f)
	}
	if len(t.entries) != entrySize*(t.docs+1) || len(t.words) != wordSize*(t.wordCount+1) || len(t.sizes) != shortSize*t.docs || len(t.sketches) != sketchSize*t.docs || len(t.vectors) != t.stride*t.docs {
		return nil, errDamaged
	}
	return slices.Clone(t.files), nil
}

// check checks the checksum of the whole file.
func (t *table) check() error {
	if uint32(at(t.all[len(magic):], 1)) != sum(t.all) {
		return errDamaged
	}
	return nil
}

func at(b []byte, i int) int { return int(binary.LittleEndian.Uint32(b[4*i:])) }

const perEntry = entrySize / 4

func (t *table) file(n int) int { return at(t.entries, perEntry*n) }

// of is the range of a file's entries: the first, and the one after the last.
func (t *table) of(file int) (first, end int) {
	if file < 0 || file >= len(t.files) {
		return 0, 0
	}
	return max(0, t.files[file].first), min(t.docs, t.files[file].end)
}

func (t *table) size(n int) int { return at(t.entries, perEntry*n+1) }

// short is the size of an entry, up to what two bytes hold.
func (t *table) short(n int) uint16 { return binary.LittleEndian.Uint16(t.sizes[shortSize*n:]) }

func (t *table) time(n int) int64 {
	return int64(binary.LittleEndian.Uint64(t.entries[entrySize*n+16:]))
}

func (t *table) key(n int) uint64 { return binary.LittleEndian.Uint64(t.entries[entrySize*n+24:]) }

// vector is the vector of an entry; empty if it has none.
func (t *table) vector(n int) []byte {
	if at(t.entries, perEntry*n+3)&hasVector == 0 {
		return nil
	}
	return t.vectors[t.stride*n : t.stride*(n+1)]
}

func (t *table) sketch(n int) []byte { return t.sketches[sketchSize*n : sketchSize*(n+1)] }

// within is a part of bytes; empty if the bounds are impossible.
func within(b []byte, from, to int) []byte {
	if from < 0 || from > to || to > len(b) {
		return nil
	}
	return b[from:to]
}

// doc is an entry, with its texts copied all at once.
func (t *table) doc(n int) Doc {
	r := reader{b: within(t.texts, at(t.entries, perEntry*n+2), at(t.entries, perEntry*(n+1)+2))}
	r.copy = string(r.b)
	d := Doc{ID: r.text(), Kind: r.text(), Type: r.text(), Content: r.text(), Entities: listed(r.text()),
		Session: r.text(), Origin: r.text(), Replaces: listed(r.text())}
	if f := t.file(n); f < len(t.files) {
		d.File = t.files[f].name
	}
	d.Time = moment(t.time(n))
	d.Confidence = math.Float64frombits(uint64(r.fixed()))
	d.Topic, d.Until, d.Since = r.text(), moment(r.signed()), moment(r.signed())
	return d
}

// chinese is how much of an entry's text is Chinese: it is above the bit that says whether there
// is a vector.
func (t *table) chinese(n int) float32 {
	return float32(at(t.entries, perEntry*n+3)>>chineseAt) / chineseAll
}

// chineseOf is the share of Chinese in a text as it is stored.
func chineseOf(text string) int { return int(math.Round(float64(chinese(text)) * chineseAll)) }

const (
	hasVector  = 1
	chineseAt  = 16
	chineseAll = 1<<16 - 1
)

func (t *table) word(i int) string { return string(t.spelled(i)) }

func (t *table) spelled(i int) []byte {
	return within(t.spelling, at(t.words, 3*i), at(t.words, 3*(i+1)))
}

// place is the position of a word, or where it would be.
func (t *table) place(word string) int {
	low, high := 0, t.wordCount
	for low < high {
		if mid := (low + high) / 2; string(t.spelled(mid)) < word {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}

// postings are the entries that have a word, and its frequencies.
func (t *table) postings(word string) postings {
	if i := t.place(word); i < t.wordCount && string(t.spelled(i)) == word {
		return t.list(i)
	}
	return postings{}
}

// listSize is the size of a word's list in bytes, 0 if there is none.
func (t *table) listSize(word string) int {
	if i := t.place(word); i < t.wordCount && string(t.spelled(i)) == word {
		return at(t.words, 3*(i+1)+1) - at(t.words, 3*i+1)
	}
	return 0
}

// many is how many entries are in a word's list.
func (t *table) many(word string) int {
	if i := t.place(word); i < t.wordCount && string(t.spelled(i)) == word {
		return min(at(t.words, 3*i+2), t.docs)
	}
	return 0
}

// from calls f with each word that begins with start.
func (t *table) from(start string, f func(word string)) {
	for i := t.place(start); i < t.wordCount; i++ {
		word := t.word(i)
		if !strings.HasPrefix(word, start) {
			return
		}
		f(word)
	}
}

func (t *table) list(i int) postings {
	return postings{reader{b: within(t.lists, at(t.words, 3*i+1), at(t.words, 3*(i+1)+1))}, 0, 0, t.docs}
}

// postings are a list, read one by one: n is an entry that has the word times times.
type postings struct {
	reader
	n, times, docs int
}

// next reads the next one, and reports whether there is one.
func (p *postings) next() bool {
	switch b := p.b; {
	case len(b) == 0:
		return false
	case len(b) > 1 && b[0]|b[1] < 0x80: // in a common word's list, nearly all are so small
		p.n, p.times, p.b = p.n+int(b[0]), int(b[1]), b[2:]
	default:
		p.n += int(p.number())
		p.times = int(p.number())
	}
	return p.n >= 0 && p.n < p.docs
}

// A reader decodes numbers and texts.
type reader struct {
	b    []byte
	copy string // b's original content, for texts; "": they are copied one by one
}

func (r *reader) number() uint64 {
	n, size := binary.Uvarint(r.b)
	r.b = r.b[min(max(size, 1), len(r.b)):]
	return n
}

func (r *reader) signed() int64 {
	n, size := binary.Varint(r.b)
	r.b = r.b[min(max(size, 1), len(r.b)):]
	return n
}

func (r *reader) part() []byte {
	n := int(min(r.number(), uint64(len(r.b))))
	part := r.b[:n]
	r.b = r.b[n:]
	return part
}

func (r *reader) text() string {
	part := r.part()
	if r.copy == "" {
		return string(part)
	}
	start := len(r.copy) - len(r.b) - len(part)
	return r.copy[start : start+len(part)]
}

func (r *reader) fixed() int64 {
	if len(r.b) < 8 {
		r.b = nil
		return 0
	}
	n := int64(binary.LittleEndian.Uint64(r.b))
	r.b = r.b[8:]
	return n
}

// Lists of texts are stored as one, with a separator that no text contains.
const between = "\x01"

func listed(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, between)
}
