// Package dispatch is the run verb: one event in, one answer out. It is the hot
// path, linked into agents-hooks and into the lean agents-hooks-run, and builds
// no command line framework.
//
//	bytes → dialect → events → layers → match → run → fold → fit → dialect → bytes
//
// Without --agent it speaks the format's own form: exit 0 and one JSON object or
// nothing, exit 1 if the event could not be read, exit 2 with the reason on
// stderr for a block. With --agent it speaks that agent's form, in which stderr
// stays empty unless the answer itself belongs there, and the exit code is 0
// unless 2 is that agent's form of a block. It never leaves with 64, whatever
// its arguments, and a panic of ours becomes "no opinion" (R2).
//
// Flags, all optional: --agent ID, --event NATIVE (where a payload does not name
// its event), --deadline DURATION, --config DIR and --state DIR (the user's
// directories, baked in by install so that a repository cannot move them through
// the environment), --trust always, --no-project.
package dispatch
