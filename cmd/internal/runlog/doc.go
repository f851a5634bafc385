// Package runlog reads the run log: it finds the files, picks lines, and gives them
// one by one, so that a log of any size costs the memory of a line.
//
//	for line, err := range runlog.Lines(state, f)       the oldest first
//	for line, err := range runlog.Backward(state, f)    the newest first, read from the end
//	lines, more, err := runlog.Newest(state, f, 20)     the newest, the oldest of them first
//	parts, err := runlog.Parts(state, f)                pieces of it, to count them side by side
//	for entry, err := range runlog.After(state, at)     what was added after a place
//
// What a [Filter] leaves open, picks all. Whoever shows a session, or counts what a
// hook did, stands on these; what a line holds is [runner.LogLine].
//
// A log is written by many processes, any of which may be killed, and a person may
// have moved it or put something else in its place. So: what is no line of ours is
// passed over, be it garbage, half of one or one of more than [MaxLine] bytes; the
// beginning of one that the next was written behind costs only itself. A line that
// has no end yet is not there yet. What is no regular file is an error of that file,
// waited for is nothing, and the other files are read all the same. Lines stand in
// the file of their own day, in UTC, but in it in the order in which they were
// written: after a clock was put back, that is not the order of their times.
package runlog
