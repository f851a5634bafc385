package search

import (
	"encoding/binary"
	"math"
	"sort"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/lexicon"
)

// Vectors are the vectors of a model other than the lexicon: a query's, and those to compare it
// with. Entries without one are compared by the lexicon.
type Vectors struct {
	Query []float32
	Kept  *Kept
	// Make makes the vector of a text that was written since they were stored; nil: that is
	// impossible in the time of a search.
	Make func(text string) []float32
}

// makeMost is how many vectors a search makes.
const makeMost = 64

// Kept are a model's vectors of the memories in a folder, in a file of its own beside the
// snapshot's: it comes and goes with the model, and the snapshot does not change.
//
// Numbers have four bytes, little-endian:
//
//	magic, length of the model's name, bytes of a vector, their number,
//	scale, shift: they turn a cosine into the scale of the lexicon's
//	the name, padded to a multiple of eight; keys of texts, sorted; vectors, packed by Pack
type Kept struct {
	all, keys, vectors []byte
	size               int
	scale, shift       float32
}

const (
	keptMagic = "ahvect2\n"
	keptHead  = len(keptMagic) + 4*5
	keySize   = 8
)

// Key is the key of a text in a file of vectors.
func Key(text string) uint64 {
	const basis, prime = 14695981039346656037, 1099511628211
	sum := uint64(basis)
	for i := range len(text) {
		sum = (sum ^ uint64(text[i])) * prime
	}
	return sum
}

// OpenKept opens a model's vectors. It returns nil if there are none, or if the file is
// damaged: then they will be made again.
func OpenKept(path, model string) *Kept {
	b, err := load(path, keptHead)
	if err != nil {
		return nil
	}
	k := readKept(b, model)
	if k == nil {
		unload(b)
	}
	return k
}

func readKept(b []byte, model string) *Kept {
	if len(b) < keptHead || string(b[:len(keptMagic)]) != keptMagic {
		return nil
	}
	head := b[len(keptMagic):]
	name, size, count := at(head, 0), at(head, 1), at(head, 2)
	float := func(i int) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(head[4*i:])) }
	k := &Kept{all: b, size: size, scale: float(3), shift: float(4)}
	if name != len(model) || len(b) < keptHead+name { // mutant: with the name alone it is too short, too
		return nil
	}
	if string(b[keptHead:keptHead+name]) != model || size < 5 || count < 1 {
		return nil
	}
	if from := (keptHead + name + 7) &^ 7; len(b) == from+count*(keySize+size) {
		k.keys, k.vectors = b[from:from+count*keySize], b[from+count*keySize:]
		return k
	}
	return nil
}

// Close releases them. k may be nil.
func (k *Kept) Close() {
	if k != nil {
		unload(k.all)
	}
}

// Count is their number.
func (k *Kept) Count() int {
	if k == nil {
		return 0
	}
	return len(k.keys) / keySize
}

// Dims is the length of each.
func (k *Kept) Dims() int { return k.size - 4 }

func (k *Kept) Of(key uint64) []byte {
	n := k.Count()
	at := func(i int) uint64 { return binary.LittleEndian.Uint64(k.keys[keySize*i:]) }
	if i := sort.Search(n, func(i int) bool { return at(i) >= key }); i < n && at(i) == key {
		return k.vectors[i*k.size : (i+1)*k.size]
	}
	return nil
}

// KeptFile is the file of some vectors, which all have the same length.
func KeptFile(model string, vectors map[uint64][]byte, scale, shift float32) []byte {
	keys := make([]uint64, 0, len(vectors))
	size := 0
	for key, v := range vectors {
		keys, size = append(keys, key), len(v)
	}
	sort.Slice(keys, func(i, j int) bool { return keys[i] < keys[j] })
	b := appendNumbers([]byte(keptMagic), len(model), size, len(keys), int(math.Float32bits(scale)), int(math.Float32bits(shift)))
	b = append(b, model...)
	b = append(b, make([]byte, -len(b)&7)...)
	for _, key := range keys {
		b = binary.LittleEndian.AppendUint64(b, key)
	}
	for _, key := range keys {
		b = append(b, vectors[key]...)
	}
	return b
}

// An Entry is what a model needs of a memory: its text, and the lexicon's vector.
type Entry struct {
	Key    uint64
	Text   string
	Vector []byte
}

// Entries are the entries in a folder's snapshot, followed by some texts.
func (s Folder) Entries(more ...string) (out []Entry, err error) {
	l, _ := lexicon.Open(lexicon.Path(s.Cache)) // for entries that have no vectors in the file yet
	defer l.Close()
	snap, err := s.open(l)
	if err != nil {
		return nil, err
	}
	defer snap.Close()
	for n := range snap.base.docs + len(snap.fresh) {
		if snap.there(n) {
			text := string([]byte(snap.Entry(n).Text())) // a copy, not a part of the mapped file
			out = append(out, Entry{Key(text), text, append([]byte(nil), snap.vector(n)...)})
		}
	}
	for _, text := range more {
		words, _ := snap.counted(Doc{Content: text})
		out = append(out, Entry{Key(text), text, Pack(snap.meaning(words))})
	}
	return out, nil
}

// Alike is the cosine of two packed vectors.
func Alike(a, b []byte) float32 {
	if len(a) < 4 || len(a) != len(b) {
		return 0
	}
	v := make([]float32, len(a)-4)
	scale := math.Float32frombits(binary.LittleEndian.Uint32(a))
	for i := range v {
		v[i] = scale * float32(int8(a[4+i]))
	}
	return cosine(v, b)
}
