package dispatch

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/agents-hooks/agents-hooks/internal/notice"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/runner"
)

// fitted is what the hooks said, reduced to what the answer can carry.
type fitted struct {
	ran
	outcome protocol.Outcome
	losses  []protocol.Loss
}

func fit(from speaker, r ran) fitted {
	s := &r.set.Settings
	o, losses := from.dialect.Fit(r.report.Event, r.report.Outcome, protocol.Policy{Unsupported: s.OnUnsupported, Plain: s.PlainBlock})
	return fitted{r, o, losses}
}

// permits reports whether the outcome gives a permission on the user's behalf.
func (f *fitted) permits() bool {
	return f.outcome.Decision == protocol.Allow && f.event.Type.Permits()
}

// encode writes the outcome, and the notices for the user, in the caller's form.
func encode(from speaker, ses *runner.Session, f fitted, notices []runner.Warning) protocol.Reply {
	o := f.outcome
	if !from.specForm() {
		o = told(from.dialect, ses, f.event, o, notices)
	}
	reply := from.dialect.Encode(f.report.Event, o)
	if from.specForm() {
		reply.Stderr = append(warningLines(notices), reply.Stderr...)
	}
	return reply
}

// notices are all the notices for the user about one event.
func (f fitted) notices(from speaker, before []runner.Warning) []runner.Warning {
	return notice.Of(f.report, f.set, f.losses, from.dialect.Name, before)
}

// longestNotice limits a notice to the user, in characters; the log has it in full.
const longestNotice = 1000

// told is an outcome with notices for the user. What does not fit into this answer is kept for
// the session's next prompt or stop that has a place for it.
func told(d *protocol.Dialect, ses *runner.Session, ev *protocol.Event, o protocol.Outcome, list []runner.Warning) protocol.Outcome {
	if !d.Reaches(ev, o) {
		if d.Keeps() {
			ses.Leave(paragraphs(o.UserMessage, o.Later, announced(ses, list)))
		}
		o.UserMessage, o.Later = "", ""
		return o
	}
	said := paragraphs(o.UserMessage, announced(ses, list))
	if ev.Type == protocol.PreAgentTurn || ev.Type == protocol.PreAgentTurnStop {
		said = paragraphs(append(ses.Collect(), said)...)
	}
	if ev.Can.Has(protocol.CanMessage) {
		o.UserMessage = said
	} else {
		o.AdditionalContext = paragraphs(said, o.AdditionalContext)
	}
	return o
}

// announced are the notices that are new in this session, one on each line.
func announced(ses *runner.Session, list []runner.Warning) string {
	if len(list) == 0 {
		return ""
	}
	var lines []string
	due, more := ses.Due(list)
	for _, w := range due {
		lines = append(lines, text.Clip(warningLine(w), longestNotice))
	}
	if more > 0 {
		lines = append(lines, fmt.Sprintf("agents-hooks: and %d more of this kind: run `agents-hooks log`", more))
	}
	return strings.Join(lines, "\n")
}

// paragraphs are the non-empty texts, with a blank line between them.
func paragraphs(texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(s string) bool { return s == "" }), "\n\n")
}

// warningLines are warnings for stderr, in spec form.
func warningLines(list []runner.Warning) []byte {
	var b []byte
	for _, w := range list {
		b = append(b, warningLine(w)...)
		b = append(b, '\n')
	}
	return b
}

func warningLine(w runner.Warning) string {
	said := text.OneLine(protocol.Plain(w.Text))
	if w.Hook == "" {
		return "agents-hooks: " + said
	}
	return "agents-hooks: hook " + text.OneLine(protocol.Plain(w.Hook)) + ": " + said
}

// pack and unpack store the reply for the second caller of an event that is registered twice.
func pack(r protocol.Reply) []byte {
	var o protocol.Object
	o.Set("exit", protocol.Raw(strconv.Itoa(r.Exit)))
	o.SetText("stdout", string(r.Stdout))
	o.SetText("stderr", string(r.Stderr))
	return o.Raw()
}

func unpack(b []byte) protocol.Reply {
	o, err := protocol.ParseObject(b)
	if err != nil {
		return protocol.Reply{}
	}
	exit, _ := strconv.Atoi(string(o.Get("exit")))
	return protocol.Reply{Stdout: []byte(o.Text("stdout")), Stderr: []byte(o.Text("stderr")), Exit: exit}
}
