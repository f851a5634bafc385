package search

// Misspellings: an unknown word may be one that memories have, with a letter added, missing,
// changed or in another place.

const (
	leastSlipped = 4 // letters of a word that is examined
	twiceSlipped = 8 // letters of a word in which two may be wrong
	mostSlips    = 3 // words that one may be a misspelling of
)

// slips are the words of memories that a word may be meant as: they are as near to it, or can
// be written with an ending that is as near to how it was written. An error in an ending may
// make any word of it: "invocies" is one of "invocy" to who takes it for a plural. The first
// letter has to be right.
func (s *Snapshot) slips(word, as string) (out []way) {
	if as == "" {
		as = word
	}
	if len(as) < leastSlipped || len(as) > longest {
		return nil
	}
	best := 1
	if len(word) >= twiceSlipped {
		best = 2
	}
	bare, whole := ruler{as: word}, ruler{as: as}
	look := func(have string) {
		if len(have) < leastSlipped-1 || len(have) > longest || !ascii(have) {
			return
		}
		d := best + 1
		if len(word) >= leastSlipped {
			d = min(d, bare.distance(have, best))
		}
		if as != word || d > 0 {
			d = min(d, whole.ended(have, min(best, d)))
		}
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

// longest is how many letters of a word are compared with others.
const longest = 40

// endings are what the index leaves away at the end of a word, and may have doubled the letter
// before.
var endings = [...]string{"", "s", "e", "es", "ed", "ing", "ings"}

// A ruler says how many letters have to be added, removed, changed or swapped with the next to
// make one word of another. It remembers the last one: where the next begins like it, as in a
// sorted list, that part is not compared again.
type ruler struct {
	as    string
	form  [longest + 8]byte // the other, as far as it was read
	n     int
	rows  [longest + 9][longest + 1]int8 // [i][j]: from its first i letters to the first j of as, where the two are near
	least [longest + 9]int8              // of a row
}

// wide is how far apart two places of a word may be that are compared.
const wide = 2

// distance is that from a word; more than most is most+1.
func (r *ruler) distance(have string, most int) int {
	if n := len(have) - len(r.as); n > min(most, wide) || -n > min(most, wide) || !r.read(0, have, most) {
		return most + 1
	}
	return min(int(r.rows[len(have)][len(r.as)]), most+1)
}

// ended is that from the nearest word that the index has as this one.
func (r *ruler) ended(have string, most int) int {
	const longestEnding = 5 // with a letter doubled
	n, last := len(have), have[len(have)-1]
	if n-len(r.as) > most+1 || len(r.as)-n > most+longestEnding || !r.read(0, have[:n-1], most) {
		return most + 1
	}
	best := most + 1
	try := func(n int, ending string) {
		if !r.read(n, ending, most) {
			return
		}
		n += len(ending)
		if n > len(r.as)+wide || n < len(r.as)-wide {
			return
		}
		if d := int(r.rows[n][len(r.as)]); d < best && n >= leastSlipped && stem(string(r.form[:n])) == have {
			best = d
		}
	}
	if last == 'y' {
		try(n-1, "ies")
		try(n-1, "ied")
	}
	if !r.read(n-1, have[n-1:], most) {
		return best
	}
	for _, ending := range endings {
		try(n, ending)
	}
	if r.read(n, have[n-1:], most) {
		for _, ending := range endings[len(endings)-3:] {
			try(n+1, ending)
		}
	}
	return best
}

// read reads a part of the other word, from its letter n on; false: whatever follows, more than
// most letters are wrong.
func (r *ruler) read(n int, part string, most int) bool {
	for i := range part {
		at := n + i
		if at >= r.n || r.form[at] != part[i] {
			r.form[at], r.n = part[i], at+1
			r.row(at)
		}
		if int(r.least[at+1]) > most {
			return false
		}
	}
	return true
}

// row compares the letter i of the other word.
func (r *ruler) row(i int) {
	const far = wide + 2
	c, last, row := r.form[i], &r.rows[i], &r.rows[i+1]
	if i == 0 {
		for j := range len(r.as) + 1 {
			last[j] = int8(j)
		}
	}
	from, to := max(0, i+1-wide), min(len(r.as), i+1+wide)
	least := int8(far)
	if from > 0 {
		row[from-1] = far
	}
	for j := from; j <= to; j++ {
		d := int8(far)
		switch {
		case j == 0:
			d = int8(i + 1)
		case r.as[j-1] == c:
			d = last[j-1]
		default:
			d = min(last[j-1], row[j-1]) + 1
			if j < i+1+wide { // else it was too far from the letter before
				d = min(d, last[j]+1)
			}
			if i > 0 && j > 1 && r.as[j-2] == c && r.as[j-1] == r.form[i-1] {
				d = min(d, r.rows[i-1][j-2]+1)
			}
		}
		row[j] = d
		least = min(least, d)
	}
	r.least[i+1] = least
}
