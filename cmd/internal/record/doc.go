// Package record keeps what agents sent and what we answered, so that it can be
// played again through other hooks (agents-hooks record, agents-hooks replay).
//
// Recording is off until its user says otherwise, for one project at a time, and
// nothing in a repository can switch it on: whether it is on is a file in the
// user's state directory. While it is off an event pays for one lstat, made after
// its answer is out.
//
// In the state directory:
//
//	record/HASH/on                  recording is on for the project of that hash
//	record/HASH/project             the project's root
//	record/HASH/AGENT.SESSION.jsonl one session, one line an event
//	record.lock                     whoever writes holds it
//
// Directories are 0700, files 0600. A line is an [Entry]: the agent's payload and
// our answer, both without what looks like a secret (package redact, policy Log).
// Lines are whole or the last one: who was killed while writing leaves a line without an end, and the
// next writer cuts it off.
//
// What is kept is bounded, and the oldest goes first: 256 KiB a line (a longer
// payload is left out, and the line says so; a text over 16 KiB is cut before),
// 8 MiB a session, 64 MiB in all.
package record
