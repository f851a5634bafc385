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
// Package jsplugin has what the plugin has in common with those of other agents, and
// the words of an answer.
package opencodelike
