package truth

import (
	"slices"
	"strings"
)

// A statement is a text taken apart.
type statement struct {
	text    string
	all     []token
	content []token // what claims something, in order
	formers []token // what it says held before
	verb    class   // of its first verb
	verbAt  int     // where that stands; len(all) if it has none
	cue     bool    // it says that something changed
	negated bool
	orders  bool    // it says that one thing is before another
	once    bool    // it tells of something that happened
	adds    bool    // it says that it is so beside what was told before
	rather  bool    // all that it says of a change is what it prefers to what: podman instead of docker
	months  []month // those that it names
}

func (l *lexicon) statement(text string) statement {
	s := statement{text: text, all: l.tokens(text)}
	s.markNames()
	s.findVerb(l)
	s.findMonths()
	before, moved := false, false // what is told now held before; it says what moved
	denied := 0                   // where it says "no longer"
	ended := s.markEnded()
	for i, t := range s.all {
		next := ""
		if i+1 < len(s.all) {
			next = s.all[i+1].raw
		}
		if ended[i] {
			s.cue, s.formers = true, append(s.formers, t)
			continue
		}
		told := len(s.formers) > 1 || len(s.formers) == 1 && (denied == 0 || s.formers[0].at != denied+1) // more than its verb
		if t.raw == "longer" && i > 0 && s.all[i-1].raw == "no" {
			denied = i
			continue
		}
		if s.turnsAt(i) {
			s.cue = true
			before = before || t.raw == "left"
		}
		s.adds = s.adds || s.addsAt(i)
		if s.switchedOn(i) {
			s.content = append(s.content, t)
			continue
		}
		switch t.class {
		case negation:
			if t.raw == "stopped" || t.raw == "no" && next == "longer" || s.ended(i) || t.raw == "not" && slices.ContainsFunc(s.all[i:], func(o token) bool { return o.raw == "anymore" }) {
				s.cue, before = true, true
			} else if s.parts(i) {
				before = true
			} else if !s.atMost(i) {
				s.negated = !s.negated
			}
			continue
		case changed:
			if s.noChange(i) {
				break
			}
			if s.replaces(i) {
				s.cue, before = true, true
				continue
			}
			s.cue, before = true, before && !told
			moved = moved || t.raw != "now" && t.raw != "actually"
			continue
		case former:
			if t.raw == "由" && s.byWhom(i) {
				continue
			}
			before = t.raw != "from" || moved
			s.cue = s.cue || t.raw != "from" && t.raw != "从" && t.raw != "由" && !s.firstThen(i)
			continue
		case instead:
			s.orders = true
			if t.raw == "instead" && next == "of" || t.raw == "而非" {
				s.rather = !s.cue
				s.cue, before = true, true
			}
			continue
		case scope, light:
			if t.raw == "to" || t.raw == "for" || t.raw == "in" || t.raw == "but" || t.raw == "with" || t.raw == "by" {
				before = before && !told
			}
			continue
		case pronoun:
			before = before && !told
			continue
		case is, many, owns:
			before = before && !told
			if i == s.verbAt || t.class == is && i > s.verbAt {
				continue
			}
		case happened:
			s.once = s.once || i == 0 || !slices.Contains([]string{"is", "are", "be", "being"}, s.all[i-1].raw) // "are merged" happens each time
		}
		if before {
			s.formers = append(s.formers, t)
		} else {
			s.content = append(s.content, t)
		}
	}
	if !s.cue && len(s.formers) > 0 { // "reads from the primary"
		s.content = append(s.content, s.formers...)
		slices.SortFunc(s.content, func(x, y token) int { return x.at - y.at })
		s.formers = nil
	}
	return s
}

// noChange reports whether a word of change tells of none: what is switched on or off is
// what it was, something may happen during an upgrade, and to each of many in its turn.
func (s *statement) noChange(i int) bool {
	next := ""
	if i+1 < len(s.all) {
		next = s.all[i+1].raw
	}
	if s.recurs(i) || s.mayBe(i) || i > 0 && s.all[i-1].class == negation && s.all[i].class == changed && strings.HasSuffix(s.all[i].raw, "ed") { // it was never updated
		return true
	}
	switch raw := s.all[i].raw; raw {
	case "raises", "lowers", "moves", "drops", "extends", "shortens", "increases", "decreases", "reduces", "bumps", "renames", "retires", "removes", "splits", "migrates", "switches": // what it does each time
		return next != "to" && next != "from"
	case "replace", "raise", "lower", "rename", "retire", "remove", "reduce": // some countries replace it by a number
		return i > 0 && s.all[i-1].class == open && strings.HasSuffix(s.all[i-1].raw, "s")
	case "changed":
		return i > 0 && s.all[i-1].raw == "what"
	case "改": // they edit it themselves, by hand
		return i > 0 && slices.Contains([]string{"己", "自己", "动", "手动", "工", "人工"}, s.all[i-1].raw)
	case "switched", "switch":
		return next == "on" || next == "off"
	case "changes", "updates", "upgrades": // reviews changes to the schema
		said := i > 0 && (s.all[i-1].class == open || s.all[i-1].class == value)
		return !said || next != "to" && next != "from"
	case "upgrade", "update", "change", "move", "downgrade", "increase", "decrease", "correction", "drop":
		if next == "to" || next == "from" || next == "of" {
			return false
		}
		if next == "it" || next == "them" { // update it with brew
			return true
		}
		return slices.Contains(auxiliaries, next) || slices.ContainsFunc(s.all[max(0, i-2):i], func(t token) bool { return slices.Contains(determiners, t.raw) })
	}
	return false
}

// mayBe reports whether a word of change tells what may or should be done to something, and
// not what was: old flags should be removed.
func (s *statement) mayBe(i int) bool {
	return i > 1 && s.all[i-1].raw == "be" && strings.HasSuffix(s.all[i].raw, "ed") && slices.Contains([]string{"should", "must", "may", "can", "could", "cannot"}, s.all[i-2].raw)
}

// firstThen reports whether a word tells before what something is done, and not what was
// before: 删除之前先列出.
func (s *statement) firstThen(i int) bool {
	return (s.all[i].raw == "之前" || s.all[i].raw == "以前") && i+1 < len(s.all) && slices.Contains([]string{"先", "要", "必须", "应", "应该", "需", "需要", "得"}, s.all[i+1].raw)
}

var determiners = strings.Fields("a an the this that each every during after before of in per")

// switchedOn reports whether "on" is what is said of a thing, and not where or when.
func (s *statement) switchedOn(i int) bool {
	if s.all[i].raw != "on" || i == 0 || !slices.Contains([]string{"is", "are", "stays", "turned", "switched"}, s.all[i-1].raw) {
		return false
	}
	return i+1 == len(s.all) || slices.Contains([]string{"for", "in", "by", "again", "now"}, s.all[i+1].raw)
}

// addsAt reports whether a token says that a statement holds beside another: also, as well.
func (s *statement) addsAt(i int) bool {
	switch t := s.all[i]; t.raw {
	case "also", "additionally", "likewise", "另外", "此外", "也":
		return true
	case "too":
		return i+1 == len(s.all)
	case "well":
		return i > 0 && s.all[i-1].raw == "as" && (i+1 == len(s.all) || s.all[i+1].raw != "as")
	}
	return false
}

// replaces reports whether a token says that what follows it was replaced by something.
func (s *statement) replaces(i int) bool {
	return s.all[i].raw == "replaced" && (i == 0 || !slices.Contains(auxiliaries, s.all[i-1].raw) && s.all[i-1].raw != "been") &&
		slices.ContainsFunc(s.all[i+1:], func(t token) bool { return t.raw == "with" || t.raw == "by" })
}

// turnsAt reports whether a token tells from when on something is so: since June, these
// days, 六月起, 以后; or that a number went up or down.
func (s *statement) turnsAt(i int) bool {
	is := func(at int, raw ...string) bool {
		return at >= 0 && at < len(s.all) && slices.Contains(raw, s.all[at].raw)
	}
	dated := func(at int) bool {
		return at >= 0 && at < len(s.all) && (monthOf[s.all[at].raw] > 0 || s.all[at].class == value)
	}
	switch s.all[i].raw {
	case "since":
		return dated(i+1) || is(i+1, "the", "last", "this") && i+2 < len(s.all)
	case "days":
		return is(i-1, "these")
	case "as":
		return is(i+1, "of")
	case "more":
		return is(i-1, "any") && slices.ContainsFunc(s.all[:i], func(t token) bool { return t.class == negation })
	case "cancelled", "canceled", "deleted", "purged", "emptied", "decommissioned", "enabled", "disabled", "installed", "uninstalled": // they were deleted
		return is(i-1, "was", "were", "been", "got")
	case "left": // we left the old provider; Fergus has left
		return is(i-1, "we", "has", "have")
	case "取消":
		return is(i+1, "了")
	case "开始":
		return is(i-1, "周", "月", "日", "号", "年", "今天", "明天")
	case "went":
		return is(i+1, "up", "down", "from", "back")
	case "起":
		return is(i-1, "月", "日", "号", "年") && !s.tells(absences)
	case "以后", "今后":
		return !dated(i-1) && !is(i-1, "月", "日", "号", "年", "点")
	}
	return false
}

// ended reports whether a Chinese denial says of what was so that it is over: 不发群里了.
func (s *statement) ended(i int) bool {
	if !strings.HasPrefix(s.all[i].raw, "不") {
		return false
	}
	for k, t := range s.all[i+1 : min(len(s.all), i+8)] {
		if t.raw == "了" {
			return k > 0 // 不了: it cannot
		}
	}
	return false
}

// atMost reports whether a denial says how much something may be, and denies nothing: no
// more than 20, must not be longer than a day, 不得超过.
func (s *statement) atMost(i int) bool {
	for k := i + 1; k < min(len(s.all), i+4); k++ {
		next := ""
		if k+1 < len(s.all) {
			next = s.all[k+1].raw
		}
		switch s.all[k].raw {
		case "more", "longer", "larger", "bigger", "later", "higher":
			return next == "than"
		case "exceed", "超过":
			return true
		case "超":
			return next == "过"
		}
	}
	return false
}

// parts reports whether a "not" parts what held before from what holds from now on: is in
// the portal now, not in the channel.
func (s *statement) parts(i int) bool {
	if s.all[i].raw != "not" || i < 2 || i+2 > len(s.all)-1 || !slices.ContainsFunc(s.all, func(t token) bool { return t.raw == "now" }) {
		return false
	}
	return s.all[i+1].class == scope || slices.Contains([]string{"by", "to", "at", "with", "the", "a", "an"}, s.all[i+1].raw) &&
		!slices.Contains(auxiliaries, s.all[i-1].raw)
}

var auxiliaries = strings.Fields("is are was were be do does did has have had can may must should shall will would could need now")

// findVerb looks for the verb: one that can be nothing else before one that may be
// a noun, such as build and target.
func (s *statement) findVerb(l *lexicon) {
	s.verbAt = len(s.all)
	for i, t := range s.all {
		if s.verbAt < len(s.all) && (t.raw == "because" || t.raw == "unless" || t.raw == "因为" || t.raw == "由于") {
			return // what follows is not what is said
		}
		if t.class != is && t.class != many && t.class != owns || t.large && i > 0 && s.all[i-1].class == scope { // the clinic in IS
			continue
		}
		if s.verbAt == len(s.all) {
			s.verb, s.verbAt = t.class, i
		}
		switch t.raw {
		case "is", "are", "was", "were", "uses", "=", ":", "是", "为":
			if i > 0 && (s.verb == is || i > s.verbAt) && s.all[s.verbAt].raw != "use" && s.all[s.verbAt].raw != "uses" {
				s.verb, s.verbAt = is, i
			}
			if next := i + 1; s.verbAt == i && next < len(s.all) && (s.all[next].participle() || s.recurs(next)) && l.group[s.all[next].text] == "" { // are stored
				s.verb, s.verbAt = is, next // a passive has one object
			}
			return
		}
	}
	for i := len(s.all) - 1; i > 0 && s.verbAt == len(s.all); i-- {
		if s.all[i].class == changed && !s.isPart(i) { // the limit changed to 5
			s.verb, s.verbAt = is, i
		}
	}
}

// participle reports whether a word after "is" is the verb itself.
func (t token) participle() bool {
	if t.class == is || t.class == owns {
		return true
	}
	return t.class == open && len(t.raw) > 4 && (strings.HasSuffix(t.raw, "ed") || strings.HasSuffix(t.raw, "ing") || strings.HasSuffix(t.raw, "tten"))
}

// subject reports whether a token stands before the verb.
func (s *statement) subject(t token) bool { return s.verbAt < len(s.all) && t.at < s.verbAt }
