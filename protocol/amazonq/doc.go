// Package amazonq is the dialect of Amazon Q's command line, and of Kiro's up to
// version 2, which is the same program under another name.
//
// Not observed: this is from the program's source and its documentation.
//
// Each agent there has a file with its hooks. Ours go into every file in
// ~/.aws/amazonq/cli-agents and ~/.kiro/agents, and into q_cli_default.json of
// the former, which replaces the built-in agent and is written like it.
//
// Its answers are not JSON: stdout is text for the model at the start and with a
// prompt, and exit 2 blocks a tool call.
package amazonq
