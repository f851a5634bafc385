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
func Compare(older, newer string) Verdict { return Read(older).With(Read(newer)) }

// A Statement is a text that was taken apart, for those who compare it with many.
type Statement struct {
	text  string
	said  statement
	forms []string
}

// Read takes a text apart.
func Read(text string) *Statement { return &Statement{text, known().statement(text), forms(text)} }

// With tells what a newer statement does to it.
func (s *Statement) With(newer *Statement) Verdict {
	if newer.repeats(s) {
		return Same
	}
	c := &comparison{lexicon: known(), old: s.said, new: newer.said}
	c.diff()
	v, other := c.verdict(), max(c.otherThing(), c.turned(), c.otherPart())
	switch {
	case other == surely:
		return Distinct
	case other == perhaps && v == Update, v == Distinct && c.changesNamed(s.text, newer.text):
		return Conflict
	}
	return v
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
	if c.new.rather && !c.namesOf(c.new.formers) {
		c.new.cue = false // of what the older knows nothing about
	}
}

// namesOf reports whether the old statement names one of some tokens.
func (c *comparison) namesOf(list []token) bool {
	return slices.ContainsFunc(list, func(t token) bool {
		return slices.ContainsFunc(c.old.content, func(o token) bool { return o.text == t.text })
	})
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
	if x.text == y.text || c.old.turns(x) || c.new.turns(y) {
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
	case c.apart():
		return Distinct
	case c.otherInSlot():
		return Update
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
		if c.within() && c.otherState() {
			return Conflict
		}
		return Distinct // it says less
	}
	c.pairKinds()
	return c.replaced(common)
}

// apart reports whether they are about different things: ticket 12 and ticket 13, two
// things that happened, two places, two versions, two times, one thing and also another.
func (c *comparison) apart() bool {
	return c.otherNumber() || c.otherCode() || c.otherYear() || c.otherVersion() || c.otherTime() || c.otherDays() || c.old.once && c.new.once || c.new.adds && !c.new.cue && len(c.lost) > 0 || c.otherPlace() || c.allowsElsewhere() || c.otherMeeting() || c.otherDuty()
}

// otherYear reports whether the two tell of different years: in 2023, in 2024.
func (c *comparison) otherYear() bool {
	of := func(s *statement, list []token) bool {
		return slices.ContainsFunc(list, func(t token) bool {
			return len(t.raw) == 4 && (t.raw[:2] == "19" || t.raw[:2] == "20") && t.class == value && s.subject(t) && (t.at == 0 || s.all[t.at-1].class == scope)
		})
	}
	return of(&c.old, c.lost) && of(&c.new, c.gained)
}

// gone are words of what is there no more.
var gone = strings.Fields("removed dropped gone retired deprecated abandoned discontinued 下线 弃用 废弃 停用")

// sameWords judges two that have the same words, and do not say the same: what differs is a sign,
// a symbol, a small word of how it stands, or the order, by which each may hold.
func (c *comparison) sameWords() Verdict {
	sameOrder := slices.EqualFunc(c.old.content, c.new.content, func(x, y token) bool { return x.text == y.text })
	if sameOrder || c.old.negated != c.new.negated || c.new.tells(gone) && !c.old.tells(gone) || c.old.orders || c.new.orders || c.numbersMoved() {
		return Update
	}
	return Conflict
}

// otherState reports whether the newer has a word that the older has not, be it one that claims
// nothing of a thing alone: done, over.
func (c *comparison) otherState() bool {
	return slices.ContainsFunc(c.new.all, func(t token) bool {
		return t.class != scope && !slices.Contains(particles, t.raw) && !slices.ContainsFunc(c.old.all, func(o token) bool { return o.text == t.text })
	})
}

// particles are words without which a statement says the same.
var particles = strings.Fields(`a an the this that these those it its there here and so also just very please by as at of with from to
	is are be been being was were has have had do does : = our your their my 的 了 着 过 地 得 个 这 那 就 都 也 与 及 和 并 把 被 将 上 里 中 所 号 是 为`)

// within reports whether the newer has hardly a word that the older has not: it may say less, or
// the same of how something stands.
func (c *comparison) within() bool {
	common := weight(c.common, ofText)
	return len(c.gained) == 0 && common/(common+weight(c.lost, ofToken)) >= 0.6 && c.old.negated == c.new.negated
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
