// Package lexicon has words that mean nearly the same, in English and between English and
// Chinese. It is one file that is mapped into memory:
//
//	l, err := lexicon.Open(lexicon.Path(cache))
//	defer l.Close()
//	if n, ok := l.Find("deploy"); ok { l.Add(n, 1, vector) }
//
// A word has a vector: words that are used in similar texts have similar vectors, in
// both languages. A pair of Chinese characters has links to the English words for it,
// and these have links back. Package find splits texts into these words.
//
// bench/train builds the file, and documents its sources and their licences. The large
// program contains it (package lexicon/words), and writes it into the cache when it
// builds a search index ([Lay]). Without the file, search works without it.
//
// Numbers have four bytes, little-endian. The parts, in order:
//
//	magic, number of words, of those that have vectors, of the vectors' numbers
//	places    of each word's spelling, and of the end of the last
//	links     for each word, the index of its first link, and the end of the last
//	weights   for each word a byte: how significant it is
//	linked    three bytes each: the other word's number in its language, and the certainty
//	spelling  the words, sorted: English ones first
//	vectors   for each word, four bits a number
package lexicon

import (
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/statefile"
)

const (
	magic    = "ahlexi2\n"
	headSize = len(magic) + 4*4
)

// A Lexicon is a mapped file of words.
type Lexicon struct {
	all                                             []byte
	mapped                                          bool
	words, english, dims                            int
	places, links, weights, linked, spelling, codes []byte
}

// ErrDamaged says that a file is not a lexicon that this program reads.
var ErrDamaged = errors.New("the lexicon is damaged, or of another version")

// Path is the path of the lexicon in the cache; "" without a cache.
func Path(cache string) string {
	if cache == "" {
		return ""
	}
	return filepath.Join(cache, "memory", name(ID))
}

func name(id string) string { return "lexicon-" + id + ".bin" }

// Open maps a lexicon file.
func Open(path string) (*Lexicon, error) {
	b, err := load(path)
	if err != nil {
		return nil, err
	}
	l, err := Read(b)
	if err != nil {
		unload(b)
		return nil, err
	}
	l.mapped = true
	return l, nil
}

// Close unmaps an opened lexicon.
func (l *Lexicon) Close() {
	if l != nil && l.mapped {
		unload(l.all)
	}
}

// Read interprets bytes as a lexicon.
func Read(all []byte) (*Lexicon, error) {
	if len(all) < headSize || string(all[:len(magic)]) != magic {
		return nil, ErrDamaged
	}
	number := func(i int) int { return int(binary.LittleEndian.Uint32(all[len(magic)+4*i:])) }
	l := &Lexicon{all: all, words: number(0), english: number(1), dims: number(2)}
	linked := number(3)
	rest := all[headSize:]
	whole := true
	part := func(n int) []byte {
		whole = whole && n >= 0 && n <= len(rest)
		if !whole {
			return nil
		}
		p := rest[:n:n]
		rest = rest[n:]
		return p
	}
	l.places, l.links, l.weights = part(4*(l.words+1)), part(4*(l.words+1)), part(l.words)
	l.linked = part(linkSize * linked)
	if whole {
		l.spelling = part(at(l.places, l.words))
		l.codes = part(l.words * l.dims / 2)
	}
	if !whole || len(rest) > 0 || l.english > l.words || l.dims%2 != 0 || at(l.links, l.words) != linked {
		return nil, ErrDamaged
	}
	return l, nil
}

const linkSize = 3

func at(b []byte, i int) int { return int(binary.LittleEndian.Uint32(b[4*i:])) }

// Dims is the length of the vectors.
func (l *Lexicon) Dims() int { return l.dims }

// Word is the word with a number.
func (l *Lexicon) Word(n int) string { return string(l.spell(n)) }

func (l *Lexicon) spell(n int) []byte {
	from, to := at(l.places, n), at(l.places, n+1)
	if from > to || to > len(l.spelling) {
		return nil
	}
	return l.spelling[from:to]
}

// Find is the number of a word. A nil lexicon knows no words.
func (l *Lexicon) Find(word string) (n int, ok bool) {
	if l == nil {
		return 0, false
	}
	low, high := 0, l.words
	for low < high {
		if mid := (low + high) / 2; string(l.spell(mid)) < word {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low, low < l.words && string(l.spell(low)) == word
}

// Weight says how significant a word is, from 0 to 1: the rarer, the more.
func (l *Lexicon) Weight(n int) float32 { return float32(l.weights[n]) / 255 }

// Links calls f with each word of the other language that a word may mean, with the certainty
// from 0 to 1; the most certain first.
func (l *Lexicon) Links(n int, f func(other int, sure float32)) {
	base := 0
	if n < l.english {
		base = l.english
	}
	from, to := at(l.links, n), min(at(l.links, n+1), len(l.linked)/linkSize)
	for ; from < to; from++ {
		link := l.linked[linkSize*from:]
		if other := base + int(binary.LittleEndian.Uint16(link)); other < l.words {
			f(other, float32(link[2])/255)
		}
	}
}

// middle is the code of zero.
const middle = 8

// Add adds a word's vector, of length 1, so many times to a vector. It returns false if the
// word has none.
func (l *Lexicon) Add(n int, times float32, to []float32) bool {
	codes := l.codes[n*l.dims/2 : (n+1)*l.dims/2]
	var square int
	for _, c := range codes {
		a, b := int(c&15)-middle, int(c>>4)-middle
		square += a*a + b*b
	}
	if square == 0 {
		return false
	}
	times /= float32(math.Sqrt(float64(square)))
	for i, c := range codes {
		to[2*i] += times * float32(int(c&15)-middle)
		to[2*i+1] += times * float32(int(c>>4)-middle)
	}
	return true
}

// Lay writes the lexicon into the cache, unless it exists, and removes those of other versions.
func Lay(cache string, write func(io.Writer) error) error {
	path := Path(cache)
	if path == "" {
		return nil
	}
	if l, err := Open(path); err == nil {
		l.Close()
		return nil
	}
	release, err := statefile.Hold(filepath.Join(filepath.Dir(path), "lexicon"), layWait)
	if err != nil {
		return err
	}
	defer release()
	if l, err := Open(path); err == nil { // another process has laid it since
		l.Close()
		return nil
	}
	if err := removeAll(filepath.Dir(path), tempName, ""); err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(path), tempName)
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name()) // gone after the rename
	if err := errors.Join(write(temp), temp.Close()); err != nil {
		return err
	}
	if err := os.Rename(temp.Name(), path); err != nil {
		return err
	}
	return removeAll(filepath.Dir(path), name("*"), path)
}

const (
	tempName = "lexicon-*.tmp"
	layWait  = 20 * time.Second // for another process that lays it
)

// Clear removes what processes left in the cache that were killed while they wrote a lexicon.
func Clear(cache string) error {
	path := Path(cache)
	if found, _ := filepath.Glob(filepath.Join(filepath.Dir(path), tempName)); path == "" || len(found) == 0 {
		return nil
	}
	release, err := statefile.Hold(filepath.Join(filepath.Dir(path), "lexicon"), layWait) // whoever writes one now has it
	if err != nil {
		return err
	}
	defer release()
	return removeAll(filepath.Dir(path), tempName, "")
}

// removeAll removes the files of a folder with some names, except for one.
func removeAll(dir, names, except string) (err error) {
	found, _ := filepath.Glob(filepath.Join(dir, names))
	for _, file := range found {
		if file == except {
			continue
		}
		if bad := os.Remove(file); bad != nil && !errors.Is(bad, fs.ErrNotExist) {
			err = errors.Join(err, bad)
		}
	}
	return err
}
