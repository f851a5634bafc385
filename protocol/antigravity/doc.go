// Package antigravity is the dialect of Google's Antigravity, its IDE and its
// command line agy.
//
// Not observed: what is here is from its documentation, and from others' notes on
// the running program where the pages say less.
//
// Our entries stand under a name of our own in ~/.gemini/config/hooks.json or,
// for a project, in its .agents/hooks.json, which is Antigravity's file and no
// relation of the folder .agents/hooks beside it.
//
// A payload does not say its event; so each entry's command does, with --event.
// A tool call and a stop have to be answered with a verdict.
package antigravity
