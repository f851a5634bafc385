// Package claudelike reads and writes the wire format that Claude Code made
// common: snake_case fields in the payload, hook_event_name among them, and an
// answer with top-level decision and reason, and hookSpecificOutput.
//
// Several agents share the format but use it differently, so the package knows fields
// and not agents: an agent's own package says which events there are and which members
// an answer may have.
package claudelike
