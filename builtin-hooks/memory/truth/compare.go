package truth

import (
	"slices"
	"strings"
	"sync"
)

// A Verdict is what a new statement does to an older one.
type Verdict int

const (
	Distinct Verdict = iota // both hold
	Same                    // it says nothing new
	Update                  // it takes the place of the older one
	Conflict                // both cannot hold, and which one does cannot be told
)

func (v Verdict) String() string { return [...]string{"distinct", "same", "update", "conflict"}[v] }

// Compare tells what a new statement does to an older one.
func Compare(older, newer string) Verdict {
	l := known()
	a, b := l.statement(older), l.statement(newer)
	c := &comparison{lexicon: l, old: a, new: b}
	c.diff()
	return c.verdict()
}

var known = sync.OnceValue(newLexicon)

// A comparison is two statements, and what they do not share.
type comparison struct {
	*lexicon
	old, new     statement
	common       []string
	lost, gained []token // only in the old, only in the new
	swapped      int     // pairs of one kind among them
}

// diff finds what the two do not share, whatever its order.
func (c *comparison) diff() {
	left := map[string]int{}
	for _, t := range c.new.content {
		left[t.text]++
	}
	for _, t := range c.old.content {
		if left[t.text] > 0 {
			left[t.text]--
			c.common = append(c.common, t.text)
		} else {
			c.lost = append(c.lost, t)
		}
	}
	for _, t := range slices.Backward(c.new.content) {
		if left[t.text] > 0 {
			left[t.text]--
			c.gained = append(c.gained, t)
		}
	}
	slices.Reverse(c.gained)
}

// weight is how much some tokens say: a character of Chinese half a word.
func weight[T any](list []T, text func(T) string) (w float64) {
	for _, t := range list {
		if r := []rune(text(t)); len(r) == 1 && isCJK(r[0]) {
			w += 0.5
		} else {
			w++
		}
	}
	return w
}

func ofToken(t token) string    { return t.text }
func ofText(text string) string { return text }

// generic are verbs that do not tell what a statement is about.
var generic = []string{"use", "is", "are", "was", "were", "prefer", "choose", "want", "be", "=", ":", "是", "为", "用", "使用", "采用", "偏好", "喜欢", "选择", "选", "在"}

// verbShared reports whether both have the same verb, and it tells something.
func (c *comparison) verbShared() bool {
	return c.old.verbAt < len(c.old.all) && c.new.verbAt < len(c.new.all) &&
		c.old.all[c.old.verbAt].text == c.new.all[c.new.verbAt].text && !slices.Contains(generic, c.old.all[c.old.verbAt].text)
}

// inSubject reports whether what they are about differs.
func (c *comparison) inSubject() bool {
	return slices.ContainsFunc(c.lost, c.old.subject) || slices.ContainsFunc(c.gained, c.new.subject)
}

// sayTheSame reports whether the verbs of the two say the same of a subject, or one
// of them has none.
func (c *comparison) sayTheSame() bool {
	if c.old.verbAt == len(c.old.all) || c.new.verbAt == len(c.new.all) {
		return true
	}
	x, y := c.old.all[c.old.verbAt], c.new.all[c.new.verbAt]
	if x.text == y.text || x.class == changed || y.class == changed {
		return true
	}
	for row := range c.verbs[stem(x.raw)] {
		if c.verbs[stem(y.raw)][row] {
			return true
		}
	}
	return false
}

func (c *comparison) verdict() Verdict {
	if c.verbShared() {
		c.common = append(c.common, "verb")
	}
	common, lost, gained := weight(c.common, ofText), weight(c.lost, ofToken), weight(c.gained, ofToken)
	all := common + lost + gained
	switch {
	case all == 0:
		return Distinct
	case lost == 0 && gained == 0:
		return c.sameWords()
	case common == 0 && len(c.new.formers) == 0:
		return Distinct
	case c.otherNumber():
		return Distinct // ticket 12 and ticket 13
	case c.old.once && c.new.once:
		return Distinct // two things that happened
	case c.otherPlace():
		return Distinct
	case c.old.negated != c.new.negated && !c.new.cue && (c.inSubject() || lost > 0 && gained > 0):
		return Distinct // it is of something else that it does not hold
	case c.old.negated != c.new.negated && lost+gained <= 1 && common >= 1:
		return Update
	case c.namesFormer(common):
		return Update
	case lost == 0:
		if common/all >= 0.5 && !c.old.negated == !c.new.negated {
			return Update // it says more
		}
		return Distinct
	case gained == 0:
		if common/all >= 0.6 && c.old.negated == c.new.negated && !c.new.cue {
			return Same // it says less
		}
		return Distinct
	}
	c.pairKinds()
	return c.replaced(common)
}

// sameWords judges two that have the same words.
func (c *comparison) sameWords() Verdict {
	if c.old.negated != c.new.negated {
		return Update
	}
	sameOrder := slices.EqualFunc(c.old.content, c.new.content, func(x, y token) bool { return x.text == y.text })
	if !sameOrder && (c.old.orders || c.new.orders || c.numbersMoved()) {
		return Update
	}
	return Same
}

// numbersMoved reports whether the values stand in another order: other words have
// them now.
func (c *comparison) numbersMoved() bool {
	values := func(s statement) (out []string) {
		for _, t := range s.content {
			if t.class == value {
				out = append(out, t.text)
			}
		}
		return out
	}
	return !slices.Equal(values(c.old), values(c.new))
}

// otherPlace reports whether the two hold in different places, or of different
// sides of a thing.
func (c *comparison) otherPlace() bool {
	for _, x := range c.lost {
		g := c.group[x.text]
		if g == "" || g[0] != '!' {
			continue
		}
		for _, y := range c.gained {
			if c.group[y.text] != g {
				continue
			}
			only := len(c.lost) == 1 && len(c.gained) == 1
			if !only || c.old.subject(x) || c.new.subject(y) || !c.isObject(&c.old, x) || !c.isObject(&c.new, y) {
				return true
			}
		}
	}
	return c.oneSided(c.lost, &c.old, &c.new) || c.oneSided(c.gained, &c.new, &c.old)
}

// isObject reports whether a token is what the statement says of its subject, and no
// word that a longer name begins with, or that follows a preposition.
func (c *comparison) isObject(s *statement, t token) bool {
	if s.verbAt == len(s.all) || t.at < s.verbAt {
		return false
	}
	for i := s.verbAt + 1; i < t.at; i++ {
		if s.all[i].class == scope {
			return false
		}
	}
	return t.at == len(s.all)-1 || s.all[t.at+1].class == light || s.all[t.at+1].class == changed
}

// oneSided reports whether one of two names an environment and the other none.
func (c *comparison) oneSided(extra []token, of, other *statement) bool {
	for _, t := range extra {
		if c.group[t.text] != "!dev" || c.isObject(of, t) || slices.Contains([]string{"test", "tests", "testing", "local", "本地", "ci", "demo", "测试", "线上"}, t.raw) {
			continue
		}
		if !slices.ContainsFunc(other.content, func(o token) bool { return c.group[o.text] == "!dev" }) {
			return true
		}
	}
	return false
}

// namesFormer reports whether the new statement names what the old one said.
func (c *comparison) namesFormer(common float64) bool {
	if len(c.new.formers) == 0 {
		return false
	}
	var rest []token
	hit := false
	for _, t := range c.lost {
		if slices.ContainsFunc(c.new.formers, func(f token) bool { return f.text == t.text }) {
			hit = true
		} else if t.class != value {
			rest = append(rest, t)
		}
	}
	w := weight(rest, ofToken)
	return hit && (w <= 1 || common >= 1 && w <= 2)
}

// pairKinds takes two things of one kind, or two sides of a contrast that parts no
// places, as two values.
func (c *comparison) pairKinds() {
	for i := range c.lost {
		for j := range c.gained {
			g := c.group[c.lost[i].text]
			if g != "" && g == c.group[c.gained[j].text] && c.lost[i].class != value && c.gained[j].class != value && g[0] != '!' {
				c.lost[i].class, c.gained[j].class = value, value
				c.swapped++
				break
			}
		}
	}
}

// replaced judges two that differ on both sides.
func (c *comparison) replaced(common float64) Verdict {
	lost, gained := claims(c.lost), claims(c.gained)
	if c.new.cue && len(lost)+len(gained) > 0 {
		return c.reworded(common, lost, gained)
	}
	if !c.new.cue && !c.sayTheSame() {
		return Distinct
	}
	if len(lost) == 0 && len(gained) == 0 {
		return c.otherValues(common)
	}
	if len(lost) == 0 && c.counted(&c.new, gained) || len(gained) == 0 && c.counted(&c.old, lost) {
		return c.otherValues(common) // 80, and 120 characters
	}
	if (len(lost) == 0) != (len(gained) == 0) && c.swapped == 0 {
		return Distinct // a number, and no number
	}
	return c.otherWords(common, lost, gained)
}

// otherNumber reports whether the two are about things that a number names, and these
// differ.
func (c *comparison) otherNumber() bool {
	named := func(s *statement, t token) string {
		if t.at == 0 || t.class != value || s.all[t.at-1].class != numbered || s.verbAt < len(s.all) && t.at > s.verbAt {
			return ""
		}
		return s.all[t.at-1].text
	}
	return slices.ContainsFunc(c.lost, func(x token) bool {
		name := named(&c.old, x)
		return name != "" && slices.ContainsFunc(c.gained, func(y token) bool { return named(&c.new, y) == name })
	})
}

// counted reports whether each of some words follows a number.
func (c *comparison) counted(s *statement, list []token) bool {
	return !slices.ContainsFunc(list, func(t token) bool {
		return t.at == 0 || s.all[t.at-1].class != value || strings.Trim(s.all[t.at-1].raw, "0123456789.,") != ""
	})
}

// claims are the tokens that are no values.
func claims(list []token) []token {
	return slices.DeleteFunc(slices.Clone(list), func(t token) bool { return t.class == value })
}

// otherValues judges two in which only values differ.
func (c *comparison) otherValues(common float64) Verdict {
	for _, side := range []struct {
		s    *statement
		list []token
	}{{&c.old, c.lost}, {&c.new, c.gained}} {
		for _, t := range side.list {
			// Server 1 and server 2, #12 and #13.
			if t.at > 0 && side.s.all[t.at-1].class == numbered && (side.s.subject(t) || side.s.verbAt == len(side.s.all)) {
				return Distinct
			}
			if t.at > 0 && side.s.all[t.at-1].raw == "第" && side.s.subject(t) {
				return Distinct
			}
		}
	}
	if len(c.lost) > 1 && len(c.gained) > 1 && c.onNumber(&c.old, c.lost) && c.onNumber(&c.new, c.gained) {
		return Distinct // three times on 503, five times on 429
	}
	subject := func(s *statement, list []token) int {
		n := 0
		for _, t := range list {
			if s.subject(t) {
				n++
			}
		}
		return n
	}
	in, out := subject(&c.old, c.lost), subject(&c.new, c.gained)
	if in > 0 && out > 0 && !c.new.cue {
		if in < len(c.lost) || c.old.verb == many {
			return Distinct // another subject, and another thing of it
		}
		if c.swapped > 0 || c.qualifies(&c.old, c.lost) || c.qualifies(&c.new, c.gained) {
			return Distinct
		}
		return Update // Node 18 is required
	}
	if common >= 1 || c.swapped > 0 && (c.new.cue || c.old.verb == is && c.swapped == 1 && len(c.lost) == 1) {
		if c.old.verb == many && c.swapped > 0 && !c.new.cue {
			return Distinct
		}
		return Update
	}
	return Distinct
}

// qualifies reports whether a value stands before a word that it is a part of: Friday
// deploys.
func (c *comparison) qualifies(s *statement, list []token) bool {
	return slices.ContainsFunc(list, func(t token) bool {
		return t.at+1 < s.verbAt && (s.all[t.at+1].class == open || s.all[t.at+1].class == is)
	})
}

// onNumber reports whether one of the values is a number that says when the statement
// holds.
func (c *comparison) onNumber(s *statement, list []token) bool {
	return slices.ContainsFunc(list, func(t token) bool {
		last := t.at == len(s.all)-1 || s.all[t.at+1].class != value
		return t.at > 0 && (s.all[t.at-1].raw == "on" || s.all[t.at-1].raw == "for") && last && strings.Trim(t.raw, "0123456789") == ""
	})
}

// reworded judges a new statement that says that something changed.
func (c *comparison) reworded(common float64, lost, gained []token) Verdict {
	for _, t := range gained {
		// It is about something that the old one does not know.
		if c.new.subject(t) && t.class != happened && weight(gained, ofToken) > 1 && common < 2 {
			return Distinct
		}
	}
	share := common / min(weight(c.old.content, ofToken), weight(c.new.content, ofToken))
	if common >= 1 && share >= 0.4 {
		return Update
	}
	return Distinct
}

// otherWords judges two of which neither says that something changed.
func (c *comparison) otherWords(common float64, lost, gained []token) Verdict {
	inSubject := func(s *statement, list []token) bool { return slices.ContainsFunc(list, s.subject) }
	before, after := inSubject(&c.old, lost), inSubject(&c.new, gained)
	if before || after {
		onlySubject := !slices.ContainsFunc(c.lost, func(t token) bool { return !c.old.subject(t) }) && !slices.ContainsFunc(c.gained, func(t token) bool { return !c.new.subject(t) })
		if before && after && onlySubject && (c.old.verb == owns || c.new.verb == owns || c.owned()) {
			return Update
		}
		return Distinct
	}
	if c.old.verb != is || c.new.verb != is || c.old.negated != c.new.negated || c.inSubject() {
		return Distinct
	}
	if weight(c.lost, ofToken) > 3 || weight(c.gained, ofToken) > 3 || !c.oneGap() {
		return Distinct
	}
	subject := slices.ContainsFunc(c.old.content, c.old.subject)
	scoped := slices.ContainsFunc(c.old.all, func(t token) bool { return t.class == scope })
	uses := c.old.all[c.old.verbAt].text
	switch {
	case c.scopeDiffers():
		return Distinct
	case c.hasRole(&c.old) && c.hasRole(&c.new):
		return Conflict // somebody may have two roles
	case subject && common >= 1 && (uses == "use" || uses == "用" || uses == "使用") && c.swapped == 0 && !scoped:
		return Conflict // it may use both
	case subject && common >= 1, !subject && c.verbShared(), !subject && c.headShared():
		return Update
	case scoped && common >= 1 && c.swapped == 0:
		return Update
	}
	return Distinct
}

// hasRole reports whether a statement says that something is the such and such.
func (c *comparison) hasRole(s *statement) bool {
	next := s.verbAt + 1
	return next < len(s.all) && s.all[s.verbAt].raw == "is" && s.all[next].raw == "the"
}

// owned reports whether the old statement says that somebody answers for a thing.
func (c *comparison) owned() bool {
	return slices.ContainsFunc(c.old.all, func(t token) bool { return t.class == owns }) &&
		slices.ContainsFunc(c.new.all, func(t token) bool { return t.class == owns })
}

// oneGap reports whether what differs stands in one piece on both sides, in the same
// surroundings.
func (c *comparison) oneGap() bool {
	gap := func(s *statement, list []token) (before string, ok bool) {
		first, last := list[0].at, list[len(list)-1].at
		n := 0
		for _, t := range s.content {
			if t.at >= first && t.at <= last {
				n++
			} else if t.at < first {
				before = t.text
			}
		}
		return before, n == len(list)
	}
	x, one := gap(&c.old, c.lost)
	y, two := gap(&c.new, c.gained)
	return one && two && x == y
}

// headShared reports whether what follows the words that differ is the same in both:
// short answers, verbose answers.
func (c *comparison) headShared() bool {
	after := func(s *statement, list []token) string {
		for _, t := range s.content {
			if t.at > list[len(list)-1].at {
				return t.text
			}
		}
		return ""
	}
	x := after(&c.old, c.lost)
	return x != "" && x == after(&c.new, c.gained)
}

// scopeDiffers reports whether what differs is where the statements hold: for Go,
// in CI.
func (c *comparison) scopeDiffers() bool {
	after := func(s *statement, t token) bool {
		for i := t.at - 1; i > s.verbAt; i-- {
			switch s.all[i].class {
			case light, open, value, place:
			case scope:
				return i > s.verbAt+1 && s.all[i].raw != "on" || s.all[i].raw == "for" || s.all[i].raw == "对"
			default:
				return false
			}
		}
		return false
	}
	return slices.ContainsFunc(c.lost, func(t token) bool { return after(&c.old, t) }) || slices.ContainsFunc(c.gained, func(t token) bool { return after(&c.new, t) })
}
