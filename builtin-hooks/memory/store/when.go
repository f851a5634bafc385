package store

import (
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/period"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// validity is the period for which the text of a fact says that it holds, if it was said at a time. What
// a session did is no such fact.
func validity(f memory.Fact, said time.Time) period.Period {
	if f.Kind == "S" {
		return period.Period{}
	}
	return period.Read(f.Content, said)
}

// said is when a fact was said, by the days of the person.
func (k Keeper) said(f memory.Fact) time.Time {
	if f.Time.IsZero() {
		return k.Now
	}
	return f.Time.In(k.Now.Location())
}

// during says when a fact holds.
func (s *Saved) during(f memory.Fact, now time.Time) {
	s.Since, s.Until, s.Holds = stampOf(f.Since), stampOf(f.Until), memory.Span(f.Since, f.Until, now)
}

// over reports whether a fact that ends then no longer holds.
func (k Keeper) over(until time.Time) bool { return !until.IsZero() && !k.Now.Before(until) }

// stillUntil is the last day on which all that a fact takes the place of holds, "" if the fact has begun, or
// some of that begins no sooner or ends before.
func (k Keeper) stillUntil(f memory.Fact) string {
	if f.Begun(k.Now) {
		return ""
	}
	for _, id := range f.Supersedes {
		if e, ok := k.last(id); ok && (!e.Since.Before(f.Since) || e.Over(f.Since.Add(-time.Second))) {
			return ""
		}
	}
	return memory.LastDay(f.Since, k.Now.Location())
}

// stampOf is a time as the files have it, "" for none.
func stampOf(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return memory.Stamp(t)
}

// bound gives a fact that is said again the period that it is said with now, if that is another
// one: how else would somebody tell the end of what they saved. What holds now does not begin
// later by that.
func (k Keeper) bound(e *Entry, f memory.Fact) error {
	is := e.Fact
	if !f.Until.IsZero() {
		is.Until = f.Until
	}
	if !f.Since.IsZero() && (f.Begun(k.Now) || !e.Begun(k.Now)) {
		is.Since = f.Since
	}
	if is.Since.Equal(e.Since) && is.Until.Equal(e.Until) || reversed(is) || memory.Shared(e.Origin) {
		return nil
	}
	was := e.Fact
	e.Since, e.Until = is.Since, is.Until
	return k.place().Rewrite(e.File, func(o *protocol.Object) (bool, bool, error) {
		if f, ok := memory.ParseFact(*o); !ok || f.ID != was.ID || f.Content != was.Content {
			return false, true, nil
		}
		before := o.Clone()
		stampAs(o, "valid_from", was.Since, is.Since)
		stampAs(o, "valid_until", was.Until, is.Until)
		return k.edited(o, before, true), true, nil
	})
}
