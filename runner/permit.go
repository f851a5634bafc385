package runner

import (
	"fmt"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/protocol/deed"
)

// entitled is why a hook's allow gives no permission on behalf of the user; "" if it
// does.
func entitled(h *discovery.Hook) string {
	switch {
	case h.Layer != discovery.UserLayer && h.Layer != discovery.SystemLayer:
		return "only a hook of the user or the system can"
	case h.Sandbox != nil:
		return "a hook in a sandbox cannot"
	case !h.MayAllow:
		return "it has no metadata: {may_allow: true}"
	}
	return ""
}

// permission takes the allow out of the answer of a hook that may not give one: the
// user is asked as usual. Where no answer could carry it, nothing is said of it.
func (c *chain) permission(r *Result) {
	if !c.ev.Type.Permits() {
		return
	}
	why := entitled(r.Hook)
	if why == "" {
		why = r.Hook.Covers(c.ev, &c.budget)
	}
	if why != "" {
		r.Outcome.Decision, r.Outcome.Reason = protocol.NoOpinion, ""
		if c.ev.Can.Has(protocol.CanAllow) {
			c.warn(r.Hook.Name, "allow", "said allow, which gives no permission: "+why+"; the person is asked as ever")
		}
	}
}

// permitted are the hooks that gave the permission which the outcome has, in their
// order. There is none if a hook denied or could not judge, or if what was allowed is
// not what runs: the allow is then taken out of the outcome, with a warning.
func (c *chain) permitted() (names []string) {
	o := &c.rep.Outcome
	if !c.ev.Type.Permits() {
		return nil
	}
	giver, why := "", ""
	for _, r := range c.rep.Results {
		switch {
		case r.deny:
			why = fmt.Sprintf("hook %s denied", r.Hook.Name)
		case r.Verdict.noVerdict():
			why = fmt.Sprintf("hook %s gave no verdict", r.Hook.Name)
		case r.Outcome.Decision != protocol.Allow:
		case r.judged == c.changes:
			names = append(names, r.Hook.Name)
			giver = r.Hook.Name
		default:
			giver = r.Hook.Name
		}
	}
	if why == "" && len(names) == 0 {
		why = "a later hook changed what it allowed"
	}
	if why == "" {
		return names
	}
	o.Decision, o.Reason = protocol.NoOpinion, ""
	c.warn(giver, "allow", "said allow, which does not count: "+why+"; the person is asked as ever")
	return nil
}

// replace makes the output that a hook gave the result of the call, for the hooks
// after it. How the call ended stays.
func (c *chain) replace(output string) {
	told := *deed.Of(c.ev)
	ended := protocol.Result{Text: &output}
	if told.Result != nil {
		ended.OK, ended.Exit = told.Result.OK, told.Result.Exit
	}
	told.Result = &ended
	c.ev = c.ev.Clone()
	c.ev.SetOutput(output)
	c.ev.Deed = &told
	c.stdin = nil
}
