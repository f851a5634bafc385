// Package devin is the dialect of Devin on the command line.
//
// Not observed: this is from its documentation and, where that is incomplete, from others'
// notes on real payloads.
//
// Our entry is under hooks in ~/.config/devin/config.json or, for a project,
// in its .devin/hooks.v1.json, where the events are the whole file.
//
// Devin runs the entries of Claude Code as well, with its own payloads,
// which are recognised by a prompt_id without a transcript.
package devin
