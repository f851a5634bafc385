// Package evolution has what the hooks and the commands of evolution share: its
// settings, where it keeps its data, and whether there is a key. With evolution on, an
// agent records failures, is offered a strategy when a failure recurs, and is asked for
// a review at the end of a session.
//
//	hooks       what happens on the events of an agent
//	failure     whether a call failed, and which failure it is
//	signal      the coarse kind of a failure
//	journal     the record of one session
//	draft       material for genes that nobody has written yet
//	scope       the name under which a project learns
//	gene, match, selector, store   genes, which of them to offer, and their results
//	ops         the operations: commands and tools
//	screen      what must not be followed unread
//	tongue      the language to speak
//	pagecache   pages kept on this machine
//	api, client, server   sharing with others, only with a key
//	replay      how well genes would have done in recorded sessions
//	view        a page about all of it
//
// Whatever hooks imports is linked into the program that runs on every event; the rest
// is for commands.
package evolution
