package truth

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// smallMemory is how many statements a memory has where being ahead of the others counts
// half: of five, one is always nearest.
const smallMemory = 40

// mostAhead bounds how far by the search's score one is ahead of the next.
const mostAhead = 0.3

// signs are what tells whether the newer takes the place of one of its rivals, in the order in
// which the forest knows them; signNames of the tests say what each is.
func (c contender) signs(at int, all []contender, rivals []Rival, many int) []float64 {
	sum, most := wordOdds(c.newWords(), oddsOf())
	return slices.Concat(c.ofTexts(), c.ofWords(), c.ofKinds(), c.ofPlaces(), c.ofChange(), c.standing(at, all, rivals, many), []float64{phrasing(c.phrases()), sum, most})
}

// ofTexts is how near the two are as a whole.
func (m *match) ofTexts() []float64 {
	topicOld, _ := m.found(m.a, m.b, topic)
	topicNew, _ := m.found(m.b, m.a, topic)
	headOld, _ := m.found(m.a, m.b, inHead)
	headNew, _ := m.found(m.b, m.a, inHead)
	chinese := func(s statement) bool { return strings.ContainsFunc(s.text, isCJK) }
	return []float64{
		m.whole, m.topicsLike(), min(topicOld, topicNew), headOld, headNew, m.shared(m.a, m.b),
		float64(len(m.a)) / float64(len(m.a)+len(m.b)+1), float64(utf8.RuneCountInString(m.old.text)), float64(utf8.RuneCountInString(m.new.text)), float64(len(m.a)), float64(len(m.b)),
		flag(chinese(m.old) != chinese(m.new)),
	}
}

// ofWords is what the one says and the other does not, by how much it tells.
func (m *match) ofWords() []float64 {
	_, missOld := m.found(m.a, m.b, topicBehind)
	_, missHeadOld := m.found(m.a, m.b, topicOfHead)
	_, missHeadNew := m.found(m.b, m.a, topicOfHead)
	unknown := func(other []unit) func(unit) bool {
		return func(u unit) bool { return isWord(u) && m.best(u, other) < akinWord }
	}
	akin := func(u unit) bool { best := m.best(u, m.a); return isWord(u) && best >= akinWord && best < derivedAlike }
	return []float64{
		m.lacks(m.a, m.b, anyUnit), m.lacks(m.b, m.a, anyUnit), m.lacks(m.a, m.b, isWord), m.lacks(m.b, m.a, isWord), m.lacks(m.a, m.b, isName),
		missOld, missHeadNew, min(missHeadOld, missHeadNew),
		count(m.a, unknown(m.b)), count(m.b, unknown(m.a)), count(m.b, akin),
	}
}

// ofKinds is what differs, by its kind: amounts, names, staging and production.
func (m *match) ofKinds() []float64 {
	lost := func(which func(unit) bool) float64 {
		return count(m.a, func(u unit) bool { return !isIn(m.b, u) && which(u) })
	}
	gained := func(which func(unit) bool) float64 {
		return count(m.b, func(u unit) bool { return !isIn(m.a, u) && which(u) })
	}
	values, others := kindsOf(m.a, m.b), kindsOf(m.b, m.a)
	sameKind := slices.ContainsFunc(values, func(k string) bool { return slices.Contains(others, k) })
	return []float64{
		m.valuesAkin(), flag(len(values) > 0 && len(others) > 0 && !sameKind),
		lost(isAmount), gained(func(u unit) bool { return isAmount(u) && !u.former }), lost(isContrast), gained(isContrast),
		lost(func(u unit) bool { return isName(u) && !u.subject }), gained(func(u unit) bool { return isWord(u) && !u.subject }), lost(func(u unit) bool { return isName(u) && u.subject }),
		count(m.a, func(u unit) bool { return isName(u) && isIn(m.b, u) }),
	}
}

// ofPlaces is how alike the two are put, and what stands in the same place of both.
func (m *match) ofPlaces() []float64 {
	order := m.inOrder()
	s := m.slots()
	return []float64{
		order / max(1, float64(min(len(m.a), len(m.b)))), order / max(1, float64(max(len(m.a), len(m.b)))), leads(m.a, m.b), leads(m.b, m.a),
		s.all, s.names, s.amounts, s.words, s.heads,
	}
}

// ofChange is what the rules find, and what the newer says of a change.
func (m *match) ofChange() []float64 {
	formers := 0.0
	for _, f := range m.new.formers {
		formers += count(m.a, func(u unit) bool { return u.text == f.text })
	}
	return []float64{
		flag(m.rule == Update), flag(m.changes()), flag(m.new.cue), flag(m.turns()), flag(m.ends()), flag(m.denies()), flag(m.apart()), flag(m.alwaysApart()),
		flag(m.old.negated), flag(m.sameVerb()), formers, flag(tooWords.MatchString(m.new.text)),
	}
}

// changes reports whether the newer says that something is not what it was.
func (m *match) changes() bool { return m.new.cue || m.ends() || m.turns() }

// tooWords say that something holds beside what was told.
var tooWords = regexp.MustCompile(`(?i)\b(?:too|also|as well|another|second|additional(?:ly)?|besides)\b|也|另外|还有|同样|另一`)

// standing is how the rival stands out among the others.
func (c contender) standing(at int, all []contender, rivals []Rival, many int) []float64 {
	r := rivals[at]
	var score, part, whole, names, words float64 // the most that another has
	var byScore, byShares, byWhole float64       // how many have more
	for i, o := range all {
		if i == at {
			continue
		}
		if !(rivals[i].Weak && o.rule == Distinct) {
			score = max(score, rivals[i].Score)
		}
		part, whole, names, words = max(part, rivals[i].Shares), max(whole, o.whole), max(names, o.has.names), max(words, o.has.words)
		byScore += flag(rivals[i].Score > r.Score)
		byShares += flag(rivals[i].Shares > r.Shares)
		byWhole += flag(o.whole > c.whole)
	}
	settled := float64(many) / float64(many+smallMemory)
	return []float64{
		r.Score, r.Shares, r.Only, flag(r.Other), settled * min(mostAhead, max(-mostAhead, r.Score-score)), byScore, byShares, byWhole,
		r.Shares - part, c.whole - whole, c.has.names - names, c.has.words - words, c.has.words,
	}
}

// shares is how much the names and the words tell that both have.
type shares struct{ names, words, of float64 }

// all is the part of what the newer says that the older has in the same words.
func (s shares) all() float64 { return (s.names + s.words) / max(1, s.of) }

func (m *match) sharedWords() (s shares) {
	for _, u := range m.b {
		s.of += u.tells
		switch {
		case !isIn(m.a, u):
		case !u.value:
			s.words += u.tells
		case u.amount == "":
			s.names += u.tells
		}
	}
	return s
}

// lacks is how much some units tell that the others do not mean.
func (m *match) lacks(list, other []unit, which func(unit) bool) (sum float64) {
	for _, u := range list {
		if which(u) {
			sum += u.tells * (1 - m.best(u, other))
		}
	}
	return sum
}

// inOrder is how many units both have in the same order.
func (m *match) inOrder() float64 {
	row := make([]int, len(m.b)+1)
	for _, u := range m.a {
		corner := 0
		for j, v := range m.b {
			above := row[j+1]
			if u.text == v.text {
				row[j+1] = corner + 1
			} else {
				row[j+1] = max(above, row[j])
			}
			corner = above
		}
	}
	return float64(row[len(m.b)])
}

// leads is how many units stand before the first that the others have, too.
func leads(list, other []unit) float64 {
	if i := slices.IndexFunc(list, func(u unit) bool { return isIn(other, u) }); i >= 0 {
		return float64(i)
	}
	return float64(len(list))
}

// placed counts pairs of units that differ and stand beside the same word.
type placed struct{ all, names, amounts, words, heads float64 }

func (m *match) slots() (n placed) {
	for i, u := range m.a {
		if isIn(m.b, u) {
			continue
		}
		for j, v := range m.b {
			if v.former || isIn(m.a, v) || !besideTheSame(m.a, i, m.b, j) {
				continue
			}
			n.all++
			n.heads += flag(u.subject || v.subject)
			switch {
			case isName(u) && isName(v):
				n.names++
			case isAmount(u) && isAmount(v):
				n.amounts++
			default:
				n.words++
			}
		}
	}
	return n
}

// besideTheSame reports whether the same unit stands before or behind two.
func besideTheSame(a []unit, i int, b []unit, j int) bool {
	return i > 0 && j > 0 && a[i-1].text == b[j-1].text || i+1 < len(a) && j+1 < len(b) && a[i+1].text == b[j+1].text
}

// What a unit is by itself.
func anyUnit(unit) bool      { return true }
func isWord(u unit) bool     { return !u.value }
func isName(u unit) bool     { return u.value && u.kind() == "name" }
func isAmount(u unit) bool   { return u.amount != "" }
func isContrast(u unit) bool { return strings.HasPrefix(u.group, "!") }

func count(list []unit, which func(unit) bool) (n float64) {
	for _, u := range list {
		n += flag(which(u))
	}
	return n
}

func flag(is bool) float64 {
	if is {
		return 1
	}
	return 0
}
