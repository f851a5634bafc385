// Package opencodelike is what OpenCode and Kilo CLI, its fork, share: a plugin of
// ours inside the agent, and the words that it exchanges with the dispatcher.
//
// These agents run no commands as hooks. They load modules in JavaScript, and
// [Plugin] is one: for each of the agent's hooks that concerns us it starts the
// dispatcher with a frame on stdin, and does what the answer says. A frame is one
// JSON object:
//
//	{"hook": "tool.execute.before", "agent": "opencode", "agent_version": "1.18.33",
//	 "directory": "/p", "mcp": ["server"], "state": {…}, "input": {…}, "output": {…}}
//
// hook is the agent's own name, an event of its bus with "event." before it;
// input and output are what the agent gave the hook, as they are. What the plugin
// knows besides stands in state: parent, the session that started this one;
// agent and title of a subagent; source of a session; text, the last that the
// model said; stop_active, if the turn began because a hook said so; trigger of a
// compaction.
//
// An answer is empty, or one JSON object with any of
//
//	block     throw, with this text; say no to a permission that is asked for
//	allow     true: say yes to it, once
//	args      the tool call's input, whole, instead of the one that is there
//	output    the tool call's result, for the model to read instead of the one that is there
//	context   text for the model, where the hook has a place for it
//	continue  go on with this text, as a prompt
//	message   text for the person
//	env       variables for the session's commands
//
// The plugin never lets the agent wait for longer than the event's limit, and
// takes a dispatcher that is missing, crashes, hangs or talks nonsense for one
// without an opinion.
package opencodelike
