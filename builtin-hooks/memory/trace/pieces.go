package trace

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// What the program noted is also shortened: clipped at either end, or without its numbers. So it is
// searched for pieces of a text as well: words in a row, of which a digit is none. A word weighs
// two, and a letter of a script without spaces one.
const (
	pieceWeight = 6  // of which a longer run is made, and what counts where something was cut off
	runWeight   = 10 // of a run that counts wherever it stands: five words
	endWeight   = 4  // of the beginning or the end of a text, where something was cut off
)

// Where a piece stands in its text.
const (
	pieceInside = "inside"
	pieceHead   = "head"
	pieceTail   = "tail"
	pieceAll    = "all" // a text of less than a run, without its numbers
)

// A word of a text, or a letter of a script without spaces.
type word struct {
	from, to, weight int
	sum              uint64
}

func wordsOf(text string) (words []word) {
	open := false
	for i, r := range text {
		switch to := i + utf8.RuneLen(r); {
		case !unicode.IsLetter(r):
			open = false
		case !inWord(r):
			words, open = append(words, word{i, to, 1, uint64(r) * base}), false
		case !open:
			words, open = append(words, word{from: i, weight: 2}), true
			fallthrough
		default:
			w := &words[len(words)-1]
			w.to, w.sum = to, (w.sum^uint64(unicode.ToLower(r)))*base
		}
	}
	return words
}

// sumOfWords has so few bits that the words cannot be guessed from it one after the other; a run is
// several of them.
func sumOfWords(words []word) (sum uint64) {
	for _, w := range words {
		sum = (sum ^ w.sum) * base
		sum ^= sum >> 29
	}
	return sum
}

// heavy is how many words from the first one on weigh enough, 0 if all of them do not.
func heavy(words []word, enough int) int {
	weight := 0
	for i, w := range words {
		if weight += w.weight; weight >= enough {
			return i + 1
		}
	}
	return 0
}

func weightOf(words []word) (weight int) {
	for _, w := range words {
		weight += w.weight
	}
	return weight
}

// piecesOf are the marks of the pieces of a text.
func piecesOf(text string) (marks Marks) {
	words := wordsOf(text)
	add := func(kind string, words []word) {
		marks = append(marks, Mark{Words: len(words), Sum: high(sumOfWords(words)), Piece: kind})
	}
	for i := range words {
		if n := heavy(words[i:], pieceWeight); n > 0 {
			add(pieceInside, words[i:i+n])
		}
	}
	if n := heavy(words, endWeight); n > 0 && marks != nil {
		add(pieceHead, words[:n])
		tail := len(words) - 1
		for weightOf(words[tail:]) < endWeight {
			tail--
		}
		add(pieceTail, words[tail:])
	}
	if weight := weightOf(words); weight >= endWeight && weight < runWeight && strings.ContainsFunc(text, unicode.IsDigit) && words[len(words)-1].to-words[0].from >= least {
		add(pieceAll, words)
	}
	return marks
}

// pieces are where a text says pieces of those that the marks stand for.
func (m Marks) pieces(text string) (spans [][2]int) {
	byLength := map[int]map[uint16]string{} // and in it, by the sum, where it stands
	for _, mark := range m {
		if mark.Piece != "" && mark.cut {
			if byLength[mark.Words] == nil {
				byLength[mark.Words] = map[uint16]string{}
			}
			byLength[mark.Words][mark.Sum] += mark.Piece
		}
	}
	if len(byLength) == 0 {
		return nil
	}
	words := wordsOf(text)
	hit := make([]bool, len(words))
	for n, sums := range byLength {
		for i := 0; i+n <= len(words); i++ {
			kind := sums[high(sumOfWords(words[i:i+n]))]
			if kind == "" {
				continue
			}
			from, to, before, after := around(text, words, i, i+n)
			switch {
			case strings.Contains(kind, pieceInside):
				for k := range n {
					hit[i+k] = true
				}
			case kind == pieceAll, strings.Contains(kind, pieceHead) && after, strings.Contains(kind, pieceTail) && before:
				spans = append(spans, [2]int{from, to})
			}
		}
	}
	for i := 0; i < len(words); i++ {
		end := i
		for end < len(words) && hit[end] {
			end++
		}
		if end == i {
			continue
		}
		from, to, before, after := around(text, words, i, end)
		if (weightOf(words[i:end]) >= runWeight || before || after) && !isPath(text[from:to]) {
			spans = append(spans, [2]int{from, to})
		}
		i = end
	}
	return spans
}

// isPath reports a run that is one path, by which the program finds a file again.
func isPath(run string) bool {
	return strings.ContainsAny(run, `/\`) && !strings.ContainsAny(run, " _\n") && strings.IndexFunc(run, unicode.IsSpace) < 0
}

// loose may stand between the words of a run and the mark that something was cut off.
const loose = " _0123456789.,:;'\"`“”‘’()「」"

// around is where some words stand, with the numbers beside them, and whether something was cut off
// before and after them: with a part of a word, which belongs to them then.
func around(text string, words []word, i, end int) (from, to int, before, after bool) {
	from, to = words[i].from, words[end-1].to
	rest := text[to:]
	if numbers := len(rest) - len(strings.TrimLeft(rest, " 0123456789")); strings.ContainsAny(rest[:numbers], "0123456789") {
		to += len(strings.TrimRight(rest[:numbers], " "))
	}
	if numbers := len(strings.TrimRight(text[:from], " 0123456789")); strings.ContainsAny(text[numbers:from], "0123456789") {
		from = len(text[:from]) - len(strings.TrimLeft(text[numbers:from], " "))
	}
	cutAt := func(at int) int { // where the mark ends behind it, 0 if there is none
		rest := strings.TrimLeft(text[at:], loose)
		if tail, ok := strings.CutPrefix(rest, gap); ok {
			return len(text) - len(tail)
		}
		return 0
	}
	cutBefore := func(at int) (int, bool) {
		rest := strings.TrimRight(text[:at], loose)
		return len(rest) - len(gap), strings.HasSuffix(rest, gap)
	}
	at := cutAt(words[end-1].to)
	if at == 0 && end < len(words) && strings.Trim(text[words[end-1].to:words[end].from], loose) == "" {
		if tail := strings.TrimLeft(text[words[end].to:], "0123456789"); strings.HasPrefix(tail, gap) {
			at = len(text) - len(tail) + len(gap)
		}
	}
	if after = at > 0; after {
		to = at
	}
	start, cut := cutBefore(words[i].from)
	if !cut && i > 0 && strings.Trim(text[words[i-1].to:words[i].from], loose) == "" && strings.HasSuffix(text[:words[i-1].from], gap) {
		start, cut = words[i-1].from-len(gap), true
	}
	if before = cut; before {
		from = start
	}
	return from, to, before, after
}
