package static

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"

	"github.com/agents-hooks/agents-hooks/internal/mapped"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// The layout of a file: its beginning, and its sections.
const (
	Magic    = "ahmodl1\n"
	HeadSize = len(Magic) + 4*4
	MaxFile  = 1 << 31

	SectionPlaces  = 0 // offset of each token's spelling, and of the end of the last
	SectionText    = 1 // the spellings
	SectionSlots   = 2 // a spelling's slot: a hash, and a token's number + 1
	SectionEntries = 3 // of each token: row, weight, score
	SectionMerges  = 4 // for BPE: slots of left + 1, right, rank, result
	SectionRows    = 5 // the vectors
	SectionTables  = 6 // and then, for each table: places, keys, slots, places, values
	perTable       = 5
	entrySize      = 12
	mergeSize      = 16
)

// A Head describes the content of a file.
type Head struct {
	ID         string  `json:"id"`
	Dims       int     `json:"dims"`
	Tokens     int     `json:"tokens"`
	Rows       int     `json:"rows"`
	Wide       bool    `json:"wide"`  // numbers of rows are halves of 16 bits, not bytes
	Scale      float64 `json:"scale"` // each number is multiplied by it
	Normalize  bool    `json:"normalize"`
	MostTokens int     `json:"most_tokens"` // of a text
	MostChars  int     `json:"most_chars"`
	Longest    int     `json:"longest"` // bytes of the longest token
	Least      float64 `json:"least"`   // score of the least likely token

	Model    string `json:"model"` // WordPiece, Unigram, BPE, WordLevel
	Unknown  int    `json:"unknown"`
	Drop     bool   `json:"drop"` // unknown tokens do not count
	Fuse     bool   `json:"fuse"`
	Bytes    bool   `json:"bytes"` // unknown characters are spelled by their bytes
	Whole    bool   `json:"whole"` // for BPE: a word that is a token is not split
	Prefix   string `json:"prefix"`
	Suffix   string `json:"suffix"`
	MostWord int    `json:"most_word"` // characters of a word

	Normal   []Step  `json:"normal"`
	Split    []Step  `json:"split"`
	Added    []Added `json:"added"`
	Tables   int     `json:"tables"`
	Sections []int   `json:"sections"`
}

// A Step is applied to a text before it is split into pieces.
type Step struct {
	Kind     string `json:"kind"`
	Text     string `json:"text"` // what to find
	Regexp   bool   `json:"regexp"`
	With     string `json:"with"`
	Behavior string `json:"behavior"`
	Invert   bool   `json:"invert"`
	Left     bool   `json:"left"`
	Right    bool   `json:"right"`
	Table    int    `json:"table"`
}

// An Added token is searched for in the text itself.
type Added struct {
	Text   string `json:"text"`
	ID     int    `json:"id"`
	Word   bool   `json:"word"`
	Left   bool   `json:"left"`
	Right  bool   `json:"right"`
	Normal bool   `json:"normal"` // in the text that the steps produced
}

// ErrDamaged says that a file is not a model that this program reads.
var ErrDamaged = errors.New("the model's file is damaged, or of another version")

// A Model is an open file of vectors.
type Model struct {
	Head
	file    *mapped.File
	tokens  dict
	entries []byte
	merges  []byte
	rows    []byte
	tables  []table
	steps   []step // Normal
	splits  []step // Split
}

// A table of replacements.
type table struct {
	keys   dict
	values texts
}

// Open maps a model. Close unmaps it.
func Open(path string) (*Model, error) {
	f, err := mapped.Open(path, MaxFile)
	if err != nil {
		return nil, err
	}
	m, err := read(f.Bytes)
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("reading the model %q: %w", path, err)
	}
	m.file = f
	return m, nil
}

func (m *Model) Close() {
	if m != nil {
		m.file.Close()
	}
}

// Sum is a checksum of a part of a file.
func Sum(before uint32, b []byte) uint32 {
	return crc32.Update(before, crc32.MakeTable(crc32.Castagnoli), b)
}

// Check checks the checksum of the whole file.
func (m *Model) Check() error {
	b := m.file.Bytes
	at := HeadSize + number(b[len(Magic):], 0)
	if uint32(number(b[len(Magic):], 2)) != Sum(0, b[at:]) {
		return ErrDamaged
	}
	return nil
}

func read(b []byte) (*Model, error) {
	if len(b) < HeadSize || string(b[:len(Magic)]) != Magic {
		return nil, ErrDamaged
	}
	n := number(b[len(Magic):], 0)
	if n < 0 || n > len(b)-HeadSize || uint32(number(b[len(Magic):], 1)) != Sum(0, b[HeadSize:HeadSize+n]) {
		return nil, ErrDamaged
	}
	o, err := protocol.ParseObject(b[HeadSize : HeadSize+n])
	if err != nil {
		return nil, ErrDamaged
	}
	m := &Model{Head: headOf(o)}
	if err := m.lay(b, HeadSize+n); err != nil {
		return nil, err
	}
	if m.steps, err = compiled(m.Normal); err != nil {
		return nil, err
	}
	m.splits, err = compiled(m.Split)
	return m, err
}

// lay finds the sections.
func (m *Model) lay(b []byte, at int) error {
	if len(m.Sections) != SectionTables+perTable*m.Tables || m.Tables < 0 {
		return ErrDamaged
	}
	var parts [][]byte
	for _, size := range m.Sections {
		at = (at + 7) &^ 7
		if size < 0 || at > len(b) || size > len(b)-at {
			return ErrDamaged
		}
		parts = append(parts, b[at:at+size:at+size])
		at += size
	}
	width := m.Dims
	if m.Wide {
		width *= 2
	}
	m.tokens = dict{texts{parts[SectionPlaces], parts[SectionText]}, parts[SectionSlots]}
	m.entries, m.merges, m.rows = parts[SectionEntries], parts[SectionMerges], parts[SectionRows]
	for i := range m.Tables {
		p := parts[SectionTables+perTable*i:]
		m.tables = append(m.tables, table{dict{texts{p[0], p[1]}, p[2]}, texts{p[3], p[4]}})
	}
	if m.Dims <= 0 || m.Rows <= 0 || m.Tokens <= 0 || len(m.entries) != entrySize*m.Tokens || len(m.rows) != width*m.Rows ||
		m.tokens.count() != m.Tokens || !m.tokens.whole() || len(m.merges)%mergeSize != 0 || !powerOfTwo(len(m.merges)/mergeSize) {
		return ErrDamaged
	}
	for _, t := range m.tables {
		if !t.keys.whole() || t.keys.count() != t.values.count() {
			return ErrDamaged
		}
	}
	return nil
}

func number(b []byte, i int) int { return int(binary.LittleEndian.Uint32(b[4*i:])) }

// Raw is the vector of a text as Model2Vec computes it: the mean, and of length 1 if the model
// says so; nil if the text has no token.
func (m *Model) Raw(text string) []float32 {
	ids := m.IDs(text)
	if len(ids) == 0 {
		return nil
	}
	sum := make([]float32, m.Dims)
	for _, id := range ids {
		m.add(id, sum)
	}
	for i := range sum {
		sum[i] *= float32(m.Scale) / float32(len(ids))
	}
	if m.Normalize {
		unit(sum)
	}
	return sum
}

// Vector is the vector of a text, of length 1; nil if the model knows nothing in it.
func (m *Model) Vector(text string) []float32 {
	v := m.Raw(text)
	if v == nil || !unit(v) {
		return nil
	}
	return v
}

func unit(v []float32) bool {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if sum == 0 || math.IsInf(sum, 0) || math.IsNaN(sum) {
		return false
	}
	n := float32(1 / math.Sqrt(sum))
	for i := range v {
		v[i] *= n
	}
	return true
}

// add adds the vector of a token.
func (m *Model) add(id int, to []float32) {
	e := m.entries[entrySize*id:]
	row, weight := number(e, 0), math.Float32frombits(binary.LittleEndian.Uint32(e[4:]))
	if row >= m.Rows {
		return
	}
	if !m.Wide {
		for i, x := range m.rows[row*m.Dims : (row+1)*m.Dims] {
			to[i] += weight * float32(int8(x))
		}
		return
	}
	b := m.rows[2*row*m.Dims : 2*(row+1)*m.Dims]
	for i := range to {
		to[i] += weight * half(binary.LittleEndian.Uint16(b[2*i:]))
	}
}

// half is a number of 16 bits, which is never NaN.
func half(h uint16) float32 {
	sign, exp, part := uint32(h>>15)<<31, uint32(h>>10)&31, uint32(h)&1023
	if exp == 0 {
		x := float32(part) / (1 << 24)
		if sign != 0 {
			return -x
		}
		return x
	}
	return math.Float32frombits(sign | (exp+112)<<23 | part<<13)
}

// score is the likelihood of a token, for Unigram.
func (m *Model) score(id int) float64 {
	return float64(math.Float32frombits(binary.LittleEndian.Uint32(m.entries[entrySize*id+8:])))
}
