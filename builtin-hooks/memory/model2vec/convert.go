package model2vec

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"slices"
	"unicode/utf8"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/static"
)

// mostTaken is how many tokens of a text Model2Vec uses.
const mostTaken = 512

// vectors are the table of vectors, with the weight and the row of each token.
type vectors struct {
	tensor
	rows, dims     int
	weights, rowOf []float64
}

// vectors finds the tensors, and checks that they fit the tokens.
func (s *Source) vectors() (v vectors, err error) {
	name := ""
	for _, n := range []string{"embeddings", "embedding.weight"} {
		if t, ok := s.tensors.of[n]; ok {
			name, v.tensor = n, t
			break
		}
	}
	if name == "" {
		names := slices.Sorted(maps.Keys(s.tensors.of))
		return v, fmt.Errorf("%s: it has no tensor \"embeddings\" but %.200q: it is no static model", Tensors, names)
	}
	if len(v.Shape) != 2 || v.Shape[0] < 1 || v.Shape[0] > mostRows || v.Shape[1] < 1 || v.Shape[1] > mostDims {
		return v, fmt.Errorf("%s: its tensor %q has the shape %v: want up to %d rows of up to %d numbers", Tensors, name, v.Shape, mostRows, mostDims)
	}
	v.rows, v.dims = int(v.Shape[0]), int(v.Shape[1])
	n := len(s.words.tokens)
	if v.weights, err = s.tensors.line("weights", mostTokens); err == nil {
		v.rowOf, err = s.tensors.line("mapping", mostTokens)
	}
	switch {
	case err != nil:
		return v, fmt.Errorf("%s: %w", Tensors, err)
	case v.rowOf == nil && v.rows != n:
		return v, fmt.Errorf("%s has %d vectors, and %s %d tokens: they are of two models", Tensors, v.rows, Tokenizer, n)
	case v.rowOf != nil && len(v.rowOf) < n, v.weights != nil && len(v.weights) < n:
		return v, fmt.Errorf("%s: \"mapping\" or \"weights\" has fewer numbers than there are tokens, %d", Tensors, n)
	}
	for i, r := range v.rowOf {
		if r < 0 || int(r) >= v.rows {
			return v, fmt.Errorf("%s: mapping[%d] is %v, of %d rows", Tensors, i, r, v.rows)
		}
	}
	return v, nil
}

// Convert writes the model as the file that searches use.
func (s *Source) Convert(to *os.File) (static.Head, error) {
	v, err := s.vectors()
	if err != nil {
		return static.Head{}, err
	}
	h := s.head(v)
	largest, err := s.largest(v)
	if err != nil {
		return h, err
	}
	if h.Wide = v.Type != "I8"; h.Wide {
		// Halves are most exact below 32,768.
		_, exp := math.Frexp(largest)
		h.Scale = math.Ldexp(1, exp-15)
	}
	width := v.dims
	if h.Wide {
		width *= 2
	}
	parts := s.parts(v)
	size := int64(width) * int64(v.rows)
	for i, p := range parts {
		n := len(p)
		if i == static.SectionRows {
			n = int(size)
		}
		h.Sections = append(h.Sections, n)
	}
	if size > static.MaxFile/2 {
		return h, fmt.Errorf("%s: its vectors take %d bytes, over the limit of %d", Tensors, size, static.MaxFile/2)
	}
	return h, s.write(to, h, v, parts)
}

// head is the head of the file.
func (s *Source) head(v vectors) static.Head {
	h := s.words.head
	h.Dims, h.Rows, h.Scale = v.dims, v.rows, 1
	h.Normalize = s.config.Normalize != nil && *s.config.Normalize
	h.MostTokens = mostTaken
	if n := s.config.SeqLength; n > 0 {
		h.MostTokens = min(n, mostTaken)
	}
	lengths := make([]int, len(s.words.tokens))
	for i, t := range s.words.tokens {
		lengths[i] = utf8.RuneCountInString(t)
		h.Longest = max(h.Longest, len(t))
	}
	slices.Sort(lengths)
	n := len(lengths)
	h.MostChars = h.MostTokens * max(1, (lengths[(n-1)/2]+lengths[n/2])/2)
	if h.Model != "Unigram" {
		h.Least = 0
	}
	h.Tables = len(s.words.tables)
	sum := sha256.Sum256([]byte(s.Sums[Tensors] + s.Sums[Tokenizer] + s.Sums[Config]))
	h.ID = hex.EncodeToString(sum[:8])
	return h
}

// largest is the largest number in all vectors. It also finds invalid ones.
func (s *Source) largest(v vectors) (most float64, err error) {
	err = s.each(v, func(row []float32) error {
		for _, x := range row {
			most = max(most, math.Abs(float64(x)))
		}
		return nil
	})
	if err == nil && most == 0 {
		err = fmt.Errorf("%s: all its vectors are 0", Tensors)
	}
	return most, err
}

// each reads the vectors, row by row.
func (s *Source) each(v vectors, f func(row []float32) error) error {
	r := bufio.NewReaderSize(s.tensors.reader(v.tensor), 1<<20)
	row, buf := make([]float32, v.dims), make([]byte, 8*v.dims)
	for i := range v.rows {
		err := floats(r, v.Type, buf, row)
		if err == nil {
			err = f(row)
		}
		if err != nil {
			return fmt.Errorf("%s: row %d: %w", Tensors, i, err)
		}
	}
	return nil
}

// parts are the sections, except for the vectors.
func (s *Source) parts(v vectors) [][]byte {
	w := s.words
	parts := make([][]byte, static.SectionTables)
	parts[static.SectionPlaces], parts[static.SectionText] = joined(w.tokens)
	parts[static.SectionSlots] = slots(w.tokens, func(i int) bool { return w.own[i] })
	for i := range w.tokens {
		row, weight, score := i, float32(1), float32(0)
		if v.rowOf != nil {
			row = int(v.rowOf[i])
		}
		if v.weights != nil {
			weight = float32(v.weights[i])
		}
		if i < len(w.scores) {
			score = w.scores[i]
		}
		parts[static.SectionEntries] = numbers(parts[static.SectionEntries], uint32(row), math.Float32bits(weight), math.Float32bits(score))
	}
	for _, m := range static.MergeSlots(w.merges) {
		parts[static.SectionMerges] = numbers(parts[static.SectionMerges], m.Left, m.Right, m.Rank, m.New)
	}
	for _, table := range w.tables {
		keys := slices.Sorted(maps.Keys(table))
		values := make([]string, len(keys))
		for i, k := range keys {
			values[i] = table[k]
		}
		places, text := joined(keys)
		valuePlaces, valueText := joined(values)
		parts = append(parts, places, text, slots(keys, func(int) bool { return true }), valuePlaces, valueText)
	}
	return parts
}

func joined(list []string) (places, text []byte) {
	for _, t := range list {
		places = numbers(places, uint32(len(text)))
		text = append(text, t...)
	}
	return numbers(places, uint32(len(text))), text
}

func slots(list []string, take func(int) bool) (out []byte) {
	for _, s := range static.Slots(list, take) {
		out = numbers(out, s.Hash, s.Value)
	}
	return out
}

func numbers(b []byte, list ...uint32) []byte {
	for _, n := range list {
		b = binary.LittleEndian.AppendUint32(b, n)
	}
	return b
}

// A writing is the rest of a file, with its checksum.
type writing struct {
	to  *bufio.Writer
	sum uint32
	at  int64
}

func (w *writing) Write(b []byte) (int, error) {
	w.sum = static.Sum(w.sum, b)
	w.at += int64(len(b))
	return w.to.Write(b)
}

func (s *Source) write(to *os.File, h static.Head, v vectors, parts [][]byte) error {
	head, err := json.Marshal(h)
	if err != nil {
		return err
	}
	begin := int64(static.HeadSize + len(head))
	if _, err := to.Seek(begin, io.SeekStart); err != nil {
		return err
	}
	w := &writing{to: bufio.NewWriterSize(to, 1<<20), at: begin}
	for i, p := range parts {
		if pad := -w.at & 7; pad > 0 {
			if _, err := w.Write(make([]byte, pad)); err != nil {
				return err
			}
		}
		if i == static.SectionRows {
			err = s.rows(w, h, v)
		} else {
			_, err = w.Write(p)
		}
		if err != nil {
			return err
		}
	}
	first := append([]byte(static.Magic), numbers(nil, uint32(len(head)), static.Sum(0, head), w.sum, 0)...)
	_, err = to.WriteAt(append(first, head...), 0)
	return errors.Join(w.to.Flush(), err)
}

func (s *Source) rows(w io.Writer, h static.Head, v vectors) error {
	out := make([]byte, 0, 2*v.dims)
	return s.each(v, func(row []float32) error {
		out = out[:0]
		for _, x := range row {
			if h.Wide {
				out = binary.LittleEndian.AppendUint16(out, toHalf(x/float32(h.Scale)))
			} else {
				out = append(out, byte(int8(x)))
			}
		}
		_, err := w.Write(out)
		return err
	})
}
