package find

import (
	"encoding/binary"
	"errors"
	"io/fs"
	"math"
	"os"
	"slices"
	"strings"
	"time"
)

// abandoned is how old a file is that whoever began it does not write any more.
const abandoned = time.Minute

// Write makes the snapshot's file anew, with what Refresh found. One is written at a
// time, under one name: what somebody left there who was killed is cleared away.
func (s *Snapshot) Write() error {
	name := s.path + ".tmp-next"
	if info, err := os.Lstat(name); err == nil && time.Since(info.ModTime()) > abandoned {
		_ = os.Remove(name)
	}
	temp, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil // somebody writes it now
	}
	if err != nil {
		return err
	}
	defer os.Remove(name) // gone after the rename
	_, err = temp.Write(s.bytes())
	if err = errors.Join(err, temp.Close()); err != nil {
		return err
	}
	return os.Rename(temp.Name(), s.path)
}

// A writing is a snapshot as it is put together.
type writing struct {
	files, entries, texts, vectors, words, spelling, lists, replacing []byte
	number                                                            []int // of entries as they were: as they will be; -1: gone
	docs                                                              int
	file                                                              map[string]int
}

// bytes are the file of a snapshot.
func (s *Snapshot) bytes() []byte {
	w := writing{file: map[string]int{}}
	for _, f := range s.files {
		if f.name == "" {
			continue
		}
		w.file[f.name] = len(w.file)
		w.files = appendText(w.files, f.name)
		for _, n := range [...]int64{f.seen.Size, f.seen.MTime, f.seen.At} {
			w.files = binary.LittleEndian.AppendUint64(w.files, uint64(n))
		}
		w.files = appendText(w.files, string(f.seen.Hash))
	}
	for n := range s.base.docs {
		if s.gone(n) {
			w.number = append(w.number, -1)
			continue
		}
		w.entry(s.base.doc(n), s.base.size(n), s.base.vector(n))
	}
	for i := range s.fresh {
		e := &s.fresh[i]
		if e.words == nil {
			w.number = append(w.number, -1)
			continue
		}
		w.entry(e.doc, e.size, e.packed())
	}
	w.entries = appendNumbers(w.entries, 0, 0, len(w.texts), len(w.vectors))
	words := w.index(s)
	parts := [][]byte{w.files, w.entries, w.texts, w.vectors, w.words, w.spelling, w.lists, w.replacing}
	length := headSize
	for _, p := range parts {
		length += len(p)
	}
	out := make([]byte, 0, length)
	out = append(out, magic...)
	out = appendNumbers(out, 0, length, w.docs, words, s.words)
	for _, p := range parts {
		out = appendNumbers(out, len(p))
	}
	for _, p := range parts {
		out = append(out, p...)
	}
	binary.LittleEndian.PutUint32(out[len(magic):], sum(out))
	return out
}

// entry adds one memory.
func (w *writing) entry(d Doc, size int, vector []byte) {
	w.entries = appendNumbers(w.entries, w.file[d.File], size, len(w.texts), len(w.vectors))
	for _, text := range [...]string{d.ID, d.Kind, d.Type, d.Content, strings.Join(d.Entities, between), d.Session, d.Origin, strings.Join(d.Replaces, between)} {
		w.texts = appendText(w.texts, text)
	}
	at := int64(0)
	if !d.Time.IsZero() {
		at = d.Time.UnixNano()
	}
	w.texts = binary.LittleEndian.AppendUint64(w.texts, uint64(at))
	w.texts = binary.LittleEndian.AppendUint64(w.texts, math.Float64bits(d.Confidence))
	w.vectors = append(w.vectors, vector...)
	if len(d.Replaces) > 0 {
		w.replacing = binary.AppendUvarint(w.replacing, uint64(w.docs))
	}
	w.number = append(w.number, w.docs)
	w.docs++
}

// index adds the words, those of the file so far merged with those of the fresh
// entries, and returns how many there are.
func (w *writing) index(s *Snapshot) int {
	fresh := map[string][]occurrence{}
	for i, e := range s.fresh {
		for word, times := range e.words {
			fresh[word] = append(fresh[word], occurrence{n: int32(s.base.docs + i), times: int32(times)})
		}
	}
	added := make([]string, 0, len(fresh))
	for word := range fresh {
		added = append(added, word)
	}
	slices.Sort(added)
	count := 0
	add := func(word string, base int) {
		start, last := len(w.lists), 0
		put := func(n, times int) {
			if n = w.number[n]; n >= 0 {
				w.lists = binary.AppendUvarint(w.lists, uint64(n-last))
				w.lists = binary.AppendUvarint(w.lists, uint64(times))
				last = n
			}
		}
		if base >= 0 {
			s.base.list(base, put)
		}
		for _, u := range fresh[word] {
			put(int(u.n), int(u.times))
		}
		if len(w.lists) > start {
			w.words = appendNumbers(w.words, len(w.spelling), start, 0)
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

func appendNumbers(b []byte, list ...int) []byte {
	for _, n := range list {
		b = binary.LittleEndian.AppendUint32(b, uint32(n))
	}
	return b
}

func appendText(b []byte, text string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(text))), text...)
}
