package truth

import (
	"slices"
	"strconv"
	"strings"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/wording"
)

// A repeat is never worth what a wrong one costs: it loses what was said, and one that is not
// noticed only keeps a line twice. So a text repeats another only if both have one form, and
// forms differ in nothing but what is listed here.

// forms are the ways to put what a text says, each in one spelling.
func forms(text string) (out []string) {
	parts := wording.Parts(text)
	for _, colon := range []string{"", "is"} {
		put := joined(put(spelled(labelled(parts, colon))))
		if !slices.Contains(out, put) {
			out = append(out, put)
		}
	}
	return out
}

// repeats reports whether a newer statement says nothing else than an older one.
func (s *Statement) repeats(older *Statement) bool {
	return slices.ContainsFunc(s.forms, func(form string) bool { return form != "" && slices.Contains(older.forms, form) })
}

// labelled says what stands for a colon: "owner: Mia" is "the owner is Mia".
func labelled(parts []string, colon string) (out []string) {
	for _, p := range parts {
		switch {
		case p != ":":
			out = append(out, p)
		case colon != "" && len(out) > 0 && isCJK([]rune(out[len(out)-1])[0]):
			out = append(out, "是")
		case colon != "":
			out = append(out, colon)
		}
	}
	return out
}

// spelled has one spelling of numbers, their units and denials.
func spelled(parts []string) (out []string) {
	for i := 0; i < len(parts); i++ {
		p := parts[i]
		if x, n := chineseNumber(parts[i:]); n > 0 {
			out, i = append(out, strconv.Itoa(x)), i+n-1
			continue
		}
		if at := strings.IndexFunc(p, func(r rune) bool { return r > '9' }); at > 0 && isNumber(p[:at]) && unitOf(p[at:]) != "" {
			out = append(out, strings.ReplaceAll(p[:at], ",", ""), unitOf(p[at:]))
			continue
		}
		switch rest, denied := strings.CutSuffix(p, "n't"); {
		case p == "can't", p == "cannot":
			out = append(out, "can", "not")
		case p == "won't":
			out = append(out, "will", "not")
		case denied && rest != "":
			out = append(out, rest, "not")
		case p == "not" && i > 0 && (parts[i-1] == "and" || parts[i-1] == "but"): // in the gym, and not in the church
			out[len(out)-1] = "not"
		case isNumber(p):
			out = append(out, strings.ReplaceAll(p, ",", ""))
		case isWordOfNumber(p):
			out = append(out, strconv.FormatFloat(numbers()[p], 'g', -1, 64))
		case len(out) > 0 && isNumber(out[len(out)-1]) && unitOf(p) != "":
			out = append(out, unitOf(p))
		case len(out) > 0 && isNumber(out[len(out)-1]) && i+1 < len(parts) && unitOf(p+parts[i+1]) != "": // 分钟
			out, i = append(out, unitOf(p+parts[i+1])), i+1
		default:
			out = append(out, p)
		}
	}
	return out
}

// isWordOfNumber leaves out what may be no number: once, half.
func isWordOfNumber(word string) bool {
	x, is := numbers()[word]
	return is && x >= 2 && word != "twice"
}

// isNumber reports whether a word is a plain number; that 1.000 is one of 1,000 is not known.
func isNumber(word string) bool {
	for i, group := range strings.Split(word, ",") {
		if group == "" || strings.Trim(group, "0123456789.") != "" || i > 0 && len(group) != 3 || strings.HasPrefix(group, ".") || strings.HasSuffix(group, ".") {
			return false
		}
	}
	return true
}

// unitOf is the one name of a unit of time, "" for what may be something else: 3日 is a day in a
// month, and Mb is not MB.
func unitOf(word string) string {
	if m, is := measures()[word]; is && m.kind != "size" && m.kind != "clock" && !slices.Contains([]string{"月", "日", "quarter"}, word) {
		return m.text()
	}
	return ""
}

// chineseNumber is the number that parts begin with, and how many they are: 三十.
func chineseNumber(parts []string) (x, n int) {
	section, digit, last := 0, -1, 100000
	for n < len(parts) {
		d := slices.Index(chineseDigits, parts[n]) + 1
		power := map[string]int{"十": 10, "百": 100, "千": 1000}[parts[n]]
		switch {
		case power > 0:
			if power >= last || digit < 0 && power > 10 {
				return 0, 0
			}
			section, digit, last = section+max(1, digit)*power, -1, power
		case d > 0 && d < 10:
			if digit >= 0 {
				return 0, 0 // 二〇二六 and what only looks like one
			}
			digit = d
		default:
			return section + max(0, digit), n
		}
		n++
	}
	return section + max(0, digit), n
}

// put is what a clause says in one order of its parts; where it has several clauses, or what may
// belong to more than one place, the order stays.
func put(parts []string) []string {
	parts = owned(parts)
	words := without(parts, ",")
	if comma := slices.Index(parts, ","); comma >= 0 && slices.Contains(parts[comma+1:], ",") && parts[len(parts)-1] != "," || slices.ContainsFunc(words, conjunction) {
		return bare(words)
	}
	front, rest := fronted(parts)
	rest, back := trailing(without(rest, ","))
	if times := append(front, back...); len(times) > 0 && onceEach(times) {
		slices.Sort(times)
		rest = append(rest, times...)
	} else {
		rest = words
	}
	return bare(fromTo(turned(rest)))
}

func conjunction(word string) bool {
	return slices.Contains([]string{"and", "or", "but", "then", "nor", "?", "和", "或", "再", "先", "然", "并", "而"}, word)
}

// owned has "the port of the relay" for "the relay's port".
func owned(parts []string) []string {
	at := slices.IndexFunc(parts, func(p string) bool {
		return strings.HasSuffix(p, "'s") && len(p) > 2 && !slices.Contains(noOwners, p)
	})
	if at < 0 {
		return parts
	}
	from, to := at, at+1
	for from > 0 && !bounds(parts[from-1]) {
		from--
	}
	for to < len(parts) && !bounds(parts[to]) {
		to++
	}
	if to == at+1 {
		return parts
	}
	owner := append(slices.Clone(parts[from:at]), strings.TrimSuffix(parts[at], "'s"))
	return slices.Concat(parts[:from], []string{"the"}, parts[at+1:to], []string{"of"}, owner, parts[to:])
}

var noOwners = strings.Fields("it's that's let's here's there's what's who's he's she's how's where's when's")

// bounds reports whether no name goes on over a word.
func bounds(word string) bool {
	return wording.IsMark(word) || conjunction(word) || preposition(word) || slices.Contains(copulas, word) || slices.Contains([]string{"not", "has", "have", "will", "must", "should", "can", "may"}, word)
}

var copulas = strings.Fields("is are was were 是")

func preposition(word string) bool {
	return slices.Contains([]string{"of", "on", "at", "in", "from", "to", "for", "with", "by", "since", "until", "during", "over", "under", "via", "per", "as", "into", "than", "after", "before"}, word)
}

// fronted are the times that a clause begins with, and the rest of it: on Sundays, …
func fronted(parts []string) (times, rest []string) {
	for rest = parts; ; {
		n := timeAt(rest)
		if n == 0 || n == len(rest) {
			return times, rest
		}
		times, rest = append(times, joined(bare(without(rest[:n], ",")))), rest[n:]
	}
}

// trailing are the times that a clause ends with, and what is before them.
func trailing(words []string) (rest, times []string) {
	rest = words
	for n := len(rest) - 2; n > 0; n-- {
		if timeAt(rest[n:]) == len(rest)-n && rest[n] != "to" {
			times, rest = append(times, joined(bare(rest[n:]))), rest[:n]
		}
	}
	return rest, times
}

// timeAt is how many parts a preposition and a time take that a list begins with: at 03:00, from
// October to April.
func timeAt(list []string) int {
	if len(list) < 2 || !slices.Contains([]string{"on", "at", "in", "from", "since", "until", "every", "each"}, list[0]) {
		return 0
	}
	n := 1
	for n < len(list) && (isTime(list[n]) || list[n] == "the" && n+1 < len(list) && isTime(list[n+1])) {
		n++
	}
	if n == 1 || list[n-1] == "the" {
		return 0
	}
	if list[0] == "from" && n+1 < len(list) && list[n] == "to" && isTime(list[n+1]) {
		for n++; n < len(list) && isTime(list[n]); {
			n++
		}
	}
	if n < len(list) && list[n] == "," {
		n++
	}
	return n
}

func isTime(word string) bool {
	hour, minute, clock := strings.Cut(word, ":")
	w := strings.TrimSuffix(word, "s")
	return clock && isNumber(hour) && isNumber(minute) || slices.Contains(times, word) || slices.Contains(times, w)
}

var times = strings.Fields(`monday tuesday wednesday thursday friday saturday sunday weekday weekend noon midnight night morning evening afternoon
	january february march april june july august september october november december summer winter spring autumn day week month year quarter`)

// onceEach reports whether no two times have the same preposition: which belongs to what is clear then.
func onceEach(times []string) bool {
	seen := map[string]bool{}
	for _, t := range times {
		first, _, _ := strings.Cut(t, " ")
		if seen[first] {
			return false
		}
		seen[first] = true
	}
	return true
}

// turned begins with what is named by what it is of: "Mia is the owner of billing" is "the owner of
// billing is Mia".
func turned(words []string) []string {
	at := slices.IndexFunc(words, func(w string) bool { return slices.Contains(copulas, w) })
	if at <= 0 || at+1 >= len(words) || slices.ContainsFunc(words[at+1:], func(w string) bool { return slices.Contains(copulas, w) }) {
		return words
	}
	before, after := words[:at], words[at+1:]
	if !called(before) || !described(after) {
		return words
	}
	return slices.Concat(after, words[at:at+1], before)
}

// called reports whether words are a name or a value alone.
func called(words []string) bool {
	return len(words) <= 4 && !slices.ContainsFunc(words, func(w string) bool {
		return preposition(w) || slices.Contains(strings.Fields("the a an not no all each every only nobody nothing what who this that it there 不 也 都 只 的 没"), w)
	})
}

// described reports whether words are "the … of …", or "…的…".
func described(words []string) bool {
	if of := slices.Index(words, "的"); of > 0 && of+1 < len(words) {
		return !slices.Contains([]string{"不", "一"}, words[0])
	}
	return words[0] == "the" && slices.Index(words, "of") > 1
}

// fromTo has "from Graz to Linz" for "to Linz from Graz": of names alone, since a team from Graz is
// no start.
func fromTo(words []string) []string {
	to := slices.Index(words, "to")
	from := slices.Index(words, "from")
	if to < 0 || from != to+2 || from+2 != len(words) || preposition(words[to+1]) || words[to+1] == "the" {
		return words
	}
	return slices.Concat(words[:to], words[from:], words[to:from])
}

// bare is without articles, and without the 的 between two words.
func bare(words []string) (out []string) {
	for i, w := range words {
		if w == "a" || w == "an" || w == "the" || w == "的" && i > 0 && i+1 < len(words) {
			continue
		}
		out = append(out, w)
	}
	return out
}

func without(list []string, mark string) (out []string) {
	for _, p := range list {
		if p != mark {
			out = append(out, p)
		}
	}
	return out
}

func joined(words []string) string { return strings.Join(words, " ") }
