package shell

// Nearest is the word of list that is at most two edits from name, "" if there
// is none.
func Nearest(name string, list []string) string {
	best, bestAt := "", 3
	for _, w := range list {
		if d := distance(name, w); d < bestAt && d < len(w) {
			best, bestAt = w, d
		}
	}
	return best
}

// distance is the Levenshtein distance in bytes.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			next := min(row[j+1]+1, row[j]+1, diagonal+cost)
			diagonal, row[j+1] = row[j+1], next
		}
	}
	return row[len(b)]
}
