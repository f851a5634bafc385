package doctor

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	builtinhooks "github.com/agents-hooks/agents-hooks/builtin-hooks"
	skillhooks "github.com/agents-hooks/agents-hooks/builtin-hooks/skills"
	skillops "github.com/agents-hooks/agents-hooks/builtin-hooks/skills/ops"
	"github.com/agents-hooks/agents-hooks/cmd/internal/hookset"
	"github.com/agents-hooks/agents-hooks/cmd/internal/host"
	"github.com/agents-hooks/agents-hooks/cmd/internal/requirements"
	"github.com/agents-hooks/agents-hooks/cmd/internal/runlog"
	"github.com/agents-hooks/agents-hooks/cmd/internal/setup"
	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// can reports what hooks here need and an agent cannot do, and how the built-in behaviours work
// in it.
func can(p place, a *protocol.Dialect) []check {
	has := carries(a)
	return slices.Concat(
		wanted(p.set, a, has),
		channels(p, has),
		guides(p, a),
		promptsIn(p.skills(), a),
		dropped(p.Host, a),
	)
}

// carries is what an answer to each event of an agent can carry.
func carries(a *protocol.Dialect) map[protocol.EventType]protocol.Can {
	has := map[protocol.EventType]protocol.Can{}
	for _, n := range a.NativeEvents {
		for _, e := range n.Events() {
			has[e] |= n.CanOf(e)
		}
	}
	return has
}

// wanted reports hooks at events that an agent does not have, and parts of their answers that
// it cannot carry.
func wanted(set *discovery.Set, a *protocol.Dialect, has map[protocol.EventType]protocol.Can) (list []check) {
	never, wants := map[string][]string{}, map[string][]string{}
	for _, h := range set.Hooks {
		if h.Status != discovery.Ready {
			continue
		}
		builtin := h.Layer == discovery.BuiltinLayer
		carried, found := has[h.Trigger]
		switch {
		case !found && builtin:
			continue // reported by channels
		case !found:
			never[string(h.Trigger)] = append(never[string(h.Trigger)], h.Name)
			continue
		case h.OnError == discovery.OnErrorBlock && h.Trigger.Prevents() && !carried.Has(protocol.CanBlock):
			list = append(list, row("can", checkWarn, "", "%s wants its failure to block, and this agent cannot be blocked at %s", h.Name, h.Trigger))
		}
		if !builtin { // built-in hooks look at context.can themselves
			for _, p := range requirements.Unmet(a, h, set.Settings.OnUnsupported) {
				wants[p.Message] = append(wants[p.Message], h.Name)
			}
		}
	}
	for _, e := range slices.Sorted(maps.Keys(never)) {
		list = append(list, row("can", checkWarn, "", "this agent has no %s: there %s never runs", e, strings.Join(never[e], ", ")))
	}
	for _, text := range slices.Sorted(maps.Keys(wants)) {
		list = append(list, row("can", checkWarn, "agents-hooks validate --agent "+a.ID, "%s (%s)", text, strings.Join(wants[text], ", ")))
	}
	return list
}

// A voice is what a built-in hook does at an event.
type voice struct {
	what string       // "context"
	by   protocol.Can // any of these can carry it
}

// voiceOf is how a hook speaks; ok is false for one that says nothing.
func voiceOf(h *discovery.Hook) (voice, bool) {
	switch h.Trigger {
	case protocol.PreAgentTurnStop, protocol.PostSubagent:
		return voice{"a follow-up", protocol.CanContinue}, !h.Async
	case protocol.PreContextCompact:
		return voice{"a request", protocol.CanContext | protocol.CanMessage}, !h.Async
	case protocol.PostSession, protocol.PostAgentTurn, protocol.PostAgentTurnStop:
		return voice{}, false
	}
	return voice{"context", protocol.CanContext}, !h.Async
}

// channels reports, for each behaviour that is on, which of its hooks an agent hears, and which
// reminders cannot work.
func channels(p place, has map[protocol.EventType]protocol.Can) (list []check) {
	for _, b := range p.Behaviours() {
		heard, deaf, missing := hearing(hookset.BehaviourHooks(p.set, b.Name), has)
		if len(heard)+len(deaf)+len(missing) == 0 {
			continue
		}
		text := fmt.Sprintf("%s is heard at %s", b.Name, cmp.Or(strings.Join(heard, ", "), "no event"))
		if len(missing) > 0 {
			// That is a property of the agent: there is nothing to fix.
			text += "; there is no " + strings.Join(missing, ", ") + " here"
		}
		status := checkOK
		if len(deaf) > 0 || len(heard) == 0 {
			status = checkWarn
		}
		list = append(list, row("channels", status, "", "%s", strings.Join(append([]string{text}, deaf...), "; ")))
	}
	return list
}

// hearing sorts the events of ready hooks by what happens to their answers; what an agent
// cannot be told at once may come with its next prompt or tool call.
func hearing(hooks []*discovery.Hook, has map[protocol.EventType]protocol.Can) (heard, deaf, missing []string) {
	late := has[protocol.PreAgentTurn].Has(protocol.CanContext) || has[protocol.PostToolCall].Has(protocol.CanContext)
	for _, h := range hooks {
		if h.Status != discovery.Ready {
			continue
		}
		carried, there := has[h.Trigger]
		v, speaks := voiceOf(h)
		switch {
		case !there:
			missing = append(missing, string(h.Trigger))
		case !speaks:
		case carried&v.by == 0 && (v.what == "a follow-up" || !late):
			deaf = append(deaf, fmt.Sprintf("%s is not heard: %s carries no %s", h.Name, h.Trigger, strings.TrimPrefix(v.what, "a ")))
		case carried&v.by == 0:
			heard = append(heard, fmt.Sprintf("%s (late, with the next prompt or tool call)", h.Trigger))
		default:
			heard = append(heard, string(h.Trigger))
		}
	}
	slices.Sort(heard)
	slices.Sort(missing)
	return slices.Compact(heard), deaf, slices.Compact(missing)
}

// guides reports guides that differ from what this program would write.
func guides(p place, a *protocol.Dialect) (list []check) {
	for _, site := range sites(p, a) {
		skills := a.Skills.Dir(site)
		if skills == "" {
			continue
		}
		for _, b := range p.Behaviours() {
			path := setup.GuideFile(skills, b.Name)
			if text, err := site.Read(path); err == nil {
				list = append(list, guide(p, &b, path, text, again(a, site)+" --guides")...)
			}
		}
	}
	return list
}

func guide(p place, b *builtinhooks.Behaviour, path string, text []byte, again string) []check {
	ours, untouched := builtinhooks.IsGuide(text)
	on := slices.ContainsFunc(hookset.BehaviourHooks(p.set, b.Name), func(h *discovery.Hook) bool { return h.Status != discovery.Disabled })
	switch now := builtinhooks.Guide(b, p.Getenv, p.set.Settings.Builtin[b.Name]); {
	case !ours:
		return nil
	case !on:
		return rows("guide", checkWarn, "agents-hooks enable "+b.Name+", or "+again, "%s tells of %s, which is off", p.Short(path), b.Name)
	case !untouched:
		return rows("guide", checkOK, "", "%s was edited", p.Short(path))
	case !setup.Same(text, now):
		return rows("guide", checkWarn, again, "%s is of another version, or in another language", p.Short(path))
	}
	return rows("guide", checkOK, "", "%s", p.Short(path))
}

// promptsIn says how well an agent can be given the prompts of the skills found here.
func promptsIn(shelf skillops.Catalog, a *protocol.Dialect) []check {
	if !shelf.On {
		return nil
	}
	used := map[skillhooks.Timing]bool{}
	for _, s := range shelf.Skills {
		for _, h := range s.Hooks {
			used[h.Timing] = used[h.Timing] || s.Status == skillops.Ready
		}
	}
	status := checkOK
	var parts []string
	for _, f := range skillops.FidelityOf(a) {
		if !used[f.Timing] {
			continue
		}
		if f.Fidelity == "none" {
			status = checkWarn
		}
		parts = append(parts, fmt.Sprintf("%s %s (%s)", f.Timing, f.Fidelity, f.Detail))
	}
	if len(parts) == 0 {
		return nil
	}
	return rows("skills", status, "", "prompts of skills: %s", strings.Join(parts, "; "))
}

// droppedDays is how far back to look: the agent may have gained the capability since.
const droppedDays = 14

// dropped counts, in the run log, what an agent could not be told.
func dropped(h host.Host, a *protocol.Dialect) (list []check) {
	count := map[string]int{}
	for l := range runlog.Lines(h.State, runlog.Filter{Agent: a.ID, Since: h.Now().AddDate(0, 0, -droppedDays)}) {
		for _, w := range l.Warnings {
			if w.Kind != "unsupported" {
				continue
			}
			said := w.Text
			if w.Hook != "" {
				said = "hook " + w.Hook + ": " + said
			}
			count[said]++
		}
	}
	for _, said := range slices.Sorted(maps.Keys(count)) {
		fix := ""
		if strings.Contains(said, "cannot ask on pre-tool-call") || strings.Contains(said, "cannot change the input on") {
			fix = "[hooks] on_unsupported in " + h.Short(filepath.Join(h.Config, "hooks.toml")) + " rules it"
		}
		list = append(list, row("can", checkWarn, fix, "%s (%s in the last %d days)", said, text.Count(count[said], "time"), droppedDays))
	}
	return list
}
