// Package failure gives a failure an identity: what failed, in which way, over
// which names. It reads what a command printed and how it ended, whatever agent
// ran it, and makes of it
//
//	ID       the same again, here: the same message over the same names
//	Kind     the same elsewhere: without the names of a project
//	Code     an error code, or the class of an exception: TS2322, E0382, KeyError
//	Symbols  what it is about: module:numpy, port:5432, file:.h, host:local
//	Text     the message, without numbers, times, hashes and folders
//
// One that has fewer failures than before, or stops further on, is the same ID and
// got better: [Failure.Better]. Of tests that fail the names are part of the ID, so
// that two steps of a red and green loop are two failures.
//
// Which of it ends in a failure at all is [Ended]: what succeeded never does,
// whatever it prints; of programs that answer a question by their exit code (grep,
// diff, test, git diff --quiet …) neither does the answer "no"; nor what a person
// stopped.
//
// The package is called on every tool event that may have failed, so it is written
// by hand, without regular expressions.
package failure
