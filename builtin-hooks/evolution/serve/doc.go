// Package serve is the service that a team shares what it learned with. It speaks
// the contract of package wire, with the paths and documents of the original, and
// keeps everything in one database: SQLite in a file, or PostgreSQL for several
// instances at once. Only cmd/agents-hooks-server links it.
//
//	database.go, schema.go   opening, the tables and their migrations
//	keys.go                  persons and their bearer keys
//	genes.go, outcomes.go    genes, and what became of using them
//	notes.go                 memory files, skills, contexts, reports
//	rooms.go, shared.go      rooms of a team's memory, who is in them, their facts
//	server.go                HTTP: keys, limits, time, the log
//	evolution.go, rest.go    what each path answers
//
// # Persons
//
// A key belongs to a person, and all agents of a person share everything: it is
// one person, whichever agent or machine speaks (X-IM-Agent tells them apart, for
// people). Others see of a person only genes that were published. Keys are kept
// as hashes.
//
// # Rooms
//
// Memory is shared in a room, by those whom whoever runs the service let into it,
// each with a role (package room). A fact has a name that follows from the room, the
// person and what the person's machine calls it, so that nobody can say something
// under a name of somebody else's; who shared it, and when that came, the service
// says and not the client. What is deleted loses what it said and stays as a mark that
// it is gone, for machines that were away; only its author can bring it back, and
// not if somebody else deleted it.
//
// # Nothing lost, nothing doubled
//
// An outcome is an observation, which is added and never changed. It has an id of
// its own: one that comes again is taken as it was the first time. An answer is
// given after the transaction that holds it.
//
// # The cursor
//
// Every change gets a number that grows: the time in milliseconds or, if that is
// not later than the last one, the last one and 1. It is taken in the transaction
// of the change, under a lock of that one row, so numbers become visible in their
// own order, on several instances with clocks that differ too: whoever pulls what
// is after a cursor misses nothing. Changes so go one after another; reads do not
// wait.
package serve
