package truth

import (
	"slices"
	"strings"
)

// A Rival is an older statement that a newer one may take the place of, and how it stands
// out among all others of its memory: see search.Neighbour.
type Rival struct {
	Text                string
	Score, Shares, Only float64
	Other, Weak         bool // each names another thing; no search finds it
}

// A Judgement is what a newer statement does to a rival.
type Judgement struct {
	Verdict
	Sure float64 // that it takes its place, from 0 to 1
	Ask  bool    // it may, so whoever said it should be asked
	Name bool    // it hardly does, and is among the nearest: whoever knows better is told its name
}

// From how sure on the newer takes the place of a rival, is asked about, and named: a wrong
// replacement hides what is true, a question costs a line, and a name less. They are set by
// how memories and pairs are told by what is made without them (TestForest, testdata/held-*).
const (
	replaceLeast  = 0.87
	agreedLeast   = 0.65 // where the rules tell an update, too
	conflictLeast = 0.5  // where the rules tell one
	askLeast      = 0.25
	nameLeast     = 0.08
	nameMost      = 2 // of one newer statement, together with what is asked about
)

// Among tells what a new statement does to each of some older ones of one memory, which
// has so many. An update is nearer to one statement than to all others, and what just is
// about the same people and things is as near to several.
func Among(newer string, rivals []Rival, many int, sense Sense) []Judgement {
	list := contenders(newer, rivals, sense)
	rules, sure := make([]Verdict, len(list)), make([]float64, len(list))
	for i, c := range list {
		if rules[i] = c.rule; c.rule == Same {
			continue
		}
		sure[i] = woods().chance(c.signs(i, list, rivals, many))
		switch {
		case c.other == surely, c.strange():
			sure[i] = min(sure[i], nameLeast)
		case c.within():
			sure[i] = max(sure[i], askLeast) // what differs may be all that it says
		case c.new.cue && c.agrees():
			sure[i] = min(sure[i], nameLeast) // it seems to say what the older says
		case c.other == perhaps, !c.saidOfIt(), c.otherWish(), undecided.MatchString(c.new.text), c.otherSubject(), c.otherClaim():
			sure[i] = min(sure[i], likelyAlone)
		}
	}
	return judge(rules, sure)
}

// judge tells what becomes of rivals by the rules' verdicts and by how sure an update is. Of
// several that may be meant the likeliest is replaced, and others only if they are as sure and the
// rules say so, too.
func judge(rules []Verdict, sure []float64) []Judgement {
	out := make([]Judgement, len(rules))
	best := -1
	for i, rule := range rules {
		if rule == Same {
			out[i].Verdict = Same
			continue
		}
		out[i] = Judgement{Verdict: Distinct, Sure: sure[i], Ask: sure[i] >= askLeast}
		switch {
		case sure[i] >= replaceLeast, rule == Update && sure[i] >= agreedLeast:
			out[i] = Judgement{Verdict: Update, Sure: sure[i]}
			if best < 0 || sure[i] > out[best].Sure {
				best = i
			}
		case rule == Conflict && sure[i] >= conflictLeast:
			out[i].Verdict = Conflict
		}
	}
	for i, j := range out {
		if j.Verdict == Update && i != best && (rules[i] != Update || sure[i] < replaceLeast) {
			out[i].Verdict, out[i].Ask = Distinct, true
		}
	}
	nameNearest(out)
	return out
}

// nameNearest marks what comes nearest where nothing is replaced: whoever saves may know that
// it is untrue now. What is asked about stands for one of them.
func nameNearest(out []Judgement) {
	most := nameMost
	for _, j := range out {
		switch {
		case j.Verdict == Update, j.Verdict == Same:
			return
		case j.Ask:
			most--
		}
	}
	for range most {
		best := -1
		for i, j := range out {
			if !j.Ask && !j.Name && j.Sure >= nameLeast && (best < 0 || j.Sure > out[best].Sure) {
				best = i
			}
		}
		if best < 0 {
			return
		}
		out[best].Name = true
	}
}

// likelyAlone is how sure an update is at most where likeness alone tells it, since coffee is near to
// tea, and neither takes the other's place; where it is not
// decided; or where it may be of another thing.
const likelyAlone = 0.5

// saidOfIt reports whether more than likeness tells that both are about one thing: a word that both
// have, an amount of the same kind, a word of change, or the rules.
func (c contender) saidOfIt() bool {
	if c.rule == Update || c.changes() {
		return true
	}
	return slices.ContainsFunc(c.b, func(u unit) bool {
		return slices.ContainsFunc(c.a, func(o unit) bool {
			return u.text == o.text || u.amount != "" && u.amount == o.amount || derived(u.raw, o.raw)
		})
	})
}

// otherSubject reports whether both say by the same verb when or how much two things are, and have
// no word in common: the planning is on Monday, the retro is on Friday now. That two words are near
// to each other does not tell that they name one thing.
func (m *match) otherSubject() bool {
	if !m.sameVerb() || m.old.verbAt == 0 || m.new.verbAt == 0 || m.ends() || m.denies() || len(m.new.formers) > 0 {
		return false
	}
	said := func(t token) bool { return t.class == open || t.class == numbered || t.class == place }
	whole := func(w string) string { return strings.ReplaceAll(w, "-", "") } // stand-up
	shared := slices.ContainsFunc(m.new.all, func(t token) bool {
		return said(t) && slices.ContainsFunc(m.old.all, func(o token) bool { return whole(t.text) == whole(o.text) || derived(t.raw, o.raw) })
	})
	values, others := kindsOf(m.a, m.b), kindsOf(m.b, m.a)
	if shared || !slices.ContainsFunc(values, func(k string) bool { return slices.Contains(others, k) }) {
		return false
	}
	in := func(list []token, chinese bool) bool {
		return slices.ContainsFunc(list, func(t token) bool { return said(t) && strings.ContainsFunc(t.raw, isCJK) == chinese })
	}
	older, newer := m.old.all[:m.old.verbAt], m.new.all[:m.new.verbAt]
	return slices.ContainsFunc(older, said) && in(older, true) == in(newer, true) && in(older, false) == in(newer, false) // else it may be a translation
}

// otherClaim reports whether the newer says by another verb another kind of thing of what may have
// many such: the app needs iOS 15, and it is written in Swift now.
func (m *match) otherClaim() bool {
	if !m.new.cue || m.rule == Update || m.old.verb != many || m.old.verbAt == len(m.old.all) || m.sayTheSame() || m.ends() || m.denies() {
		return false
	}
	values, others := kindsOf(m.a, m.b), kindsOf(m.b, m.a)
	return len(values) > 0 && len(others) > 0 && !slices.ContainsFunc(values, func(k string) bool { return slices.Contains(others, k) })
}

// strange reports whether nothing tells that the two have to do with each other: they share no word,
// and are not near, or the newer has no word of which the nearness is known, but codes alone.
func (c contender) strange() bool {
	return !c.saidOfIt() && (c.whole < leastAkin || !slices.ContainsFunc(c.b, func(u unit) bool { return c.sense.Knows(u.raw) && !strings.ContainsAny(u.raw, "0123456789") }))
}

// toldLeast is from how sure on a statement takes the place of one of which its author says
// that it does.
const toldLeast = 0.6

// Confirms reports whether a statement takes the place of an older one, as somebody says who
// did not write the older: with a sense by what both mean, and by the rules alone without.
func Confirms(older, newer string, sense Sense) bool {
	if sense == nil {
		return Compare(older, newer) == Update
	}
	shared := newMatch(Read(older), Read(newer), sense).sharedWords().all()
	r := Rival{Text: older, Score: shared, Shares: shared}
	return Among(newer, []Rival{r}, 1, sense)[0].Sure >= toldLeast
}

// A contender is a rival whose words are compared with the newer's.
type contender struct {
	*match
	has shares
}

func contenders(newer string, rivals []Rival, sense Sense) []contender {
	said := Read(newer)
	out := make([]contender, len(rivals))
	for i, r := range rivals {
		m := newMatch(Read(r.Text), said, sense)
		out[i] = contender{m, m.sharedWords()}
	}
	return out
}
