package memory

import "time"

// Begun reports whether a fact has begun to hold.
func (f Fact) Begun(now time.Time) bool { return !now.Before(f.Since) }

// Over reports whether a fact holds no longer.
func (f Fact) Over(now time.Time) bool { return f.Deleted || !f.Until.IsZero() && !now.Before(f.Until) }

// Deleted are the ids of facts that are deleted in one of their lines, and were not edited after
// that in another.
func Deleted(facts []*Fact) map[string]bool {
	last, out := map[string]*Fact{}, map[string]bool{}
	for _, f := range facts {
		if was := last[f.ID]; f.Deleted && f.ID != "" && (was == nil || f.DeletedAt.After(was.DeletedAt)) {
			last[f.ID], out[f.ID] = f, true
		}
	}
	if len(out) == 0 {
		return out
	}
	for _, f := range facts {
		if by := last[f.ID]; by != nil && f.Outlives(*by) {
			delete(out, f.ID)
		}
	}
	return out
}

// Replaced are the ids of facts that others stand for at a time, each with the id of one that
// does. A fact that begins later replaces from then on, and at once only what begins no earlier
// than itself. What a fact had replaced stays replaced by its successor, even if it was deleted
// or has ended itself; where the last one of them is over, the older one holds again.
func Replaced(facts []*Fact, now time.Time) map[string]string {
	over, since, of := Deleted(facts), map[string]time.Time{}, map[string][]*Fact{}
	for _, f := range facts {
		if f.ID == "" {
			continue
		}
		if !f.Deleted && f.Over(now) {
			over[f.ID] = true
		}
		since[f.ID] = f.Since
		if len(f.Supersedes) > 0 {
			of[f.ID] = append(of[f.ID], f)
		}
	}
	type link struct {
		id string
		by *Fact
	}
	links := func(list []link, f *Fact) []link {
		for _, id := range f.Supersedes {
			list = append(list, link{id, f})
		}
		return list
	}
	by := map[string]string{}
	for _, f := range facts {
		if len(f.Supersedes) == 0 || f.Over(now) || f.ID != "" && over[f.ID] {
			continue
		}
		seen := map[string]bool{}
		for list := links(nil, f); len(list) > 0; list = list[1:] {
			id := list[0].id
			if seen[id] {
				continue
			}
			seen[id] = true
			if f.Hides(since[id], now) {
				by[id] = f.ID
			}
			if !over[id] && !now.Before(since[id]) || !list[0].by.Follows(since[id]) {
				continue // it says so itself, or had replaced nothing yet
			}
			for _, older := range of[id] {
				list = links(list, older)
			}
		}
	}
	return by
}

// Hides reports whether a fact that is not over hides one that it replaces and that begins at a
// time.
func (f Fact) Hides(since, now time.Time) bool {
	return f.Begun(now) || !since.IsZero() && !since.Before(f.Since)
}

// Follows reports whether what began at a time had begun when a fact took its place.
func (f Fact) Follows(since time.Time) bool { return !since.After(f.Time) || !since.After(f.Since) }

// Span is the period in which a fact holds, by the days of the person: "from 2027-03-01",
// "until 2026-12-05", "" if it has neither. A beginning that has passed is not told.
func Span(since, until, now time.Time) (span string) {
	if since.After(now) {
		span = "from " + FirstDay(since, now.Location())
	}
	if !until.IsZero() {
		if span != "" {
			span += " "
		}
		span += "until " + LastDay(until, now.Location())
	}
	return span
}

// FirstDay is the day with which a fact begins to hold, for somebody in a time zone.
func FirstDay(since time.Time, in *time.Location) string {
	return meant(since, in).Format(time.DateOnly)
}

// LastDay is the last day on which a fact holds, for somebody in a time zone.
func LastDay(until time.Time, in *time.Location) string {
	return meant(until, in).Add(-time.Second).Format(time.DateOnly)
}

// meant is a time as whoever said it has it. Who names a day means one of where they are, of which the
// files have the first moment: a midnight there, and so another hour elsewhere, whose day is another
// one. What is midnight in no zone is no day.
func meant(at time.Time, in *time.Location) time.Time {
	here, t := at.In(in), at.UTC()
	if midnight(here) || t.Minute()%15 != 0 || t.Second() != 0 || t.Hour() == 12 && t.Minute() == 0 { // noon of UTC is more likely a noon
		return here
	}
	ahead := 24*time.Hour - time.Duration(t.Hour())*time.Hour - time.Duration(t.Minute())*time.Minute // of UTC
	if t.Hour() <= mostBehind {
		ahead -= 24 * time.Hour
	}
	return t.Add(ahead)
}

// mostBehind is the hour of UTC up to which a midnight is one behind UTC, and past which it is one
// ahead of it: fewer people live ten hours behind than eleven and more ahead.
const mostBehind = 10

func midnight(t time.Time) bool { return t.Hour() == 0 && t.Minute() == 0 && t.Second() == 0 }
