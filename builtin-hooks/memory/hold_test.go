package memory

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// Who stands for whom: x, y, z as they were saved one after the other, and what is told of them
// at noon.
// BM-TRU-08, BM-TRU-09, BM-TRU-16, BM-TRU-27.
func TestWhatHoldsIsTold(t *testing.T) {
	t.Parallel()
	ago := func(d time.Duration) time.Time { return noon.Add(-d) }
	x := Fact{ID: "x", Content: "10 seconds", Time: ago(5 * day)}
	y := Fact{ID: "y", Content: "20 seconds", Time: ago(4 * day), Supersedes: []string{"x"}}
	z := Fact{ID: "z", Content: "30 seconds", Time: ago(3 * day), Supersedes: []string{"y"}}
	with := func(f Fact, change func(*Fact)) Fact { change(&f); return f }
	deleted := func(f *Fact) { f.Deleted = true }
	over := func(f *Fact) { f.Until = ago(day) }
	later := func(f *Fact) { f.Since = noon.Add(day) }
	for name, c := range map[string]struct {
		facts []Fact
		told  string
	}{
		"the last of a chain":                         {[]Fact{x, y, z}, "[z]"},
		"the middle is deleted":                       {[]Fact{x, with(y, deleted), z}, "[z]"},
		"the middle is over":                          {[]Fact{x, with(y, over), z}, "[z]"},
		"the last is deleted":                         {[]Fact{x, y, with(z, deleted)}, "[y]"},
		"the last is over":                            {[]Fact{x, y, with(z, over)}, "[y]"},
		"both are gone":                               {[]Fact{x, with(y, over), with(z, deleted)}, "[x]"},
		"the last begins later":                       {[]Fact{x, y, with(z, later)}, "[z y]"},
		"it begins later, and what it replaces ended": {[]Fact{x, with(y, over), with(z, later)}, "[z x]"},
		"a plan is replaced by another plan for then": {[]Fact{x, with(y, later), with(z, later)}, "[z x]"},
		"a plan is called off":                        {[]Fact{x, with(y, later), z}, "[z x]"},
		"a plan by one for a day before":              {[]Fact{x, with(y, func(f *Fact) { f.Since = noon.Add(2 * day) }), with(z, later)}, "[z x]"},
		"a plan by one for a day after":               {[]Fact{x, with(y, later), with(z, func(f *Fact) { f.Since = noon.Add(2 * day) })}, "[z y x]"},
		"each replaces the other":                     {[]Fact{with(x, func(f *Fact) { f.Supersedes = []string{"y"} }), y}, "[]"},
		"the same is said of now and of later":        {[]Fact{x, with(z, func(f *Fact) { f.Content, f.Supersedes = x.Content, nil; later(f) })}, "[z x]"},
	} {
		t.Run(name, func(t *testing.T) {
			var list []*Fact
			for i := range c.facts {
				list = append(list, &c.facts[i])
			}
			ids := []string{}
			for _, f := range distinct(slices.Clone(list), noon) {
				ids = append(ids, f.ID)
			}
			if got := fmt.Sprint(ids); got != c.told {
				t.Errorf("told are %s, want %s", got, c.told)
			}
		})
	}
}

// A period is told by the days where the person is, and before the text, which would be taken for
// what holds now.
// BM-LOD-04, BM-TRU-28.
func TestALineTellsItsPeriod(t *testing.T) {
	t.Parallel()
	there := time.FixedZone("there", -8*3600)
	now := noon.In(there)
	begins, ends := time.Date(2026, 3, 1, 0, 0, 0, 0, there), time.Date(2026, 3, 6, 0, 0, 0, 0, there)
	f := Fact{ID: "log-1", Kind: "W", Content: "the plan", Time: noon, Since: begins, Until: ends}
	if got := FactLine(f, now); got != "- [W][2026-02-17][from 2026-03-01 until 2026-03-05] the plan (0m, log-1)" {
		t.Error(got)
	}
	if got := FactLine(f, begins); got != "- [W][2026-02-17][until 2026-03-05] the plan (11d, log-1)" {
		t.Error(got)
	}
}

// A preference from before the days that are loaded is not told beside the one of these days that
// took its place.
// BM-LOD-15, BM-TRU-08.
func TestAnOldPreferenceThatIsReplacedIsNotTold(t *testing.T) {
	t.Parallel()
	l := project(t, nil)
	sure := func(line string) string { return strings.Replace(line, `"confidence":0.8`, `"confidence":1`, 1) }
	put(t, l.Place.Dir, "daily/2025-12-01.jsonl", sure(fact("old", "O", "likes tabs", 78*day, ""))+sure(fact("other", "O", "likes short answers", 78*day, "")))
	put(t, l.Place.Dir, "daily/2026-02-16.jsonl", fact("new", "O", "likes spaces", day, `,"supersedes":["old"]`))
	if got := l.Load().Text; strings.Contains(got, "tabs") || !strings.Contains(got, "likes spaces") || !strings.Contains(got, "short answers") {
		t.Error(got)
	}
}

// A day is the one that was said, wherever it is read.
// BM-TRU-32.
func TestADayIsTheOneThatWasSaid(t *testing.T) {
	t.Parallel()
	zone := func(hours float64) *time.Location { return time.FixedZone("", int(hours*3600)) }
	for _, said := range []float64{-10, -8, -3.5, 0, 1, 5.5, 5.75, 8, 11, 13} {
		for _, read := range []float64{-11, -8, 0, 1, 5.5, 8, 14} {
			if said-read >= 24 || read-said >= 24 {
				continue // it is a midnight in both
			}
			since, until := time.Date(2026, 12, 4, 0, 0, 0, 0, zone(said)).UTC(), time.Date(2026, 12, 6, 0, 0, 0, 0, zone(said)).UTC()
			now := time.Date(2026, 11, 30, 12, 0, 0, 0, zone(read))
			if have := Span(since, until, now); have != "from 2026-12-04 until 2026-12-05" {
				t.Errorf("said at %v, read at %v: %s", said, read, have)
			}
		}
	}
	for _, at := range []time.Time{time.Date(2026, 12, 4, 14, 37, 0, 0, time.UTC), time.Date(2026, 12, 4, 14, 0, 1, 0, time.UTC), time.Date(2026, 12, 4, 12, 0, 0, 0, zone(0))} {
		if have, want := FirstDay(at, zone(1)), at.In(zone(1)).Format(time.DateOnly); have != want {
			t.Errorf("%v is no day, and told as %s", at, have)
		}
	}
}
