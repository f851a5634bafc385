package find

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"
	"strings"
	"time"
)

// A table is the file of a snapshot as it lies in memory: numbers of four bytes,
// the lowest first, and texts. Nothing of it is taken apart before it is needed.
//
//	magic, checksum of the rest, length of the file, what there is of each …
//	files      name, size, time of change, time of reading, SHA-256
//	entries    file, number of words, place of its text and of its vector
//	texts      of each entry: id, kind, type, content, entities …
//	vectors    of each entry, packed
//	words      place of the word, place of its list, how long that is; sorted
//	lists      of each word: entries that have it, as distances, and how often
//	replacing  entries that stand for others
type table struct {
	all                                             []byte
	docs, total                                     int
	entries, texts, vectors, words, spelling, lists []byte
	files                                           []file
	replacing                                       []int
	wordCount                                       int
}

// magic changes with the layout, with the way words are made, and with Hash.
const magic = "ahfind2\n"

const (
	headSize  = len(magic) + 4*13
	entrySize = 16
	wordSize  = 12
)

var errDamaged = errors.New("the snapshot is damaged, or of another version")

// sum is the checksum of a snapshot's bytes after it.
func sum(all []byte) uint32 {
	return crc32.Checksum(all[len(magic)+4:], crc32.MakeTable(crc32.Castagnoli))
}

// read takes the bytes of a file for a table.
func (t *table) read(all []byte) ([]file, error) {
	if len(all) < headSize || string(all[:len(magic)]) != magic {
		return nil, errDamaged
	}
	head := all[len(magic):]
	number := func(i int) int { return int(binary.LittleEndian.Uint32(head[4*i:])) }
	if number(1) != len(all) || uint32(number(0)) != sum(all) {
		return nil, errDamaged
	}
	t.all, t.docs, t.wordCount, t.total = all, number(2), number(3), number(4)
	rest := all[headSize:]
	part := func(i int) []byte {
		n := min(number(i), len(rest))
		p := rest[:n:n]
		rest = rest[n:]
		return p
	}
	files := reader{b: part(5)}
	t.entries, t.texts, t.vectors, t.words, t.spelling, t.lists = part(6), part(7), part(8), part(9), part(10), part(11)
	replacing := reader{b: part(12)}
	for len(files.b) > 0 {
		f := file{name: files.text()}
		f.seen = Seen{Size: files.fixed(), MTime: files.fixed(), At: files.fixed(), Hash: []byte(files.text())}
		t.files = append(t.files, f)
	}
	for len(replacing.b) > 0 {
		t.replacing = append(t.replacing, int(replacing.number()))
	}
	if len(t.entries) != entrySize*(t.docs+1) || len(t.words) != wordSize*(t.wordCount+1) {
		return nil, errDamaged
	}
	return append([]file(nil), t.files...), nil
}

func at(b []byte, i int) int { return int(binary.LittleEndian.Uint32(b[4*i:])) }

func (t *table) file(n int) int { return at(t.entries, 4*n) }
func (t *table) size(n int) int { return at(t.entries, 4*n+1) }

func (t *table) vector(n int) []byte {
	return t.vectors[at(t.entries, 4*n+3):at(t.entries, 4*(n+1)+3)]
}

// doc is an entry, its texts copied, all at once.
func (t *table) doc(n int) Doc {
	r := reader{b: t.texts[at(t.entries, 4*n+2):at(t.entries, 4*(n+1)+2)]}
	r.copy = string(r.b)
	d := Doc{ID: r.text(), Kind: r.text(), Type: r.text(), Content: r.text(), Entities: listed(r.text()),
		Session: r.text(), Origin: r.text(), Replaces: listed(r.text()), File: t.files[t.file(n)].name}
	if at := r.fixed(); at != 0 {
		d.Time = time.Unix(0, at).UTC()
	}
	d.Confidence = math.Float64frombits(uint64(r.fixed()))
	return d
}

func (t *table) word(i int) string {
	return string(t.spelling[at(t.words, 3*i):at(t.words, 3*(i+1))])
}

// each calls f with each entry that has a word, and how often.
func (t *table) each(word string, f func(n, times int)) {
	if i := t.find(word); i >= 0 {
		t.list(i, f)
	}
}

// listSize is how many bytes the list of a word has, 0 if there is none.
func (t *table) listSize(word string) int {
	i := t.find(word)
	if i < 0 {
		return 0
	}
	return at(t.words, 3*(i+1)+1) - at(t.words, 3*i+1)
}

// find is the number of a word, -1 if no entry has it.
func (t *table) find(word string) int {
	low, high := 0, t.wordCount
	for low < high {
		mid := (low + high) / 2
		if string(t.spelling[at(t.words, 3*mid):at(t.words, 3*(mid+1))]) < word {
			low = mid + 1
		} else {
			high = mid
		}
	}
	if low < t.wordCount && t.word(low) == word {
		return low
	}
	return -1
}

func (t *table) list(i int, f func(n, times int)) {
	r := reader{b: t.lists[at(t.words, 3*i+1):at(t.words, 3*(i+1)+1)]}
	for n := 0; len(r.b) > 0; {
		n += int(r.number())
		f(n, int(r.number()))
	}
}

// A reader takes numbers and texts from bytes.
type reader struct {
	b    []byte
	copy string // what b was, for texts; "": they are copied one by one
}

func (r *reader) number() uint64 {
	n, size := binary.Uvarint(r.b)
	r.b = r.b[max(size, 1):]
	return n
}

func (r *reader) text() string {
	n := min(int(r.number()), len(r.b))
	part := r.b[:n]
	r.b = r.b[n:]
	if r.copy == "" {
		return string(part)
	}
	start := len(r.copy) - len(r.b) - n
	return r.copy[start : start+n]
}

func (r *reader) fixed() int64 {
	n := int64(binary.LittleEndian.Uint64(r.b))
	r.b = r.b[8:]
	return n
}

// Lists of texts are kept as one, with a sign between that no text has.
const between = "\x01"

func listed(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, between)
}
