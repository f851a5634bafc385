// Package evolution is what the hooks and the commands of evolution agree on:
// its settings, where it keeps what, and whether somebody has a key. An agent
// that has evolution on notes what fails, is offered a strategy when it runs into
// the same wall again, and looks back at the end of a session.
//
//	hooks     what happens on the events of an agent
//	signal    what kind of trouble an output tells of
//	journal   what is remembered of one session
//	scope     the name under which a project learns
//	gene, choose, store   genes, which of them to offer, and what became of them
//	web       pages kept on this machine
//	remote, serve         sharing with others, with a key only
//	view      a page about all of it
//
// This package and hooks, signal, journal, scope and web are linked into the
// program that runs on every event; the rest is for commands.
package evolution
