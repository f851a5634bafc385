package hooks

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agents-hooks/agents-hooks/internal/text"
)

// passage is the part of a memory that a prompt is about, in at most so many characters, with how
// the memory begins, which names its subject; and the lines of the memory that it is from.
func passage(content, prompt string, most int) (part string, lines []string) {
	if utf8.RuneCountInString(content) <= most {
		return content, []string{content}
	}
	units, words := unitsOf(content), wordsOf(prompt)
	begin := text.Clip(strings.TrimSpace(units[0]), most/3)
	if strings.Contains(content, "\n") && !strings.HasPrefix(begin, "#") {
		begin = "…" // of a page in the middle, which names nothing
	}
	for w := range wordsOf(begin) {
		delete(words, w) // it is told anyway
	}
	at := nearest(units, words)
	if at == 0 && (len(words) == 0 || within(units[0], words, most) == 0) {
		part = text.Clip(content, most)
		return part, linesOf(content, 0, len(part))
	}
	if !strings.HasSuffix(begin, "…") {
		begin += " …"
	}
	begin += "\n"
	left := most - utf8.RuneCountInString(begin)
	from := 0
	for _, unit := range units[:at] {
		from += len(unit)
	}
	skipped := 0
	if utf8.RuneCountInString(units[at]) > left {
		skipped = within(units[at], words, left)
		from += skipped
	}
	for i := at - 1; skipped == 0 && i > 0 && utf8.RuneCountInString(content[from-len(units[i]):]) <= left; i-- {
		from -= len(units[i]) // there is room for what comes before, too
	}
	part = text.Clip(strings.TrimSpace(content[from:]), left)
	return begin + part, linesOf(content, from, len(part))
}

// unitsOf are the lines and sentences of a text, each with what separates it from the next.
func unitsOf(content string) (units []string) {
	from := 0
	for i, r := range content {
		end := i + utf8.RuneLen(r)
		ends := r == '\n' || r == '。' || r == '；' || (r == '.' || r == ';') && end < len(content) && content[end] == ' '
		if ends {
			units, from = append(units, content[from:end]), end
		}
	}
	if from < len(content) {
		units = append(units, content[from:])
	}
	return units
}

// nearest is the unit that has the most of some words, of which those count most that few units
// have.
func nearest(units []string, words map[string]bool) (at int) {
	in := make([]map[string]bool, len(units))
	of := map[string]int{}
	for i, unit := range units {
		in[i] = map[string]bool{}
		for w := range wordsOf(unit) {
			if words[w] {
				in[i][w] = true
				of[w]++
			}
		}
	}
	best := 0.0
	for i := range units {
		score := 0.0
		for w := range in[i] {
			score += 1 / float64(of[w])
		}
		if score > best+1e-9 {
			at, best = i, score
		}
	}
	return at
}

// within is where in a long unit a part begins that has one of some words near its beginning; 0
// if that stands in the first so many characters.
func within(unit string, words map[string]bool, most int) (from int) {
	lower, at := strings.ToLower(unit), len(unit)
	for w := range words {
		if i := strings.Index(lower, w); i >= 0 {
			at = min(at, i)
		}
	}
	if at >= len(unit) || len(lower) != len(unit) || utf8.RuneCountInString(text.Head(lower, most)) < most || at < len(text.Head(lower, most-most/4)) {
		return 0
	}
	for from = at - most/4; from > 0 && !utf8.RuneStart(unit[from]); from-- {
	}
	if i := strings.IndexByte(unit[from:at], ' '); i >= 0 {
		from += i + 1 // a whole word
	}
	return from
}

// linesOf are the whole lines of a text that a part of it is from.
func linesOf(content string, from, size int) (lines []string) {
	at := 0
	for line := range strings.Lines(content) {
		if at < from+size && at+len(line) > from {
			lines = append(lines, line)
		}
		at += len(line)
	}
	return lines
}

// wordsOf are the words of a text, as far as the forms of one word are alike: six letters, two
// characters of Chinese, and every number.
// Two words that follow each other count once more, so that rule 12 is found and not crew 12.
func wordsOf(s string) map[string]bool {
	words := map[string]bool{}
	before := ""
	for _, word := range strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		runes := []rune(word)
		for i := 0; i < len(runes); {
			end := i + 1
			for han := unicode.Is(unicode.Han, runes[i]); end < len(runes) && unicode.Is(unicode.Han, runes[end]) == han; {
				end++
			}
			switch run := runes[i:end]; {
			case unicode.Is(unicode.Han, run[0]):
				for k := range len(run) - 1 {
					words[string(run[k:k+2])] = true
				}
			case !strings.Contains(routine, " "+string(run)+" "):
				stem := string(run[:min(len(run), 6)])
				words[stem], words[before+" "+stem] = true, true
				before = stem
			}
			i = end
		}
	}
	return words
}
