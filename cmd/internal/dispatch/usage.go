package dispatch

import (
	"bytes"
	"io"
	"os"

	"github.com/agents-hooks/agents-hooks/internal/safefile"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// How much of a transcript's end is read: it may be hundreds of megabytes long, and its last
// answer is nearly always near the end. Behind it may be the result of a call, of megabytes on
// one line: then there are few lines in what was read, and more is.
const (
	firstTail, maxTail, longTail = 32 << 10, 256 << 10, 16 << 20
	fewLines                     = 16
)

// tails calls f with more and more of the transcript's end, until that is enough.
func (t transcript) tails(f func(tail []byte) (enough bool)) {
	for _, most := range [...]int64{firstTail, maxTail, longTail} {
		tail := t.tail(most)
		if f(tail) || t.size <= most || most == maxTail && bytes.Count(tail, []byte("\n")) > fewLines {
			return
		}
	}
}

// tellTail adds, to an event that is not about a tool call, what the end of the transcript
// shows, if hooks will run: the model's usage, and at a stop its last message. If anything
// fails, both are left out.
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
	if usage == nil && final == nil || path == "" || !l.set.Waits(ev.Type) { // mutant: it only saves the reading
		return
	}
	t, err := openTranscript(path)
	if err != nil {
		return
	}
	defer t.Close()
	t.tails(func(tail []byte) bool {
		if usage != nil {
			usage(tail).Put(ev)
		}
		if final != nil && !ev.Fields.Has("final_message") {
			ev.Fields = ev.Fields.Clone()
			ev.PutFinal(final(tail))
		}
		return (usage == nil || ev.Fields.Has("usage")) && (final == nil || ev.Fields.Has("final_message"))
	})
}

// A transcript is an open one.
type transcript struct {
	*os.File
	size int64
}

func openTranscript(path string) (t transcript, err error) {
	if t.File, err = safefile.Open(path); err != nil {
		return t, err
	}
	info, err := t.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = os.ErrInvalid
	}
	if err != nil {
		_ = t.Close()
		return t, err
	}
	t.size = info.Size()
	return t, nil
}

// tail is the end of a transcript, head its beginning; nil if it cannot be read.
func (t transcript) tail(most int64) []byte { return t.part(max(t.size-most, 0), most) }
func (t transcript) head(most int64) []byte { return t.part(0, most) }

func (t transcript) part(from, most int64) []byte {
	b := make([]byte, min(t.size-from, most))
	if _, err := t.ReadAt(b, from); err != nil && err != io.EOF {
		return nil
	}
	return b
}

// usageOf is the usage at the end of the transcript, at an event of a tool call, for hooks that
// ask: others do not pay for it. What the call wrote or returned may be all that stands in the last
// 32 KB.
func usageOf(ev *protocol.Event, d *protocol.Dialect) (u protocol.Usage) {
	path := ev.Fields.Text("transcript_path")
	if d.Usage == nil || path == "" {
		return u
	}
	t, err := openTranscript(path)
	if err != nil {
		return u
	}
	defer t.Close()
	t.tails(func(tail []byte) bool {
		u = d.Usage(tail)
		return u != (protocol.Usage{})
	})
	return u
}

// finalOf is what the model said last in the turn that the transcript ends in, for hooks that ask.
func finalOf(ev *protocol.Event, d *protocol.Dialect) (text string) {
	t, err := openTranscript(ev.Fields.Text("transcript_path"))
	if err != nil {
		return ""
	}
	defer t.Close()
	for _, most := range [...]int64{firstTail, maxTail} {
		if text = d.Final(t.tail(most)); text != "" || t.size <= most {
			break
		}
	}
	return text
}

// headless reports whether an event's session runs without a user.
func headless(ev *protocol.Event, d *protocol.Dialect, env func(string) string) (is, known bool) {
	if d.Headless == nil {
		return false, false
	}
	path := ev.Fields.Text("transcript_path")
	if path == "" {
		return d.Headless(env, nil, nil)
	}
	t, err := openTranscript(path)
	if err != nil {
		return d.Headless(env, nil, nil)
	}
	defer t.Close()
	return d.Headless(env, t.head(firstTail), t.tail(maxTail))
}
