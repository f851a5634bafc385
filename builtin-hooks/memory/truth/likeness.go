package truth

import (
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
