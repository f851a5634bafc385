// Package evolution has what the hooks and the commands of evolution share: its
// settings, where it keeps its data, and whether there is a key. With evolution on, an
// agent records failures, is offered a strategy when a failure recurs, and is asked for
// a review at the end of a session.
//
//	hooks     what happens on the events of an agent
//	signal    the kind of failure in an output
//	journal   the record of one session
//	scope     the name under which a project learns
//	gene, choose, store   genes, which of them to offer, and their results
//	web       pages kept on this machine
//	remote, serve         sharing with others, only with a key
//	view      a page about all of it
//
// This package and hooks, signal, journal, scope and web are linked into the program
// that runs on every event; the rest is for commands.
package evolution
