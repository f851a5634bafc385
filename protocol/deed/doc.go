// Package deed describes what a tool call does, independent of the agent's names
// for its tools: the simple commands that it runs, the files that it changes, and
// how it ended.
//
//	Of(event) → protocol.Deed → matchers (command, path, content, pattern)
//	                          → Tell: the fields commands, changes and result
//
// The agent's table says what a tool does (protocol.Tool.Does); for an unknown tool
// the members of its input do. Four readers do the rest:
//
//   - commands: members that hold a line for a shell, a list of lines, or the
//     words of one command. A line is parsed with the grammar of bash, then of zsh.
//     Each simple command is listed with quotes resolved, followed by what runs
//     inside it (sh -c, sudo, xargs, eval …). A line that neither grammar accepts is
//     kept unchanged.
//   - programs in other languages that an interpreter is given (python3 -c, node -e, its
//     standard input): split into tokens, of which the calls that run commands or change
//     files are read, with the texts, names and loops that their arguments come from.
//   - changes: whole texts, replacements, lists of them, and patches by their
//     grammar (package patch). Paths are absolute and clean.
//   - result: exit code and output, from members of the response, or from the
//     words that the agent wraps an output in (protocol.Ending).
//
// Nothing is guessed. What cannot be read is missing from the event, and a matcher
// counts it as a match. Everything is read lazily, and once only.
package deed
