// Package pi is the dialect of Pi.
//
// Observed on 1.6.0, in its print mode, against a scripted model; the rest,
// including its terminal interface, is from the program's source.
//
// Pi runs no commands as hooks. Our entry is an extension, agents-hooks.js in
// ~/.pi/agent/extensions (PI_CODING_AGENT_DIR is honoured) or in a project's
// .pi/extensions, which calls the dispatcher; package jsplugin has what it shares
// with our plugins in other agents, and the format of an answer. A frame is one JSON
// object:
//
//	{"hook": "tool_call", "agent": "pi", "agent_version": "0.73.1", "session_id": "…",
//	 "cwd": "/p", "session_file": "…", "model": "…", "state": {…}, "event": {…}}
//
// hook is the agent's own name for the event, and event what the agent gave its
// handler, with two exceptions: agent_end has only the model's last message, and
// session_before_compact has no messages. state has what the extension knows besides:
// resumed, if the session had messages when it began; usage, the tokens of the model's
// last answer; stop_active, if a hook made the turn go on; trigger of a compaction.
//
// To debug, look at the run log of agents-hooks: an event that is not there did not
// arrive. If an extension cannot be loaded, Pi says so on stderr or when it starts.
package pi
