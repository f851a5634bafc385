// Package deed tells what a tool call does, in the same words whatever the agent
// calls its tools: the simple commands that it runs, the files that it changes,
// and how it ended.
//
//	Of(event) → protocol.Deed → matchers (command, path, content, pattern)
//	                          → Tell: the fields commands, changes and result
//
// What a tool does stands in its agent's table (protocol.Tool.Does); of a tool
// that nobody knows, its input's members tell. Three readers do the rest:
//
//   - commands: members that hold a line for a shell, a list of lines, or the
//     words of one command. A line is read with the grammar of bash, then of zsh.
//     Each simple command stands by itself, quotes resolved, and what runs inside
//     another one (sh -c, sudo, xargs, eval …) after it. What no grammar reads
//     stands as it is.
//   - changes: whole texts, replacements, lists of them, and patches by their
//     grammar (package patch). Paths are absolute and clean.
//   - result: exit code and output, from members of the response, or from the
//     words that the agent wraps an output in (protocol.Ending).
//
// Nothing is guessed. What cannot be read is absent from the event, and a matcher
// takes it for a match. Nothing is read before somebody asks, and once only.
package deed
