package dispatch

import (
	"io"

	"github.com/agents-hooks/agents-hooks/internal/safefile"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// How much of a transcript's end is looked at: it may be hundreds of megabytes long,
// and its last answer nearly always stands in a little.
const firstTail, maxTail = 32 << 10, 256 << 10

// tellTail adds what the end of the transcript tells to an event that is of no tool
// call, where hooks are due for it: what the model took, and at a stop what it said
// last. Whatever goes wrong there is neither.
func (l loaded) tellTail(from speaker) {
	ev, usage, final := l.event, from.dialect.Usage, from.dialect.Final
	if ev.Fields.Has("usage") {
		usage = nil
	}
	switch ev.Type {
	case protocol.PreAgentTurnStop, protocol.PostAgentTurnStop, protocol.PostAgentTurn:
		if ev.Fields.Has("final_message") {
			final = nil
		}
	default:
		final = nil
	}
	path := ev.Fields.Text("transcript_path")
	if usage == nil && final == nil || path == "" || len(l.set.Ready(ev.Type)) == 0 {
		return
	}
	f, err := safefile.Open(path)
	if err != nil {
		return
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return
	}
	for _, most := range [...]int64{firstTail, maxTail} {
		tail := make([]byte, min(info.Size(), most))
		if _, err := f.ReadAt(tail, info.Size()-int64(len(tail))); err != nil && err != io.EOF {
			return
		}
		if usage != nil {
			usage(tail).Put(ev)
		}
		if final != nil && !ev.Fields.Has("final_message") {
			ev.Fields = ev.Fields.Clone()
			ev.PutFinal(final(tail))
		}
		if (usage == nil || ev.Fields.Has("usage")) && (final == nil || ev.Fields.Has("final_message")) || info.Size() <= most {
			return
		}
	}
}
