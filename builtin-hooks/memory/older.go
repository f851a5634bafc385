package memory

import (
	"cmp"
	"slices"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/ledger"
)

// old are strong preferences from before the loaded days, the newest first, and the number of
// facts from that time. Where no index can be searched, facts about the present work are among
// them (BM-LOD-10).
func (l Loader) old(about *Focus, t *tally) (facts []*Fact, n int) {
	oldest := l.Now.Add(-time.Duration(l.Settings.Of("load_days_max").Int) * day)
	if !l.seek {
		about = nil
	}
	r := reading{about: about, strong: l.strong}
	for i, p := range l.places() {
		from := len(r.facts)
		r.left, r.prefer = oldBytes, 0
		r.read(p, t.rest[i])
		t.unread = t.unread || r.unread
		for _, f := range r.facts[from:] {
			f.User = p.Dir == l.Place.User
		}
	}
	about.weigh(t.aged)
	about.counted(r.lines)
	later := slices.Clone(t.links)
	facts = slices.Concat(r.facts, r.sought())
	t.add(facts)
	for _, f := range t.aged {
		if l.strong(f) || about.of(subject(f)) > 0 {
			facts = append(facts, f)
		} else {
			n++
		}
	}
	n += r.n + len(facts)
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
		case l.strong(f):
			prefer = append(prefer, f)
		case f.Kind != "S" && about.of(subject(f)) > 0:
			work = append(work, f)
		}
	}
	slices.SortStableFunc(work, func(a, b *Fact) int {
		return cmp.Or(cmp.Compare(about.tells(subject(b)), about.tells(subject(a))), cmp.Compare(l.worth(b), l.worth(a)), sooner(b, a))
	})
	return slices.Concat(prefer[:min(len(prefer), oldPreferences)], work[:min(len(work), relatedFacts)]), n
}

// strong reports whether a fact is a preference that is certain enough to be told however old it is.
func (l Loader) strong(f *Fact) bool {
	return f.Kind == "O" && f.Confidence >= l.Settings.Of("important_confidence").Number && !f.Deleted
}

// A reading is of files from before the loaded days, the newest first.
type reading struct {
	about  *Focus
	strong func(*Fact) bool
	left   int // bytes that it may still read
	prefer int // strong preferences that it found

	facts  []*Fact // those that are preferences, or affect other facts
	n      int     // how many others there are
	lines  int     // lines with a fact that were searched for the words of the work
	may    []line  // those that may be about it
	unread bool    // files are left that were not read
}

// A line of a file, with the words of the present work in it.
type line struct {
	of   *Place
	text []byte
	in   found
}

// read reads files until it has found enough of what is wanted. Other lines are neither parsed, nor
// looked up in the ledger if nothing was waiting in their file at the last look.
func (r *reading) read(p Place, files []string) {
	changed := p.changed(p.looked())
	for _, file := range files {
		if r.left <= 0 || r.prefer >= 2*oldPreferences && r.left <= oldBytes-countBytes && r.about.None() {
			r.unread = true
			return
		}
		b, err := p.Read(file)
		if err != nil {
			continue
		}
		r.left -= len(b)
		p.Ledger.About()
		r.file(&p, b, !changed(file))
	}
}

// file reads the lines of a file.
func (r *reading) file(p *Place, b []byte, known bool) {
	others := saysOfOthers(b)
	for {
		text, kind, rest := nextFact(b)
		if text == nil {
			return
		}
		b = rest
		if kind == 'S' {
			continue
		}
		tells := kind == 'O' || others && saysOfOthers(text)
		if tells || !known {
			if whose, _ := InUse(p.Ledger, text); whose == ledger.Nobody {
				continue
			}
		}
		if !r.about.None() {
			in := r.about.scanner().in(text)
			r.about.note(in)
			r.lines++
			if in != 0 && !tells {
				r.may = append(r.may, line{p, text, in})
			}
		}
		if !tells {
			r.n++
			continue
		}
		if f := p.factOf(text); f != nil {
			if r.facts = append(r.facts, f); r.strong(f) {
				r.prefer++
			}
		}
	}
}

// sought are the facts in the lines that may be about the present work.
func (r *reading) sought() (facts []*Fact) {
	type weighed struct {
		line
		tells float64
	}
	var list []weighed
	for _, l := range r.may {
		if weight, tells := r.about.most(l.in); weight >= Enough {
			list = append(list, weighed{l, tells})
		}
	}
	slices.SortStableFunc(list, func(a, b weighed) int { return cmp.Compare(b.tells, a.tells) })
	for _, l := range list[:min(len(list), mostSought)] {
		r.n-- // it is counted with those that are parsed, if it is one
		if f := l.of.factOf(l.text); f != nil {
			facts = append(facts, f)
		}
	}
	return facts
}
