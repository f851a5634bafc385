package search

// Misspellings: an unknown word may be one that memories have, with a letter added, missing,
// changed or in another place.

const (
	leastSlipped = 4 // letters of a word that is examined
	twiceSlipped = 8 // letters of a word in which two may be wrong
	mostSlips    = 3 // words that one may be a misspelling of
)

// slips are the words of memories that a word may be meant as. Its first letter has to be
// right.
func (s *Snapshot) slips(word string) (out []way) {
	if len(word) < leastSlipped {
		return nil
	}
	most := 1
	if len(word) >= twiceSlipped {
		most = 2
	}
	best := most
	look := func(have string) {
		if len(have) < leastSlipped-1 || len(have)-len(word) > best || len(word)-len(have) > best || !ascii(have) {
			return
		}
		d := distance(word, have, best)
		switch {
		case d < best:
			best, out = d, nil
		case d > best:
			return
		}
		if len(out) < mostSlips {
			out = append(out, way{[]string{have}, [...]float64{1, slipped, slipped2}[d]})
		}
	}
	s.base.from(word[:1], look)
	for _, have := range s.spelt {
		if have[0] == word[0] && len(s.use(have)) > 0 {
			look(have)
		}
	}
	return out
}

// distance is how many letters have to be added, removed, changed or swapped with the next to
// turn one word into another; more than most is most+1.
func distance(a, b string, most int) int {
	const longest = 40
	if len(a) > longest || len(b) > longest {
		return most + 1
	}
	var rows [3][longest + 1]int
	before, last, row := &rows[0], &rows[1], &rows[2]
	for j := range len(b) + 1 {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
			least = min(least, row[j])
		}
		if least > most {
			return most + 1
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
