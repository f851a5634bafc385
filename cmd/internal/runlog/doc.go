// Package runlog reads the run log: it finds the files, selects lines, and yields them one by
// one, so that a log of any size needs the memory of one line.
//
//	for line, err := range runlog.Lines(state, f)       the oldest first
//	for line, err := range runlog.Backward(state, f)    the newest first, read from the end
//	lines, more, err := runlog.Newest(state, f, 20)     the newest, the oldest of them first
//	parts, err := runlog.Parts(state, f)                pieces of it, to count in parallel
//	for entry, err := range runlog.After(state, at)     what was added after a position
//
// An empty field of a [Filter] selects all. Code that shows a session, or counts what a hook
// did, uses these functions; a line is a [runner.LogLine].
//
// Many processes write a log, any of which may be killed, and the user may have moved or
// replaced it. So anything that is not a valid line is skipped: garbage, a partial line, a line
// of more than [MaxLine] bytes. If a line was written after a partial one, only the partial one
// is lost. A line without an end is ignored until it is complete. A file that is not regular is
// an error for that file, without waiting, and the other files are still read. Lines are in the
// file of their UTC day, in the order in which they were written, which differs from their
// times if the clock was set back.
package runlog
