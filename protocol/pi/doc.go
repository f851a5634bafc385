// Package pi is the dialect of Pi.
//
// Observed on 1.6.0, in its print mode, against a scripted model; what does not
// happen there, its terminal interface among it, is from the program's source.
//
// Pi runs no commands as hooks. Our entry is an extension, agents-hooks.js in
// ~/.pi/agent/extensions (PI_CODING_AGENT_DIR is honoured) or in a project's
// .pi/extensions, which calls the dispatcher; package jsplugin has what it shares
// with the plugins in other agents, and the words of an answer. A frame is one JSON
// object:
//
//	{"hook": "tool_call", "agent": "pi", "agent_version": "0.73.1", "session_id": "…",
//	 "cwd": "/p", "session_file": "…", "model": "…", "state": {…}, "event": {…}}
//
// hook is the agent's own name of the event, and event what the agent gave its
// handler, but for two: of agent_end only the last message of the model is there, and
// of session_before_compact not the messages. What the extension knows besides stands
// in state: resumed, if the session had messages when it began; usage, what the last
// answer of the model took; stop_active, if the turn goes on because a hook said so;
// trigger of a compaction.
//
// To see what happens in there, look at the run log of agents-hooks: an event that
// does not stand there did not come. Pi says on stderr, or at its start, that an
// extension could not be loaded.
package pi
