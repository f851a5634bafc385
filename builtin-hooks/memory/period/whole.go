package period

import (
	"slices"
	"strings"
)

// An end hides a fact once it has passed, and one that is not read only leaves the fact for a review.
// So it is read where it plainly bounds all that the fact says, and else it is named.

// ofTheWhole reports whether the bound at a token bounds all of a text: not what a relative clause
// tells of one thing (a certificate that ends on 3 March), nor one of several statements.
func ofTheWhole(list []token, i, next int) bool {
	if !begins(list, i-1) && any([]string{word(list, i-1)}, "that", "which", "who", "whose") || any([]string{word(list, i)}, "expiring", "ending") && any([]string{word(list, i-2)}, "a", "an") {
		return false
	}
	for k := i - 1; k >= 0 && !ends(list, k); k-- {
		if any([]string{list[k].text}, "which", "who", "whose") {
			return false
		}
	}
	alone := true
	for _, p := range pieces(list, i, next) {
		words := wordsOf(list[p[0]:p[1]])
		goesOn := len(words) < 3 || dependent(words)
		switch {
		case p[1] <= i:
			alone = alone && len(words) < 3
		case p[0] <= i && !alone && !goesOn, p[0] > i && !goesOn:
			return false
		}
	}
	return true
}

// dependent reports whether a sentence goes on with what was said before it, or says what to do then.
func dependent(words []string) bool {
	return any(words[:min(1, len(words))], "it", "this", "that", "they", "these", "those", "both", "until", "till", "from", "before", "after", "since", "valid", "effective", "then", "afterwards", "afterward", "so", "because", "otherwise",
		"no", "none", "not", "nothing", "nobody", "exceptions", "exception", "ask", "see", "use", "call", "contact", "tell", "write", "please", "do", "don", "never", "always", "keep", "if", "expires", "ends", "starting", "beginning")
}

// rule reports whether what ends is told of each of many things, or of a month that each has: tokens
// are valid until the end of the day, invoices until 31 December of the tenth year.
func rule(list []token, i, next int, s span) bool {
	if s.bad {
		return false
	}
	of := is(list, next, "of") || is(list, next, "in", "which") || is(list, next, "after", "the") && !begins(list, i)
	if s.each && !begins(list, i) {
		of = of || any([]string{word(list, next)}, "in", "they", "it", "he", "she", "you", "we", "i", "that", "which", "when", "where", "after", "following", "before")
	}
	if of && (s.each || s.yearless() || s.weekday || s.monthly) {
		return true
	}
	words := sentence(list, i)
	switch {
	case recurs(words, s):
		return true
	case s.tells() && !s.relative || i == 0:
		return false
	case s.relative && any(wordsOf(list[i:next]), "next") && ofMany(words) && !any(words, "is", "are", "be"):
		return true // orders ship until the end of next week
	case s.relative && ofMany(words) && any(words, whileKept...) && !any(words, "is", "are", "be"):
		return true // letters stay in the box until the end of the week
	}
	then := is(list, next, "and", "then") || is(list, next, ",", "then") || is(list, next, "then")
	return ofMany(words) && (then || any([]string{word(list, i)}, "expire") && s.each || any([]string{word(list, i-1)}, whileKept...) || any([]string{word(list, i-1)}, "open") && any(words, "stay", "stays"))
}

// whileKept are what is told of each of many things, as long as it is kept.
var whileKept = strings.Fields("kept valid stored retained held charged accepted saved archived redeemable refundable billed wait waits stay stays keep")

// ofMany reports whether a sentence is about any of its kind: invoices, a ticket, keep invoices.
func ofMany(words []string) bool {
	first := words[0]
	if slices.Contains([]string{"a", "an", "each", "every", "any", "all", "keep", "store", "retain", "hold"}, first) {
		return true
	}
	for _, w := range words[:min(4, len(words))] { // vacation days, old log files
		if slices.Contains([]string{"the", "this", "these", "those", "our", "my", "your", "their", "his", "her", "is", "are", "it"}, w) {
			return w == "are" && plural(first)
		}
		if plural(w) {
			return true
		}
	}
	return false
}

func plural(word string) bool {
	return len(word) > 3 && strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss") && !strings.HasSuffix(word, "us") && !strings.HasSuffix(word, "is")
}

// habit reports whether from one weekday to another something is done that is done each week: Nina
// works, and is not away.
func (r *reader) habit(list []token, from int) bool {
	words := sentence(list, from)
	return !begins(list, from-1) && !future(words) && !any(words, "is", "are", "am", "be", "not", "no", "nobody", "nothing")
}

// keptUntil reports whether something is kept until a time that is told from when it came: 日志保留到下个月底.
func keptUntil(words, day string) bool {
	return !strings.ContainsFunc(day, digit) && containsAny(words, "保留", "保存", "留存", "存档") && containsAny(day, "下个月", "下月", "月底", "月末", "年底", "年末", "季度", "周", "次", "当月", "当年")
}

// deadline reports whether what follows a day is what has to be done by then, or if it was not.
func deadline(t []rune, i int) bool {
	return has(t, i, "提交", "交", "完成", "上报", "回复", "没有", "没", "未", "付", "缴", "归还", "通知", "确认", "发出") > 0
}
