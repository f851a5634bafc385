// Package discovery finds hooks and says which of them may run.
//
// A hook is a folder with a HOOK.md and an entry. Folders lie in layers
// (built-in, system, user, project), and a later layer overrides an earlier one
// by name (DESIGN 4). [Load] reads everything, for the commands that show it;
// [LoadEvent] reads no more than one event needs: the front matter of each
// HOOK.md, and of a project's hooks a hash of what is about to run.
//
// What goes wrong is never silent and never contagious. Each [Problem] has a
// file, a line and a column, what was found and how to mend it; one broken file
// leaves its neighbours alone; a hook that cannot run keeps its place in the
// [Set] with a [Status], and [Set.Explain] names the first gate that stopped it.
//
// A project's hooks are somebody else's code. They run only if the bytes of
// their folder were approved ([Approve]); until then they override nothing.
// Matchers are expressions of strangers: they have a budget, and one that runs
// out of it counts as a match, so that no crafted argument switches a guard off.
//
// The package starts no process, reads no environment and no clock. Where hooks
// are looked for comes in as [Sources].
package discovery
