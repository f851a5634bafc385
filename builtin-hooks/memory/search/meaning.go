package search

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
)

// The meaning of a text, by the lexicon, is the sum of the vectors of its words, weighted by
// significance. It is stored with one byte per number after a scale, and as a sketch, which has
// only the signs of the numbers, to compare thousands quickly.

const sketchSize = 32 // bytes: signs of up to 256 numbers

// meaning is the vector of some words, of length 1; nil if the lexicon knows none of them. The
// words come in the order in which a snapshot met them, which must not show in the sum.
func (s *Snapshot) meaning(counts []count) []float32 {
	if s.lexicon == nil {
		return nil
	}
	var sum []float64
	for _, c := range counts {
		v, weight := s.known(c.word)
		if v == nil {
			continue
		}
		if sum == nil {
			sum = make([]float64, s.lexicon.Dims())
		}
		weight *= 1 + float32(math.Log(float64(c.times)))
		for i, x := range v {
			sum[i] += float64(weight * x)
		}
	}
	if sum == nil {
		return nil
	}
	out := make([]float32, len(sum))
	for i, x := range sum {
		out[i] = float32(x)
	}
	return Unit(out)
}

// mostKnown is how many words' vectors are cached: 13 MB.
const mostKnown = 16_000

// known is the vector of a word, and its significance.
func (s *Snapshot) known(word int32) (v []float32, weight float32) {
	if k, ok := s.vectors[word]; ok {
		return k.vector, k.weight
	}
	k := wordVector{}
	if w := s.spelt[word]; !isCommon(w) {
		if n, ok := s.lexicon.Find(w); ok {
			v := make([]float32, s.lexicon.Dims())
			if s.lexicon.Add(n, 1, v) {
				k = wordVector{Unit(v), s.lexicon.Weight(n)}
			}
		}
	}
	if s.vectors == nil {
		s.vectors = map[int32]wordVector{}
	}
	if len(s.vectors) < mostKnown {
		s.vectors[word] = k
	}
	return k.vector, k.weight
}

type wordVector struct {
	vector []float32
	weight float32
}

// about are the words that show what a text is about. Chinese is segmented, so that two
// characters that are merely adjacent do not count.
func (s *Snapshot) about(text string) (out []count) {
	add := func(word string) { out = append(out, count{s.number(word), 1}) }
	for _, r := range runs(text) {
		if r.cjk {
			s.cut([]rune(r.text), add)
			continue
		}
		for _, w := range words(r.text) {
			add(w.text)
		}
	}
	return merged(out)
}

// pairTells is how much more significant two characters must be together than apart.
const pairTells = 1.3

// cut calls f with the pairs and single characters of the best segmentation of a run: the most
// significant ones.
func (s *Snapshot) cut(chars []rune, f func(word string)) {
	best, pair := make([]float32, len(chars)+1), make([]bool, len(chars)+1)
	for i := range chars {
		_, tells := s.known(s.number(string(chars[i : i+1])))
		best[i+1] = best[i] + tells
		if i == 0 {
			continue
		}
		if _, tells := s.known(s.number(string(chars[i-1 : i+1]))); best[i-1]+pairTells*tells > best[i+1] {
			best[i+1], pair[i+1] = best[i-1]+pairTells*tells, true
		}
	}
	for i := len(chars); i > 0; {
		from := i - 1
		if pair[i] {
			from--
		}
		f(string(chars[from:i]))
		i = from
	}
}

// asked are the words that show what a query is about. A misspelt word is replaced by the one
// that was meant, and a name by how memories write it.
func (s *Snapshot) asked(query string, aims []aim) []count {
	list := s.about(query)
	var names []string
	for _, a := range aims {
		if a.name == "" || s.spread(a.word) > 0 {
			continue
		}
		list = slices.DeleteFunc(list, func(c count) bool { return partOf(s.spelt[c.word], a.word) })
		if !slices.Contains(names, a.name) {
			names = append(names, a.name)
			list = append(list, s.about(a.name)...)
		}
	}
	for i, c := range list {
		if _, known := s.lexicon.Find(s.spelt[c.word]); known {
			continue
		}
		for _, a := range aims {
			if a.word != s.spelt[c.word] {
				continue
			}
			for _, w := range a.ways[1:] {
				if w.sure == slipped || w.sure == slipped2 {
					list[i].word = s.number(w.words[0])
					break
				}
			}
		}
	}
	return list
}

// chinese is the share of a text that is not in Latin letters.
func chinese[T string | []byte](text T) float32 {
	n := 0
	for i := range len(text) {
		if text[i] >= 0x80 {
			n++
		}
	}
	return float32(n) / float32(max(1, len(text)))
}

func dot(a, b []float32) float32 {
	var x, y float32
	i := 0
	for ; i+1 < len(a); i += 2 {
		x += a[i] * b[i]
		y += a[i+1] * b[i+1]
	}
	return x + y
}

// Unit scales a vector to length 1, in place.
func Unit(v []float32) []float32 {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if sum == 0 {
		return v
	}
	n := float32(1 / math.Sqrt(sum))
	for i := range v {
		v[i] *= n
	}
	return v
}

// Pack stores a vector: a scale, then its values as single bytes. It returns nil if all are
// zero.
func Pack(v []float32) []byte {
	var top float64
	for _, x := range v {
		top = max(top, math.Abs(float64(x)))
	}
	scale := top / 127
	if scale == 0 {
		return nil
	}
	out := make([]byte, 4, 4+len(v))
	binary.LittleEndian.PutUint32(out, math.Float32bits(float32(scale)))
	for _, x := range v {
		out = append(out, byte(int8(math.Round(float64(x)/scale))))
	}
	return out
}

// cosine compares a query's vector with a packed one; 0 if their lengths differ.
func cosine(q []float32, packed []byte) float32 {
	if len(packed) != len(q)+4 {
		return 0
	}
	scale := math.Float32frombits(binary.LittleEndian.Uint32(packed))
	var a, b float32
	data := packed[4:]
	i := 0
	for ; i+1 < len(data); i += 2 {
		a += q[i] * float32(int8(data[i]))
		b += q[i+1] * float32(int8(data[i+1]))
	}
	if i < len(data) {
		a += q[i] * float32(int8(data[i]))
	}
	return (a + b) * scale
}

// sketch are the signs of a packed vector.
func sketch(packed []byte) (out [sketchSize]byte) {
	for i := range min(len(packed)-4, 8*sketchSize) {
		if int8(packed[4+i]) > 0 {
			out[i/8] |= 1 << (i % 8)
		}
	}
	return out
}

// A signature is a sketch in the form in which it is compared.
type signature [sketchSize / 8]uint64

func signed(sketch [sketchSize]byte) (out signature) {
	for i := range out {
		out[i] = binary.LittleEndian.Uint64(sketch[8*i:])
	}
	return out
}

// alike is the number of equal signs.
func (s *signature) alike(b []byte) int {
	b = b[:sketchSize] // this is the only bounds check
	return 8*sketchSize - bits.OnesCount64(s[0]^binary.LittleEndian.Uint64(b[0:8])) - bits.OnesCount64(s[1]^binary.LittleEndian.Uint64(b[8:16])) -
		bits.OnesCount64(s[2]^binary.LittleEndian.Uint64(b[16:24])) - bits.OnesCount64(s[3]^binary.LittleEndian.Uint64(b[24:32]))
}
