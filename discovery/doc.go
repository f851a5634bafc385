// Package discovery finds hooks and decides which of them may run.
//
// A hook is a folder with a HOOK.md and an entry. Hooks come from layers, and a later
// layer overrides an earlier one by name:
//
//	built-in   Sources.Builtins, those whose [builtin.NAME] is enabled
//	system     hooks/ in each of Sources.System, the first directory wins
//	user       hooks/ in Sources.User
//	project    .agents/hooks of the projects that contain work_dir ([Projects]), and
//	           of the one that the session began in (Sources.Kept); the nearest first
//
// [Load] reads everything, for commands that show it. [LoadEvent] reads only what one
// event needs: the front matter of each HOOK.md, and what a hook needs in order to run
// (trust, expressions, entry) when its turn comes.
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
// # The user first
//
// An event is processed in two steps. First the hooks of the system and the user are
// read, merged and run; then, if none of them has blocked, the project is read
// ([Set.Open]), and its hooks and the built-in ones run. So nothing in a project can
// delay or skip a user's guard (HM-ORD-12). The record of approvals names the project
// hooks that override a user's hook; only those are read in the first step. If project
// hooks need no approval, any of them may override, so the user's hooks wait for the
// project, except locked ones.
//
// # Problems are reported
//
// A problem is never silent and never affects other hooks. Each [Problem] has a file, a
// line and a column, and says what was found and how to fix it. A hook that cannot run
// keeps its place in the [Set] with a [Status], and [Set.Explain] names the first check
// that stopped it. [Fix] repairs whatever has one clear meaning.
//
// A formal mistake must not switch off a guard. If the meaning is clear the hook runs,
// and the problem is an error only for validate; Problem.Fatal marks the others. For
// the same reason a broken, disabled or untrusted hook overrides nothing: the hook that
// it would have replaced runs.
//
// # Reading front matter
//
// [prescan] reads the plain subset of YAML in which nearly all hooks are written. If
// the YAML parser might read something differently, it leaves the decision to the
// parser. A fuzz test compares the two, down to line and column, and [CutFront], which
// finds the end of the front matter, with adrg/frontmatter. Reading never waits for a
// pipe and stops after 64 KiB of a file; in a project it never follows a link that
// leads out.
//
// The contents of folders with many hooks are cached between events in an [Index], for
// as long as the time stamps of the files are the same.
//
// # Trust
//
// A project's hooks are somebody else's code. They run only if the current bytes of
// their folder were approved, which package trust records. Until then they override
// nothing, delay nothing, and their expressions are not evaluated.
//
// # Matching
//
// Neither the expressions nor the arguments can be trusted. Matching is limited to 100
// ms per hook and 1 s per event, and a time-out counts as a match, so that no crafted
// argument switches off a guard. Most expressions are an alternation of plain texts,
// which never becomes a regular expression.
//
// # Settings
//
// hooks.toml is beside a hooks folder ([CheckSettings], [SetDisabled], [SetBuiltin]).
// The environment takes precedence over the user's file, and that over the system's.
// The project's file applies once it is trusted, affects only project and built-in
// hooks, and can only tighten. A [[hooks.lock]] protects a hook from all layers above
// its own: it holds the strongest hook of that name at or below that layer or, if there
// is none, the weakest above it. A held hook ([Hold]) runs first and fails closed. If
// there is no hook to hold, a broken one takes its place in the set and blocks what it
// might have judged.
//
// The package starts no process, reads no environment, and reads the clock only to
// limit matching. [Sources] says where to look for hooks.
package discovery
