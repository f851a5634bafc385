// Package devin is the dialect of Devin on the command line.
//
// Not observed: what is here is from its documentation, and from others' notes on
// real payloads where the pages say less.
//
// Our entry stands under hooks in ~/.config/devin/config.json or, for a project,
// in its .devin/hooks.v1.json, where the events are the whole file.
//
// Devin runs the entries of Claude Code as well, with payloads of its own; the
// two are told apart by prompt_id without a transcript.
package devin
