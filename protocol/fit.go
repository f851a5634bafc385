package protocol

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// An Unsupported is the policy for a decision that an agent cannot carry.
type Unsupported string

const (
	UnsupportedDefault Unsupported = ""      // ask becomes a block, a modified input is dropped
	UnsupportedDrop    Unsupported = "drop"  // both are dropped
	UnsupportedBlock   Unsupported = "block" // both become a block
)

// A Loss is a part of an outcome that the agent cannot carry.
type Loss struct {
	What Can    // one bit
	Text string // what became of it
}

// Fit cuts an outcome down to what the answer to an event can carry, and says
// what was lost (R11). It never names an agent.
func Fit(ev *Event, o Outcome, policy Unsupported) (Outcome, []Loss) {
	var losses []Loss
	lose := func(what Can, format string, args ...any) {
		losses = append(losses, Loss{what, fmt.Sprintf(format, args...)})
	}
	can := ev.Can
	if o.Decision == Ask && !can.Has(CanAsk) {
		if ev.Type == PreToolCall && policy != UnsupportedDrop && can.Has(CanBlock) {
			lose(CanAsk, "cannot ask on %s; blocked instead", ev.Type)
			o.Decision = Block
			o.Reason = orDefault(o.Reason, "a hook wants a person to approve this, and this agent cannot ask")
		} else {
			lose(CanAsk, "cannot ask on %s; dropped", ev.Type)
			o.Decision = NoOpinion
		}
	}
	if o.ModifiedInput != nil && !can.Has(CanModify) {
		o.ModifiedInput = nil
		if policy == UnsupportedBlock && can.Has(CanBlock) {
			lose(CanModify, "cannot change the input on %s; blocked instead", ev.Type)
			o.Decision = Block
			o.Reason = orDefault(o.Reason, "a hook changed this call, and this agent cannot apply the change")
		} else {
			lose(CanModify, "cannot change the input on %s; dropped", ev.Type)
		}
	}
	if o.Decision == Block && !can.Has(CanBlock) && !ev.Type.Prevents() && can.Has(CanContext) {
		// Nothing is to be prevented any more: the reason is feedback to the model.
		o.AdditionalContext = joined(orDefault(o.Reason, "a hook objected, and gave no reason"), o.AdditionalContext)
		o.Decision, o.Reason = NoOpinion, ""
	}
	if o.Decision == Block && !can.Has(CanBlock) {
		lose(CanBlock, "cannot block on %s; dropped", ev.Type)
		o.Decision = NoOpinion
		o.Reason = ""
	}
	if o.Decision == Block {
		o.ModifiedInput, o.AdditionalContext, o.FollowupMessage = nil, "", ""
	}
	if o.AdditionalContext != "" && !can.Has(CanContext) {
		lose(CanContext, "has no context for the model on %s; dropped", ev.Type)
		o.AdditionalContext = ""
	}
	if o.FollowupMessage != "" && !can.Has(CanContinue) {
		lose(CanContinue, "cannot be made to go on at %s; dropped", ev.Type)
		o.FollowupMessage = ""
	}
	if o.UserMessage != "" && !can.Has(CanMessage) {
		lose(CanMessage, "cannot show a message to the person on %s; dropped", ev.Type)
		o.UserMessage = ""
	}
	return o, losses
}

// joined puts a blank line between two texts, if there are two.
func joined(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return strings.TrimRight(a, "\n") + "\n\n" + b
}

func orDefault(s, d string) string {
	if strings.TrimSpace(s) == "" {
		return d
	}
	return s
}

// Cut shortens a text to at most limit characters, on a line boundary where
// there is one, and says so in its last line; note, if not empty, tells where
// the whole text lies. A limit of 0 cuts nothing.
func Cut(text string, limit int, note string) (string, bool) {
	if limit <= 0 || utf8.RuneCountInString(text) <= limit {
		return text, false
	}
	tail := "\n[cut here by agents-hooks"
	if note != "" {
		tail += "; whole text: " + note
	}
	tail += "]"
	keep := limit - utf8.RuneCountInString(tail)
	if keep <= 0 {
		return string([]rune(text)[:limit]), true
	}
	head := string([]rune(text)[:keep])
	if i := strings.LastIndexByte(head, '\n'); i > len(head)/2 {
		head = head[:i]
	}
	return strings.TrimRight(head, "\n") + tail, true
}
