package search

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io/fs"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/lexicon"
)

// abandoned is the age of a file that is certainly no longer being written.
const abandoned = time.Minute

// Write writes the snapshot's file again, with what Refresh found and what was kept beside the
// one before. Damage is not carried over: the file is removed, and made from the folder the next
// time.
func (s *Snapshot) Write() error {
	if s.base.all != nil && s.base.check() != nil {
		return errors.Join(errDamaged, os.Remove(s.path))
	}
	err := replace(s.path, s.parts())
	if err == nil {
		_ = os.Remove(s.recentPath()) // it would belong to none, and be passed over
	}
	return err
}

// replace puts a file in the place of one. One is written at a time, under one name: what
// somebody left there who was killed is cleared away.
func replace(path string, parts [][]byte) error {
	name := path + ".tmp-next"
	if info, err := os.Lstat(name); err == nil && time.Since(info.ModTime()) > abandoned {
		_ = os.Remove(name)
	}
	temp, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil // another process is writing it
	}
	if err != nil {
		return err
	}
	defer os.Remove(name) // gone after the rename
	for _, part := range parts {
		if err == nil {
			_, err = temp.Write(part)
		}
	}
	if err = errors.Join(err, temp.Close()); err != nil {
		return err
	}
	return os.Rename(name, path)
}

// A writing is a snapshot being composed.
type writing struct {
	files, entries, sizes, sketches, vectors, texts, words, spelling, lists []byte
	number                                                                  []int32 // old number of an entry to its new one; -1: gone
	docs, stride                                                            int
	file                                                                    map[string]int
	of                                                                      []file // by these numbers
	before                                                                  table  // what stays as it is, in front of all that
}

// takeOver leaves the entries of the file before as they are, where none of them is gone and
// the same files come first: to make each anew takes most of the time that a large snapshot takes.
func (w *writing) takeOver(s *Snapshot) (from int) {
	if s.dead != nil || s.base.docs == 0 || s.base.lexicon != s.lexiconID() || s.base.stride != w.stride || len(s.base.files) > len(w.of) {
		return 0
	}
	for i, f := range s.base.files {
		if w.of[i].name != f.name {
			return 0
		}
	}
	for i, f := range s.base.files {
		w.of[i].first, w.of[i].end = f.first, f.end
	}
	w.before, w.docs = s.base, s.base.docs
	w.before.entries = within(s.base.entries, 0, entrySize*s.base.docs)
	w.before.texts = within(s.base.texts, 0, at(s.base.entries, perEntry*s.base.docs+2))
	for n := range s.base.docs {
		w.number = append(w.number, int32(n))
	}
	return s.base.docs
}

// parts are the file of a snapshot, in parts.
func (s *Snapshot) parts() [][]byte {
	w := writing{file: map[string]int{}}
	name := make([]byte, nameSize)
	if s.lexicon != nil {
		w.stride = 4 + s.lexicon.Dims()
		copy(name, lexicon.ID)
	}
	var files []file
	for _, f := range s.files {
		if f.name != "" {
			w.file[f.name] = len(files)
			files = append(files, file{name: f.name, seen: f.seen})
		}
	}
	w.of = files
	for n := w.takeOver(s); n < s.base.docs+len(s.fresh); n++ {
		switch {
		case !s.there(n):
			w.number = append(w.number, -1)
		case n < s.base.docs:
			w.entry(s.base.doc(n), s.base.key(n), s.base.size(n), s.vector(n))
		default:
			e := s.fresh[n-s.base.docs]
			w.entry(e.doc, e.key, e.size, s.packed(n-s.base.docs))
		}
	}
	for _, f := range files {
		w.files = appendText(w.files, f.name)
		w.files = appendSeen(binary.AppendUvarint(binary.AppendUvarint(w.files, uint64(f.first)), uint64(f.end)), f.seen)
	}
	w.entries = appendNumbers(w.entries, 0, 0, len(w.before.texts)+len(w.texts), 0, 0, 0, 0, 0)
	words := w.index(s)
	old := &w.before
	pairs := [...][2][]byte{{nil, w.files}, {old.entries, w.entries}, {old.sizes, w.sizes}, {old.sketches, w.sketches}, {old.vectors, w.vectors},
		{old.texts, w.texts}, {nil, w.words}, {nil, w.spelling}, {nil, w.lists}}
	length := headSize
	for _, p := range pairs {
		length += len(p[0]) + len(p[1])
	}
	head := append(make([]byte, 0, headSize), magic...)
	head = appendNumbers(head, 0, 0, length, w.docs, words, s.words, w.stride, len(old.sizes)+len(w.sizes))
	for i, p := range pairs[:8] {
		if i != 2 { // the length of the sizes is already there
			head = appendNumbers(head, len(p[0])+len(p[1]))
		}
	}
	parts := [][]byte{append(head, name...)}
	for _, p := range pairs {
		parts = append(parts, p[0], p[1])
	}
	checksum := func(parts [][]byte) (sum uint32) {
		sum = crc32.ChecksumIEEE(parts[0][len(magic)+8:])
		for _, p := range parts[1:] {
			sum = crc32.Update(sum, crc32.IEEETable, p)
		}
		return sum
	}
	binary.LittleEndian.PutUint32(parts[0][len(magic):], checksum(parts[:3]))
	binary.LittleEndian.PutUint32(parts[0][len(magic)+4:], checksum(parts))
	return parts
}

// entry adds a memory.
func (w *writing) entry(d Doc, key uint64, size int, vector []byte) {
	about := chineseOf(d.Content) << chineseAt
	if len(vector) == w.stride && w.stride > 0 {
		about |= hasVector
		w.vectors = append(w.vectors, vector...)
	} else {
		w.vectors = append(w.vectors, make([]byte, w.stride)...)
	}
	sign := sketch(vector)
	w.sketches = append(w.sketches, sign[:]...)
	w.entries = appendNumbers(w.entries, w.file[d.File], size, len(w.before.texts)+len(w.texts), about)
	w.sizes = binary.LittleEndian.AppendUint16(w.sizes, short(size))
	w.entries = binary.LittleEndian.AppendUint64(w.entries, uint64(nanos(d.Time)))
	w.entries = binary.LittleEndian.AppendUint64(w.entries, key)
	for _, text := range [...]string{d.ID, d.Kind, d.Type, d.Content, strings.Join(d.Entities, between), d.Session, d.Origin, strings.Join(d.Replaces, between)} {
		w.texts = appendText(w.texts, text)
	}
	w.texts = binary.LittleEndian.AppendUint64(w.texts, math.Float64bits(d.Confidence))
	w.texts = binary.AppendVarint(binary.AppendVarint(appendText(w.texts, d.Topic), nanos(d.Until)), nanos(d.Since))
	if i, is := w.file[d.File]; is {
		if f := &w.of[i]; f.end == 0 {
			f.first = w.docs
		}
		w.of[i].end = w.docs + 1
	}
	w.number = append(w.number, int32(w.docs))
	w.docs++
}

// index adds the words, those of the previous file merged with those of the fresh entries, and
// returns their number.
func (w *writing) index(s *Snapshot) int {
	fresh := s.turned()
	var added []string
	for id, word := range s.spelt {
		if len(fresh.of(int32(id))) > 0 {
			added = append(added, word)
		}
	}
	slices.Sort(added)
	count := 0
	add := func(word string, base int) {
		begin, last, many := len(w.lists), 0, 0
		put := func(n, times int) {
			if n := int(w.number[n]); n >= 0 {
				w.lists = binary.AppendUvarint(w.lists, uint64(n-last))
				w.lists = binary.AppendUvarint(w.lists, uint64(times))
				last = n
				many++
			}
		}
		if base >= 0 {
			for p := s.base.list(base); p.next(); {
				put(p.n, p.times)
			}
		}
		if id, ok := s.numbers[word]; ok {
			for _, c := range fresh.of(id) {
				put(s.base.docs+int(c.word), int(c.times))
			}
		}
		if len(w.lists) > begin {
			w.words = appendNumbers(w.words, len(w.spelling), begin, many)
			w.spelling = append(w.spelling, word...)
			count++
		}
	}
	for i := range s.base.wordCount {
		word := s.base.word(i)
		for len(added) > 0 && added[0] < word {
			add(added[0], -1)
			added = added[1:]
		}
		if len(added) > 0 && added[0] == word {
			added = added[1:]
		}
		add(word, i)
	}
	for _, word := range added {
		add(word, -1)
	}
	w.words = appendNumbers(w.words, len(w.spelling), len(w.lists), 0)
	return count
}

// turned are the fresh entries by their words: those that have word n are between start[n] and
// start[n+1], by their places.
type turned struct {
	list  []count
	start []int
}

// of are the entries with a word. A word of a query may be newer than all of them.
func (t turned) of(word int32) []count {
	if int(word)+1 >= len(t.start) {
		return nil
	}
	return t.list[t.start[word]:t.start[word+1]]
}

func (s *Snapshot) turned() turned {
	start := make([]int, len(s.spelt)+2)
	all := 0
	for _, e := range s.fresh {
		for _, c := range e.words {
			start[c.word+2]++
			all++
		}
	}
	for i := 2; i < len(start); i++ {
		start[i] += start[i-1]
	}
	list := make([]count, all)
	for i, e := range s.fresh {
		for _, c := range e.words {
			list[start[c.word+1]] = count{int32(i), c.times}
			start[c.word+1]++
		}
	}
	return turned{list, start[:len(s.spelt)+1]}
}

func appendNumbers(b []byte, list ...int) []byte {
	for _, n := range list {
		b = binary.LittleEndian.AppendUint32(b, uint32(n))
	}
	return b
}

func appendText(b []byte, text string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(text))), text...)
}
