// Package failure gives a failure an identity: what failed, how, and what it is about.
// It reads the output and the exit code of a command, whichever agent ran it, and
// derives
//
//	ID       the same failure here: the same message about the same names
//	Kind     the same failure elsewhere: without the names of a project
//	Code     an error code, or the class of an exception: TS2322, E0382, KeyError
//	Symbols  what it is about: module:numpy, port:5432, file:.h, host:local
//	Text     the message, without numbers, times, hashes and folders
//
// A failure that has fewer errors than before, or stops later, has the same ID and got
// better: [Failure.Better]. For failing tests the names are part of the ID, so that two
// steps of a red-green loop are two failures.
//
// [Ended] decides whether a call failed at all. A success is never a failure, whatever
// it prints; neither is the answer "no" of a program that answers with its exit code
// (grep, diff, test, git diff --quiet …), nor a command that the user stopped.
//
// The package is called on every tool event that may have failed, so it is
// hand-written, without regular expressions.
package failure
