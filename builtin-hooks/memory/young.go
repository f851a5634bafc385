package memory

import (
	"bytes"
	"cmp"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/ledger"
	"github.com/agents-hooks/agents-hooks/protocol"
)

// newest are the facts of a folder that may be newer than oldest, and the number of other
// facts. If the newest days alone fill a list of limit, older files are only parsed for lines
// that affect other facts, or may be about the present work.
func (p Place) newest(oldest, full time.Time, limit int, about focus) (facts []*Fact, passed int) {
	first := oldest.UTC().Add(-day).Format(time.DateOnly)
	files := p.FactFiles()
	order := make([]int, len(files)) // facts.jsonl, and the newest day first
	for i := range order {
		order[i] = i
	}
	dayOf := func(file string) string {
		if filepath.Base(file) == factsFile {
			return "facts"
		}
		name := filepath.Base(file)
		return name[:min(len(name), len(time.DateOnly))]
	}
	slices.SortStableFunc(order, func(i, j int) int { return strings.Compare(dayOf(files[j]), dayOf(files[i])) })
	of := make([][]*Fact, len(files))
	changed := p.changed(p.looked())
	young, filled := 0, "" // the day at which there are enough
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

// holding is how many facts of a file are newer than a time, and not replaced by others in it.
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

// telling are the facts of a file without waiting lines that affect other facts, or may be
// about something; and how many others it has.
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

// factOf is the fact in a line; nil if it has none, or an unapproved one.
func (p Place) factOf(line []byte) *Fact {
	whose, line := InUse(p.Ledger, line)
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

// oldBytes is how much of older files is read when a session begins, and countBytes how much if
// enough was found before.
const (
	oldBytes   = 2 << 20
	countBytes = 512 << 10
)

// mostSought is how many lines that may be about the present work are parsed, the newest first:
// its words may be those of every line.
const mostSought = 200

// A tally keeps which facts were read and which others they end, so that the number of
// facts that were only counted is right.
type tally struct {
	read, gone map[string]bool
	links      []*Fact // that replace others, or are deleted
	unread     bool    // there are files that nobody counted
}

func (t *tally) add(facts []*Fact) {
	if t.read == nil {
		t.read, t.gone = map[string]bool{}, map[string]bool{}
	}
	for _, f := range facts {
		t.read[f.ID] = true
		if f.Deleted {
			t.gone[f.ID] = true
		}
		if f.Deleted || len(f.Supersedes) > 0 {
			t.links = append(t.links, f)
		}
		for _, id := range f.Supersedes {
			t.gone[id] = true
		}
	}
}

// counted is how many of n facts still hold, and whether there may be more: a replaced or
// deleted fact may be among those that were only counted, or gone altogether.
func (t *tally) counted(n int) (least int, more bool) {
	for id := range t.gone {
		if !t.read[id] {
			n, more = n-1, true
		}
	}
	return max(0, n), more || t.unread
}

// old are strong preferences from before the loaded days, the newest first, and the number of
// facts from that time. Where no index can be searched, facts about the present work are among
// them (BM-LOD-10).
func (l Loader) old(about focus, t *tally) (facts []*Fact, n int) {
	oldest := l.Now.Add(-time.Duration(l.Settings.Of("load_days_max").Int) * day)
	important := l.Settings.Of("important_confidence").Number
	later := slices.Clone(t.links)
	if !l.seek {
		about = nil
	}
	strong := func(f *Fact) bool { return f.Kind == "O" && f.Confidence >= important && !f.Deleted }
	for _, p := range l.places() {
		found, in, unread := p.before(oldest, about, strong)
		t.add(found)
		t.unread = t.unread || unread
		n += in
		for _, f := range found {
			f.User = p.Dir == l.Place.User
			facts = append(facts, f)
		}
	}
	read := map[*Fact]bool{}
	for _, f := range facts {
		read[f] = true
	}
	facts = distinct(slices.Concat(facts, later), l.Now) // those of the last days replace older ones
	facts = slices.DeleteFunc(facts, func(f *Fact) bool { return !read[f] })
	n -= len(read) - len(facts)
	var prefer, work []*Fact
	for _, f := range facts {
		switch {
		case !f.Time.Before(oldest):
		case strong(f):
			prefer = append(prefer, f)
		case f.Kind != "S" && about.of(subject(f)) > 0:
			work = append(work, f)
		}
	}
	slices.SortStableFunc(work, func(a, b *Fact) int { return cmp.Compare(about.of(subject(b)), about.of(subject(a))) })
	return slices.Concat(prefer[:min(len(prefer), oldPreferences)], work[:min(len(work), relatedFacts)]), n
}

// before searches the daily files from before a day, the newest first, until it has found
// enough of what is wanted: it returns the number of their facts, those that are preferences, that
// affect other facts or may be about something, and whether files are left unread. No other line
// is parsed, nor looked up in the ledger if nothing was waiting in its file at the last look.
func (p Place) before(oldest time.Time, about focus, wanted func(*Fact) bool) (facts []*Fact, n int, unread bool) {
	last := oldest.UTC().Format(time.DateOnly) + ".jsonl"
	days := p.afford(slices.DeleteFunc(p.days(), func(file string) bool { return filepath.Base(file) >= last }))
	slices.Reverse(days)
	left, found, sought := oldBytes, 0, 0
	changed := p.changed(p.looked())
	for _, day := range days {
		if left <= 0 || found >= 2*oldPreferences && left <= oldBytes-countBytes && len(about) == 0 {
			return facts, n, true
		}
		b, err := p.Read(day)
		if err != nil {
			continue
		}
		left -= len(b)
		p.Ledger.About()
		known := !changed(day)
		others := saysOfOthers(b)
		for {
			line, kind, rest := nextFact(b)
			if line == nil {
				break
			}
			b = rest
			tells := kind == 'O' || others && saysOfOthers(line)
			if !tells && sought < mostSought && about.may(line) {
				tells = true
				sought++
			}
			if kind == 'S' {
				continue
			}
			if tells || !known {
				if whose, _ := InUse(p.Ledger, line); whose == ledger.Nobody {
					continue
				}
			}
			if !tells {
				n++
				continue
			}
			if f := p.factOf(line); f != nil {
				n++
				if facts = append(facts, f); wanted(f) {
					found++
				}
			}
		}
	}
	return facts, n, false
}

// nextFact is the next line with a type of memory, the letter of that type, and what follows
// the line; nil if there is none.
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
