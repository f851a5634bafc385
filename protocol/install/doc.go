// Package install adds our entry to an agent's configuration, removes it, and
// reports what is there. It does not write files: it returns edits, computed from a
// site whose files are read through a function.
//
// It is separate from package protocol because it links editors for JSON and TOML,
// which dispatching an event must not pay for. How an agent writes its entries is
// data of its dialect ([protocol.Config]).
//
// There is a keeper for each family of shapes: JSON files, edited in place; TOML
// tables, edited as lines between two marks; a plugin of ours, written whole; a
// folder with an executable file for each event. An agent may have several files.
// These rules apply to each, and each rule has a test that names it:
//
//   - Only our own entries are touched. Comments, order, spacing and other entries
//     stay byte for byte.
//   - An entry is ours if its command, split as the agent's shell splits it, is a
//     program named agents-hooks or agents-hooks-run, the verb run, and --agent
//     with the agent's id: by structure, never by a substring. It is still ours after
//     the program has moved, and is updated in place.
//   - Installing again changes nothing. Entries are appended, never inserted before
//     others.
//   - Uninstalling removes what installing created: a new file is deleted, an
//     existing one gets its original bytes back.
//   - A file that cannot be parsed, and somebody else's file under the name that ours
//     needs, is left alone; the error says file:line:col.
//   - A path is quoted for the shell that the agent uses on the system; what that
//     shell cannot represent is refused.
//   - An entry of ours that names another agent, because an agent copied it from
//     that one's file, is reported and not touched.
package install
