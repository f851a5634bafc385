// Package jsplugin is what our plugins inside agents have in common that run no
// commands as hooks and load modules in JavaScript: how a plugin asks the
// dispatcher, and the words in which it is answered (opencodelike.Encode says an
// outcome in them).
//
// [Source] makes the source of a plugin of an agent's own part. The part has these
// names: argv and limits, what install filled in; self, the agent's id; gone, what a
// person is told where the dispatcher is no longer there; ask(frame, limit, signal),
// which starts the dispatcher with a frame on stdin and resolves to its answer;
// encode, decode, isObject and text.
//
// An answer is empty, or one JSON object with any of
//
//	block     do not do it, with this text; say no to a permission that is asked for
//	ask       ask the person first, with this text
//	allow     true: say yes to a permission that is asked for, once
//	args      the tool call's input, whole, instead of the one that is there
//	output    the tool call's result, for the model to read instead of the one that is there
//	context   text for the model, where the hook has a place for it
//	continue  go on with this text, as a prompt
//	message   text for the person
//	env       variables for the session's commands
//
// Frames are answered by a dispatcher that stays, which spares a process for each: with
// --stream it reads one on a line, with an "id" at its beginning, says "begun" and then
// "answer", in lines with that id. The first frames go to processes of their own, until
// it has said hello, and so does what happens while it is busy, so that nothing waits for
// a hook of something else. It is made anew where the program, the environment or the
// working directory have changed, ends after a minute without an event and with the
// agent, and is not tried again after it failed three times in a row. About a frame that
// it did not begin with a process is asked; one that it began with is nobody else's, as
// if a process had died over it.
//
// A plugin never lets the agent wait for longer than the event's limit, and takes a
// dispatcher that is missing, crashes, hangs or talks nonsense for one without an
// opinion.
package jsplugin

import _ "embed"

//go:embed head.js
var head string

// Source is the source of a plugin, for install to fill in.
func Source(part string) string { return head + "\n" + part }
