package memory

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/ledger"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// newest are the facts of a folder that may be as young as oldest, and how many others
// there are. Where those of the newest days fill a list of limit by themselves, of older
// files only what says something of others, or may be about the present work, is parsed.
func (p Place) newest(oldest, full time.Time, limit int, about focus) (facts []*Fact, passed int) {
	first := oldest.UTC().Add(-day).Format(time.DateOnly)
	files := p.FactFiles()
	order := make([]int, len(files)) // facts.jsonl, and the newest day first
	for i := range order {
		order[i] = i
	}
	dayOf := func(file string) string {
		if file == factsFile {
			return "facts"
		}
		name := filepath.Base(file)
		return name[:min(len(name), len(time.DateOnly))]
	}
	slices.SortStableFunc(order, func(i, j int) int { return strings.Compare(dayOf(files[j]), dayOf(files[i])) })
	of := make([][]*Fact, len(files))
	changed := p.changed(p.looked())
	young, filled := 0, "" // until which day there are enough
	for _, i := range order {
		switch name := dayOf(files[i]); {
		case name < first:
		case name < filled && (p.Ledger == nil || !changed(files[i])):
			found, n := p.telling(files[i], about)
			of[i], passed = found, passed+n
		default:
			of[i] = p.factsOf(files[i])
			if young += holding(of[i], full); young >= 2*limit && filled == "" {
				filled = name
			}
		}
	}
	return slices.Concat(of...), passed
}

// holding is how many facts of a file are younger than a time, and not replaced by others
// of it.
func holding(facts []*Fact, since time.Time) (n int) {
	gone := map[string]bool{}
	for _, f := range facts {
		for _, id := range f.Supersedes {
			gone[id] = true
		}
	}
	for _, f := range facts {
		if !f.Deleted && f.Kind != "S" && !gone[f.ID] && f.Time.After(since) {
			n++
		}
	}
	return n
}

// telling are the facts of a file in which nothing waits that say something of others, or
// may be about something; and how many others it has.
func (p Place) telling(file string, about focus) (facts []*Fact, passed int) {
	b, err := p.files().Read(p.Path(file))
	if err != nil {
		return nil, 0
	}
	others := saysOfOthers(b)
	for {
		line, kind, rest := nextFact(b)
		if line == nil {
			return lastOfEach(facts), passed
		}
		b = rest
		if !(others && saysOfOthers(line)) && !about.may(line) {
			if kind != 'S' {
				passed++
			}
			continue
		}
		if f := p.factOf(line); f != nil {
			facts = append(facts, f)
		}
	}
}

// factOf is the fact of a line; nil if it has none, or one that nobody has looked at.
func (p Place) factOf(line []byte) *Fact {
	whose := p.Ledger.Of(ledger.LineKey(line))
	if whose == ledger.Nobody {
		return nil
	}
	o, err := protocol.ParseObject(line)
	if err != nil {
		return nil
	}
	f, ok := parseFact(o)
	if !ok {
		return nil
	}
	f.Whose = whose
	return &f
}

// saysOfOthers reports whether lines may say that facts are replaced or deleted.
func saysOfOthers(b []byte) bool {
	return bytes.Contains(b, []byte(`"supersedes"`)) || bytes.Contains(b, []byte(`"deleted_at"`))
}

// oldBytes is how much of older files is looked through as a session begins, and
// countBytes where what is looked for is found before.
const (
	oldBytes   = 2 << 20
	countBytes = 512 << 10
)

// old are strong preferences from before the days that are loaded, the newest
// first, and how many facts there are from then.
func (l Loader) old() (facts []*Fact, n int) {
	oldest := l.Now.Add(-time.Duration(l.Settings.Of("load_days_max").Int) * day)
	important := l.Settings.Of("important_confidence").Number
	for _, p := range l.places() {
		found, in := p.before(oldest, func(f *Fact) bool { return f.Kind == "O" && f.Confidence >= important && !f.Deleted })
		n += in
		for _, f := range found {
			f.User = p.Dir == l.Place.User
			facts = append(facts, f)
		}
	}
	facts = slices.DeleteFunc(distinct(facts, l.Now), func(f *Fact) bool { return f.Kind != "O" || f.Confidence < important || !f.Time.Before(oldest) })
	return facts[:min(len(facts), oldPreferences)], n
}

// before looks through the daily files of before a day, the newest first, until there are
// enough of those that are wanted: how many facts they have, and those that are
// preferences, or that say something of others.
// Of the rest of the lines nothing is parsed; nor is the ledger asked of them where
// nothing waited in a file when it was last looked at.
func (p Place) before(oldest time.Time, wanted func(*Fact) bool) (facts []*Fact, n int) {
	last := oldest.UTC().Format(time.DateOnly) + ".jsonl"
	entries, _ := p.Within.List(filepath.Join(p.Dir, dailyDir))
	slices.Reverse(entries)
	left, found := oldBytes, 0
	changed := p.changed(p.looked())
	for _, e := range entries {
		if filepath.Ext(e.Name()) != ".jsonl" || e.Name() >= last || left <= 0 || found >= 2*oldPreferences && left <= oldBytes-countBytes {
			continue
		}
		b, err := p.files().Read(filepath.Join(p.Dir, dailyDir, e.Name()))
		if err != nil {
			continue
		}
		left -= len(b)
		p.Ledger.About()
		known := !changed(dailyDir + "/" + e.Name())
		others := saysOfOthers(b)
		for {
			line, kind, rest := nextFact(b)
			if line == nil {
				break
			}
			b = rest
			tells := kind == 'O' || others && saysOfOthers(line)
			if kind == 'S' || (tells || !known) && p.Ledger.Of(ledger.LineKey(line)) == ledger.Nobody {
				continue
			}
			n++
			if !tells {
				continue
			}
			if f := p.factOf(line); f != nil {
				if facts = append(facts, f); wanted(f) {
					found++
				}
			}
		}
	}
	return facts, n
}

// nextFact is the next line that has a type of memory, the letter of that type, and
// what follows the line; nil if there is none.
func nextFact(b []byte) (line []byte, kind byte, rest []byte) {
	const name = `"memory_type"`
	at := bytes.Index(b, []byte(name))
	if at < 0 {
		return nil, 0, nil
	}
	start, end := bytes.LastIndexByte(b[:at], '\n')+1, len(b)
	if i := bytes.IndexByte(b[at:], '\n'); i >= 0 {
		end = at + i
	}
	if value := bytes.TrimLeft(b[at+len(name):end], ": \t\""); len(value) > 0 {
		kind = value[0]
	}
	return b[start:end], kind, b[end:]
}
