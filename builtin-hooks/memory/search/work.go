package search

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
)

// About are the facts from before a time that share with the present work a word that few have, or
// several words, the most telling first. A search for all words at once would find that each fact
// says little of them. ok is false if a folder has no usable snapshot.
func About(folders []Folder, work *memory.Focus, before, now time.Time, most int) (found []Found, ok bool, err error) {
	for _, s := range folders {
		snap, err := s.open(nil)
		if err == nil {
			err = snap.Refresh(s.Sources(), now, readMost)
		}
		if err != nil {
			if snap != nil {
				snap.Close()
			}
			return nil, false, notThere(err)
		}
		for _, h := range snap.ofWork(work, before, most) {
			found = append(found, Found{h, s.Scope})
		}
		snap.Close()
	}
	return Best(found, most), true, nil
}

func (s *Snapshot) ofWork(work *memory.Focus, before time.Time, most int) (hits []Hit) {
	type sum struct{ weight, tells float64 }
	sums := map[int32]sum{}
	work.Each(func(stem, word string) {
		in := s.withStem(stem, word)
		weight, tells := work.Weight(stem, len(in), s.count)
		for n := range in {
			sums[n] = sum{sums[n].weight + weight, sums[n].tells + tells}
		}
	})
	var list []int32
	for n, of := range sums {
		if of.weight >= memory.Enough {
			list = append(list, n)
		}
	}
	if len(list) == 0 {
		return nil
	}
	w := &search{of: s, q: Query{Types: []string{"W", "B", "O"}, To: before}, ended: s.ended()}
	texts := map[string]bool{}
	inOrder(list, func(a, b int32) int {
		return cmp.Or(cmp.Compare(sums[b].tells, sums[a].tells), cmp.Compare(s.time(int(b)), s.time(int(a))), cmp.Compare(a, b))
	}, func(n int32) bool {
		if d := s.Entry(int(n)); d.Kind == "fact" && w.wanted(d) && !texts[d.Content] {
			texts[d.Content] = true
			hits = append(hits, Hit{Doc: d, Score: sums[n].tells})
		}
		return len(hits) < most
	})
	return hits
}

// leastStem is from how many letters on a stem stands for all words that begin with it.
const leastStem = 5

// withStem are the entries that have a word of the work: as the index spells it, or another one with
// its stem.
func (s *Snapshot) withStem(stem, word string) map[int32]bool {
	in := map[int32]bool{}
	add := func(word string) {
		for _, o := range s.use(word) {
			in[o.n] = true
		}
	}
	if terms := Terms(word); len(terms) > 0 {
		add(slices.MaxFunc(terms, func(a, b string) int { return cmp.Compare(len(a), len(b)) })) // of two characters, the pair
	}
	if memory.IsVersion(stem) {
		add("v" + strings.ReplaceAll(stem, ".", ""))
		for n := range in {
			if d := s.Entry(int(n)); !memory.HasStem(d.Content+" "+strings.Join(d.Entities, " "), stem) {
				delete(in, n)
			}
		}
		return in
	}
	if len(stem) >= leastStem && ascii(stem) {
		s.base.from(stem, add)
		for _, have := range s.spelt {
			if strings.HasPrefix(have, stem) {
				add(have)
			}
		}
	}
	return in
}
