package hooks

import (
	"errors"
	"os"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/journal"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/behaviour"
	"github.com/agents-hooks/agents-hooks/internal/statefile"
	"github.com/agents-hooks/agents-hooks/protocol"
)

const (
	// held is how long to wait while another session holds a file of the scope.
	held = 500 * time.Millisecond
	// reviewLife is how long a review that could not be requested is kept.
	reviewLife = 7 * 24 * time.Hour
)

// review is evolution-review: once per cool-down and scope, the agent is asked to look
// back.
func review(c *behaviour.Call) error {
	mode := modeOf(c)
	status := c.Event.Text("status")
	if mode == "off" || c.Event.Bool("stop_active") || c.Session() == "" || status != "" && status != "completed" {
		return nil
	}
	file := journalOf(c)
	j := file.Read()
	news := j.Since()
	pause := time.Duration(c.Settings.Of("review_cooldown_minutes").Int) * time.Minute
	if !news.Worth() || !j.Reviewed.IsZero() && c.Now.Sub(j.Reviewed) < pause {
		return nil
	}
	// The mark and the cool-down come first: whatever happens to the answer, the agent
	// is not asked twice.
	due, err := coolDown(c, pause)
	if err != nil || !due {
		return err
	}
	if err := file.Mark(c.Now); err != nil {
		return err
	}
	text := reviewText(langOf(c), news, c.Names(), c.Session())
	switch mode {
	case "block":
		c.Answer.Decision, c.Answer.Reason = protocol.Block, text
	case "feedback":
		c.Answer.FollowupMessage = text
	default:
		return keepReview(c, news, text)
	}
	return nil
}

// modeOf is how to ask, as far as this agent can be asked. For an agent that has a
// channel to its user as it stops, going on costs nothing; one that only takes a
// follow-up bills it as a turn.
func modeOf(c *behaviour.Call) string {
	switch mode := c.Settings.Of("review").Text; {
	case mode == "off" || mode == "deferred":
		return mode
	case !c.Can("continue"):
		return "deferred"
	case mode == "block" && !c.Can("block"):
		return "feedback"
	case mode != "auto":
		return mode
	case c.Can("message") || c.Settings.Of("review_followup").Bool:
		return "feedback"
	}
	return "deferred"
}

// scopeFile is a file for all sessions of the scope.
func scopeFile(c *behaviour.Call, name string) string {
	return evolution.ScopeFile(evolution.Dir(c.Runtime.Data), name, scopeOf(c))
}

// coolDown reports whether the last review of the scope is long enough ago, and records
// this one as {ts}, like the original. If two sessions stop at once, one of them gets
// it.
func coolDown(c *behaviour.Call, pause time.Duration) (due bool, err error) {
	err = statefile.Update(scopeFile(c, "last-block"), held, func(old []byte) ([]byte, error) {
		o, _ := protocol.ParseObject(old)
		if last := moment(o.Get("ts")); !last.IsZero() && c.Now.Sub(last) < pause && c.Now.Sub(last) > -pause {
			return nil, nil
		}
		due = true
		o.Set("ts", milli(c.Now))
		return append(o.Append(nil), '\n'), nil
	})
	return due, err
}

// keepReview keeps a review for the beginning of the scope's next session: the
// original's members, and the text.
func keepReview(c *behaviour.Call, j journal.Journal, text string) error {
	signals, feedback := j.Signals(), j.Feedback()
	var o protocol.Object
	o.Set("ts", milli(c.Now))
	o.SetText("scope", scopeOf(c))
	o.SetText("session", c.Session())
	o.SetText("summary", list(signals))
	o.Set("hasGeneFeedback", boolean(len(feedback) > 0))
	o.Set("hasRepeatedSignals", boolean(len(signals) > 0 && signals[0].N >= journal.Enough))
	o.Set("signalTypes", protocol.TextList(strings.Split(list(signals), ",")))
	o.SetText("text", text)
	return statefile.Update(scopeFile(c, "pending-review"), held, func([]byte) ([]byte, error) {
		return append(o.Append(nil), '\n'), nil
	})
}

// waitingReview shows a kept review, once. After seven days it is no longer shown.
func waitingReview(c *behaviour.Call) error {
	path := scopeFile(c, "pending-review")
	b, err := statefile.Read(path)
	if err != nil || b == nil {
		return err
	}
	release, err := statefile.Hold(path, held)
	if err != nil {
		return err
	}
	defer release()
	if b, err = statefile.Read(path); err != nil || b == nil {
		return err
	}
	o, _ := protocol.ParseObject(b)
	if err := os.Remove(path); err != nil {
		return err
	}
	text, at := o.Text("text"), moment(o.Get("ts"))
	if text == "" || c.Now.Sub(at) > reviewLife {
		return nil
	}
	c.Say(laterReview(langOf(c), text), "")
	before := c.Unanswered
	c.Unanswered = func() {
		if before != nil {
			before()
		}
		_ = statefile.Update(path, held, func(now []byte) ([]byte, error) {
			if now != nil {
				return nil, errors.New("another one came")
			}
			return b, nil
		})
	}
	return nil
}

func boolean(b bool) protocol.Raw {
	if b {
		return protocol.Raw("true")
	}
	return protocol.Raw("false")
}
