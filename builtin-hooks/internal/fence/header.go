package fence

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// header reads the header of a role ("Human: …") where a line begins; n is 0 if
// there is none. In a text of one's own a line may begin so in the middle of a
// paragraph, but for the two that are never the name of a thing.
func (s *scanner) header(at int) (n int, out string) {
	paragraph := strings.Trim(line(strings.TrimSuffix(s.text[:at], "\n")), " \t\r>") == ""
	var word strings.Builder
	from, to := -1, -1
	capital := false
	for i := at; i < len(s.text) && i < at+tagMost; {
		r, size := decode(s.text[i:])
		switch {
		case r < 0:
		case r >= 'a' && r <= 'z' || s.foreign && r >= 0x4e00 && r <= 0x9fff:
			if to >= 0 && !s.foreign || word.Len() > nameMost {
				return 0, ""
			}
			if from < 0 {
				raw, _ := utf8.DecodeRuneInString(s.text[i:])
				from, capital = i, !unicode.IsLower(raw)
			}
			word.WriteRune(r)
			to = -1
		case r == ':' && from >= 0:
			if to < 0 {
				to = i
			}
			done := strings.HasSuffix(s.text[:from], "‹") && strings.HasPrefix(s.text[to:], "›")
			if done || !s.heads(word.String(), capital, paragraph) {
				return 0, ""
			}
			return to - at, s.text[at:from] + "‹" + word.String() + "›"
		case strings.ContainsRune(" \t#*[](){}\"'`>|-", r), s.foreign && (strings.ContainsRune("_~=+./•·‹›\\", r) || r >= '0' && r <= '9'):
			if from >= 0 && to < 0 {
				to = i
			}
		default:
			return 0, ""
		}
		i += size
	}
	return 0, ""
}

// heads reports whether a word before a colon is taken for a role.
func (s *scanner) heads(word string, capital, paragraph bool) bool {
	switch {
	case s.foreign:
		return role(word) || spoken(word)
	case word == "human" || word == "assistant":
		return paragraph || capital
	}
	return paragraph && capital && (word == "system" || word == "user" || word == "developer" || word == "tool")
}

// line is the last line of a text, as far as it matters what stands in it.
func line(text string) string {
	text = text[max(0, len(text)-tagMost):]
	return text[strings.LastIndexByte(text, '\n')+1:]
}
