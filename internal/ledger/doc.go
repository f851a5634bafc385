// Package ledger tells whose a text below a project is: written on this machine,
// let in by its person, or a repository's that nobody has looked at.
//
//	l := ledger.At(state, root)
//	l.Note(ledger.PageKeys(text)...)   // before it is written
//	parts := l.Page(text)              // parts.Known is what may be told
//
// # What is known
//
// A text is known by what it says and not by the file that it stands in: the
// ledger holds a hash of each piece, which is a line of a file of lines, or of a
// page a heading, an item, a row or a paragraph, together with the headings and
// the paragraph that it stands under. So the same piece is known again after a
// pull, a merge inside the file, a rebase, a stash, the checkout of an older
// state and in a renamed file; and what somebody else put between two known
// pieces is told apart from them. A piece that was moved under another heading is
// another one, since it may say another thing there.
//
// # Where it is kept
//
// A file for each repository, below ledger in the state directory, named by a
// hash of its root. It begins with a line that names its version, its epoch and
// how many of its records are sorted; then come the records, one a line. New ones
// are appended, under a lock; when many have gathered, the file is written anew
// and renamed over the old one. So a process that is killed, and a disk that is
// full, take nothing away that was known before. What cannot be noted is an error
// and is not known later: it is asked for, and not let in. A file that cannot be
// read knows nothing, is said, and is kept aside when the next one is written.
//
// The epoch changes when a person lets something in or takes that back. Whatever
// is derived from known texts bears it in its name, and so costs an event one
// small read instead of the whole ledger.
package ledger
