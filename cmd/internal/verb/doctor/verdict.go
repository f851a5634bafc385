package doctor

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A holding says whether guards hold in an agent, according to its rows.
type holding struct {
	agent *protocol.Dialect
	here  bool   // there is a row about it
	holds bool   // it calls our entry
	why   string // why not, in a few words
	fix   string
}

// breaks are the checks that show that an agent does not call us, and what they mean in a few
// words.
var breaks = []struct {
	id   string
	when []verdict
	why  string
}{
	{"present", []verdict{checkOff}, "it is not on this machine"},
	{"policy", []verdict{checkError}, "its administrator's settings keep our entry from running"},
	{"config", []verdict{checkError}, "its configuration has to be fixed by hand"},
	{"entry", []verdict{checkOff}, "no entry of ours"},
	{"approval", []verdict{checkError}, "it has not approved our entry"},
	{"entry", []verdict{checkError}, "our entry in it is damaged"},
	{"binary", []verdict{checkError}, "what our entry starts is gone or cannot be started"},
	{"binary", []verdict{checkWarn}, "what our entry starts is not a program of ours"},
	{"lean", []verdict{checkError}, "events that hooks serve are not registered"},
	{"probe", []verdict{checkError}, "our entry does not answer"},
}

// holdingOf reads the rows about an agent, and nothing else, so that the first line cannot
// contradict those below it.
func holdingOf(a *protocol.Dialect, checks []check) holding {
	h := holding{agent: a}
	var own []check
	for _, c := range checks {
		if c.Agent == a.ID {
			own = append(own, c)
		}
	}
	h.here = len(own) > 0
	for _, b := range breaks {
		i := slices.IndexFunc(own, func(c check) bool { return c.ID == b.id && slices.Contains(b.when, c.Status) })
		if i >= 0 {
			h.why, h.fix = b.why, own[i].Fix
			return h
		}
	}
	h.holds = h.here
	return h
}

// guards is the first row: where guards hold, and where not.
func guards(p place, agents []*protocol.Dialect, checks []check) check {
	var in, reasons []string
	without, fix := map[string][]string{}, ""
	for _, a := range agents {
		switch h := holdingOf(a, checks); {
		case h.holds:
			in = append(in, a.Name)
		case h.here:
			if without[h.why] == nil {
				reasons = append(reasons, h.why)
			}
			without[h.why] = append(without[h.why], a.Name)
			if fix == "" {
				fix = h.fix
			}
		}
	}
	var not []string
	for _, why := range reasons {
		not = append(not, strings.Join(without[why], ", ")+": "+why)
	}
	ready, waiting, idle := countGuards(p.set)
	but := "; not in " + strings.Join(not, "; ")
	if len(not) == 0 {
		but = ""
	}
	switch {
	case len(in)+len(not) == 0:
		return row("guards", checkOff, "agents-hooks agents AGENT shows where one is looked for; agents-hooks demo needs none", "guards hold nowhere: no agent was found on this machine")
	case !p.set.Settings.Enabled:
		return row("guards", checkWarn, "unset AGENTS_HOOKS_DISABLE, or [hooks] enabled = true", "guards hold nowhere: all hooks are switched off")
	case len(in) == 0:
		return row("guards", checkWarn, fix, "guards hold nowhere: not in %s", strings.Join(not, "; "))
	case ready == 0 && waiting > 0:
		return row("guards", checkWarn, "agents-hooks trust", "no guard holds here: %s of this project waits for your approval (called by %s%s)", text.Count(waiting, "hook"), strings.Join(in, ", "), but)
	case ready == 0 && idle != nil:
		fix, how := "agents-hooks validate", "broken"
		if idle.Status == discovery.Disabled {
			fix, how = "agents-hooks enable "+idle.Name, "switched off"
		}
		return row("guards", checkWarn, fix, "no guard holds here: %s is %s (called by %s%s)", idle.Name, how, strings.Join(in, ", "), but)
	case ready == 0:
		return row("guards", checkOff, "agents-hooks new NAME", "there is no guard here yet; %s would run it%s", strings.Join(in, ", "), but)
	}
	said := "guards hold in " + strings.Join(in, ", ") + but
	if waiting > 0 {
		said += fmt.Sprintf("; %s of this project waits for your approval", text.Count(waiting, "hook"))
	}
	if not == nil && waiting == 0 {
		return row("guards", checkOK, "", "%s", said)
	}
	if fix == "" && waiting > 0 {
		fix = "agents-hooks trust"
	}
	return row("guards", checkWarn, fix, "%s", said)
}

// countGuards counts the hooks here that are not built in: those that are ready, and those that
// wait for approval. idle is one that is switched off or broken.
func countGuards(set *discovery.Set) (ready, waiting int, idle *discovery.Hook) {
	for _, h := range set.Hooks {
		switch {
		case h.Layer == discovery.BuiltinLayer:
		case h.Status == discovery.Ready:
			ready++
		case h.Status == discovery.Untrusted && h.Refused == "":
			waiting++
		case idle == nil && (h.Status == discovery.Disabled || h.Status == discovery.Broken):
			idle = h
		}
	}
	return ready, waiting, idle
}
