// Package copilot is the dialect of GitHub Copilot CLI.
//
// Observed on 1.0.102, headless, against a scripted model.
//
// Our entry is in a separate file, ~/.copilot/hooks/agents-hooks.json
// (COPILOT_HOME is honoured) or, for a project, .github/hooks/agents-hooks.json,
// which is committed and applies only in a trusted folder. VS Code reads both
// folders as well, and the cloud agent the project's.
//
// Copilot has two forms of a payload, and the spelling of an event's name in the
// configuration selects one: preToolUse gives camelCase without the event's name,
// PreToolUse gives snake_case with it, and the names of Claude Code's tools. This
// package reads both; install registers the second, which VS Code understands without
// translation, except for events that were only seen in the first.
//
// The answer is the same in both: top-level members, no hookSpecificOutput. On a
// tool call any exit code but 0 denies, and 2 loses the reason, so ours is always 0.
package copilot
