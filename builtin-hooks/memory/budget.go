package memory

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/fence"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/locale"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/setting"
	"github.com/agents-hooks/agents-hooks/internal/order"
)

// A Loader makes the text that a session begins with.
type Loader struct {
	Place    Place
	Settings setting.Values
	Lang     locale.Language
	Now      time.Time
	Room     int // characters that the text may have

	// What is being worked on: it decides what counts.
	Branch  string
	Files   []string // that were changed
	Related []Fact   // older ones that a search found to be about it

	Search string // how the agent asks for what was left out
}

// A Loaded memory is what a session begins with.
type Loaded struct {
	Text string
	Told []string // the ids of the facts and the session in it
	// Pages are the sections of pages in it.
	Pages []string
	// Auto is the session in it that nobody summarised; nil if there is none.
	Auto *Summary
}

// Load is what is remembered: core memory, facts, the last session, each only if
// there is any. Where not all of it fits, the budget is filled by value: the last
// session whole, pages by their sections, facts one by one; and one line says what
// was left out.
func (l Loader) Load() Loaded {
	last, since := l.sessions()
	about := l.focus(last)
	b := budget{Loader: l, own: last, auto: since, last: l.lastSession(last, roomy), since: l.sinceThen(since), sections: l.sections(about)}
	b.facts, b.older = l.candidates(about)
	for _, p := range b.sections {
		p.taken = true
	}
	b.untold(true)
	if b.size() > l.Room {
		b.fill(l.lastSession(last, tight))
	}
	return b.loaded()
}

// A piece is a section of a page or a fact, as it is told.
type piece struct {
	text  string
	value float64 // the higher, the sooner it is taken
	let   bool    // it is the repository's, or the team's
	taken bool
	whole bool   // nothing of it was cut
	name  string // of a section its heading, of a fact its id
	said  string // of a fact what it says, for comparison
	again bool   // a fact that a page which is told says already
}

// cost is how much room a piece takes, its line break included.
func (p *piece) cost() int {
	text := p.text
	if p.let {
		text = fence.Quoted(text)
	} else {
		text = fence.Harmless(text)
	}
	return utf8.RuneCountInString(text) + 1
}

// A budget is a text that is being put together.
type budget struct {
	Loader
	sections    []*piece // in the order of their pages
	facts       []*piece // from old to new
	older       int      // facts that are not among them
	last, since string
	own         *Summary  // whom last tells of
	auto        []Summary // whom since tells of
}

// What of the room facts have at least, if there are so many.
const factsShare = 0.4

// fill chooses what is told where not all of it can be. The last session is;
// tight is its short form.
func (b *budget) fill(tight string) {
	for _, p := range b.sections {
		p.taken = false
	}
	b.untold(false)
	room := b.Room - b.size() - b.frame()
	if room < b.Room/3 {
		room += utf8.RuneCountInString(b.last) - utf8.RuneCountInString(tight)
		b.last = tight
	}
	if room < b.Room/4 && b.since != "" {
		room += utf8.RuneCountInString(b.since)
		b.since = ""
	}
	wanted := 0
	for _, p := range b.facts {
		wanted += p.cost()
	}
	pages := room - min(wanted, int(float64(room)*factsShare))
	room -= b.takeSections(pages)
	b.untold(false)
	for _, p := range b.byValue(b.facts) {
		if n := p.cost(); n <= room && !p.again {
			p.taken = true
			room -= n
		}
	}
	// What was reckoned and what stands there differ by a few line breaks.
	for b.size() > b.Room && b.drop() {
	}
}

// untold takes the facts, or none, and never one that a page says which is taken,
// since somebody promoted it.
func (b *budget) untold(take bool) {
	b.doubled()
	for _, p := range b.facts {
		p.taken = take && !p.again
	}
}

// doubled finds the facts that a page says which is taken.
func (b *budget) doubled() {
	said := map[bool]map[string]bool{false: {}, true: {}}
	for _, p := range b.sections {
		for line := range strings.Lines(p.text) {
			if says := Normal(line); p.taken && says != "" {
				said[p.let][says] = true
			}
		}
	}
	for _, p := range b.facts {
		p.again = said[p.let][p.said]
	}
}

// frame is the room of what stands around pieces: fences, headings, and the line
// that tells of what was left out.
func (b *budget) frame() int {
	n := utf8.RuneCountInString(b.coreHeading()+b.factsHeading()) + 8
	if b.last+b.since == "" {
		n += utf8.RuneCountInString(b.fenced("x"))
	}
	if slices.ContainsFunc(slices.Concat(b.sections, b.facts), func(p *piece) bool { return p.let }) {
		n += utf8.RuneCountInString(b.repository("x")) + utf8.RuneCountInString(b.coreHeading()+b.factsHeading()) + 8
	}
	return n
}

// drop leaves out what counts least; false if there is nothing more.
func (b *budget) drop() bool {
	for _, list := range [][]*piece{b.facts, b.sections} {
		sorted := b.byValue(list)
		for i := len(sorted) - 1; i >= 0; i-- {
			if p := sorted[i]; p.taken {
				p.taken = false
				b.doubled() // a section that goes says no fact any more
				return true
			}
		}
	}
	if b.since != "" {
		b.since = ""
		return true
	}
	had := b.last != ""
	b.last = ""
	return had
}

func (b *budget) byValue(list []*piece) []*piece {
	sorted := slices.Clone(list)
	order.By(sorted, func(x, y *piece) int { return cmp.Compare(y.value, x.value) })
	return sorted
}

func (b *budget) size() int { return utf8.RuneCountInString(b.text()) }

func (b *budget) loaded() Loaded {
	out := Loaded{Text: b.text()}
	if utf8.RuneCountInString(out.Text) > b.Room {
		return Loaded{}
	}
	for _, p := range b.facts {
		if p.taken || p.again {
			out.Told = append(out.Told, p.name)
		}
	}
	for _, p := range b.sections {
		if p.taken && p.whole {
			out.Pages = append(out.Pages, p.text)
		}
	}
	if b.last != "" {
		out.Told = append(out.Told, b.own.ID)
	}
	switch {
	case b.since != "":
		out.Auto = &b.auto[len(b.auto)-1]
	case b.last != "" && b.own.Auto:
		out.Auto = b.own
	}
	return out
}

// text is what was taken, in the fences of whom it is from.
func (b *budget) text() string {
	own := b.fenced(b.part(b.coreHeading(), b.sections, false), b.part(b.factsHeading(), b.facts, false), b.last+b.since, b.leftOut())
	return join(own, b.repository(b.part(b.coreHeading(), b.sections, true), b.part(b.factsHeading(), b.facts, true)))
}

func (b *budget) part(heading string, list []*piece, let bool) string {
	var text strings.Builder
	for _, p := range list {
		if p.taken && p.let == let {
			text.WriteString("\n" + p.text)
		}
	}
	if text.Len() == 0 {
		return ""
	}
	return heading + "\n" + text.String()
}

func (l Loader) coreHeading() string  { return l.Lang.Pick("## Core memory", "## 核心记忆") }
func (l Loader) factsHeading() string { return l.Lang.Pick("## Recent facts", "## 近期事实") }

// fenced puts a fence around what there is, and says what it is: what somebody
// wrote down once, and no instruction.
func (l Loader) fenced(parts ...string) string {
	if text := join(parts...); text != "" {
		return Fence(l.Lang, text)
	}
	return ""
}

// repository is fenced for what the person let in of the repository.
func (l Loader) repository(parts ...string) string {
	if text := join(parts...); text != "" {
		return FenceRepository(l.Lang, text)
	}
	return ""
}

// join puts an empty line between what there is.
func join(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), "\n\n")
}
