package truth

import (
	"slices"
	"strings"
)

// What tells that two hold beside each other, though much of what they say is alike.

// putElse reports whether the newer is put in other words than the older, of the same
// thing: whoever puts two alike lists them, or says more of a third.
func (m *match) putElse() bool {
	return !m.parallels() && !m.listed() && !m.saysElse() && !m.compound() && !m.beginsAlike() && !m.partOf() && m.old.once == m.new.once
}

// compound reports whether one of the two is about what a longer word names that begins with
// what the other is about: a sprint, and sprint planning.
func (m *match) compound() bool {
	heads := func(list []unit) (out []unit) {
		for _, u := range list {
			if inHead(u) {
				out = append(out, u)
			}
		}
		return out
	}
	a, b := heads(m.a), heads(m.b)
	if len(a) > len(b) {
		a, b = b, a
	}
	return len(a) == 1 && len(b) == 2 && a[0].text == b[0].text && !b[1].value
}

// defines reports whether the older says what a thing is, and the newer what the same thing
// does: spinneret is the gateway of all services, spinneret listens on 8843.
func (m *match) defines() bool {
	at := m.old.verbAt
	is := at+1 < len(m.old.all) && slices.Contains([]string{"is", "are"}, m.old.all[at].raw) && slices.Contains([]string{"a", "an", "the"}, m.old.all[at+1].raw)
	return is && m.new.verbAt < len(m.new.all) && m.new.all[m.new.verbAt].text != m.old.all[at].text && !m.hasRole(&m.old) &&
		slices.ContainsFunc(m.a, func(u unit) bool {
			return u.subject && u.named() && slices.ContainsFunc(m.b, func(o unit) bool { return o.subject && o.text == u.text })
		})
}

// byThem reports whether all that both share is who does what the newer tells.
func (m *match) byThem() bool {
	text := strings.ToLower(m.new.text)
	n := 0
	for _, u := range m.a {
		if isIn(m.b, u) {
			if n++; !named(text, "由", u.raw) && !named(text, "by ", u.raw) {
				return false
			}
		}
	}
	return n > 0
}

// named reports whether a word follows another, or is a part of the name that does.
func named(text, behind, word string) bool {
	_, rest, is := strings.Cut(text, behind)
	return is && strings.Contains(rest[:min(len(rest), nameMost)], word)
}

// nameMost is how many bytes of a name tell who it is.
const nameMost = 12

// otherLimits reports whether the two say how much may be at most of different things: how
// large a photo is, and how many there are.
func (m *match) otherLimits() bool {
	values, others := kindsOf(m.a, m.b), kindsOf(m.b, m.a)
	return m.old.tells(mostWords) && m.new.tells(mostWords) && len(values) > 0 && len(others) > 0 && !slices.ContainsFunc(values, func(k string) bool { return slices.Contains(others, k) })
}

// inside reports whether the newer is about a part of what the older is about: the SQL logger
// inside eggcard.
func (m *match) inside() bool {
	for i, t := range m.new.all[:min(m.new.verbAt, max(0, len(m.new.all)-1))] {
		if t.raw == "inside" || t.raw == "within" {
			next := m.new.all[i+1]
			return slices.ContainsFunc(m.a, func(u unit) bool { return u.text == next.text })
		}
	}
	return false
}

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

// listed reports whether the two are put alike but for what they count: the TTL of one
// thing is 5 minutes, that of another an hour.
func (m *match) listed() bool {
	share := func(list, other []unit) float64 {
		n := 0.0
		for _, u := range list {
			if isIn(other, u) || u.amount != "" && slices.ContainsFunc(other, func(o unit) bool { return o.amount == u.amount }) {
				n++
			}
		}
		return n / max(1, float64(len(list)))
	}
	return m.sameVerb() && min(share(m.a, m.b), share(m.b, m.a)) >= 0.5
}

// beginsAlike reports whether the two begin with the same word and have little else to do
// with each other: the devices get this, the devices report that.
func (m *match) beginsAlike() bool {
	if len(m.a) == 0 || len(m.b) == 0 || m.a[0].text != m.b[0].text || m.sameAmount() {
		return false
	}
	restOld, _ := m.found(m.a[1:], m.b, topic)
	restNew, _ := m.found(m.b[1:], m.a, topic)
	return min(restOld, restNew) < perhapsMeant
}

// partOf reports whether the one is about a part of what the other is about, or of how it
// does: the pause between two retries of the mail relay, and the mail relay.
func (m *match) partOf() bool {
	of := func(list, other []unit) bool {
		at := slices.IndexFunc(list, topicOfHead)
		whole := slices.IndexFunc(other, topicOfHead)
		if at < 0 || whole < 0 || m.best(list[at], other) > akinWord {
			return false
		}
		return slices.ContainsFunc(list[at+1:], func(u unit) bool { return topicOfHead(u) && m.alike(u, other[whole]) >= meant })
	}
	return of(m.a, m.b) || of(m.b, m.a)
}

// ofTwo reports whether each begins with a name that the other does not have, and with the same
// word behind it, that nobody has in turn: krummhorn has 64 GB, bourdon has 128 GB.
func (m *match) ofTwo() bool {
	if len(m.old.all) < 3 || len(m.new.all) < 3 || len(m.a) == 0 || len(m.b) == 0 {
		return false
	}
	x, y, verb := m.a[0], m.b[0], m.old.all[1]
	return x.kind() == "name" && y.kind() == "name" && x.text == m.old.all[0].text && y.text == m.new.all[0].text && !isIn(m.b, x) && !isIn(m.a, y) &&
		verb.text == m.new.all[1].text && verb.class != owns && verb.class != open
}
