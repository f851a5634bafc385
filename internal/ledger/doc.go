// Package ledger decides whose a text below a project is: written on this machine, let
// in by the user, or a repository's that nobody has approved.
//
//	l := ledger.At(state, root)
//	l.Note(ledger.PageKeys(text)...)   // before it is written
//	parts := l.Page(text)              // parts.Known is what may be told
//
// # What is known
//
// A text is recognised by its content and not by its file. The ledger has a hash of
// each piece: a line of a file of lines, or in a page a heading, an item, a row or a
// paragraph, together with the headings and the paragraph above it. So a piece is
// recognised after a pull, a merge inside the file, a rebase, a stash, the checkout of
// an older state and a rename, and text that somebody else inserted between two known
// pieces is separated from them. A piece that was moved under another heading is a
// different piece, since its meaning may differ.
//
// # Where it is kept
//
// The state directory has, below ledger, a file for each repository, named by a hash of
// its root. It begins with a line with its version, its epoch and the number of its
// sorted records, followed by the records, one a line. New ones are appended under a
// lock; when there are many, the file is rewritten and renamed over the old one. So
// neither a killed process nor a full disk loses what was known. A piece that cannot be
// recorded is an error, is not known later, and needs an approval. If a file cannot be
// read, nothing is known; that is reported, and the file is set aside when the next one
// is written.
//
// The epoch changes when a user lets something in or takes that back. Whatever is
// derived from known texts has the epoch in its name, so an event needs one small read
// instead of the whole ledger.
package ledger
