package dispatch

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/runner"
)

// fitted is what the hooks said, cut down to what the answer can carry.
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

// permits reports whether the outcome gives a permission in the person's place.
func (f *fitted) permits() bool {
	return f.outcome.Decision == protocol.Allow && f.event.Type.Permits()
}

// encode says the outcome, and what the person should know beside it, in the form
// of whoever asks.
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

// fresh are the notices that spec form gives with an event: what happened at it, and
// of how things stand what this session was not told yet.
func fresh(ses *runner.Session, notices []runner.Warning) []runner.Warning {
	stands := func(w runner.Warning) bool { return standing(w.Kind) }
	if ses == nil || !slices.ContainsFunc(notices, stands) {
		return notices
	}
	due, more := ses.Due(slices.DeleteFunc(slices.Clone(notices), func(w runner.Warning) bool { return !stands(w) }))
	list := slices.DeleteFunc(slices.Clone(notices), func(w runner.Warning) bool { return stands(w) && !slices.Contains(due, w) })
	if more > 0 {
		list = append(list, note("more", "and %d more of this kind: run `agents-hooks log`", more))
	}
	return list
}

// standing reports whether notices of a kind are about how things are, event after
// event, and not about what happened at one.
func standing(kind string) bool {
	switch kind {
	case "arguments", "environment", "sandbox", "settings", "unsupported", "untrusted":
		return true
	}
	return false
}

// notices is all that the person should know of one event, in one list: what was
// known before its hooks ran, what went wrong in the runner, what is wrong with
// the files, what was not trusted, and what the agent could not be told.
func (f fitted) notices(from speaker, before []runner.Warning) []runner.Warning {
	list := append([]runner.Warning(nil), before...)
	list = append(list, f.report.Warnings...)
	for _, p := range f.set.Problems {
		list = append(list, note("settings", "%s", p.String()))
	}
	for _, in := range untrusted(f.set, f.report.Event.Type) {
		if in.refused {
			list = append(list, note(kindRefused, "%s of this project did not run, because you refused that as it is: `agents-hooks trust` in %s asks again", hookList(in.hooks), in.project))
			continue
		}
		list = append(list, note("untrusted", "%s of this project did not run, because nobody has approved it: run `agents-hooks trust` in %s", hookList(in.hooks), in.project))
	}
	for _, l := range f.losses {
		list = append(list, f.lost(l, l.Told(from.dialect.Name))...)
	}
	return list
}

// lost tells what the agent could not be told, of each hook that said it.
func (f fitted) lost(l protocol.Loss, said string) (list []runner.Warning) {
	if t := f.event.Type; l.What == protocol.CanBlock && (t == protocol.PreSession || t == protocol.PreAgentTurn) && !f.report.Owed {
		said += "; but it cannot be kept until then, and is dropped"
	}
	for _, r := range f.report.Results {
		if w := (runner.Warning{Hook: r.Hook.Name, Kind: "unsupported", Text: said}); says(&r.Outcome, l.What) && !slices.Contains(list, w) {
			list = append(list, w)
		}
	}
	if len(list) == 0 {
		list = append(list, note("unsupported", "%s", said))
	}
	return list
}

// says reports whether an outcome has what an agent cannot carry.
func says(o *protocol.Outcome, what protocol.Can) bool {
	switch what {
	case protocol.CanBlock:
		return o.Decision == protocol.Block
	case protocol.CanAsk:
		return o.Decision == protocol.Ask
	case protocol.CanModify:
		return o.ModifiedInput != nil
	case protocol.CanContext:
		return o.AdditionalContext != ""
	case protocol.CanContinue:
		return o.FollowupMessage != ""
	case protocol.CanMessage:
		return o.UserMessage != ""
	}
	return false
}

// An unapproved project has hooks that an event would have run: those that wait for a
// word of its person, or those that they said no to as they are.
type unapproved struct {
	project string
	refused bool
	hooks   []string
}

// kindRefused is of what the log says, and nobody is told: they know.
const kindRefused = "refused"

func isRefused(w runner.Warning) bool { return w.Kind == kindRefused }

// untrusted names the hooks of each project that this event would have run.
func untrusted(set *discovery.Set, t protocol.EventType) (list []unapproved) {
	for _, h := range set.Untrusted(t) {
		refused := h.Refused != ""
		at := slices.IndexFunc(list, func(u unapproved) bool { return u.project == h.Project && u.refused == refused })
		if at < 0 {
			at = len(list)
			list = append(list, unapproved{project: h.Project, refused: refused})
		}
		list[at].hooks = append(list[at].hooks, h.Name)
	}
	return list
}

func hookList(names []string) string {
	const most = 10 // a project may have thousands
	switch n := len(names); {
	case n == 1:
		return "hook " + names[0]
	case n > most:
		return fmt.Sprintf("%d hooks (%s and %d more)", n, strings.Join(names[:most], ", "), n-most)
	}
	return fmt.Sprintf("%d hooks (%s)", len(names), strings.Join(names, ", "))
}

// longestNotice bounds one notice to the person, in characters; the log has it whole.
const longestNotice = 1000

// told is an outcome with what the person should know beside it. What this answer
// has no place for is kept for the next prompt or stop of the session that has one.
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

// announced is what was not told yet in this session, a line each.
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

// paragraphs are the texts that are not empty, with a blank line between them.
func paragraphs(texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(s string) bool { return s == "" }), "\n\n")
}

// warningLines is how warnings look on stderr in spec form.
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

// pack and unpack are the reply as the second caller of a doubly registered
// event gets it.
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
