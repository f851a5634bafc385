package memory

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/fence"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/wording"
	"github.com/agents-hooks/agents-hooks/internal/ledger"
	"github.com/agents-hooks/agents-hooks/internal/order"
	"github.com/agents-hooks/agents-hooks/internal/text"
	"github.com/agents-hooks/agents-hooks/protocol"
)

const day = 24 * time.Hour

// oldPreferences is how many preferences from before the loaded days are told, and relatedFacts
// how many facts that a search found.
const (
	oldPreferences = 5
	relatedFacts   = 8
)

// candidates are the facts that may be told, from old to new, the number of other facts, and
// whether there may be more of those. A fact's value: whether it is from the loaded days, how
// new it is, whether it is a preference and how certain, and how much it is about the present
// work.
func (l Loader) candidates(about *Focus) (list []*piece, older int, least bool) {
	limit := l.Settings.Of("facts_limit").Int
	if limit == 0 {
		return nil, 0, false
	}
	var t tally
	recent, left := l.recent(about, &t)
	old, n := l.old(about, &t)
	older, least = t.counted(left + n)
	told := map[string]bool{}
	for _, f := range recent {
		told[f.ID] = true
	}
	var more []*Fact
	for _, f := range slices.Concat(old, pointers(l.Related[:min(len(l.Related), relatedFacts)])) {
		if !told[f.ID] && strings.Contains("WBO", f.Kind) {
			told[f.ID] = true
			more = append(more, f)
		}
	}
	older = max(0, older-len(more))
	facts := append(recent, more...)
	related := map[string]bool{}
	for _, f := range l.Related {
		related[f.ID] = true
	}
	order.By(facts, sooner)
	works := l.ofWork(facts, about)
	for _, f := range facts {
		p := &piece{name: f.ID, said: wording.Of(f.Content), content: f.Content, whole: true, let: f.theirs(), value: l.worth(f)}
		work := works[f]
		if p.value += work; related[f.ID] {
			p.value++
		}
		switch {
		case work > 0 || related[f.ID]:
			p.kind = ofWork
		case l.strong(f):
			p.kind = preference
		}
		line := *f
		if p.let {
			line.Content = fence.Foreign(f.Content) // while it has lines
		}
		p.text = FactLine(line, l.Now)
		list = append(list, p)
	}
	return list, older, least
}

// ofWork is how much each fact is about the present work. Of those that share only its subject with
// it, which many facts do, it is the best few: they share most with it, and are the most certain and
// the newest.
func (l Loader) ofWork(facts []*Fact, about *Focus) map[*Fact]float64 {
	of, tells := map[*Fact]float64{}, map[*Fact]float64{}
	var many []*Fact
	for _, f := range facts {
		says := subject(f)
		work := about.of(says)
		if work == 0 {
			continue
		}
		if of[f] = work; !about.sures(says) {
			many, tells[f] = append(many, f), about.tells(says)
		}
	}
	order.By(many, func(a, b *Fact) int {
		return cmp.Or(cmp.Compare(tells[b], tells[a]), cmp.Compare(l.worth(b), l.worth(a)), sooner(b, a))
	})
	for _, f := range many[min(len(many), about.few()):] {
		delete(of, f)
	}
	return of
}

// sooner compares facts by when they were saved: times in files have seconds, and ids milliseconds.
func sooner(a, b *Fact) int {
	if n := a.Time.Compare(b.Time); n != 0 || !strings.HasPrefix(a.ID, "log-") || !strings.HasPrefix(b.ID, "log-") {
		return n
	}
	return strings.Compare(a.ID, b.ID)
}

// pointers are pointers to facts, which are large, and sorted often.
func pointers(facts []Fact) []*Fact {
	out := make([]*Fact, len(facts))
	for i := range facts {
		out[i] = &facts[i]
	}
	return out
}

// worth is the value of a fact by itself.
func (l Loader) worth(f *Fact) float64 {
	age := max(l.Now.Sub(f.Time), 0)
	value := math.Pow(0.5, float64(age)/float64(3*day)) + f.Confidence/2
	if f.Kind == "O" {
		value += 0.5
		if age > time.Duration(l.Settings.Of("load_days_max").Int)*day && l.strong(f) {
			value++ // it is told because of what it is, however old
		}
	}
	return value
}

// recent are the facts of the last days that are told if they fit, from old to new, and the
// number of other facts from these days.
func (l Loader) recent(about *Focus, t *tally) (facts []*Fact, left int) {
	limit := l.Settings.Of("facts_limit").Int
	oldest := l.Now.Add(-time.Duration(l.Settings.Of("load_days_max").Int) * day)
	full := l.Now.Add(-time.Duration(l.Settings.Of("load_days_full").Int) * day)
	passed := 0
	for _, p := range l.places() {
		found, n, rest := p.newest(oldest, full, limit, about)
		t.rest = append(t.rest, rest)
		for _, f := range found {
			f.User = p.Dir == l.Place.User
		}
		t.add(found)
		facts, passed = append(facts, found...), passed+n
	}
	facts = distinct(facts, l.Now)
	facts = slices.DeleteFunc(facts, func(f *Fact) bool { return f.Kind == "S" })
	if l.Hidden != nil && len(facts) > 0 {
		hidden := l.Hidden(facts)
		facts = slices.DeleteFunc(facts, func(f *Fact) bool { return hidden[f.ID] })
	}
	order.By(facts, func(a, b *Fact) int { return sooner(b, a) })
	if i := slices.IndexFunc(facts, func(f *Fact) bool { return f.Time.Before(oldest) }); i >= 0 {
		facts, t.aged = facts[:i:i], facts[i:]
	}
	about.weigh(facts)
	if left = len(facts) - limit; left > 0 {
		facts = l.decay(facts, about)[:limit]
		order.By(facts, func(a, b *Fact) int { return sooner(b, a) })
	}
	slices.Reverse(facts)
	return facts, max(left, 0) + passed
}

// decay sorts facts, newest first, into the order in which they are kept if there are too many:
// those about the present work, the most so first; strong preferences, to two thirds of what is
// told (BM-LOD-20); those of the last days, some of each earlier day, the important ones of the
// days before; then the rest, newest first, and the preferences that are more than that.
func (l Loader) decay(facts []*Fact, about *Focus) []*Fact {
	full := time.Duration(l.Settings.Of("load_days_full").Int) * day
	partial := time.Duration(l.Settings.Of("load_days_partial").Int) * day
	perDay := l.Settings.Of("partial_per_day").Int
	important := l.Settings.Of("important_confidence").Number
	ofDay := map[string]int{}
	most := l.Settings.Of("facts_limit").Int * 2 / 3
	works := l.ofWork(facts, about)
	var work, prefer, kept, rest, spare []*Fact
	for _, f := range facts {
		old := l.Now.Sub(f.Time)
		stays := old <= full
		if !stays && old <= partial {
			d := f.Time.UTC().Format(time.DateOnly)
			ofDay[d]++
			stays = ofDay[d] <= perDay
		} else if !stays {
			stays = f.Confidence >= important
		}
		switch {
		case works[f] > 0:
			work = append(work, f)
		case l.strong(f) && len(prefer) < most:
			prefer = append(prefer, f)
		case l.strong(f):
			spare = append(spare, f)
		case stays:
			kept = append(kept, f)
		default:
			rest = append(rest, f)
		}
	}
	slices.SortStableFunc(work, func(a, b *Fact) int { return cmp.Compare(works[b], works[a]) })
	return slices.Concat(work, prefer, kept, rest, spare)
}

// sessions are the last summary that somebody wrote, nil if nobody did, and the automatic ones
// after it, from old to new.
func (l Loader) sessions() (last *Summary, since []Summary) {
	var all []Summary
	at := map[string]int{}
	add := func(o protocol.Object, whose ledger.Whose) {
		s := ParseSummary(o)
		if s.Deleted || whose != ledger.Own {
			return
		}
		if i, again := at[s.Session]; again && s.Session != "" {
			if !s.Auto || all[i].Auto { // the agent's own stays
				all[i] = s
			}
			return
		}
		at[s.Session] = len(all)
		all = append(all, s)
	}
	for _, file := range l.Place.SummaryFiles() {
		_ = l.Place.lines(l.Place.Path(file), add)
	}
	order.By(all, func(a, b Summary) int { return a.Time.Compare(b.Time) })
	for i := range all {
		if !all[i].Auto {
			last, since = &all[i], nil
		} else {
			since = append(since, all[i])
		}
	}
	return last, since
}

// A measure says how much of a session is told: characters of its text and of each item, and
// items of each kind.
type measure struct{ text, item, items int }

// whole is what is told if everything fits.
var whole = measure{600, 300, 200}

// A step is what is told if all before it does not fit.
type step struct {
	measure
	brief  int  // how much shorter what surrounds it is said
	leaves bool // a third of the room
	least  int  // of each kind of items as many as fit are told, and at least so many; 0: all
}

// steps cut the text before the items, then what surrounds them, then the items' words, and leave
// out items last.
var steps = []step{
	{whole, 0, true, 0}, {measure{240, 300, 200}, 0, true, 0},
	{whole, 0, false, 0}, {measure{240, 300, 200}, 0, false, 0}, {measure{110, 300, 200}, 0, false, 0},
	{measure{110, 300, 200}, brief, false, 0}, {measure{80, 110, 200}, brief, false, 0}, {measure{0, 90, 200}, brief, false, 0},
	{measure{80, 90, 200}, briefest, false, 0}, {measure{0, 60, 200}, briefest, false, 0},
	{measure{110, 90, 60}, brief, false, 6}, {measure{0, 60, 60}, brief, false, 1},
	{measure{0, 60, 2}, briefest, false, 1}, {measure{0, 50, 1}, briefest, false, 1}, {measure{0, 40, 0}, briefest, false, 0},
}

// lastSession describes the last session that somebody wrote: what it was about, what was
// decided and what was left to do.
func (l Loader) lastSession(s *Summary, m measure) string {
	if s == nil {
		return ""
	}
	line := func(label, content string, most int) string {
		return "- " + label + text.Clip(text.OneLine(content), most)
	}
	lines := []string{l.lastHeading(), line(l.Lang.Pick("topic: ", "主题："), cmp.Or(s.Topic, l.Lang.Pick("unknown", "未知")), m.item)}
	if m.text > 0 {
		lines = append(lines, line(l.Lang.Pick("summary: ", "摘要："), cmp.Or(s.Text, l.Lang.Pick("none", "无")), m.text))
	}
	lines[len(lines)-1] += l.stamp(*s)
	for _, list := range []struct {
		label string
		items []string
	}{{l.Lang.Pick("decided: ", "决定："), s.Decisions}, {l.Lang.Pick("to do: ", "待办："), s.Todos}} {
		for _, item := range list.items[:min(len(list.items), m.items)] {
			lines = append(lines, line(list.label, item, m.item))
		}
		if n := len(list.items) - m.items; n > 0 {
			lines = append(lines, "- "+list.label+l.more(n))
		}
	}
	return strings.Join(lines, "\n")
}

func (l Loader) lastHeading() string { return l.Lang.Pick("## Last session", "## 上次会话") + "\n" }

func (l Loader) stamp(s Summary) string {
	if s.Time.IsZero() {
		return ""
	}
	return " (" + age(l.Now.Sub(s.Time)) + ", " + s.ID + ")"
}

// notedSessions is how many sessions that nobody summarised are told at most.
const notedSessions = 8

// notedForms say how much of such sessions is told, the most first: of the newest, and of each
// before it.
func notedForms(alone bool) [][2]measure {
	if alone { // the newest is the last session
		return [][2]measure{{{1200, 200, 12}, {300, 200, 4}}, {{600, 200, 4}, {160, 110, 2}}, {{240, 110, 2}, {120, 0, 0}}, {{120, 0, 0}, {80, 0, 0}}}
	}
	return [][2]measure{{{400, 200, 6}, {300, 200, 4}}, {{160, 110, 2}, {160, 110, 2}}, {{160, 0, 0}, {80, 0, 0}}}
}

// noted tells of sessions that nobody summarised, from old to new. If there is no summary that
// somebody wrote, they are the last ones.
func (l Loader) noted(alone bool, list []Summary, form [2]measure) string {
	var out strings.Builder
	switch {
	case alone && len(list) > 1:
		out.WriteString(l.Lang.Pick("## Last sessions", "## 最近的会话") + "\n")
	case alone:
		out.WriteString(l.lastHeading())
	}
	for i, s := range list {
		m := form[0]
		if i < len(list)-1 {
			m = form[1]
		}
		label := l.Lang.Pick("then, noted automatically: ", "之后（自动记录）：")
		if alone && i == 0 {
			label = l.Lang.Pick("noted automatically: ", "自动记录：")
		}
		out.WriteString("\n- " + label + l.unwritten(s, m))
	}
	return out.String()
}

// unwritten is what is told of a session that nobody summarised: its text, which begins with its
// topic, and on lines of their own the decisions and todos that are not in that.
func (l Loader) unwritten(s Summary, m measure) string {
	said := text.Clip(text.OneLine(s.Text), m.text)
	out := said + l.stamp(s)
	for _, list := range []struct {
		label string
		items []string
	}{{l.Lang.Pick("decided: ", "决定："), s.Decisions}, {l.Lang.Pick("to do: ", "待办："), s.Todos}} {
		for _, item := range list.items[max(0, len(list.items)-m.items):] {
			if item = text.OneLine(item); !strings.Contains(said, item) {
				out += "\n  - " + list.label + text.Clip(item, m.item)
			}
		}
	}
	return out
}
