// Package cursor is the dialect of Cursor: the editor and cursor-agent.
//
// Not observed: Cursor runs only with an account. What is here is from
// cursor.com/docs/hooks, and from what others report of clients up to 3.20.
//
// Our entry stands in ~/.cursor/hooks.json or, for a project, in its
// .cursor/hooks.json, which git carries and which counts in a trusted workspace
// only. Cursor reads the file again when it changes.
//
// Cursor can be told to run the hooks of Claude Code's settings as well. It gives
// them its own payload, and CURSOR_VERSION in the environment; the answer to such
// an entry then has Cursor's members and Claude Code's side by side.
//
// The events for one kind of tool (beforeShellExecution and the like) are
// understood, but install leaves them alone: they fire for the same call as
// preToolUse. Who wants a person to be asked can register them by hand.
package cursor
