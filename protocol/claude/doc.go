// Package claude is the dialect of Claude Code.
//
// Observed on 2.1.332, headless, against a scripted model; what could not be
// seen there is from code.claude.com/docs/en/hooks.
//
// Our entry stands in ~/.claude/settings.json (CLAUDE_CONFIG_DIR is honoured)
// or, for a project, in .claude/settings.local.json, which git does not carry.
// The file is read again while the program runs; a change needs no restart.
//
// Answers are JSON on exit 0, never exit 2: with exit 2 the model is shown the
// whole command line of the hook. Allow is never printed, because it would skip
// the person's own permission prompt; no opinion is an empty answer.
package claude
