package static

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A span is a part of a text, and whether it matched.
type span struct {
	text string
	hit  bool
}

// parts splits a text by the splitting steps. first says that it begins the whole text.
func (m *Model) parts(text string, first bool) []string {
	list := []string{text}
	for _, s := range m.splits {
		var out []string
		for i, p := range list {
			for _, q := range s.split(p, first && i == 0) {
				if q != "" {
					out = append(out, q)
				}
			}
		}
		list = out
	}
	return list
}

func (s step) split(text string, first bool) []string {
	switch s.Kind {
	case "bert":
		var out []string
		for _, word := range strings.FieldsFunc(text, unicode.IsSpace) {
			out = append(out, behaved(spansOf(word, isPunctuation), "Isolated")...)
		}
		return out
	case "whitespace":
		return words(text)
	case "spaces":
		return strings.FieldsFunc(text, unicode.IsSpace)
	case "punctuation":
		return behaved(spansOf(text, isPunctuation), s.Behavior)
	case "digits":
		return behaved(spansOf(text, unicode.IsNumber), s.Behavior)
	case "metaspace":
		text = strings.ReplaceAll(text, " ", s.Text)
		if (s.With == "always" || s.With == "first" && first) && !strings.HasPrefix(text, s.Text) {
			text = s.Text + text
		}
		if !s.Left {
			return []string{text}
		}
		return behaved(spansOf(text, func(r rune) bool { return string(r) == s.Text }), "MergedWithNext")
	case "split":
		spans := s.spans(text)
		if s.Invert {
			for i := range spans {
				spans[i].hit = !spans[i].hit
			}
		}
		return behaved(spans, s.Behavior)
	case "bytelevel":
		if s.Left && !strings.HasPrefix(text, " ") {
			text = " " + text
		}
		list := []string{text}
		if s.re != nil {
			list = behaved(s.spans(text), "Isolated")
		}
		for i, p := range list {
			list[i] = byBytes(p)
		}
		return list
	}
	return []string{text}
}

// words are runs of word characters, and runs of characters that are neither that nor white
// space.
func words(text string) (out []string) {
	kind := func(r rune) int {
		switch {
		case unicode.IsSpace(r):
			return 0
		case unicode.In(r, unicode.L, unicode.M, unicode.Nd, unicode.Nl, unicode.Pc, unicode.Other_Alphabetic) || r == '\u200c' || r == '\u200d':
			return 1
		}
		return 2
	}
	start, last := 0, 0
	for i, r := range text {
		if k := kind(r); k != last {
			if last != 0 {
				out = append(out, text[start:i])
			}
			start, last = i, k
		}
	}
	if last != 0 {
		out = append(out, text[start:])
	}
	return out
}

// isPunctuation reports what BERT considers punctuation.
func isPunctuation(r rune) bool {
	return unicode.IsPunct(r) || r < utf8.RuneSelf && unicode.IsSymbol(r)
}

// spansOf splits a text at each matching character.
func spansOf(text string, is func(rune) bool) (out []span) {
	from := 0
	for i, r := range text {
		if is(r) {
			if i > from {
				out = append(out, span{text[from:i], false})
			}
			from = i + len(string(r))
			if r == utf8.RuneError {
				_, size := utf8.DecodeRuneInString(text[i:])
				from = i + size
			}
			out = append(out, span{text[i:from], true})
		}
	}
	if from < len(text) {
		out = append(out, span{text[from:], false})
	}
	return out
}

// spans splits a text at each match of a step.
func (s step) spans(text string) (out []span) {
	from := 0
	put := func(start, end int) {
		if start > from {
			out = append(out, span{text[from:start], false})
		}
		if end > start {
			out = append(out, span{text[start:end], true})
		}
		from = end
	}
	if s.re == nil {
		for s.Text != "" {
			i := strings.Index(text[from:], s.Text)
			if i < 0 {
				break
			}
			put(from+i, from+i+len(s.Text))
		}
	} else {
		places := make([]int, 0, len(text)+1) // of each character, in bytes
		for i := range text {
			places = append(places, i)
		}
		places = append(places, len(text))
		hit, err := s.re.FindStringMatch(text)
		for err == nil && hit != nil {
			put(places[hit.Index], places[hit.Index+hit.Length])
			hit, err = s.re.FindNextMatch(hit)
		}
	}
	if from < len(text) {
		out = append(out, span{text[from:], false})
	}
	return out
}

// behaved says what happens to matches.
func behaved(spans []span, behavior string) (out []string) {
	switch behavior {
	case "Removed":
		for _, p := range spans {
			if !p.hit {
				out = append(out, p.text)
			}
		}
	case "Contiguous":
		for i, p := range spans {
			if i > 0 && spans[i-1].hit == p.hit {
				out[len(out)-1] += p.text
			} else {
				out = append(out, p.text)
			}
		}
	case "MergedWithPrevious":
		for i, p := range spans {
			if p.hit && i > 0 && !spans[i-1].hit {
				out[len(out)-1] += p.text
			} else {
				out = append(out, p.text)
			}
		}
	case "MergedWithNext":
		for i, p := range spans {
			if i > 0 && spans[i-1].hit && !p.hit {
				out[len(out)-1] += p.text
			} else {
				out = append(out, p.text)
			}
		}
	default: // Isolated
		for _, p := range spans {
			out = append(out, p.text)
		}
	}
	return out
}
