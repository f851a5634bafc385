// Package discovery finds hooks and says which of them may run.
//
// A hook is a folder with a HOOK.md and an entry. Folders lie in layers, and a
// later layer overrides an earlier one by name:
//
//	built-in   Sources.Builtins, those whose [builtin.NAME] is enabled
//	system     hooks/ in each of Sources.System, the first directory wins
//	user       hooks/ in Sources.User
//	project    .agents/hooks of the projects that work_dir lies in ([Projects]), and
//	           of the one that the session began in (Sources.Kept); the nearest first
//
// [Load] reads everything, for the commands that show it; [LoadEvent] reads no
// more than one event needs: the front matter of each HOOK.md, and what a hook
// needs in order to run (trust, expressions, entry) when its turn comes.
//
//	set := discovery.LoadEvent(sources, ev.Type, ev.WorkDir)
//	var budget discovery.Budget
//	for h := range set.Due(ev.Type) {
//		if m := h.Match(ev, &budget, false); m.OK {
//			run(h.Entry)
//		}
//	}
//	warn(set.Broken(ev.Type), set.Untrusted(ev.Type), set.Problems)
//
// # The person first
//
// An event is walked in two steps. The hooks of the system and the user are read,
// merged and asked; then, if none of them has blocked, the project is looked into
// ([Set.Open]), and its hooks and the built-in ones have their turn. So nothing
// that lies in a project delays a person's guard or keeps it from its turn
// (HM-ORD-12). What may stand in for a hook of the person the record of approvals
// knows by name: those hooks alone are looked at in the first step. Where project
// hooks need no approval any of them may, and the person's hooks wait, but for
// those that a lock holds.
//
// # What is wrong is said
//
// What goes wrong is never silent and never contagious. Each [Problem] has a
// file, a line and a column, what was found and how to mend it; one broken file
// leaves its neighbours alone; a hook that cannot run keeps its place in the
// [Set] with a [Status], and [Set.Explain] names the first gate that stopped it.
// [Fix] mends what has one clear meaning.
//
// A guard must not vanish over prose. Where the meaning is clear a hook runs, and
// its problem is an error to validate only; Problem.Fatal marks the others. For
// the same reason a hook that is broken, disabled or not trusted overrides
// nothing: what it would have displaced runs in its place.
//
// # Reading front matter
//
// [prescan] reads the plain subset of YAML that nearly all hooks are written in.
// It is sound: of what the YAML parser might read otherwise it is not sure, and
// then the parser decides. A fuzz test holds the two against each other, down to
// line and column, and [CutFront], which finds where the front matter ends, against
// adrg/frontmatter. Nothing waits for a pipe or reads more than 64 KiB of a file; in a
// project no byte is read through a link that leads out of it.
//
// What was read of folders with many hooks is kept from one event to the next in an
// [Index], for as long as the stamps of the files are the same.
//
// # Trust
//
// A project's hooks are somebody else's code. They run only if the bytes of
// their folder, as they are, were approved: package trust is asked, and knows how
// that is kept. Until then they override nothing, delay nothing, and their
// expressions are not tried.
//
// # Matching
//
// Expressions are a stranger's, and so are the arguments that they are tried on.
// They have 100 ms a hook and 1 s an event, and one that runs out of it counts as
// a match, so that no crafted argument switches a guard off. An alternation of
// plain texts, which most are, never becomes a regular expression.
//
// # Settings
//
// hooks.toml lies beside a hooks folder ([CheckSettings], [SetDisabled],
// [SetBuiltin]). The environment wins over the user's file, that over the
// system's; the project's counts once it is trusted, reaches only project and
// built-in hooks, and may only tighten. A [[hooks.lock]] keeps a hook from all
// layers above the one that has it: it holds the strongest hook of that name at
// or below that layer, or if there is none the weakest above it. What it holds
// ([Hold]) runs first and fails closed; where there is nothing for it to hold, a
// broken hook stands in the set that blocks what it may have judged.
//
// The package starts no process, reads no environment and no clock but to bound
// matching. Where hooks are looked for comes in as [Sources].
package discovery
