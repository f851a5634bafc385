// Package statefile keeps small files that many processes change at once: the
// trust store, counters of a session, logs.
//
// There is no daemon: every event of every agent is a process of its own, and
// any of them may be killed at any moment. So each change is one of two things,
// both under a lock of the operating system, which dies with its owner:
//
//   - [Update] reads the file, lets the caller compute the new content, writes
//     it to a temporary file beside it and renames that over the old one. A
//     reader sees the old content or the new, never a mixture. What a caller
//     was told is written stays written when a process is killed afterwards;
//     [UpdateDurable] promises it for a power failure too.
//   - [Append] adds one line to a file of lines. A line that a killed process
//     left unfinished was never acknowledged, and the next Append cuts it off.
//     [Store.Add] is for files that people edit: there it stays, with an end.
//
// The lock is an empty file beside the state file, its path with ".lock" added.
// It is never removed, because removing it would let two processes hold "the"
// lock. Waiting for it is bounded by the caller's wait; a directory that cannot
// be written, a full disk and a lock that stays taken are errors, never a hang.
//
// Directories are made with mode 0700 and files with 0600. The package looks at
// nothing but the paths it is given.
//
//	err := statefile.Update(path, 2*time.Second, func(old []byte) ([]byte, error) {
//		n, err := parse(old)
//		if err != nil {
//			if _, err := statefile.Keep(path, now, old); err != nil {
//				return nil, err
//			}
//			n = 0
//		}
//		return format(n + 1), nil
//	})
package statefile
