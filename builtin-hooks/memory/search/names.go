package search

import (
	_ "embed"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agents-hooks/agents-hooks/internal/text"
)

// Names of people in the other script: "Zhang Wei" finds 张伟, and 张伟 finds "Zhang Wei",
// "zhangwei" and "wei.zhang", and 老陈 "Lao Chen". A surname has to be one of the usual ones;
// what it stands beside has to be read so, and to be in a memory.

// pinyin is how the characters of the Chinese standard list are read, a line for each
// syllable, by bench/train.
//
//go:embed pinyin.txt
var pinyin string

// surnames are those of nineteen of twenty people, and what colleagues put before one, as
// they are read in names: the same form.
//
//go:embed surnames.txt
var surnames string

// compounds are surnames of two characters: the same form, each line with one.
//
//go:embed compounds.txt
var compounds string

const (
	longestSyllable = 6 // zhuang
	longestSurname  = 9 // shangguan
	longestName     = 3 // syllables; those after a surname of two characters are one fewer
)

// typed is how somebody with an English keyboard writes pinyin: lü as lv, and no tones.
func typed(pinyin string) string {
	if ascii(pinyin) {
		return pinyin
	}
	return text.Plain(strings.NewReplacer("ü", "v", "ǖ", "v", "ǘ", "v", "ǚ", "v", "ǜ", "v").Replace(pinyin))
}

// read are the characters that are read as a syllable, of a table sorted by syllables.
func read(table, syllable string) string {
	from, to := 0, len(table) // the line is between these
	for from < to {
		start := strings.LastIndexByte(table[:(from+to)/2], '\n') + 1
		line, _, _ := strings.Cut(table[start:], "\n")
		of, chars, _ := strings.Cut(line, " ")
		switch {
		case of == syllable:
			return chars
		case of < syllable:
			from = start + len(line) + 1
		default:
			to = start
		}
	}
	return ""
}

// readings are the syllables of a character.
func readings(table, char string) (out []string) {
	for rest := table; ; {
		i := strings.Index(rest, char)
		if i < 0 {
			return out
		}
		start := strings.LastIndexByte(rest[:i], '\n') + 1
		syllable, _, _ := strings.Cut(rest[start:i], " ")
		out = append(out, syllable)
		_, rest, _ = strings.Cut(rest[i:], "\n")
	}
}

// A name is a way to write what a query says in the other script, and how a text has it.
type name struct {
	way
	text string
}

// latinNames are the pairs of characters that Latin words of a query may name, for each of
// the words as an index has it.
func (s *Snapshot) latinNames(query string) map[string][]name {
	said := strings.FieldsFunc(strings.ToLower(text.Composed(query)), func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' })
	tokens := make([]string, len(said))
	for i, w := range said {
		tokens[i] = typed(w)
	}
	out := map[string][]name{}
	if !s.hasHan() {
		return out
	}
	look := func(surname, given string, as ...string) {
		for _, n := range s.inHan(surname, given) {
			for _, w := range as {
				out[stem(w)] = append(out[stem(w)], n)
			}
		}
	}
	for i, token := range tokens {
		for cut := min(longestSurname, len(token)-1); cut > 0; cut-- {
			look(token[:cut], token[cut:], said[i])
		}
		if i+1 < len(tokens) {
			look(token, tokens[i+1], said[i:i+2]...)
			look(tokens[i+1], token, said[i:i+2]...)
		}
		if i+2 < len(tokens) { // Ou Yang Nana
			look(token+tokens[i+1], tokens[i+2], said[i:i+3]...)
		}
	}
	return out
}

// inHan are the names in characters that memories have for one in Latin letters.
func (s *Snapshot) inHan(surname, given string) (out []name) {
	if double := read(compounds, surname); double != "" {
		return s.ofCompound([]rune(double), given)
	}
	chars := read(surnames, surname)
	if chars == "" {
		return nil
	}
	names := syllables(given, longestName-1)
	if len(names) == 0 {
		return nil
	}
	for _, first := range chars {
		for _, parts := range names {
			for _, pair := range s.pairs(first, parts[0]) {
				if len(parts) == 1 {
					out = append(out, name{way{[]string{pair}, ofTrade}, pair})
					continue
				}
				second, _ := utf8.DecodeLastRuneInString(pair)
				for _, next := range s.pairs(second, parts[1]) {
					out = append(out, name{way{[]string{pair, next}, ofTrade}, string(first) + next})
				}
			}
		}
	}
	return out
}

// ofCompound are those with a surname of two characters: its pair, that across the two names, and
// that of a given name of two.
func (s *Snapshot) ofCompound(surname []rune, given string) (out []name) {
	own := string(surname)
	for _, parts := range syllables(given, longestName-1) {
		for _, across := range s.pairs(surname[1], parts[0]) {
			first, _ := utf8.DecodeLastRuneInString(across)
			if len(parts) == 1 {
				out = append(out, name{way{[]string{own, across}, ofTrade}, own + string(first)})
				continue
			}
			for _, next := range s.pairs(first, parts[1]) {
				out = append(out, name{way{[]string{own, across, next}, ofTrade}, own + next})
			}
		}
	}
	return out
}

// pairs are those of two characters in the memories of which the second is read so.
func (s *Snapshot) pairs(first rune, second string) (out []string) {
	chars, start := read(pinyin, second), string(first)
	s.base.from(start, func(word string) {
		if c := strings.TrimPrefix(word, start); c != "" && strings.Contains(chars, c) {
			out = append(out, word)
		}
	})
	for _, c := range chars {
		if word := start + string(c); s.isFresh(word) && s.base.many(word) == 0 && len(s.use(word)) > 0 {
			out = append(out, word)
		}
	}
	return out
}

// syllables are the ways to read letters as at most so many syllables.
func syllables(letters string, most int) (out [][]string) {
	if most == 0 {
		return nil
	}
	if read(pinyin, letters) != "" {
		out = append(out, []string{letters})
	}
	for cut := 1; cut <= min(len(letters), longestSyllable); cut++ {
		if read(pinyin, letters[:cut]) == "" {
			continue
		}
		for _, rest := range syllables(strings.TrimPrefix(letters[cut:], "'"), most-1) {
			out = append(out, append([]string{letters[:cut]}, rest...))
		}
	}
	return out
}

// hanNames are the names of a run of characters that memories have in Latin letters: the
// ways to write them for each pair of characters of a name, by its place, and true for the
// pair that begins with a name's last character and is no word.
func (s *Snapshot) hanNames(chars []rune) (names map[int][]name, across map[int]bool) {
	names, across = map[int][]name{}, map[int]bool{}
	for i := 0; i+1 < len(chars); i++ {
		double := strings.Contains(compounds, " "+string(chars[i:i+2])+"\n")
		least, most := 2, longestName
		switch {
		case double:
			least, most = 3, longestName+1
		case !strings.ContainsRune(surnames, chars[i]):
			continue
		}
		for size := least; size <= most && i+size <= len(chars); size++ {
			for _, n := range s.inLatin(chars[i : i+size]) {
				for pair := i; pair < i+size-1; pair++ {
					names[pair] = append(names[pair], n)
				}
				across[i+size-1] = true
			}
		}
	}
	return names, across
}

// inLatin are the ways in Latin letters to write a name that memories have, as one word and
// as two.
func (s *Snapshot) inLatin(chars []rune) (out []name) {
	family, own := readings(surnames, string(chars[0])), 1
	if strings.Contains(compounds, " "+string(chars[:2])+"\n") {
		family, own = readings(compounds, string(chars[:2])), 2
	}
	given := []string{""}
	for _, c := range chars[own:] {
		var longer []string
		for _, before := range given {
			for _, syllable := range readings(pinyin, string(c)) {
				longer = append(longer, before+syllable)
			}
		}
		given = longer
	}
	for _, surname := range family {
		for _, given := range given {
			for _, words := range [][]string{{stem(surname + given)}, {stem(surname), stem(given)}} {
				if len(s.having(words)) > 0 {
					out = append(out, name{way{words, ofTrade}, strings.Join(words, " ")})
				}
			}
		}
	}
	return out
}

// partOf reports whether a word is one, or one of its Chinese characters.
func partOf(word, of string) bool {
	return word == of || !ascii(word) && strings.Contains(of, word)
}

// hasHan reports whether there are Chinese characters in the memories.
func (s *Snapshot) hasHan() bool {
	for n := range s.fresh {
		if s.chinese(s.base.docs+n) > 0 {
			return true
		}
	}
	return s.base.place("一") < s.base.wordCount
}
