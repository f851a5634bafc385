package static

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// IDs are the tokens of a text that count: as many as the model uses.
func (m *Model) IDs(text string) []int {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if n := utf8.RuneCountInString(text); m.MostChars > 0 && n > m.MostChars {
		text = string([]rune(text)[:m.MostChars])
	}
	var ids []int
	first := true
	for _, p := range m.without(text, false) {
		if p.id >= 0 {
			ids, first = append(ids, p.id), false
			continue
		}
		for _, q := range m.without(m.normal(p.text), true) {
			if q.id >= 0 {
				ids, first = append(ids, q.id), false
				continue
			}
			for _, part := range m.parts(q.text, first) {
				ids = m.pieces(part, ids)
			}
			first = false
		}
	}
	ids = slices.DeleteFunc(ids, func(id int) bool { return id < 0 || id >= m.Tokens || m.Drop && id == m.Unknown })
	if m.MostTokens > 0 {
		ids = ids[:min(len(ids), m.MostTokens)]
	}
	return ids
}

// A stretch of a text is an added token, or, with -1, text between them.
type stretch struct {
	text string
	id   int
}

// without splits a text at the added tokens, the first and longest first: at those in the text
// itself, or in what the steps made of it.
func (m *Model) without(text string, normal bool) (out []stretch) {
	from, at := 0, 0
	for at < len(text) {
		a, ok := m.addedAt(text, at, normal)
		if !ok {
			_, size := utf8.DecodeRuneInString(text[at:])
			at += size
			continue
		}
		start, end := at, at+len(a.Text)
		if a.Left {
			start = max(from, len(strings.TrimRightFunc(text[:at], unicode.IsSpace)))
		}
		if a.Right {
			end = len(text) - len(strings.TrimLeftFunc(text[end:], unicode.IsSpace))
		}
		if start > from {
			out = append(out, stretch{text[from:start], -1})
		}
		out = append(out, stretch{text[start:end], a.ID})
		from, at = end, end
	}
	if from < len(text) {
		out = append(out, stretch{text[from:], -1})
	}
	return out
}

// addedAt is the longest added token at a position.
func (m *Model) addedAt(text string, at int, normal bool) (best Added, ok bool) {
	for _, a := range m.Added {
		if a.Normal != normal || a.Text == "" || len(a.Text) <= len(best.Text) || !strings.HasPrefix(text[at:], a.Text) {
			continue
		}
		if a.Word {
			before, _ := utf8.DecodeLastRuneInString(text[:at])
			after, _ := utf8.DecodeRuneInString(text[at+len(a.Text):])
			if inWord(before) || inWord(after) {
				continue
			}
		}
		best, ok = a, true
	}
	return best, ok
}

func inWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r) }

// pieces adds the tokens of a part.
func (m *Model) pieces(part string, ids []int) []int {
	switch m.Model {
	case "WordPiece":
		return m.wordPieces(part, ids)
	case "Unigram":
		return m.unigram(part, ids)
	case "BPE":
		return m.bpe(part, ids)
	}
	if id := m.tokens.find(part); id >= 0 {
		return append(ids, id)
	}
	return append(ids, m.Unknown)
}

// wordPieces takes the longest token that a word begins with, and repeats that with the rest;
// if something is left over, the word is unknown.
func (m *Model) wordPieces(word string, ids []int) []int {
	if m.MostWord > 0 && utf8.RuneCountInString(word) > m.MostWord {
		return append(ids, m.Unknown)
	}
	before := len(ids)
	for at := 0; at < len(word); {
		prefix := ""
		if at > 0 {
			prefix = m.Prefix
		}
		end := min(len(word), at+m.Longest)
		id := -1
		for ; end > at; end-- {
			if end < len(word) && !utf8.RuneStart(word[end]) {
				continue
			}
			if id = m.tokens.find(prefix + word[at:end]); id >= 0 {
				break
			}
		}
		if id < 0 {
			return append(ids[:before], m.Unknown)
		}
		ids = append(ids, id)
		at = end
	}
	return ids
}

// A node is the likeliest way to a position in a text.
type node struct {
	score float64
	from  int
	id    int
	there bool
}

// unknownCost is how much less likely an unknown character is than the least likely token.
const unknownCost = 10

// unigram takes the likeliest tokens that make up a part.
func (m *Model) unigram(part string, ids []int) []int {
	best := make([]node, len(part)+1)
	best[0].there = true
	for at := 0; at < len(part); {
		_, size := utf8.DecodeRuneInString(part[at:])
		single := false
		for end := at + 1; end <= min(len(part), at+m.Longest); end++ {
			if end < len(part) && !utf8.RuneStart(part[end]) {
				continue
			}
			id := m.tokens.find(part[at:end])
			if id < 0 {
				continue
			}
			single = single || end == at+size
			if score := best[at].score + m.score(id); !best[end].there || score > best[end].score {
				best[end] = node{score, at, id, true}
			}
		}
		if end := at + size; !single {
			if score := best[at].score + m.worst(); !best[end].there || score > best[end].score {
				best[end] = node{score, at, -1, true}
			}
		}
		at += size
	}
	var spelled []span // backwards: hit means that it is known
	for at := len(part); at > 0; at = best[at].from {
		n := best[at]
		text := part[n.from:at]
		known := n.id >= 0 && n.id != m.Unknown
		if last := len(spelled) - 1; m.Fuse && !known && last >= 0 && !spelled[last].hit {
			spelled[last].text = text + spelled[last].text
			continue
		}
		spelled = append(spelled, span{text, known})
	}
	for _, s := range slices.Backward(spelled) {
		if id := m.tokens.find(s.text); id >= 0 {
			ids = append(ids, id)
		} else {
			ids = m.spelledOut(s.text, ids)
		}
	}
	return ids
}

// worst is the score of an unknown character.
func (m *Model) worst() float64 { return m.Least - unknownCost }

// spelledOut are the tokens for the bytes of an unknown text, if the model has them.
func (m *Model) spelledOut(text string, ids []int) []int {
	if m.Bytes {
		out := ids
		for i := range len(text) {
			const hex = "0123456789ABCDEF"
			id := m.tokens.find("<0x" + string(hex[text[i]>>4]) + string(hex[text[i]&15]) + ">")
			if id < 0 {
				out = nil
				break
			}
			out = append(out, id)
		}
		if out != nil {
			return out
		}
	}
	if m.Unknown < 0 {
		return ids
	}
	return append(ids, m.Unknown)
}

// bpe joins the characters of a word, two neighbours at a time, in the order in which the model
// learned the pairs.
func (m *Model) bpe(word string, ids []int) []int {
	if m.Whole {
		if id := m.tokens.find(word); id >= 0 {
			return append(ids, id)
		}
	}
	var list []int
	unknown := false
	for i, r := range word {
		text := string(r)
		if i > 0 {
			text = m.Prefix + text
		}
		if i+len(string(r)) >= len(word) {
			text += m.Suffix
		}
		id := m.tokens.find(text)
		switch {
		case id >= 0:
			list, unknown = append(list, id), false
		case unknown && m.Fuse && !m.Bytes:
		default:
			before := len(list)
			list = m.spelledOut(text, list)
			unknown = len(list) == before+1 && list[before] == m.Unknown
		}
	}
	for {
		type joint struct{ rank, at, id int }
		best := joint{at: -1}
		for i := range len(list) - 1 {
			if rank, id, ok := m.merge(list[i], list[i+1]); ok && (best.at < 0 || cmp.Less(rank, best.rank)) {
				best = joint{rank, i, id}
			}
		}
		if best.at < 0 {
			return append(ids, list...)
		}
		list[best.at] = best.id
		list = slices.Delete(list, best.at+1, best.at+2)
	}
}
