package dispatch

import (
	"github.com/agents-hooks/agents-hooks/cmd/internal/strange"
	"github.com/agents-hooks/agents-hooks/runner"
)

// refusedTail is how much of a transcript's end is searched for answers that the agent could
// not use.
const refusedTail = 1 << 20

// A closing is an event that ends a turn or a session: by then an agent has written down how it
// used the previous answers.
type closing struct {
	transcript string
	session    *runner.Session
	version    string // the agent's
}

// closes is what a closing event ends, empty if its agent does not report on answers.
func (c call) closes(in decoded) (over closing) {
	if ev := in.events[0]; in.from.dialect.Refused != nil && c.nested == 0 {
		over = closing{ev.Fields.Text("transcript_path"), c.session(in), ev.Context.Text("agent_version")}
	}
	return over
}

// noteRefused counts the answers that the agent could not use, according to its transcript,
// each once, after the present answer is out.
func (c *call) noteRefused(a answer) {
	if a.over.transcript == "" {
		return
	}
	if a.from.dialect.RefusedLate {
		c.uncounted(strange.Follow(c.host.State, a.from.dialect, a.over.transcript, a.over.version, c.start), a)
		return
	}
	t, err := openTranscript(a.over.transcript)
	if err != nil {
		return
	}
	defer t.Close()
	tail := t.tail(refusedTail)
	if len(a.from.dialect.Refused(tail)) == 0 {
		return
	}
	fresh := min(max(t.size-a.over.session.Looked(), 0), int64(len(tail)))
	for _, r := range a.from.dialect.Refused(tail[int64(len(tail))-fresh:]) {
		c.uncounted(strange.Note(c.host.State, a.from.dialect, r.Strange(), a.over.version, r.Answer, c.start), a)
	}
	a.over.session.Look(t.size)
}

// uncounted logs that a rejected answer could not be counted, if there is an error.
func (c *call) uncounted(err error, a answer) {
	if err != nil {
		c.log(a.from, runner.LogLine{}, []runner.Warning{note("strange", "an answer that the agent could not use is not counted: %v", err)})
	}
}
