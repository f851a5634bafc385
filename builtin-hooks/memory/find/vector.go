package find

import (
	"context"
	"encoding/binary"
	"hash/fnv"
	"math"
)

// An Embedder turns texts into vectors.
type Embedder interface {
	// ID names the model and the number of dimensions. Vectors of another ID are
	// of no use, and made anew.
	ID() string
	// Embed gives one vector for each text, of length 1 or all zero.
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// dims is how many dimensions hash-v1 has.
const dims = 1024

// Hash is the embedder that needs nothing: vectors of hashed words and pieces of
// words. It knows no meaning; it finds what is written alike: another ending, a
// slip of the finger, part of an identifier.
type Hash struct{}

// ID is hash-v1 with its dimensions.
func (Hash) ID() string { return "hash-v1/1024" }

// Embed never fails.
func (Hash) Embed(_ context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, t := range texts {
		out[i] = hashVector(t)
	}
	return out, nil
}

// The weights of what a vector is made of: whole words tell more than pieces.
const (
	wordWeight  = 1.0
	pieceWeight = 0.45
	pairWeight  = 1.0 // two characters of Chinese
	charWeight  = 0.4 // one
)

func hashVector(text string) []float32 {
	counts := map[uint64]float64{}
	for _, w := range words(text) {
		switch {
		case w.cjk && len([]rune(w.text)) == 1:
			counts[hash("c", w.text)] += charWeight
		case w.cjk:
			counts[hash("p", w.text)] += pairWeight
		case isCommon(w.text):
		default:
			counts[hash("w", w.text)] += wordWeight
			for _, p := range pieces(w.text) {
				counts[hash("g", p)] += pieceWeight
			}
		}
	}
	v := make([]float32, dims)
	for h, n := range counts {
		x := float32(n)
		if n > 1 {
			x = float32(1 + math.Log(n))
		}
		if h>>63 == 1 {
			x = -x
		}
		v[h%dims] += x
	}
	return Unit(v)
}

// pieces are the runs of three to five characters of a word, with its ends.
func pieces(w string) []string {
	if len(w) < 3 {
		return nil
	}
	b := "^" + w + "$"
	var out []string
	for n := 3; n <= 5; n++ {
		for i := 0; i+n <= len(b); i++ {
			out = append(out, b[i:i+n])
		}
	}
	return out
}

func hash(kind, text string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(kind))
	h.Write([]byte(text))
	x := h.Sum64()
	// FNV's high bits are weak on short texts.
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	return x
}

// Unit makes a vector of length 1, in place.
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

// Pack stores a vector: a scale, then its values as single bytes. What is mostly
// zeros is stored as pairs of a distance and a value.
func Pack(v []float32) []byte {
	var top float64
	zeros := 0
	for _, x := range v {
		top = max(top, math.Abs(float64(x)))
		if x == 0 {
			zeros++
		}
	}
	scale := top / 127
	if scale == 0 {
		return nil
	}
	out := make([]byte, 5, 5+len(v))
	binary.LittleEndian.PutUint32(out[1:], math.Float32bits(float32(scale)))
	if zeros*2 < len(v) {
		out[0] = 'd'
		for _, x := range v {
			out = append(out, byte(int8(math.Round(float64(x)/scale))))
		}
		return out
	}
	out[0] = 's'
	last := -1
	for i, x := range v {
		n := int8(math.Round(float64(x) / scale))
		if n == 0 {
			continue
		}
		for i-last > 255 {
			out = append(out, 255, 0)
			last += 255
		}
		out = append(out, byte(i-last), byte(n))
		last = i
	}
	return out
}

// cosine compares a query's vector with a packed one; 0 if they do not fit.
func cosine(q []float32, packed []byte) float32 {
	if len(packed) < 5 {
		return 0
	}
	scale := math.Float32frombits(binary.LittleEndian.Uint32(packed[1:]))
	data := packed[5:]
	var sum float32
	switch packed[0] {
	case 'd':
		if len(data) != len(q) {
			return 0
		}
		for i, b := range data {
			sum += q[i] * float32(int8(b))
		}
	case 's':
		at := -1
		for ; len(data) >= 2; data = data[2:] {
			if at += int(data[0]); at >= len(q) {
				return 0
			}
			sum += q[at] * float32(int8(data[1]))
		}
	}
	return sum * scale
}
