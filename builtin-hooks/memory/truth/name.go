package truth

import (
	"regexp"
	"strings"
	"unicode"
)

var nameLike = regexp.MustCompile(`[A-Za-z0-9][A-Za-z0-9]*(?:[-_./:][A-Za-z0-9]+)*`)

// names are the words of a text that name one thing: with signs or digits among letters,
// or large letters where no sentence begins.
func names(text string) map[string]bool {
	out := map[string]bool{}
	begins := true
	last := 0
	for _, at := range nameLike.FindAllStringIndex(text, -1) {
		between := text[last:at[0]]
		begins = last == 0 && strings.TrimSpace(between) == "" || strings.ContainsAny(between, ".;:。；：!?")
		word := text[at[0]:at[1]]
		last = at[1]
		letters, upper, signs := 0, 0, 0
		for i, r := range word {
			switch {
			case unicode.IsLetter(r):
				letters++
				if unicode.IsUpper(r) && (i > 0 || !begins) {
					upper++
				}
			default:
				signs++
			}
		}
		if letters >= 2 && (upper > 0 || signs > 0) {
			out[strings.ToLower(word)] = true
		}
	}
	return out
}

// changesNamed reports whether the new statement says that something changed, of what
// both call by name: that may be what the old one says.
func (c *comparison) changesNamed(older, newer string) bool {
	if !c.new.cue || c.old.once || len(c.old.content) == 0 || c.otherPlace() || c.otherNumber() {
		return false
	}
	have := names(older)
	for name := range names(newer) {
		if have[name] && !c.isValue(name) {
			return true
		}
	}
	return false
}

// isValue reports whether a name is one of many that stand in the same place, such as a
// day.
func (c *comparison) isValue(name string) bool {
	list := c.tokens(name)
	return name[0] <= '9' || len(list) == 1 && list[0].class == value && !strings.ContainsAny(name, "0123456789")
}
