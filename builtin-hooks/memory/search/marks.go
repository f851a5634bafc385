package search

// marks are the scores of some of many entries. A search scores hundreds of tens of thousands, all
// over them, and each page of memory that it touches first costs as much as reading a hundred rows:
// only entries near one that has a score have a place.
type marks struct {
	place []uint32 // for each group of entries, from 1 on; 0: none of them has a score
	group [][inGroup]score
}

// A score is an entry's for all aims so far, and for the present one.
type score struct{ all, one float32 }

// inGroup is how many entries are in a group: their scores are one line of a processor's cache.
const inGroup = 8

func newMarks(entries int) *marks {
	return &marks{place: make([]uint32, (entries+inGroup-1)/inGroup)}
}

// of is an entry's score for all aims, 0 if it has none.
func (t *marks) of(n int32) float32 {
	if p := t.place[n/inGroup]; p > 0 {
		return t.group[p-1][n%inGroup].all
	}
	return 0
}

// at is where an entry's score is, until the next call.
func (t *marks) at(n int32) *score {
	p := &t.place[n/inGroup]
	if *p == 0 {
		t.group = append(t.group, [inGroup]score{})
		*p = uint32(len(t.group))
	}
	return &t.group[*p-1][n%inGroup]
}
