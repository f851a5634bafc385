// Package opencodelike is the common part of OpenCode and its fork Kilo CLI: our plugin
// inside the agent, and its protocol with the dispatcher.
//
// These agents run no commands as hooks. They load JavaScript modules, and [Plugin] is
// one: for each relevant hook of the agent it sends a frame to the dispatcher, and does
// what the answer says. A frame is one
// JSON object:
//
//	{"hook": "tool.execute.before", "agent": "opencode", "agent_version": "1.18.33",
//	 "directory": "/p", "mcp": ["server"], "state": {…}, "input": {…}, "output": {…}}
//
// hook is the agent's own name; an event of its bus is prefixed with "event.". input and
// output are what the agent gave the hook, unchanged. state has what the plugin knows
// besides: parent, the session that started this one; agent and title of a subagent;
// source of a session; text, the model's last text; stop_active, if a hook made the turn
// go on; trigger of a compaction.
//
// Package jsplugin has what the plugin shares with those of other agents, and the format
// of an answer.
package opencodelike
