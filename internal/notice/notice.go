// Package notice collects what the user should know about an event besides its outcome:
// failures in the runner, problems in files, untrusted hooks, and what the answer could
// not carry. The dispatcher and package hooks share it.
package notice

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agents-hooks/agents-hooks/discovery"
	"github.com/agents-hooks/agents-hooks/protocol"
	"github.com/agents-hooks/agents-hooks/runner"
)

// Of is all of that in one list: what was known before its hooks ran, and then what
// their report, their files and the losses of its answer tell. agent is its name.
func Of(rep runner.Report, set *discovery.Set, losses []protocol.Loss, agent string, before []runner.Warning) []runner.Warning {
	list := append([]runner.Warning(nil), before...)
	if what := rep.Event.Unread; what != "" {
		list = append(list, note("unread", "%s is left out of what hooks get, and counts as a match", what))
	}
	list = append(list, rep.Warnings...)
	for _, p := range set.Problems {
		list = append(list, note("settings", "%s", p.String()))
	}
	for _, in := range untrusted(set, rep.Event.Type) {
		if in.refused {
			list = append(list, note(kindRefused, "%s of this project did not run, because you refused that as it is: `agents-hooks trust` in %s asks again", hookList(in.hooks), in.project))
			continue
		}
		why := "nobody has approved it"
		if in.changed {
			why = "it has changed since you approved it"
		}
		list = append(list, note("untrusted", "%s of this project did not run, because %s: run `agents-hooks trust` in %s", hookList(in.hooks), why, in.project))
	}
	for _, l := range losses {
		list = append(list, lost(rep, l, l.Told(agent))...)
	}
	return list
}

// Fresh are the notices that spec form gives with an event: what happened at it, and
// of how things stand what this session was not told yet.
func Fresh(ses *runner.Session, notices []runner.Warning) []runner.Warning {
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

// lost tells what the agent could not be told, of each hook that said it.
func lost(rep runner.Report, l protocol.Loss, said string) (list []runner.Warning) {
	if t := rep.Event.Type; l.What == protocol.CanBlock && (t == protocol.PreSession || t == protocol.PreAgentTurn) && !rep.Owed {
		said += "; but it cannot be kept until then, and is dropped"
	}
	for _, r := range rep.Results {
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
// word of its person, as new or as changed since their last one, or those that they said
// no to as they are.
type unapproved struct {
	project string
	refused bool
	changed bool
	hooks   []string
}

// kindRefused is of what the log says, and nobody is told: they know.
const kindRefused = "refused"

// IsRefused reports whether a notice is for the log alone.
func IsRefused(w runner.Warning) bool { return w.Kind == kindRefused }

// untrusted names the hooks of each project that this event would have run.
func untrusted(set *discovery.Set, t protocol.EventType) (list []unapproved) {
	for _, h := range set.Untrusted(t) {
		one := unapproved{project: h.Project, refused: h.Refused != "", changed: h.Changed}
		at := slices.IndexFunc(list, func(u unapproved) bool {
			return u.project == one.project && u.refused == one.refused && u.changed == one.changed
		})
		if at < 0 {
			at = len(list)
			list = append(list, one)
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

// BlockedBy is the hook whose word the decision of an answer is where that is a block, ""
// if there is none: the agent that cannot ask, or take a changed input, may have made it
// of something else.
func BlockedBy(rep runner.Report, decision protocol.Decision) string {
	if decision != protocol.Block {
		return ""
	}
	said := rep.Outcome.Decision
	for _, r := range rep.Results {
		if r.Outcome.Decision == said && (said >= protocol.Ask || r.Outcome.ModifiedInput != nil) {
			return r.Hook.Name
		}
	}
	for _, w := range rep.Warnings {
		if w.Kind == runner.OwedKind {
			return w.Hook
		}
	}
	return ""
}

func note(kind, format string, args ...any) runner.Warning {
	return runner.Warning{Kind: kind, Text: fmt.Sprintf(format, args...)}
}
