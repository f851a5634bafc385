package search

import (
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/lexicon"
)

// A nearness compares entries with one vector.
type nearness struct {
	of     *Snapshot
	vector []float32
	sketch signature
	other  *Vectors
	made   int // the number of vectors made by Make
}

// nearness is nil if there is nothing to compare with.
func (s *Snapshot) nearness(v []float32, other *Vectors) *nearness {
	packed := Pack(v)
	if packed == nil && other == nil {
		return nil
	}
	return &nearness{of: s, vector: v, sketch: signed(sketch(packed)), other: other}
}

// exact is the cosine with an entry's vector. An entry without a vector of the other model is
// compared by the lexicon, to whose scale the others are converted.
func (r *nearness) exact(n int32) float32 {
	if o := r.other; o != nil {
		v := o.Kept.Of(r.of.key(int(n)))
		if v == nil && o.Make != nil && r.made < makeMost {
			r.made++
			v = Pack(o.Make(r.of.Entry(int(n)).Text()))
		}
		if v != nil {
			return min(1, cosine(o.Query, v)*o.Kept.scale+o.Kept.shift)
		}
	}
	return cosine(r.vector, r.of.vector(int(n)))
}

// best are the entries that are probably nearest: all if there are few.
func (r *nearness) best(most int) (list []int32) {
	s := r.of
	all := s.base.docs + len(s.fresh)
	if all <= most || r.other != nil {
		for n := range all {
			if s.there(n) {
				list = append(list, int32(n))
			}
		}
		return list
	}
	// The numbers of entries by equal signs show where the best begin.
	var many [1 << 8]int
	agree := make([]uint8, all) // equal signs of each entry, at most 255 to fit a byte
	written := 0                // how many sketches are contiguous in the file
	if s.base.lexicon == lexicon.ID {
		written = s.base.docs
	}
	for n := range written {
		if s.dead == nil || !s.dead[n] {
			agree[n] = uint8(min(r.sketch.alike(s.base.sketch(n)), len(many)-1))
			many[agree[n]]++
		}
	}
	for n := written; n < all; n++ {
		if s.there(n) {
			agree[n] = uint8(min(r.sketch.alike(s.sketch(n)), len(many)-1))
			many[agree[n]]++
		}
	}
	least := len(many) - 1
	for sum := many[least]; least > 1 && sum < most; {
		least--
		sum += many[least]
	}
	over := 0
	for _, n := range many[least+1:] {
		over += n
	}
	list = make([]int32, 0, most)
	for n, a := range agree {
		switch {
		case int(a) > least:
			list = append(list, int32(n))
		case int(a) == least && over < most:
			over++
			list = append(list, int32(n))
		}
	}
	return list
}
