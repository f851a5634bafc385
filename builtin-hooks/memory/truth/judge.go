package truth

import (
	"math"
	"slices"
	"strings"
)

// Judge tells what a new statement does to an older one, and how sure it is that it takes
// its place, from 0 to 1. It compares words by their meaning where the rules of [Compare]
// do not tell, or tell it of words that may have been said of anything; without a sense
// the rules stand alone.
func Judge(older, newer string, sense Sense) (v Verdict, sure float64) {
	v = Compare(older, newer)
	if sense == nil {
		return v, [...]float64{Distinct: 0, Same: 1, Update: 1, Conflict: 0.5}[v]
	}
	m := newMatch(older, newer, v, sense)
	if v == Same || m.apart() {
		return v, 0
	}
	if m.new.cue && m.agrees() || m.onlyNamed() || m.bothDeny() {
		if v == Update {
			v = Distinct
		}
		return v, 0
	}
	denies := m.denies()
	switch sure = m.sure(); {
	case (v == Update || v == Conflict && denies) && (!m.new.cue || denies) && sure >= unlikely,
		(v == Update || denies) && m.new.cue && sure >= likely,
		v != Update && sure >= certain && m.grounded() && (m.new.cue || m.ends() || !m.parallels() && !m.saysElse() && m.old.once == m.new.once):
		return Update, sure
	case v == Update:
		return Conflict, sure
	}
	return v, sure
}

// From how sure on a statement takes the place of another: certain where words alone do
// not tell; less where they do.
const (
	unlikely = 0.27
	likely   = 0.4
	certain  = 0.5
)

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
	case x.group != "" && x.group == y.group && x.group[0] == '!', // staging and production
		x.value != y.value && (x.group != "" || y.group != ""):
		return 0
	}
	return min(1, max(0, (float64(m.sense.Like(x.raw, y.raw))-akinWord)/sameWord))
}

// best is how surely a unit means what one of the others does.
func (m *match) best(x unit, list []unit) (most float64) {
	for _, y := range list {
		most = max(most, m.alike(x, y))
	}
	return most
}

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

// kindsOf are those of the values that one of the two has alone.
func kindsOf(list, other []unit) (out []string) {
	for i, u := range list {
		if u.value && !u.former && (!isIn(other, u) || i > 0 && list[i-1].value) { // 3 days, 5 days
			out = append(out, u.kind())
		}
	}
	return out
}

// endings say that something is there no longer.
var endings = strings.Fields("drop dropped remove removed gone retired deprecated left shut abandoned discontinued instead over longer off out left 不再 交接给 移交 下线 弃用 废弃 停用 取消 换")

// ends reports whether the newer says of a value of the older that it is no more.
func (m *match) ends() bool {
	return slices.ContainsFunc(m.new.all, func(t token) bool { return slices.Contains(endings, t.raw) || slices.Contains(endings, t.text) }) &&
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

// roleShared reports whether both say who answers for something in the same word.
func (m *match) roleShared() bool {
	return slices.ContainsFunc(m.old.all, func(t token) bool {
		return t.class == owns && slices.ContainsFunc(m.new.all, func(o token) bool { return o.text == t.text })
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
	return !slices.ContainsFunc(m.b, func(u unit) bool { return u.former && m.best(u, rest) >= perhapsMeant })
}

// onlyNamed reports whether all that both share are names and platforms, and the newer is
// about something that the older does not know: which iOS is needed, and who keeps the keys
// of the iOS builds.
func (m *match) onlyNamed() bool {
	words := slices.DeleteFunc(slices.Clone(m.b), unit.single)
	shared := func(u unit) bool { return !u.single() && m.best(u, words) > akinWord }
	if !slices.ContainsFunc(m.a, func(u unit) bool { return (u.value || isPlatform(u)) && isIn(m.b, u) }) || m.endsShared() ||
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

// parallels reports whether the two are put alike. If they are distinct by the rules they
// say something of two things: whoever tells an update in other words chooses others for
// what it is about, too.
func (m *match) parallels() bool {
	share := min(m.shared(m.a, m.b), m.shared(m.b, m.a))
	return share >= 0.5 || share >= 0.4 && m.sameVerb() || m.swapped > 0 && m.begins()
}

// saysElse reports whether the two say different things of one and the same subject, by
// their verbs: of somebody who maintains a thing, what they wrote.
func (m *match) saysElse() bool {
	heads := func(list []unit) (out []string) {
		for _, u := range list {
			if inHead(u) {
				out = append(out, u.text)
			}
		}
		return out
	}
	a := heads(m.a)
	return len(a) > 0 && slices.Equal(a, heads(m.b)) && !m.sayTheSame()
}

func (m *match) sameVerb() bool {
	return m.old.verbAt < len(m.old.all) && m.new.verbAt < len(m.new.all) && m.old.all[m.old.verbAt].text == m.new.all[m.new.verbAt].text
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
	}
}

// weights are those of a logistic regression over pairs of statements: those that the
// rules were made and tried with, as many in other words (testdata/reworded.txt), and
// what stands beside each other in four memories. TestWeights holds them, and makes them
// with -fit.
var weights = [...]float64{
	1.17,       // to begin with
	-1.00,      // what both are about is in the other one
	1.08, 1.24, // so are their subjects
	-1.70, -0.63, -1.85, -0.79, // what is not, by how much it tells: of the subjects, of the rest
	1.97,       // nearness as texts
	1.55,       // the older's words stand in the newer
	-1.87,      // they do, and yet nothing is told by the rules
	2.38, 0.85, // the rules call it an update, without and with a word of change
	0.78,         // the newer says that something changed
	1.26,         // it says that a value of the older is gone
	-1.15,        // one denies
	-1.09, -0.36, // the older has a value that the newer has not; theirs are of other kinds
	-1.86, // the verb is the same
	-0.85, // all that they share are names: of one person two things are told
	-2.13, // how much longer the older is
}

// sure is how likely the newer takes the place of the older.
func (m *match) sure() float64 {
	sum := 0.0
	for i, x := range m.evidence() {
		sum += weights[i] * x
	}
	return 1 / (1 + math.Exp(-sum))
}
