package search

import "slices"

// first puts the first k of a list before the others, in order: the others stay in none. Of a
// thousand candidates a few are given, and to sort all takes longer than to find them.
func first[T any](list []T, k int, compare func(a, b T) int) {
	k = min(k, len(list))
	from, to := 0, len(list) // between these the first k still end
	for to-from > 16 && from < k && k < to {
		mid, last := from+(to-from)/2, to-1
		for _, pair := range [...][2]int{{mid, from}, {last, mid}, {mid, from}} { // the middle one of three parts them
			if compare(list[pair[0]], list[pair[1]]) < 0 {
				list[pair[0]], list[pair[1]] = list[pair[1]], list[pair[0]]
			}
		}
		pivot := list[mid]
		i, j := from, last
		for i <= j {
			for compare(list[i], pivot) < 0 {
				i++
			}
			for compare(list[j], pivot) > 0 {
				j--
			}
			if i <= j {
				list[i], list[j] = list[j], list[i]
				i++
				j--
			}
		}
		switch {
		case k <= j:
			to = j + 1
		case k >= i:
			from = i
		default:
			from = k
		}
	}
	if from >= k {
		to = k
	}
	slices.SortFunc(list[:max(k, to)], compare)
}

// inOrder calls f with one after another of a list, in order, until it says false.
func inOrder[T any](list []T, compare func(a, b T) int, f func(T) bool) {
	for chunk := 64; len(list) > 0; chunk *= 4 {
		chunk = min(chunk, len(list))
		first(list, chunk, compare)
		for _, one := range list[:chunk] {
			if !f(one) {
				return
			}
		}
		list = list[chunk:]
	}
}
