// Package dispatch is the run verb: one event in, one answer out. It is the hot path,
// linked into agents-hooks and into the lean agents-hooks-run, without a command line
// framework.
//
//	read → decode → load → run → encode → leave
//
// Each step is a file, and takes the result of the previous one: the JSON object on stdin;
// the caller and its decoded payload (speaker, decoded); the hooks of an event (loaded); their
// results (ran); what the answer can carry (fitted), and the answer. Nothing is filled in
// later. One native event may become several, of which the first decides; each is processed
// separately from load on.
//
// Without --agent it uses the format's own form: exit 0 and one JSON object or nothing, exit 1
// if the event could not be read, exit 2 with the reason on stderr for a block. With --agent
// it uses that agent's form: stderr stays empty unless the answer belongs there, and the exit
// code is 0 unless 2 is that agent's form of a block. It never exits with 64, whatever its
// arguments, and a panic becomes "no opinion"; a fatal error of the Go runtime ends the
// process by a signal, never with 2, which would block.
//
// With --json the format's own form is one object, with warnings beside the outcome; with
// --stream there is one for each line of stdin, in one process: each line is processed like an
// event from decode on, and only the state directory connects it with earlier lines. With
// --stream and the --agent of an agent that runs our plugin, the lines are the plugin's frames,
// and each gets a line with "begun" and then one with "answer"; the plugin may send a frame
// that was not begun to another process.
//
// Flags, all optional: --agent ID, --event NATIVE (where a payload does not name
// its event), --deadline DURATION, --config DIR and --state DIR (the user's
// directories, which install writes into the entry so that a repository cannot move them
// through the environment), --trust always, --no-project, --json, --stream.
package dispatch
