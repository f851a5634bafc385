package ops

import (
	"slices"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/skills"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A Fidelity is how near an agent comes to what a program with its own messages
// does at a timing. The words are good, approximate, partial and none.
type Fidelity struct {
	Timing   skills.Timing `json:"timing"`
	Fidelity string        `json:"fidelity"`
	Detail   string        `json:"detail"`
}

// FidelityOf follows from what an agent's events can carry. Nowhere can a prompt
// be taken out again: it says itself how long it counts.
func FidelityOf(d *protocol.Dialect) []Fidelity {
	carries := func(e protocol.EventType) bool {
		return slices.ContainsFunc(d.Natives, func(n protocol.Native) bool {
			return !n.Manual && slices.Contains(n.Events(), e) && n.CanOf(e).Has(protocol.CanContext)
		})
	}
	reports := func(e protocol.EventType) bool {
		return slices.ContainsFunc(d.Natives, func(n protocol.Native) bool { return !n.Manual && slices.Contains(n.Events(), e) })
	}
	prompt, result, failure := carries(protocol.PreAgentTurn), carries(protocol.PostToolCall), carries(protocol.PostToolCallFailure)
	none := func(t skills.Timing, why string) Fidelity { return Fidelity{t, "none", why} }
	var list []Fidelity
	for _, t := range skills.Timings() {
		f := Fidelity{Timing: t}
		switch {
		case t == skills.AfterToolCall && result && (failure || !reports(protocol.PostToolCallFailure)):
			f.Fidelity, f.Detail = "good", "with the result of the tool"
		case t == skills.AfterToolCall && result:
			f.Fidelity, f.Detail = "partial", "with the result of the tool, not with a failure"
		case t == skills.AfterToolCall:
			f = none(t, "no text can go with the result of a tool")
		case t == skills.BeforeEachAgent && result && prompt:
			f.Fidelity, f.Detail = "approximate", "with the prompt, then with the first result of a step; steps are told by time"
		case t == skills.BeforeEachAgent && result:
			f.Fidelity, f.Detail = "partial", "with the first result of a step, not before the first step"
		case !prompt:
			f = none(t, "no text can go with a prompt")
		case t == skills.BeforeEachAgent:
			f.Fidelity, f.Detail = "partial", "with the prompt only: no text can go with the result of a tool"
		case t == skills.BeforePlanning && !d.PlanMode:
			f = none(t, "it does not tell when it plans")
		case t == skills.BeforePlanning:
			f.Fidelity, f.Detail = "partial", "with each prompt in plan mode"
		default:
			f.Fidelity, f.Detail = "good", "with the prompt; it stays in the history"
		}
		list = append(list, f)
	}
	return list
}

// FidelityAt is that of one timing.
func FidelityAt(d *protocol.Dialect, t skills.Timing) Fidelity {
	for _, f := range FidelityOf(d) {
		if f.Timing == t {
			return f
		}
	}
	return Fidelity{}
}
