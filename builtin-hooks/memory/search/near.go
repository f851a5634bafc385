package search

import (
	"cmp"
	"errors"
	"io/fs"
	"slices"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/lexicon"
)

// How Near looks: a list of entries that is longer than so many bytes belongs to a
// word that says little, unless there are no others; and so many entries are
// looked at closely. Of those that a search finds so many are given.
const (
	longList = 4 << 10
	closely  = 48
	akinMost = 8
)

// Near are the facts that share the most telling words with a text, and those with
// a topic key, the nearest first: of those that hold, whatever a new one may repeat
// or stand for is among them. Akin are the best of what a search for it finds, in
// whatever words. It reads the folder's snapshot, and so costs nearly the same however many
// facts there are; where there is none, one is made.
func (s Folder) Near(text, topic string, now time.Time) (near []Doc, akin []Hit, err error) {
	l, _ := lexicon.Open(lexicon.Path(s.Cache)) // to keep what is made of it
	defer l.Close()
	snap, err := s.open(l)
	if err == nil {
		err = snap.Refresh(s.Sources(), now, readMost)
	}
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, ErrTooMuch) {
		if snap != nil {
			snap.Close()
		}
		snap, err = New("", l), nil
		if _, bad := s.Keep(now, 0); bad == nil {
			if kept, bad := s.open(l); bad == nil {
				snap = kept
			}
		}
		err = snap.Refresh(s.Sources(), now, 0)
	}
	if err != nil {
		return nil, nil, err
	}
	defer snap.Close()
	near, akin = snap.near(Terms(text), topic), Search(snap, Query{Text: text, Max: akinMost, Now: now})
	if snap.path != "" && snap.behind() {
		_ = snap.Write() // what cannot be written is read again the next time
	}
	return near, akin, nil
}

// topicWord is what stands among the words of an entry for its topic key: no text
// has it.
func topicWord(key string) string { return "\x02" + key }

// overOn is what stands among the words of an entry that holds until a time.
func overOn(at time.Time) string { return overStart + at.UTC().Format(time.RFC3339) }

const overStart = "\x04"

// standsFor is what stands among the words of an entry that another id is replaced
// by, or that is deleted itself.
func standsFor(id string) string { return "\x03" + id }

// near are the facts with the words, by how telling those are.
func (s *Snapshot) near(terms []string, topic string) []Doc {
	slices.Sort(terms)
	terms = slices.Compact(terms)
	if topic != "" {
		terms = append(terms, topicWord(topic))
	}
	type list struct {
		word string
		size int
	}
	var lists []list
	for _, w := range terms {
		if n := s.base.listSize(w); n > 0 || s.isFresh(w) {
			lists = append(lists, list{w, n})
		}
	}
	slices.SortFunc(lists, func(a, b list) int { return cmp.Compare(a.size, b.size) })
	scores := map[int]float64{}
	for i, l := range lists {
		if i >= 3 && l.size > longList {
			break
		}
		in := s.use(l.word)
		for _, o := range in {
			scores[int(o.n)] += 1 / float64(4+len(in))
		}
		if topic != "" && l.word == topicWord(topic) {
			for _, o := range in {
				scores[int(o.n)] += 1e6
			}
		}
	}
	numbers := make([]int, 0, len(scores))
	for n := range scores {
		numbers = append(numbers, n)
	}
	slices.SortFunc(numbers, func(a, b int) int { return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(b, a)) })
	var out []Doc
	for _, n := range numbers {
		d := s.Entry(n)
		if d.Kind != "fact" || d.Content == "" || len(s.use(standsFor(d.ID))) > 0 {
			continue
		}
		if out = append(out, d); len(out) == closely {
			break
		}
	}
	return out
}

// isFresh reports whether an entry has a word that the file lacks.
func (s *Snapshot) isFresh(word string) bool {
	_, known := s.numbers[word]
	return known
}
