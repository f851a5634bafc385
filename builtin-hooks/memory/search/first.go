package search

import "slices"

// first puts the first k of a list in order, before the others, which remain unordered. Only a few
// of a thousand candidates are returned, and sorting all would take longer than finding them.
func first[T any](list []T, k int, compare func(a, b T) int) {
	k = min(k, len(list))
	from, to := 0, len(list) // the k-th is still between these
	for to-from > 16 && from < k && k < to {
		mid, last := from+(to-from)/2, to-1
		for _, pair := range [...][2]int{{mid, from}, {last, mid}, {mid, from}} { // the median of three divides them
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

// inOrder calls f with the items of a list, in order, until it returns false.
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
