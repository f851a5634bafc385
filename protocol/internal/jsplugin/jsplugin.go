// Package jsplugin is the common part of our plugins for agents that run no commands
// as hooks but load JavaScript modules: how a plugin calls the dispatcher, and the
// format of the answer (opencodelike.Encode writes an outcome in it).
//
// [Source] builds the source of a plugin around the agent's own part. That part can use:
// argv and limits, which install fills in; self, the agent's id; gone, the notice for the
// user if the dispatcher no longer exists; ask(frame, limit, signal), which sends a frame
// to the dispatcher and resolves to its answer; encode, decode, isObject and text.
//
// An answer is empty, or one JSON object with any of
//
//	block     do not do it, for this reason; deny a requested permission
//	ask       ask the user first, with this text
//	allow     true: grant a requested permission, once
//	args      replaces the tool call's whole input
//	output    replaces the tool call's result for the model
//	context   text for the model, if the hook can carry it
//	continue  go on with this text, as a prompt
//	message   text for the user
//	env       variables for the session's commands
//
// A resident dispatcher answers frames, which saves a process for each: with --stream it
// reads one frame a line, with an "id" at its beginning, and answers with "begun" and then
// "answer", in lines with that id. Until it has said hello, and while it is busy, frames
// go to separate processes, so that no event waits for the hook of another. It is
// restarted if the program, the environment or the working directory has changed, ends
// after a minute without an event and with the agent, and is given up after three
// failures in a row. A frame that it did not begin, because it died or was ended after
// saying nothing for 5 seconds, goes to a process; one that it did begin counts as failed
// if it dies, and is not sent again.
//
// A plugin never makes the agent wait longer than the event's limit. A dispatcher that
// is missing, crashes, hangs or gives an invalid answer counts as no opinion (fail open).
package jsplugin

import _ "embed"

//go:embed head.js
var head string

// Source is the source of a plugin, for install to fill in.
func Source(part string) string { return head + "\n" + part }
