// Package copilot is the dialect of GitHub Copilot CLI.
//
// Observed on 1.0.102, headless, against a scripted model.
//
// Our entry stands in a file of its own, ~/.copilot/hooks/agents-hooks.json
// (COPILOT_HOME is honoured) or, for a project, .github/hooks/agents-hooks.json,
// which git carries and which counts in a trusted folder only. VS Code reads both
// folders as well, and the cloud agent the project's.
//
// Copilot has two forms of a payload, and the spelling of an event's name in the
// configuration selects one: preToolUse gives camelCase without the event's name,
// PreToolUse gives snake_case with it, and the names of Claude Code's tools. Both
// are read here; install registers the second, which VS Code understands without
// translation, but where the program was seen to use the first all the same.
//
// The answer is the same in both: members at the top, no hookSpecificOutput. On a
// tool call any exit code but 0 denies, and 2 loses the reason, so that the exit
// code is always 0.
package copilot
