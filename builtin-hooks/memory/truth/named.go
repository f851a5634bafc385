package truth

import (
	"slices"
	"strings"
)

// Words of change that are as often a part of a name: the lower tank, the raised bed, switch 2.
var (
	partWords   = []string{"lower", "raised", "moved", "split", "drop", "switched", "retired", "dropped"}
	deviceWords = []string{"switch", "switches"}
	// What is not so before them in a name: who does it, or that it is to be done.
	doers = []string{"we", "i", "you", "they", "he", "she", "it", "to", "please", "will", "shall", "must", "should", "may", "can", "could", "would", "let", "not", "never", "dont", "don't",
		"is", "are", "was", "were", "be", "been", "being", "has", "have", "had", "got", "gets", "get", "now", "then", "just", "also", "and", "team"}
	// What begins a clause, or says where something goes, behind a verb and no name.
	behindVerb = []string{"to", "from", "by", "because", "so", "that", "which", "when", "while", "since", "as", "and", "if", "after", "before", "until", "but", "or", "over", "into", "onto", "back", "down", "up", "off", "on", "out", "last", "this", "now"}
)

// markNames makes what is a part of a name no word of change.
func (s *statement) markNames() {
	for i, t := range s.all {
		switch {
		case t.class != changed:
		case slices.Contains(deviceWords, t.raw) && s.isDevice(i):
			s.all[i].class = open
			if i+1 < len(s.all) && s.all[i+1].class == value {
				s.all[i].class = numbered // switch 2 is another one than switch 3
			}
		case slices.Contains(partWords, t.raw) && s.isPart(i):
			s.all[i].class = open
		}
	}
}

// isDevice reports whether a "switch" is a thing: the switch has 24 ports, switch 2 is in rack 4.
func (s *statement) isDevice(i int) bool {
	next := i + 1
	if next == len(s.all) {
		return i > 0 && !slices.Contains(doers, s.all[i-1].raw)
	}
	if slices.Contains([]string{"to", "from", "over", "on", "off", "back"}, s.all[next].raw) {
		return false
	}
	if s.all[next].class == value && (i == 0 || !slices.Contains(doers, s.all[i-1].raw)) {
		return i > 0 || next+1 < len(s.all) && s.isVerb(next+1)
	}
	return s.determined(i) || i > 0 && !slices.Contains(doers, s.all[i-1].raw) && s.isVerb(next) || s.beforeVerb(i)
}

// isPart reports whether a word stands before a noun and tells it from others: the lower tank, lower
// bays are cleaned by Femke. Before what is done to something stands who does it, or nothing, and
// behind it an article, or where it goes: moved CI to Buildkite.
func (s *statement) isPart(i int) bool {
	if i+1 == len(s.all) || !s.isNoun(i+1) {
		return false
	}
	if s.determined(i) {
		return true
	}
	if i > 0 && s.all[i].raw == "lower" && (s.all[i-1].class == scope || slices.Contains([]string{"of", "at", "with"}, s.all[i-1].raw)) {
		return true // in lower bays
	}
	return (i == 0 || !slices.Contains(doers, s.all[i-1].raw)) && s.beforeVerb(i)
}

// determined reports whether a word stands behind an article, or another word that begins a name.
func (s *statement) determined(i int) bool {
	return i > 0 && slices.Contains([]string{"the", "a", "an", "each", "every", "both", "our", "its", "their", "your", "my", "this", "that", "these", "those", "all", "no", "two", "three", "other"}, s.all[i-1].raw)
}

// isNoun reports whether a token may be a thing, by what it is not.
func (s *statement) isNoun(i int) bool {
	t := s.all[i]
	switch t.class {
	case open, place, numbered, value, owns, many, is:
		return !slices.Contains(behindVerb, t.raw) && !slices.Contains(auxiliaries, t.raw) && !slices.Contains([]string{"=", ":", "为", "是"}, t.raw) && !isCJK([]rune(t.raw)[0])
	}
	return false
}

// beforeVerb reports whether behind a token stand nouns alone up to a verb that says something of them.
func (s *statement) beforeVerb(i int) bool {
	for k := i + 1; k < len(s.all) && k <= i+5; k++ {
		t := s.all[k]
		switch {
		case k > i+1 && s.isVerb(k):
			return true
		case t.raw == "of" || t.raw == "in" || t.raw == "for":
		case !s.isNoun(k) && t.raw != "the", t.opens:
			return false
		}
	}
	return false
}

// isVerb reports whether a token is a verb in a form that no noun and no order has.
func (s *statement) isVerb(i int) bool {
	t := s.all[i]
	if slices.Contains(auxiliaries, t.raw) && t.raw != "now" && t.raw != "need" {
		return true
	}
	return (t.class == is || t.class == many || t.class == owns) && t.raw != t.text && t.raw[len(t.raw)-1] == 's'
}

// otherPart is how likely the subjects of the two differ but by a word before the same noun that names a
// part: the upper tank, the lower one. What a participle names may be the first one as it is now, too: the
// full rate, the reduced rate.
func (c *comparison) otherPart() likelihood {
	for i, t := range c.new.all {
		switch {
		case i+1 >= c.new.verbAt:
			return hardly
		case t.raw == "lower" && t.class == open && c.besideAnother(i):
			return surely
		case strings.HasSuffix(t.raw, "ed") && (t.class == changed || slices.Contains(partWords, t.raw)) && !slices.Contains(ofTime, t.raw) && c.new.isPart(i) && c.besideAnother(i):
			return perhaps
		}
	}
	return hardly
}

// besideAnother reports whether before the noun behind a word of the newer stands another word in the
// older's subject, and neither says of what time it is.
func (c *comparison) besideAnother(i int) bool {
	noun := c.new.all[i+1].text
	for k := 1; k < len(c.old.all) && k < c.old.verbAt; k++ {
		x := c.old.all[k-1]
		if c.old.all[k].text == noun && (x.class == open || x.class == place || x.class == changed) && !slices.Contains(ofTime, x.raw) &&
			!slices.ContainsFunc(c.new.all, func(t token) bool { return t.text == x.text }) {
			return true
		}
	}
	return false
}

// ofTime are words of what was or is so, by which one thing is called at two times.
var ofTime = strings.Fields("old new current previous former default present initial updated changed corrected")
