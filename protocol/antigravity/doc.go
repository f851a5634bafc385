// Package antigravity is the dialect of Google's Antigravity, its IDE and its
// command line agy.
//
// Not observed: this is from its documentation and, where that is incomplete, from others'
// notes on the running program.
//
// Our entries are under our own name in ~/.gemini/config/hooks.json or,
// for a project, in its .agents/hooks.json, which is Antigravity's file and
// unrelated to the folder .agents/hooks beside it.
//
// A payload does not name its event, so each entry's command does, with --event.
// A tool call and a stop must be answered with a verdict.
package antigravity
