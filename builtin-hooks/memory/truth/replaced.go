package truth

import (
	"regexp"
	"slices"
	"strings"
)

// replaced judges two that differ on both sides.
func (c *comparison) replaced(common float64) Verdict {
	lost, gained := claims(c.lost), claims(c.gained)
	if c.new.cue && len(lost)+len(gained) > 0 {
		return c.reworded(common, gained)
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

// otherCode reports whether the two are about things that a code or a number behind the same noun
// tells apart, and each says something of its own: strain H7 below 1.4 g, strain K2 below 1.9 g.
func (c *comparison) otherCode() bool {
	if c.new.cue || len(c.lost) < 2 || len(c.gained) < 2 {
		return false
	}
	behind := func(s *statement, t token) string { // of what it is the code
		if t.class != value || t.at == 0 || s.all[t.at-1].class != open || !code.MatchString(t.raw) {
			return ""
		}
		if t.at+1 < len(s.all) && s.all[t.at+1].class == value {
			return "" // it counts
		}
		return s.all[t.at-1].text
	}
	return slices.ContainsFunc(c.lost, func(x token) bool {
		of := behind(&c.old, x)
		return of != "" && slices.Contains(c.common, of) && !slices.Contains(unnumbered, of) && slices.ContainsFunc(c.gained, func(y token) bool { return behind(&c.new, y) == of })
	})
}

// unnumbered are nouns that a value of theirs follows, and no name.
var unnumbered = strings.Fields("port limit timeout size ttl interval width height length")

// code is a name of few letters and digits.
var code = regexp.MustCompile(`^(?:[a-uw-z]{0,2}\d{1,3}[a-z]?|\d{1,3})$`)

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
		if out == len(c.gained) && c.hasRole(&c.old) && c.hasRole(&c.new) {
			return Update // who or what has a role
		}
		if c.swapped > 0 || c.qualifies(&c.old, c.lost) || c.qualifies(&c.new, c.gained) {
			return Distinct
		}
		return Update // Node 18 is required
	}
	if !c.new.cue && c.swapped > 0 && c.begins() {
		return Distinct // one of two things that are alike
	}
	if !c.new.cue && c.swapped > 0 && c.against() {
		return Conflict // it may be run against both
	}
	if common >= 1 || c.swapped > 0 && (c.new.cue || c.old.verb == is && c.swapped == 1 && len(c.lost) == 1) {
		if c.old.verb == many && c.swapped > 0 && !c.new.cue {
			return Distinct
		}
		return Update
	}
	return Distinct
}

// begins reports whether two that have no verb begin with what differs.
func (c *comparison) begins() bool {
	first := func(s *statement, list []token) bool {
		return s.verbAt == len(s.all) && len(list) > 0 && len(s.content) > 1 && list[0].at == s.content[0].at
	}
	return first(&c.old, c.lost) && first(&c.new, c.gained)
}

// against reports whether what differs stands after that word in both.
func (c *comparison) against() bool {
	after := func(s *statement, list []token) bool {
		return len(list) > 0 && list[0].at > 0 && s.all[list[0].at-1].raw == "against"
	}
	return after(&c.old, c.lost) && after(&c.new, c.gained)
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
func (c *comparison) reworded(common float64, gained []token) Verdict {
	for _, t := range gained {
		// It is about something that the old one does not know.
		if c.new.subject(t) && t.class != happened && weight(gained, ofToken) > 1 && common < 2 {
			return Distinct
		}
	}
	if c.onlyValues() || c.onlyVerb() || c.otherNeed() {
		return Distinct // two things that are on Mondays
	}
	share := common / min(weight(c.old.content, ofToken), weight(c.new.content, ofToken))
	if common >= 1 && share >= 0.4 {
		return Update
	}
	return Distinct
}

// onlyValues reports whether all that both share are values.
func (c *comparison) onlyValues() bool {
	return !slices.ContainsFunc(c.common, func(text string) bool {
		i := slices.IndexFunc(c.new.content, func(t token) bool { return t.text == text })
		return i < 0 || c.new.content[i].class != value
	})
}

// onlyVerb reports whether both share but a verb, and are about things by other words: backups run
// at 2, reports run at 5 now.
func (c *comparison) onlyVerb() bool {
	about := func(s *statement, list []token) bool {
		return slices.ContainsFunc(list, func(t token) bool { return t.class == open && s.subject(t) })
	}
	return len(c.common) == 1 && c.common[0] == "verb" && about(&c.old, c.lost) && about(&c.new, c.gained)
}

// otherNeed reports whether the older says how much is needed of something, and the newer by another
// verb what has no amount: the app needs iOS 15, and is written in Swift now.
func (c *comparison) otherNeed() bool {
	amount := func(t token) bool { return t.class == value && strings.ContainsAny(t.raw, "0123456789") }
	return c.old.verb == many && c.old.verbAt < len(c.old.all) && !c.sayTheSame() && slices.ContainsFunc(c.lost, amount) && !slices.ContainsFunc(c.new.all, amount)
}

// otherWords judges two of which neither says that something changed.
func (c *comparison) otherWords(common float64, lost, gained []token) Verdict {
	inSubject := func(s *statement, list []token) bool { return slices.ContainsFunc(list, s.subject) }
	before, after := inSubject(&c.old, lost), inSubject(&c.new, gained)
	if before || after {
		onlySubject := !slices.ContainsFunc(c.lost, func(t token) bool { return !c.old.subject(t) }) && !slices.ContainsFunc(c.gained, func(t token) bool { return !c.new.subject(t) })
		if before && after && onlySubject && (c.old.verb == owns || c.new.verb == owns || c.owned() || c.hasRole(&c.old) && c.hasRole(&c.new)) {
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
