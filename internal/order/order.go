// Package order sorts short lists of any type with code that is linked once.
//
// slices.SortFunc is compiled for each element type, ten kilobytes each time; for the
// list on a screen or of a folder the difference in speed does not matter. Code that
// sorts thousands of elements, or at each event, uses slices.
package order

import "sort"

// By sorts a list; what compares as equal keeps its order.
func By[E any](list []E, compare func(a, b E) int) {
	sort.SliceStable(list, func(i, j int) bool { return compare(list[i], list[j]) < 0 })
}
