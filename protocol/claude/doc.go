// Package claude is the dialect of Claude Code.
//
// Observed on 2.1.332, headless, against a scripted model; what could not be
// seen there is from code.claude.com/docs/en/hooks.
//
// Our entry is in ~/.claude/settings.json (CLAUDE_CONFIG_DIR is honoured)
// or, for a project, in .claude/settings.local.json, which is not committed.
// Claude Code notices changes of the file; they need no restart.
//
// Answers are JSON on exit 0, never exit 2: with exit 2 the model sees the whole
// command line of the hook. Allow is printed only to give a permission, because it skips
// the user's permission prompt; no opinion is an empty answer.
package claude
