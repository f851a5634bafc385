package doctor

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// A holding says whether guards hold in an agent, according to its rows.
type holding struct {
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
	h := holding{}
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
			fix = cmp.Or(fix, h.fix)
		}
	}
	var not []string
	for _, why := range reasons {
		not = append(not, strings.Join(without[why], ", ")+": "+why)
	}
	n := countGuards(p.set)
	idle, helps := n.idle()
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
	case n.ready == 0 && n.waiting > 0:
		return row("guards", checkWarn, "agents-hooks trust", "no guard holds here: %s of this project waits for your approval (called by %s%s)", text.Count(n.waiting, "hook"), strings.Join(in, ", "), but)
	case n.ready == 0 && idle != "":
		return row("guards", checkWarn, helps, "no guard holds here: %s (called by %s%s)", idle, strings.Join(in, ", "), but)
	case n.ready == 0:
		return row("guards", checkOff, "agents-hooks new NAME", "there is no guard here yet; %s would run it%s", strings.Join(in, ", "), but)
	}
	said := "guards hold in " + strings.Join(in, ", ") + but
	if idle != "" {
		said += "; " + idle
	}
	if n.waiting > 0 {
		said += fmt.Sprintf("; %s of this project waits for your approval", text.Count(n.waiting, "hook"))
	}
	switch {
	case not == nil && n.waiting == 0 && n.broken == nil: // what is switched off is so because somebody wanted it
		return row("guards", checkOK, "", "%s", said)
	case fix == "" && n.broken != nil:
		fix = helps
	case fix == "":
		fix = "agents-hooks trust"
	}
	return row("guards", checkWarn, fix, "%s", said)
}

// counted are the hooks here that are not built in: how many are ready or wait for approval, and
// the names of those that are broken or switched off.
type counted struct {
	ready, waiting int
	broken, off    []string
}

func countGuards(set *discovery.Set) (n counted) {
	for _, h := range set.Hooks {
		switch {
		case h.Layer == discovery.BuiltinLayer:
		case h.Status == discovery.Ready:
			n.ready++
		case h.Status == discovery.Untrusted && h.Refused == "":
			n.waiting++
		case h.Status == discovery.Broken:
			n.broken = append(n.broken, h.Name)
		case h.Status == discovery.Disabled:
			n.off = append(n.off, h.Name)
		}
	}
	return n
}

// idle says which hooks do not run though nothing waits for the user, and the command that helps.
func (n counted) idle() (said, helps string) {
	var parts []string
	say := func(names []string, state, fix string) {
		if len(names) == 0 {
			return
		}
		what := names[0] + " is "
		if len(names) > 1 {
			what = fmt.Sprintf("%d hooks are ", len(names))
		}
		parts, helps = append(parts, what+state), cmp.Or(helps, fix)
	}
	say(n.broken, "broken", "agents-hooks validate")
	say(n.off, "switched off", "agents-hooks enable "+strings.Join(n.off, " "))
	return strings.Join(parts, ", "), helps
}
