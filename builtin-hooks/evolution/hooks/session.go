package hooks

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/draft"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/evolution/journal"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/behaviour"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/fence"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// localShare is kept, of the time for the beginning of a session, for what lies on this
// machine; the server gets the rest.
const localShare = 600 * time.Millisecond

// start is evolution-start. All of it shares one deadline: whatever has not arrived by
// then is fetched in the background, for the next time.
func start(c *behaviour.Call) error {
	var errs []error
	if source(c.Event) == "startup" {
		errs = append(errs, journalOf(c).Begin(c.Now))
	}
	if !c.Can("context") {
		return errors.Join(errs...)
	}
	errs = append(errs, waitingReview(c), offerDraft(c))
	if accountOf(c).Key != "" { // without one nothing may leave the machine
		errs = append(errs, pull(c))
	}
	if c.Settings.Of("passive").Bool {
		errs = append(errs, passive(c))
	}
	return errors.Join(errs...)
}

// source is how a session began, under whichever name the agent gives it.
func source(ev protocol.Object) string {
	for _, name := range [...]string{"source", "type", "event"} {
		if s := ev.Text(name); s != "" {
			return s
		}
	}
	return ""
}

// pull fetches what others learned.
func pull(c *behaviour.Call) error {
	left := time.Second
	if last, ok := c.Ctx.Deadline(); ok {
		left = time.Until(last) - localShare
	}
	args := []string{"--start", "--session", c.Session()}
	if left > 100*time.Millisecond {
		o, err := ask(c, nil, "sync", append(args, "--deadline-ms", milliseconds(left))...)
		if err == nil {
			if text := o.Text("memory"); text != "" {
				c.Say(pulledMemory(langOf(c), text), "")
			}
			return nil
		}
	}
	return c.Runtime.Detach(c.Project(), c.Env, append(append([]string{"evolution", "sync"}, args...), "--dir", c.Project(), "--scope", scopeOf(c))...)
}

// passive names proven genes, without their steps.
func passive(c *behaviour.Call) error {
	if !evolution.HasGenes(evolution.Dir(c.Runtime.Data)) && !c.Settings.Of("passive_untested").Bool {
		return nil // there is no experience yet: not worth a process
	}
	var args []string
	if c.Settings.Of("passive_untested").Bool {
		args = []string{"--untested"}
	}
	o, err := ask(c, nil, "passive", args...)
	if err != nil {
		return err
	}
	var genes []found
	for _, raw := range protocol.ElementsOf(o.Get("genes")) {
		if g := geneOf(protocol.ObjectOf(raw)); g.title != "" && len(genes) < 5 {
			genes = append(genes, g)
		}
	}
	if len(genes) > 0 {
		c.Say(experience(langOf(c), scopeOf(c), genes), "agents-hooks evolution list")
	}
	return nil
}

// subagent is evolution-subagent, a single line.
func subagent(c *behaviour.Call) error {
	if !c.Can("context") || c.Session() == "" {
		return nil
	}
	j := journalOf(c).Troubled()
	signals := j.Signals()
	signals = signals[:min(len(signals), 5)]
	var genes []found
	var err error
	if len(signals) > 0 || evolution.HasGenes(evolution.Dir(c.Runtime.Data)) {
		args := []string{"--limit", "3"}
		if len(signals) > 0 {
			args = append(args, "--signals", list(signals))
		}
		var o protocol.Object
		o, err = ask(c, nil, "strategies", args...)
		for _, raw := range protocol.ElementsOf(o.Get("genes")) {
			if g := geneOf(protocol.ObjectOf(raw)); g.title != "" && len(genes) < 3 {
				genes = append(genes, g)
			}
		}
	}
	// What this session was offered may be too new to be proven.
	last := geneOf(c.State.Read(stateName).Sub("last"))
	if last.title != "" && len(genes) < 3 && !slices.ContainsFunc(genes, func(g found) bool { return g.id == last.id }) {
		genes = append(genes, last)
	}
	if len(signals)+len(genes) > 0 {
		c.Say(forSubagent(langOf(c), genes, signals), "")
	}
	return err
}

// push is evolution-push. An agent that exits kills its hooks after a moment, so a
// separate process does the work.
func push(c *behaviour.Call) error {
	j := journalOf(c).Read()
	if !j.Worth() {
		return nil
	}
	kept := keepDraft(c, &j)
	args := []string{"evolution", "sync", "--end", "--session", c.Session(), "--dir", c.Project(), "--scope", scopeOf(c)}
	if !j.Reviewed.IsZero() && !c.Settings.Of("push_after_review").Bool || accountOf(c).Key == "" {
		args = append(args, "--local")
	}
	return errors.Join(kept, c.Runtime.Detach(c.Project(), c.Env, args...))
}

// keepDraft keeps material for a gene from a session without a review: a failure that
// recurred and was fixed by the end.
func keepDraft(c *behaviour.Call, j *journal.Journal) error {
	if !j.Reviewed.IsZero() {
		return nil
	}
	return draft.Keep(evolution.Dir(c.Runtime.Data), scopeOf(c), draft.Of(j, c.Session(), c.Now))
}

// offerDraft asks for a description of an earlier session's draft, if reviews are
// wanted.
func offerDraft(c *behaviour.Call) error {
	if modeOf(c) == "off" || c.Runtime.TextBudget == 0 {
		return nil
	}
	d, ok, err := draft.Tell(evolution.Dir(c.Runtime.Data), scopeOf(c), c.Now)
	if ok {
		c.Say(draftText(langOf(c), &d, c.Names()), "agents-hooks evolution review")
	}
	return err
}

// line is somebody else's text for use within ours: one line, no control characters, no
// longer than most.
func line(s string, most int) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 || r >= 0x200b && r <= 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
			return ' '
		}
		return r
	}, s)
	return text.Clip(text.OneLine(s), most)
}

// inert is a text of a gene, which may be somebody else's, on one line: no turn of a
// conversation begins in it, and it has no tags. So it closes no element that an agent
// or our own text has put around it, and opens none. What is not a tag, such as a
// redirection, stays.
func inert(s string, most int) string {
	s = line(fence.Foreign(s), most)
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(s, "<")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		inside, after, closed := strings.Cut(rest, ">")
		switch {
		case !tagAt(rest):
			b.WriteString("<")
			s = rest
		case !closed || strings.Contains(inside, "<"):
			if rest[0] == '/' {
				b.WriteString("‹")
			} else {
				b.WriteString("<")
			}
			s = rest
		default:
			b.WriteString("‹" + inside + "›")
			s = after
		}
	}
}

// tagAt reports whether what follows a "<" could be a tag.
func tagAt(s string) bool {
	s = strings.TrimPrefix(s, "/")
	return s != "" && (s[0]|0x20 >= 'a' && s[0]|0x20 <= 'z' || s[0] == '!' || s[0] == '?' || s[0] >= 0x80)
}
