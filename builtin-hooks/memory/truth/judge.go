package truth

import (
	"slices"
	"strings"
)

// Judge tells what a new statement does to an older one, and how sure it is that it takes
// its place, from 0 to 1. It compares words by their meaning where the rules of [Compare]
// do not tell, or tell it of words that may have been said of anything; without a sense
// the rules stand alone. Who knows the other statements of a memory asks [Among].
func Judge(older, newer string, sense Sense) (v Verdict, sure float64) {
	v = Compare(older, newer)
	if sense == nil {
		return v, [...]float64{Distinct: 0, Same: 1, Update: 1, Conflict: 0.5}[v]
	}
	m := newMatch(older, newer, v, sense)
	sure = m.sure()
	v, open, doubt := m.judge(sure)
	switch {
	case !doubt:
		return v, 0
	case open && sure >= m.least():
		return Update, sure
	}
	return v, sure
}

// judge tells what the rules and the meaning of words say together: an update, or open,
// if it may be one none the less and how sure that is decides. Where there is no doubt
// nobody is asked about it.
func (m *match) judge(sure float64) (v Verdict, open, doubt bool) {
	v = m.rule
	changes := m.new.cue || m.ends()
	apart := m.apart()
	if v == Same || apart && (m.alwaysApart() || m.parallels() && !m.denies()) {
		return v, false, false
	}
	if m.new.cue && m.agrees() || m.onlyNamed() || m.bothDeny() {
		if v == Update {
			v = Distinct
		}
		return v, false, false
	}
	if apart && (!changes || m.otherVersion()) {
		return v, false, true // it is asked about at most
	}
	denies := m.denies()
	switch {
	case v == Update && (m.new.cue || m.hasRole(&m.old) && m.hasRole(&m.new)) && m.exchanged(),
		(v == Update || v == Conflict && denies) && (!m.new.cue || denies) && sure >= unlikely,
		(v == Update || denies) && m.new.cue && sure >= likely:
		return Update, false, true
	case v == Update:
		return Conflict, false, true
	}
	if !changes && (m.defines() || m.byThem() || m.inside() || m.otherLimits() || m.ofTwo()) {
		return v, false, true
	}
	return v, m.grounded() && m.saidOfIt(changes) && (changes || m.turns() || m.flipped() || m.putElse()), true
}

// alwaysApart reports whether two that are apart are so whatever the newer says of a
// change: it is of another number, year or time, of another thing that somebody answers for, or of a version beside which the older stays.
func (c *comparison) alwaysApart() bool {
	return c.otherNumber() || c.otherYear() || c.otherTime() || c.otherDays() || c.old.once && c.new.once || c.otherDuty() && c.sameHands() || c.otherVersion() && besideOthers.MatchString(c.new.text)
}

// exchanged reports whether the two say the same but of whom or what they say it, and that
// is a topic: who is the contact of a team now.
func (m *match) exchanged() bool {
	in := func(list, other []unit) bool {
		return !slices.ContainsFunc(list, func(u unit) bool { return !u.subject && !u.former && !isIn(other, u) })
	}
	return in(m.a, m.b) && in(m.b, m.a) && slices.ContainsFunc(m.a, topicBehind)
}

// flipped reports whether the newer says behind its verb what the older is about, or the
// other way round: who reviews the designs, and by whom they are reviewed. What is put so
// is no second one of a list.
func (m *match) flipped() bool {
	stands := func(list, other []unit) bool {
		heads := 0
		for _, u := range list {
			if !topicOfHead(u) {
				continue
			}
			i := slices.IndexFunc(other, func(o unit) bool { return topicBehind(o) && m.alike(u, o) >= meant })
			if i < 0 || m.new.verbAt == len(m.new.all) || m.old.verbAt == len(m.old.all) {
				return false
			}
			heads++
		}
		return heads > 0
	}
	return stands(m.a, m.b) || stands(m.b, m.a)
}

// From how sure on a statement takes the place of another: certain where words alone do
// not tell; less where they do.
const (
	unlikely = 0.32
	likely   = 0.45
	certain  = 0.56

	certainOther = 0.7
)

// least is how sure it has to be where words alone do not tell: surer where both have a
// value, but of other kinds, and nothing says that something changed.
func (m *match) least() float64 {
	kinds := func(list, other []unit) []string {
		return kindsOf(slices.DeleteFunc(slices.Clone(list), func(u unit) bool { return m.best(u, other) >= meant }), other)
	}
	values, others := kinds(m.a, m.b), kinds(m.b, m.a)
	if len(values) == 0 || len(others) == 0 || m.new.cue || m.turns() || slices.ContainsFunc(values, func(k string) bool { return slices.Contains(others, k) }) {
		return certain
	}
	return certainOther
}

// A match is two statements whose words are compared by their meaning.
type match struct {
	*comparison
	rule  Verdict
	whole float64 // how near they are as texts
	sense Sense
	a, b  []unit // of the older, of the newer
}

func newMatch(older, newer string, rule Verdict, sense Sense) *match {
	l := known()
	c := &comparison{lexicon: l, old: l.statement(older), new: l.statement(newer)}
	c.diff()
	c.pairKinds()
	return &match{c, rule, float64(sense.Like(older, newer)), sense, l.units(older, &c.old, sense), l.units(newer, &c.new, sense)}
}

// From how near on two words have something to do with each other, and how much nearer
// they mean the same.
const (
	akinWord = 0.25
	sameWord = 0.4
)

// From how surely a unit means what one of the others does it may be meant by it, and is.
const (
	perhapsMeant = 0.5
	meant        = 0.8
)

// alike is how surely two units mean the same.
func (m *match) alike(x, y unit) float64 {
	switch {
	case x.text == y.text:
		return 1
	case x.amount != "" || y.amount != "":
		return 0
	case x.group != "" && x.group == y.group && x.group[0] == '!', // staging and production
		x.value != y.value && (x.group != "" || y.group != ""):
		return 0
	}
	if derived(x.raw, y.raw) {
		return derivedAlike
	}
	return min(1, max(0, (float64(m.sense.Like(x.raw, y.raw))-akinWord)/sameWord))
}

// derivedAlike is how surely a word and one that is made of it mean the same.
const derivedAlike = 0.9

// derived reports whether one of two words is made of the other: deploy, deployment.
func derived(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if rest, is := strings.CutPrefix(b, a); is && len(a) >= 4 && slices.Contains(makes, rest) {
		return true
	}
	a = strings.TrimSuffix(stem(a), "e")
	rest, is := strings.CutPrefix(strings.TrimSuffix(b, "s"), a)
	return is && len(a) >= 4 && slices.Contains(suffixes, rest)
}

// makes are what the name of a product may end with, or not: Timescale, TimescaleDB.
var makes = strings.Fields("db js io sql hub")

var suffixes = strings.Fields("ment ation ition ion er or able ible al ance ence ing ed en e ly ness ity ive tion ure ent")

// best is how surely a unit means what one of the others does.
func (m *match) best(x unit, list []unit) (most float64) {
	for _, y := range list {
		most = max(most, m.alike(x, y))
	}
	return most
}

// What a unit is to its statement.
func topic(u unit) bool       { return !u.value && !u.former }
func inHead(u unit) bool      { return u.subject && !u.former }
func topicOfHead(u unit) bool { return topic(u) && u.subject }
func topicBehind(u unit) bool { return topic(u) && !u.subject }
func isIn(list []unit, u unit) bool {
	return slices.ContainsFunc(list, func(o unit) bool { return o.text == u.text })
}

// shared is how many of some units the others have in the very words.
func (m *match) shared(list, other []unit) float64 {
	n := 0.0
	for _, u := range list {
		if isIn(other, u) {
			n++
		}
	}
	return n / max(1, float64(len(list)))
}

// endings say that something is there no longer.
var endings = strings.Fields("drop dropped remove removed gone retired deprecated left shut abandoned discontinued instead over longer off out left 不再 交接给 移交 下线 弃用 废弃 停用 取消 换")

// ends reports whether the newer says of a value of the older that it is no more.
func (m *match) ends() bool {
	return slices.ContainsFunc(m.new.all, func(t token) bool {
		return (slices.Contains(endings, t.raw) || slices.Contains(endings, t.text)) && (t.raw != "over" || m.new.isOver(t.at))
	}) &&
		slices.ContainsFunc(m.a, func(u unit) bool { return u.value && isIn(m.b, u) })
}

// denies reports whether the newer says that it is no longer so what the older says, of
// what both are about.
func (m *match) denies() bool {
	return len(m.old.formers) == 0 && slices.ContainsFunc(m.b, func(u unit) bool { return u.former && m.best(u, m.a) >= meant }) &&
		slices.ContainsFunc(m.b, func(u unit) bool { return topic(u) && m.best(u, m.a) >= perhapsMeant })
}

// bothDeny reports whether the two say of different things that they are no longer so.
func (m *match) bothDeny() bool {
	return len(m.old.formers) > 0 && len(m.new.formers) > 0 && m.inSubject() &&
		slices.ContainsFunc(m.new.formers, func(t token) bool {
			return slices.ContainsFunc(m.old.formers, func(o token) bool { return o.text == t.text })
		})
}

// grounded reports whether both are surely about something that is the same: much that is
// a little alike tells nothing, and many things are on the web or move to Mondays.
func (m *match) grounded() bool {
	words := slices.DeleteFunc(slices.Clone(m.b), unit.single)
	return m.roleShared() || slices.ContainsFunc(m.a, func(u unit) bool {
		return topic(u) && isIn(m.b, u) ||
			(topic(u) && !isPlatform(u) && !u.single() || u.named()) && u.tells >= leastTelling && m.best(u, words) >= perhapsMeant
	})
}

// saidOfIt reports whether more than likeness tells that both are about one thing: a word that both have, a word of
// change, or a count in the same unit. Coffee is near to tea, and neither takes the other's place.
func (m *match) saidOfIt(changes bool) bool {
	return changes || m.turns() || m.sameAmount() || m.roleShared() || slices.ContainsFunc(m.a, func(u unit) bool {
		return topic(u) && slices.ContainsFunc(m.b, func(o unit) bool { return o.text == u.text || derived(o.raw, u.raw) })
	})
}

// roleShared reports whether both say who answers for something in the same word.
func (m *match) roleShared() bool {
	return slices.ContainsFunc(m.old.all, func(t token) bool {
		return t.class == owns && slices.ContainsFunc(m.new.all, func(o token) bool {
			return o.text == t.text || o.class == owns && isCJK([]rune(t.raw)[0]) && (strings.HasPrefix(o.raw, t.raw) || strings.HasPrefix(t.raw, o.raw)) // 负责, 负责人
		})
	})
}

// leastTelling is how much a word says that tells what a statement is about.
const leastTelling = 0.4

// agrees reports whether the older says already what the newer says is so now, and nothing
// of what it says was so before. A number or a day may be the same by chance.
func (m *match) agrees() bool {
	shared := slices.ContainsFunc(m.b, func(u unit) bool { return !u.former && !u.subject && u.named() && isIn(m.a, u) })
	if !shared || !slices.ContainsFunc(m.b, func(u unit) bool { return u.former }) {
		return false
	}
	rest := slices.DeleteFunc(slices.Clone(m.a), func(u unit) bool { // Loki is near to the syslog that it replaces
		return slices.ContainsFunc(m.b, func(o unit) bool { return !o.former && o.text == u.text })
	})
	return !slices.ContainsFunc(m.b, func(u unit) bool { return (u.former || m.new.denied(u)) && m.best(u, rest) >= perhapsMeant })
}

// denied reports whether a unit is what a statement says is there no longer: Timescale is no longer used.
func (s *statement) denied(u unit) bool {
	for i, t := range s.all {
		if t.raw == "longer" && i > 2 && s.all[i-1].raw == "no" && (s.all[i-3].text == u.text || s.all[i-3].raw == u.raw) {
			return true
		}
	}
	return false
}

// onlyNamed reports whether all that both share are names and platforms, and the newer is
// about something that the older does not know: which iOS is needed, and who keeps the keys
// of the iOS builds.
func (m *match) onlyNamed() bool {
	words := slices.DeleteFunc(slices.Clone(m.b), unit.single)
	shared := func(u unit) bool { return !u.single() && m.best(u, words) > akinWord }
	if !slices.ContainsFunc(m.a, func(u unit) bool { return (u.value || isPlatform(u)) && isIn(m.b, u) }) || m.endsShared() || m.denies() || m.new.cue && m.roleShared() || m.raised() ||
		slices.ContainsFunc(m.a, func(u unit) bool { return topic(u) && !isPlatform(u) && shared(u) }) ||
		!slices.ContainsFunc(m.a, func(u unit) bool { return topic(u) && !isPlatform(u) }) {
		return false
	}
	for i, u := range m.b {
		head := u.subject || m.new.verbAt == len(m.new.all) && i < headMost
		if head && topic(u) && !isPlatform(u) && m.best(u, m.a) <= akinWord {
			return true
		}
	}
	return false
}

// isPlatform reports whether a unit is one of what a thing is made for, or with, or of
// where it runs: iOS, Python, staging. Many things have it in common.
func isPlatform(u unit) bool {
	return u.group == "!frontend" || u.group == "!windows" || u.group == "!python" || u.group == "!dev"
}

// endsShared reports whether the newer says beside a value of the older that it is no more.
func (m *match) endsShared() bool {
	shared := func(list []token) bool {
		return slices.ContainsFunc(list, func(t token) bool {
			return slices.ContainsFunc(m.a, func(u unit) bool { return u.value && u.text == t.text })
		})
	}
	all := m.new.all
	for i, t := range all {
		if !slices.Contains(endings, t.raw) && !slices.Contains(endings, t.text) {
			continue
		}
		if shared(all[i+1:min(len(all), i+4)]) || !slices.Contains(endsNext, t.raw) && shared(all[max(0, i-3):i]) {
			return true
		}
	}
	return false
}

// endsNext are those of the endings that are said of what follows.
var endsNext = strings.Fields("longer instead over left 不再")

// sameAmount reports whether both count in the same, and the one has another number.
func (m *match) sameAmount() bool {
	return slices.ContainsFunc(m.a, func(u unit) bool {
		return u.amount != "" && u.amount != "number" && !isIn(m.b, u) && slices.ContainsFunc(m.b, func(o unit) bool { return o.amount == u.amount })
	})
}

func (m *match) sameVerb() bool {
	return m.old.verbAt < len(m.old.all) && m.new.verbAt < len(m.new.all) && m.old.all[m.old.verbAt].text == m.new.all[m.new.verbAt].text
}
