package hooks

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/behaviour"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/internal/redact"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// flush is memory-flush. Whatever summarizes a context cannot run commands, and the agent that
// could is not asked before that is done: so the summary is asked to contain what is not saved
// yet, and the agent to save it at its next turn.
func flush(c *behaviour.Call) error {
	now := fullness(c)
	err := c.State.Update(stateName, func(o protocol.Object) protocol.Object {
		o.Delete("flushed")
		if now.tokens > 0 {
			o.Set("compacted", strconv.AppendInt(nil, now.tokens, 10))
		}
		return o
	})
	err = errors.Join(err, forgetTold(c))
	if !c.Settings.Of("flush").Bool {
		return err
	}
	r := requestOf(c)
	switch {
	case asksPerson(c):
		c.Answer.UserMessage = r.person()
		return errors.Join(err, stage(c, ""))
	case c.Can("context"):
		c.Say(r.summarise(), "")
	case c.Can("message"):
		c.Answer.UserMessage = r.compacting()
	}
	return errors.Join(err, askAgain(c, r.afterCompact()), stage(c, ""))
}

// asksPerson reports whether the person is asked at a compaction, in place of the agent (BM-ASK-15).
func asksPerson(c *behaviour.Call) bool {
	return c.Settings.Of("flush_channel").Text == "user_message"
}

// save is memory-session-save: it asks the agent for a summary when it stops.
func save(c *behaviour.Call) error {
	err := remember(c)
	status := c.Event.Text("status")
	mode := c.Settings.Of("save_mode").Text
	if status != "" && status != "completed" && !(status == "aborted" && c.Settings.Of("save_on_aborted").Bool) || !c.MayContinue() || !attended(c, mode) || onlyPlans(c) {
		return err
	}
	place := storeOf(c)
	saved, facts := savedBy(c)
	asked := c.State.Read(stateName)
	if w := workOf(c).beside(facts); !w.worth() && w.ran > 0 && !saved && !asked.Has("turn_asked") && (mode == "smart" || mode == "fallback") {
		err = errors.Join(err, lookAtTree(c))
	}
	w := workOf(c).beside(facts)
	dueBy := func(o protocol.Object) bool {
		w := w
		if o.Bool("decided") {
			w.decisions++
		}
		return dueForSummary(mode, saved, facts, w, int(integer(o, "turn_asked")), o.Has("turn_asked"))
	}
	due, flushed := dueBy(c.State.Read(stateName)), facts > 0
	if due && !keeps(c, place) {
		return err
	}
	err = errors.Join(err, c.State.Update(stateName, func(o protocol.Object) protocol.Object {
		if due = dueBy(o); !due {
			return nil
		}
		o.Set("turn_asked", strconv.AppendInt(nil, int64(w.turns), 10))
		return o
	}))
	waiting, werr := c.State.Take(c.Now, loadKind, flushKind) // a stop can deliver them, too
	var texts []string
	for _, item := range waiting {
		texts = append(texts, dueText(c, item, waiting))
		flushed = flushed || item.Kind == flushKind
	}
	if now, full := filling(c); full && !due && mode != "off" && keeps(c, place) {
		texts, flushed = append(texts, requestOf(c).flush(now)), true
	}
	if due {
		texts = append(texts, requestOf(c).save(flushed))
	}
	c.Answer.FollowupMessage = strings.Join(texts, "\n\n")
	return errors.Join(err, werr)
}

// onlyPlans reports whether the agent only plans, and may run no command that saves something: it is
// asked at a turn in which it may (BM-SAV-17).
func onlyPlans(c *behaviour.Call) bool { return c.Event.Text("permission_mode") == "plan" }

// planning is onlyPlans for an event that does not say it: in what mode the last prompt was.
func planning(c *behaviour.Call) bool {
	for _, o := range slices.Backward(c.State.Spooled(spoolName)) {
		if o.Has("prompt") {
			return onlyPlans(c) || o.Bool("plans")
		}
	}
	return onlyPlans(c)
}

// attended reports whether it does no harm to make the agent go on. In a run without a user, an
// agent's last message is the run's result, which a program reads: it must never be replaced.
// If the agent does not tell, it takes the user's decision, a save_mode that always asks.
func attended(c *behaviour.Call, mode string) bool {
	if c.Runtime.Headless == nil {
		return true
	}
	headless, known := c.Runtime.Headless()
	return !headless && (known || mode == "always" || mode == "once")
}

// dueForSummary decides by the save_mode whether a session is asked for a summary.
func dueForSummary(mode string, saved bool, facts int, w work, turnAsked int, asked bool) bool {
	switch mode {
	case "always": // as the specification literally says: at every completion
		return !saved
	case "once":
		return !saved && !asked
	case "fallback":
		return !saved && facts == 0 && w.worth() && !asked
	case "smart":
		if asked {
			return w.turns-turnAsked >= 10
		}
		return !saved && w.worth()
	}
	return false
}

// wentWell reports whether a turn neither failed nor was interrupted.
func wentWell(c *behaviour.Call) bool {
	status := c.Event.Text("status")
	return (status == "" || status == "completed") && errorText(c.Event) == ""
}

// cutShort saves what the agent said last in a turn that no stop ended, since the user interrupted
// it or left: only the transcript has that. last is the record before, how what is known of the end.
func cutShort(c *behaviour.Call, last protocol.Object, how string) error {
	if c.Runtime.Final == nil || c.Session() == "" || !last.Has("prompt") && !last.Has("files") && !last.Has("ran") {
		return nil
	}
	if said := c.Runtime.Final(); said != "" {
		return rememberText(c, said, how)
	}
	return nil
}

// remember saves the agent's last message, and how the turn ended if it did not go well.
func remember(c *behaviour.Call) error {
	if c.Session() == "" {
		return nil
	}
	status := ""
	if !wentWell(c) {
		status = short(redact.Memory.Text(cmp.Or(errorText(c.Event), c.Event.Text("status"))), 120)
	}
	return rememberText(c, c.Event.Sub("final_message").Text("content"), status)
}

// rememberText saves, for an automatic summary, how a message begins and ends, and the decisions
// and todos in it.
func rememberText(c *behaviour.Call, message, status string) error {
	clean := ends(redact.Memory.Text(message))
	var record protocol.Object
	record.SetText("said", gist(clean, saidRoom))
	record.PutText("status", status)
	putList(&record, "decisions", settledIn(clean, concludes))
	putList(&record, "todos", openIn(clean))
	err := c.State.Spool(spoolName, "stop-"+strconv.FormatInt(c.Now.UnixNano(), 36), record)
	if !concludes(message) || kept(c) && !concludesBeside(message) {
		return err
	}
	return errors.Join(err, c.State.Update(stateName, func(o protocol.Object) protocol.Object {
		o.Set("decided", protocol.Raw("true"))
		return o
	}))
}

// kept reports whether the session saved a fact: then what the agent says of that is no decision more.
func kept(c *behaviour.Call) bool {
	_, facts := savedBy(c)
	return facts > 0
}

// savedBy is what the session saved so far: whether a summary, and how many facts, in the user's own
// memory, too.
func savedBy(c *behaviour.Call) (summary bool, facts int) {
	place := storeOf(c)
	summary, facts = place.Saved(c.Session())
	if place.User != "" {
		_, more := memory.Place{Dir: place.User}.Saved(c.Session())
		facts += more
	}
	return summary, facts
}

// saidRoom is how much of an agent's last message is kept.
const saidRoom = 240
