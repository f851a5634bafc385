// Package merge puts together what two people made of one workspace, each in a clone
// of their own. It knows nothing of git: it gets what a file was before both, and
// what each made of it.
//
// Nothing that either wrote is lost. What only one of them changed is taken; lists are
// put together; of a state, the later one counts; of a text that both changed, both
// stand there. A node that one deleted and the other changed stays.
//
//	merged, notes, err := merge.Graph(base, ours, theirs)
//	page := merge.Page(base, ours, theirs)
//	rows := merge.Log(ours, theirs)
//
// [Mend] makes one tree of a graph again that was put together line by line.
package merge
