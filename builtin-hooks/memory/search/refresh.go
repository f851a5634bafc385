package search

import (
	"slices"
	"time"
)

// A catalogue finds files by their names: they come in nearly the same order as when they were read.
type catalogue struct {
	files []file
	next  int
	found []bool
	at    map[string]int // made once one comes in another order
}

// take is the place of a file that has not been taken.
func (f *catalogue) take(name string) (i int, is bool) {
	if i = f.next; i < len(f.files) && f.files[i].name == name {
		is = true
	} else {
		if f.at == nil {
			f.at = make(map[string]int, len(f.files))
			for i, file := range f.files {
				f.at[file.name] = i
			}
		}
		i, is = f.at[name]
	}
	if !is || f.found[i] {
		return 0, false
	}
	f.found[i], f.next = true, i+1
	return i, true
}

// left are the places of those that were not taken.
func (f *catalogue) left() (list []int) {
	for i, file := range f.files {
		if !f.found[i] && file.name != "" {
			list = append(list, i)
		}
	}
	return list
}

// Refresh updates the snapshot from the files. most is how many bytes it may read for that;
// beyond, it returns ErrTooMuch, and the snapshot is unusable; 0 means no limit.
func (s *Snapshot) Refresh(sources []Source, now time.Time, most int) error {
	s.uses, s.turn, s.now = nil, turned{}, now
	known := catalogue{files: s.files, found: make([]bool, len(s.files))}
	var look glance
	defer look.close()
	for _, src := range sources {
		var before Seen
		i, have := known.take(src.Name)
		if have {
			before = s.files[i].seen
			if look.same(src, before) {
				continue
			}
		}
		if most > 0 && more(src, before) > int64(most-s.read) {
			return ErrTooMuch
		}
		w, changed, err := Look(src, before, have, now)
		if err != nil {
			return err
		}
		if !changed {
			continue
		}
		if !have {
			i = len(s.files)
			s.files = append(s.files, file{name: src.Name})
		}
		s.files[i].seen = w.Seen
		s.changed = true
		s.read += len(w.Part)
		if have && string(before.Hash) == string(w.Seen.Hash) {
			continue
		}
		if most > 0 && s.read > most {
			return ErrTooMuch
		}
		s.take(w, have)
	}
	for _, i := range known.left() {
		s.forget(s.files[i].name, nil)
		s.files[i].name, s.changed = "", true
	}
	return nil
}

// more is how many bytes a file has at least that have not been read.
func more(s Source, before Seen) int64 {
	info, err := s.In.Stat(s.Path)
	if err != nil {
		return 0 // Look says why
	}
	return info.Size() - before.Size
}

// take replaces what was known about a file by what is new in it.
func (s *Snapshot) take(w Stale, have bool) {
	docs := LastOfEach(w.Source.Read(w.Part))
	if have && !w.Tail {
		docs = s.rewritten(w.Source.Name, docs)
	} else if have {
		ids := make(map[string]bool, len(docs))
		for _, d := range docs {
			ids[d.ID] = true
		}
		s.forget(w.Source.Name, ids)
	}
	for _, d := range docs {
		d.File = w.Source.Name
		e := entry{doc: d, key: Key(d.Text())}
		e.words, e.size = s.counted(d)
		s.fresh = append(s.fresh, e)
		s.count, s.words, s.new, s.unkept = s.count+1, s.words+e.size, s.new+1, s.unkept+1
	}
}

// rewritten removes the entries that a file, which was written anew, no longer has as they were, and
// returns those that it has besides. The others keep their places: to mark one line of a day as
// seen once more makes none of them new.
func (s *Snapshot) rewritten(name string, docs []Doc) (besides []Doc) {
	at, kept := make(map[string]int, len(docs)), make([]bool, len(docs))
	for i, d := range docs {
		at[d.ID] = i
	}
	s.forgetThose(name, func(n int) bool {
		d := s.Entry(n)
		i, has := at[d.ID]
		if !has || kept[i] || !docs[i].same(d) {
			return true
		}
		kept[i] = true
		return false
	})
	for i, d := range docs {
		if !kept[i] {
			besides = append(besides, d)
		}
	}
	s.unkept = max(s.unkept, unkeptMost) // otherwise each search reads all of it
	return besides
}

// forget removes the entries of a file: those with these ids, or all.
func (s *Snapshot) forget(name string, ids map[string]bool) {
	s.forgetThose(name, func(n int) bool { return ids == nil || ids[s.Entry(n).ID] })
}

// forgetThose removes those entries of a file.
func (s *Snapshot) forgetThose(name string, those func(n int) bool) {
	i := slices.IndexFunc(s.base.files, func(f file) bool { return f.name == name })
	for n, end := s.base.of(i); n < end; n++ {
		if s.base.file(n) == i && !s.gone(n) && those(n) {
			s.bury(n)
			s.unkept++
		}
	}
	for i := range s.fresh {
		e := &s.fresh[i]
		if !e.gone && e.doc.File == name && those(s.base.docs+i) {
			s.count, s.words, s.unkept = s.count-1, s.words-e.size, s.unkept+1
			*e = entry{gone: true}
		}
	}
}
