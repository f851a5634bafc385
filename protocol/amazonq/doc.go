// Package amazonq is the dialect of Amazon Q's command line, and of Kiro's up to
// version 2, which is the same program under another name.
//
// Not observed: what is here is from the program's source and its documentation.
//
// Hooks stand in the file of each agent there. Ours go into every one that is in
// ~/.aws/amazonq/cli-agents and ~/.kiro/agents, and into q_cli_default.json of
// the former, which takes the place of the built-in agent and is written like it.
//
// There is no JSON in its answers: text on stdout is for the model at the start
// and with a prompt, and exit 2 blocks a tool call.
package amazonq
