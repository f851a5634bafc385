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
		span = "from " + since.In(now.Location()).Format(time.DateOnly)
	}
	if !until.IsZero() {
		if span != "" {
			span += " "
		}
		span += "until " + until.Add(-time.Second).In(now.Location()).Format(time.DateOnly)
	}
	return span
}
