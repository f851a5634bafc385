// Package cursor is the dialect of Cursor: the editor and cursor-agent.
//
// Not observed: Cursor runs only with an account. This is from
// cursor.com/docs/hooks, and from reports on clients up to 3.20.
//
// Our entry is in ~/.cursor/hooks.json or, for a project, in its
// .cursor/hooks.json, which is committed and applies only in a trusted
// workspace. Cursor reads the file again when it changes.
//
// Cursor can also be set to run the hooks in Claude Code's settings. It gives them
// its own payload, and CURSOR_VERSION in the environment; the answer to such an
// entry has Cursor's members as well as Claude Code's.
//
// The events for one kind of tool (beforeShellExecution and the like) are
// supported, but install does not register them, since they fire for the same call
// as preToolUse. To have the user asked, register them by hand.
package cursor
