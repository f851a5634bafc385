// Package crush is the dialect of Crush.
//
// Not observed: what is here is from the program's source, internal/hooks, and
// its hook guide.
//
// Our entry stands in crush.json of Crush's configuration folder or, for a
// project, in its .crush.json. It is for PreToolUse, the one event that every
// version with hooks knows: an event that a version does not know makes it refuse
// its whole configuration.
//
// Hooks run for the calls of the agent that the person talks to, and not for
// those of its subagents. Crush reads Claude Code's form of answers too; ours are
// in its own, which has no word that would skip the person's approval unless it
// is meant to.
package crush
