package truth

import (
	"slices"
	"strings"
)

// A match is two statements whose words are compared by their meaning.
type match struct {
	*comparison
	rule  Verdict    // what [Compare] tells
	other likelihood // that they are about two things that a label tells apart
	whole float64    // how near they are as texts
	sense Sense
	a, b  []unit // of the older, of the newer
}

func newMatch(older, newer *Statement, sense Sense) *match {
	l := known()
	c := &comparison{lexicon: l, old: older.said, new: newer.said}
	c.diff()
	c.pairKinds()
	return &match{
		comparison: c, rule: older.With(newer), other: max(c.otherThing(), c.turned(), c.otherPart()), whole: float64(sense.Like(older.text, newer.text)), sense: sense,
		a: l.units(older.text, &c.old, sense), b: l.units(newer.text, &c.new, sense),
	}
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

func (m *match) sameVerb() bool {
	return m.old.verbAt < len(m.old.all) && m.new.verbAt < len(m.new.all) && m.old.all[m.old.verbAt].text == m.new.all[m.new.verbAt].text
}

// alwaysApart reports whether two that are apart are so whatever the newer says of a
// change: it is of another number, year or time, of another thing that somebody answers for, or of a version beside which the older stays.
func (c *comparison) alwaysApart() bool {
	return c.otherNumber() || c.otherYear() || c.otherTime() || c.otherDays() || c.old.once && c.new.once || c.otherDuty() && c.sameHands() || c.otherVersion() && besideOthers.MatchString(c.new.text)
}

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
