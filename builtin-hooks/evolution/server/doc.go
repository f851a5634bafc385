// Package server is the service through which a team shares what it learned. It implements
// the contract of package api, with the paths and documents of the original, and keeps
// everything in one database: SQLite in a file, or PostgreSQL for several instances. Only
// cmd/agents-hooks-server links it.
//
//	database.go, schema.go   opening, the tables and their migrations
//	backup.go, epochs.go     back-ups, for both databases, and what a client has seen that is no more
//	keys.go, audit.go        persons and their bearer keys, and who did what
//	genes.go, outcomes.go    genes, and the outcomes of using them
//	voices.go, proof.go      how much each person's outcomes weigh, and the proof of it
//	analyze.go, review.go    which gene to suggest, and what reviewers do
//	notes.go                 memory files, skills, contexts, reports
//	rooms.go, shared.go      rooms of a team's memory, who is in them, their facts
//	server.go                HTTP: keys, limits, time, the log
//	listen.go, hostname.go   TLS, and the names of the service
//	operate.go               health, metrics, background jobs
//	check.go                 what a request may contain
//	evolution.go, rest.go    what each path answers
//
// # Persons
//
// A key belongs to a person, and all agents and machines of a person share everything
// (X-IM-Agent names the agent, for people). Others see only a person's published genes.
// Keys are stored as hashes.
//
// # Rooms
//
// Memory is shared in a room, by the people whom the operator of the service let in, each
// with a role (package room). A fact's name is derived from the room, the person and its
// name on the person's machine, so that nobody can use somebody else's name; the service,
// not the client, records who shared it and when. A deleted fact loses its text and becomes
// a tombstone, for machines that were away; only its author can restore it, and not if
// somebody else deleted it.
//
// # Nothing lost, nothing duplicated
//
// An outcome is an observation, which is added and never changed. It has its own id, so a
// repeated one is ignored. The answer is sent after its transaction has committed.
//
// # The cursor
//
// Every change gets an increasing number: the time in milliseconds or, if that is not
// greater than the last number, the last number plus 1. It is taken in the transaction of
// the change, under a lock of that one row, so numbers become visible in order, even on
// several instances with different clocks, and a client that pulls from a cursor misses
// nothing. So changes are serialised; reads do not wait.
package server
