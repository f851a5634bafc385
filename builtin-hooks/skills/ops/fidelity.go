package ops

import (
	"slices"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/skills"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A Fidelity is how closely an agent can follow a timing, compared with a program
// that owns its messages: good, approximate, partial or none.
type Fidelity struct {
	Timing   skills.Timing `json:"timing"`
	Fidelity string        `json:"fidelity"`
	Detail   string        `json:"detail"`
}

// FidelityOf derives each from what the agent's events can carry. No agent lets a
// prompt be removed again: the prompt itself says how long it applies.
func FidelityOf(d *protocol.Dialect) []Fidelity {
	carries := func(e protocol.EventType) bool {
		return slices.ContainsFunc(d.NativeEvents, func(n protocol.Native) bool {
			return !n.Manual && slices.Contains(n.Events(), e) && n.CanOf(e).Has(protocol.CanContext)
		})
	}
	reports := func(e protocol.EventType) bool {
		return slices.ContainsFunc(d.NativeEvents, func(n protocol.Native) bool { return !n.Manual && slices.Contains(n.Events(), e) })
	}
	prompt, result, failure := carries(protocol.PreAgentTurn), carries(protocol.PostToolCall), carries(protocol.PostToolCallFailure)
	none := func(t skills.Timing, why string) Fidelity { return Fidelity{t, "none", why} }
	var list []Fidelity
	for _, t := range skills.Timings() {
		f := Fidelity{Timing: t}
		switch {
		case t == skills.AfterToolCall && result && (failure || !reports(protocol.PostToolCallFailure)):
			f.Fidelity, f.Detail = "good", "with the tool's result"
		case t == skills.AfterToolCall && result:
			f.Fidelity, f.Detail = "partial", "with the tool's result, but not with a failure"
		case t == skills.AfterToolCall:
			f = none(t, "a tool's result cannot carry text")
		case t == skills.BeforeEachAgent && result && prompt:
			f.Fidelity, f.Detail = "approximate", "with the prompt, then with the first result of each step; steps are recognised by their timing"
		case t == skills.BeforeEachAgent && result:
			f.Fidelity, f.Detail = "partial", "with the first result of each step, not before the first step"
		case !prompt:
			f = none(t, "a prompt cannot carry text")
		case t == skills.BeforeEachAgent:
			f.Fidelity, f.Detail = "partial", "only with the prompt: a tool's result cannot carry text"
		case t == skills.BeforePlanning && !d.PlanMode:
			f = none(t, "it does not report when it plans")
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
