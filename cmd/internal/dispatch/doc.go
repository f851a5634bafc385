// Package dispatch is the run verb: one event in, one answer out. It is the hot
// path, linked into agents-hooks and into the lean agents-hooks-run, and builds
// no command line framework.
//
//	read → decode → load → run → encode → leave
//
// Each step is a file, and takes what the one before returns: the JSON object on
// stdin; who asks, and what its payload became (speaker, decoded); the hooks of an
// event (loaded); what they did (ran); what the answer can carry of that (fitted),
// and the answer. Nothing is filled in later. One native event may become several,
// of which the first decides: each goes its own way from load on.
//
// Without --agent it speaks the format's own form: exit 0 and one JSON object or
// nothing, exit 1 if the event could not be read, exit 2 with the reason on
// stderr for a block. With --agent it speaks that agent's form, in which stderr
// stays empty unless the answer itself belongs there, and the exit code is 0
// unless 2 is that agent's form of a block. It never leaves with 64, whatever
// its arguments, and a panic of ours becomes "no opinion"; where the runtime itself
// gives up the process ends by a signal, never with the 2 that is a block.
//
// With --json the format's own form is one object, with warnings beside the outcome;
// with --stream there is one for each line of stdin, and one process for all of them:
// each line goes the way of an event from decode on, and nothing but the state
// directory knows of the line before. With --agent as well, that of an agent in which a
// plugin of ours runs, lines are what the plugin sends, and answers what it is told in
// "answer", after a line with "begun": what was not begun it may ask another process.
//
// Flags, all optional: --agent ID, --event NATIVE (where a payload does not name
// its event), --deadline DURATION, --config DIR and --state DIR (the user's
// directories, baked in by install so that a repository cannot move them through
// the environment), --trust always, --no-project, --json, --stream.
package dispatch
