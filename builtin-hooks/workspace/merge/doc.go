// Package merge merges two people's changes to one workspace, each made in a separate
// clone. It does not use git: it gets the common ancestor of a file and the two
// versions.
//
// Nothing that either wrote is lost. A change by one side is taken; lists are combined;
// of two states the later one counts; a text that both changed keeps both versions. A
// node that one deleted and the other changed stays.
//
//	merged, notes, err := merge.Graph(base, ours, theirs)
//	page := merge.Page(base, ours, theirs)
//	rows := merge.Log(ours, theirs)
//
// [Mend] turns a graph that was merged line by line into one tree again.
package merge
