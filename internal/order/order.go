// Package order sorts short lists of whatever there is, with code that is linked
// once.
//
// slices.SortFunc is compiled anew for each type of elements, ten kilobytes each
// time; of the list of a screen or of a folder nobody feels the difference. What
// sorts thousands, or is sorted at each event, uses slices.
package order

import "sort"

// By sorts a list; what compares as equal keeps its order.
func By[E any](list []E, compare func(a, b E) int) {
	sort.SliceStable(list, func(i, j int) bool { return compare(list[i], list[j]) < 0 })
}
