// Package record records what agents sent and what we answered, so that it can be replayed
// through other hooks (agents-hooks record, agents-hooks replay).
//
// Recording is off until the user switches it on, for one project at a time. Nothing in a
// repository can do that, since the switch is a file in the user's state directory. While it
// is off an event pays for one lstat, after its answer is written.
//
// In the state directory:
//
//	record/HASH/on                  recording is on for the project of that hash
//	record/HASH/project             the project's root
//	record/HASH/AGENT.SESSION.jsonl one session, one line an event
//	record.lock                     held by the writer
//
// Directories are 0700, files 0600. A line is an [Entry]: the agent's payload and
// our answer, both redacted (package redact, policy Log). Only the last line can be incomplete,
// if a process was killed while writing; the next writer removes it.
//
// Sizes are limited, and the oldest data is deleted first: 256 KiB a line (a longer payload is
// left out, and the line says so; texts over 16 KiB are cut first), 8 MiB a session, 64 MiB in
// total.
package record
