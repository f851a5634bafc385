// Package remote shares what was learned with a server: the client of the
// contract in package wire. Nothing here happens without a key, and a
// key is sent to nobody but the server that it was given for: over TLS unless the
// server is this machine, and never along a redirect.
//
//	client.go   the server (package server), and which of its errors are final
//	sync.go     the start and the end of a session
//	genes.go    genes that come, and genes that go
//	state.go    the cursor, the retry queue and what else is remembered
//	memory.go   memory of elsewhere, as a block to be read
//	skills.go   skills of elsewhere, as files of our own
//	pages.go    web pages
//
// # Nothing lost, nothing doubled
//
// The store of genes holds each outcome from the moment it is known, and knows
// which of them a server has. A push marks them after the server took them; who is
// killed in between pushes them again, under the same ids, which the server
// ([package serve]) takes once. One process a person pushes at a time.
//
// What is pulled is in the store before the cursor moves. Pulling the same again
// changes nothing.
//
// # What comes from elsewhere
//
// Genes of the same person may be used at once. Those of others are held
// until somebody has read them: a reviewer of the team, whose word serves
// everybody, or the person here; unless the person said that what is on trial may be
// used on trial. What could harm is held whoever made it. What its author or a reviewer
// deleted is deleted here at the next sync, and what was deleted here is there. Memory is a fenced block that is read and never merged. Skills are
// written only into folders with our own marker.
package remote
