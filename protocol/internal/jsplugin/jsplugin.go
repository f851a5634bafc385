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
// A plugin never lets the agent wait for longer than the event's limit, and takes a
// dispatcher that is missing, crashes, hangs or talks nonsense for one without an
// opinion.
package jsplugin

import _ "embed"

//go:embed head.js
var head string

// Source is the source of a plugin, for install to fill in.
func Source(part string) string { return head + "\n" + part }
