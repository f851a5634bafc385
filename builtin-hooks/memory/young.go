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

// newest are the facts of a folder from files that may have some newer than oldest, and the number
// of other facts in them; rest are its older files. If the newest days alone fill a list of limit,
// older files are only parsed for preferences and for lines that affect other facts, or may be
// about the present work.
func (p Place) newest(oldest, full time.Time, limit int, about *Focus) (facts []*Fact, passed int, rest []string) {
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
			rest = append(rest, files[i])
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
	return slices.Concat(of...), passed, rest
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

// telling are the facts of a file without waiting lines that are preferences, affect other facts, or
// may be about something; and how many others it has.
func (p Place) telling(file string, about *Focus) (facts []*Fact, passed int) {
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
		if kind != 'O' && !(others && saysOfOthers(line)) && !about.may(line) {
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

// mostSought is how many lines that may be about the present work are parsed, those first that have
// its rarest words.
const mostSought = 200

// A tally keeps which facts were read and which others they end, so that the number of
// facts that were only counted is right; and what there is from before the loaded days.
type tally struct {
	aged []*Fact    // of files that may have newer ones, without what does not hold
	rest [][]string // the older files of each folder, the newest first

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
