// Package client shares what was learned with a server: it is the client side of
// package api. Nothing here happens without a key, and a key is sent only to the server
// that it was given for: over TLS unless the server is this machine, and never when
// following a redirect.
//
//	client.go    the server, and which of its errors are final
//	sync.go      the start and the end of a session
//	push.go      outgoing outcomes, and those that have to wait
//	genes.go     incoming and outgoing genes
//	analyze.go   a gene for a failure that none here fits
//	note.go      outcomes that the journal of a session shows
//	state.go     the cursor, the retry queue and other state
//	memory.go    memory from elsewhere, as a block of text
//	skills.go    skills from elsewhere, as files of ours
//	pages.go     web pages
//
// # Nothing lost, nothing duplicated
//
// The store of genes has each outcome as soon as it is known, and records which of them
// the server has. A push marks outcomes after the server has accepted them; a process
// that is killed in between pushes them again, under the same ids, which the service
// accepts once. One process per user pushes at a time.
//
// Pulled data is in the store before the cursor moves. Pulling it again changes
// nothing.
//
// # Data from elsewhere
//
// Genes of the same person can be used at once. Other people's are held until somebody
// has reviewed them: a reviewer of the team, for everybody, or the user, for this
// machine; unless the user allowed genes on trial. Genes that could do harm are held
// whoever made them. Deletions by an author or a reviewer apply here at the next sync,
// and deletions here apply there. Memory is a fenced block that is read and never
// merged. Skills are written only into folders with our marker.
package client
