// Package claudelike reads and writes the wire form that Claude Code has made
// common: snake_case fields in the payload, hook_event_name among them, and an
// answer with decision and reason at the top and hookSpecificOutput below.
//
// Several agents share the form and differ in what they do with it, so the
// package knows fields and not agents: an agent's own package says which events
// there are and which members an answer may have.
package claudelike
