// Package crush is the dialect of Crush.
//
// Observed on 0.90.0, built from its module, in its run mode, against a scripted model;
// what was not seen there is from its source, internal/hooks, and its hook guide.
//
// Our entry is in crush.json of Crush's configuration folder or, for a
// project, in its .crush.json. It is for PreToolUse, the only event that every
// version with hooks knows: an unknown event makes a version reject its whole
// configuration.
//
// Hooks run for the main agent's calls, and not for those of its subagents. Crush
// also accepts Claude Code's form of answers; ours use its own form, in which nothing
// skips the user's approval by accident.
package crush
