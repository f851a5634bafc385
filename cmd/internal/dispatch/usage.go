package dispatch

import (
	"io"

	"github.com/agents-hooks/agents-hooks/internal/safefile"
)

// How much of a transcript's end is looked at: it may be hundreds of megabytes long,
// and its last answer nearly always stands in a little.
const firstTail, maxTail = 32 << 10, 256 << 10

// tellUsage adds what the model took to an event that is of no tool call, where
// hooks are due for it and its transcript tells. Whatever goes wrong there is no
// usage.
func (l loaded) tellUsage(from speaker) {
	read, path := from.dialect.Usage, l.event.Fields.Text("transcript_path")
	if read == nil || path == "" || l.event.Fields.Has("usage") || len(l.set.Ready(l.event.Type)) == 0 {
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
		if read(tail).Put(l.event); l.event.Fields.Has("usage") || info.Size() <= most {
			return
		}
	}
}
