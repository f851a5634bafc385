package text

// Nearest is the word of a list that s was probably meant to be: the first of
// those with the fewest edits, of which there may be at most so many, and one in
// three letters. "" if none is near; a word of which nothing would be left is not.
func Nearest(s string, words []string, most int) string {
	most = min(most, max(1, len(s)/3))
	best := ""
	for _, w := range words {
		if d := distance(s, w, most); d <= most && d < len(w) {
			if best, most = w, d-1; d == 0 {
				break
			}
		}
	}
	return best
}

// distance is the number of letters (bytes: what is misspelled here is a name in
// ASCII) to add, drop, replace or swap with a neighbour between two words;
// anything above most is most+1.
func distance(a, b string, most int) int {
	if len(a)-len(b) > most || len(b)-len(a) > most {
		return most + 1
	}
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := last[j-1]
			if a[i-1] != b[j-1] {
				change++
			}
			row[j] = min(change, last[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return min(last[len(b)], most+1)
}
