// Package statefile keeps small files that many processes change at once: the trust
// store, counters of a session, logs.
//
// There is no daemon: every event of every agent is a separate process, which may be
// killed at any moment. So each change is one of two operations, both under an
// operating system lock, which is released when its owner dies:
//
//   - [Update] reads the file, lets the caller compute the new content, writes it to a
//     temporary file beside it and renames that over the old one. A reader sees the old
//     content or the new, never a mixture. An acknowledged change survives the death of the
//     process; [UpdateDurable] also survives a power failure. [Store.Amend] is for files that
//     people change at any time: it carries over what they append meanwhile.
//   - [Append] adds one line to a file of lines. A line that a killed process left
//     unfinished was never acknowledged, and the next Append removes it. [Store.Add] is for
//     files that people edit: it keeps such a line and ends it.
//
// The lock is an empty file beside the state file, its path with ".lock" added. It is
// never removed, because then two processes could hold "the" lock. The caller limits
// the wait for it; a read-only directory, a full disk and a lock that stays taken are
// errors, never a hang.
//
// Directories are created with mode 0700 and files with 0600. The package touches only
// the paths that it is given.
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
