package truth

import (
	"math"
	"slices"
	"strings"
)

// found is how much of what some units say the others say as well, and missing what they
// do not.
func (m *match) found(list, other []unit, which func(unit) bool) (part, missing float64) {
	var all, sum float64
	for _, x := range list {
		if which(x) {
			all += x.tells
			sum += x.tells * m.best(x, other)
		}
	}
	if all == 0 {
		return 0.5, 0 // nothing tells
	}
	return sum / all, min(mostMissing, all-sum)
}

// mostMissing bounds what a statement may say beside what the other is about: who says
// why, too, says nothing else for that.
const mostMissing = 2

// kindsOf are those of the values that one of the two has alone.
func kindsOf(list, other []unit) (out []string) {
	for _, u := range list {
		if u.value && !u.former && !isIn(other, u) {
			out = append(out, u.kind())
		}
	}
	return out
}

// onlyNames reports whether all that both say are values and names.
func (m *match) onlyNames() bool {
	names := false
	for _, u := range m.a {
		if topic(u) && m.best(u, m.b) > akinWord {
			return false
		}
		names = names || u.value && isIn(m.b, u)
	}
	return names
}

// turnWords are words of what is so from some time on, or is so again, beside those of change.
var turnWords = strings.Fields(`back again cancelled canceled undone revert reverted taken took over goes since instead already
	automatically automated rewritten 又 取消 以后 接手 全部 统一 自动 自建 自研 已 已经`)

// valuesAkin is how near the values are that differ: two tools, two people, two durations.
func (m *match) valuesAkin() (most float64) {
	of := func(list, other []unit) []unit {
		return slices.DeleteFunc(slices.Clone(list), func(u unit) bool { return !u.value || u.former || isIn(other, u) })
	}
	b := of(m.b, m.a)
	for _, x := range of(m.a, m.b) {
		for _, y := range b {
			near := float64(m.sense.Like(x.raw, y.raw))
			if k := x.kind(); k == y.kind() && k != "name" {
				near = max(near, sameKindAkin)
			}
			most = max(most, near)
		}
	}
	return most
}

// sameKindAkin is how near two values of one kind are.
const sameKindAkin = 0.8

// topicsLike is how near what both are about is, as a text.
func (m *match) topicsLike() float64 {
	topics := func(list []unit) string {
		var words []string
		for _, u := range list {
			if topic(u) {
				words = append(words, u.raw)
			}
		}
		return strings.Join(words, " ")
	}
	return float64(m.sense.Like(topics(m.a), topics(m.b)))
}

// evidence is what tells whether the newer takes the place of the older, each beside its
// weight in the table below.
func (m *match) evidence() [len(weights)]float64 {
	flag := func(is bool) float64 {
		if is {
			return 1
		}
		return 0
	}
	topicOld, _ := m.found(m.a, m.b, topic)
	topicNew, _ := m.found(m.b, m.a, topic)
	headOld, _ := m.found(m.a, m.b, inHead)
	headNew, _ := m.found(m.b, m.a, inHead)
	_, missHeadOld := m.found(m.a, m.b, topicOfHead)
	_, missHeadNew := m.found(m.b, m.a, topicOfHead)
	_, missOld := m.found(m.a, m.b, topicBehind)
	_, missNew := m.found(m.b, m.a, topicBehind)
	values, others := kindsOf(m.a, m.b), kindsOf(m.b, m.a)
	sameKind := slices.ContainsFunc(values, func(k string) bool { return slices.Contains(others, k) })
	return [...]float64{
		1,
		min(topicOld, topicNew),
		headOld, headNew,
		missHeadOld, missHeadNew, missOld, missNew,
		m.whole,
		m.shared(m.a, m.b),
		flag(m.rule == Distinct) * m.shared(m.b, m.a),
		flag(m.rule == Update && !m.new.cue), flag(m.rule == Update && m.new.cue),
		flag(m.new.cue), flag(m.ends()),
		flag(m.old.negated != m.new.negated),
		flag(len(values) > 0), flag(len(values) > 0 && len(others) > 0 && !sameKind),
		flag(m.sameVerb()), flag(m.onlyNames()),
		float64(len(m.a)) / float64(len(m.a)+len(m.b)+1),
		m.valuesAkin(), m.topicsLike(), min(missHeadOld, missHeadNew),
		flag(m.turns()),
		flag(m.parallels()), flag(m.saysElse()), flag(m.flipped()),
	}
}

// weights are those of a logistic regression over pairs of statements: those that the
// rules were made and tried with, as many in other words (testdata/reworded.txt), and
// what stands beside each other in four memories. TestWeights holds them, and makes them
// with -fit.
var weights = [...]float64{
	0.87,       // to begin with
	-0.48,      // what both are about is in the other one
	1.59, 1.67, // so are their subjects
	-1.32, -0.27, -1.79, -0.86, // what is not, by how much it tells: of the subjects, of the rest
	1.50,       // nearness as texts
	1.33,       // the older's words stand in the newer
	-1.38,      // they do, and yet nothing is told by the rules
	2.23, 0.90, // the rules call it an update, without and with a word of change
	0.74,         // the newer says that something changed
	0.90,         // it says that a value of the older is gone
	-1.30,        // one denies
	-1.70, -1.14, // the older has a value that the newer has not; theirs are of other kinds
	-1.55,      // the verb is the same
	-0.93,      // all that they share are names: of one person two things are told
	-2.00,      // how much longer the older is
	0.26, 0.38, // how near the values are that differ; so are the topics as texts
	-1.22,        // both have a subject that the other has not
	1.48,         // the newer has a word that tells of a turn
	-0.81, -1.38, // they are put alike; of one subject they say different things
	0.49, // the one says first what the other says last
}

// sure is how likely the newer takes the place of the older.
func (m *match) sure() float64 {
	sum := 0.0
	for i, x := range m.evidence() {
		sum += weights[i] * x
	}
	return 1 / (1 + math.Exp(-sum))
}
