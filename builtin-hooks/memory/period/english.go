package period

import (
	"slices"
	"strings"
)

// Words before a day that is the last one, and those before the first one.
var (
	endings = [...][]string{{"until"}, {"till"}, {"til"}, {"through"}, {"thru"}, {"throughout"}, {"up", "to"}, {"valid", "to"}, {"valid", "thru"}, {"runs", "to"}, {"run", "to"}, {"lasts", "to"},
		{"expires"}, {"expire"}, {"expiring"}, {"ends"}, {"ending"}, {"runs", "out"}, {"will", "end"}}
	waiting    = []string{"until", "till", "til", "through", "thru"}
	beginnings = [...][]string{{"since"}, {"as", "of"}, {"as", "from"}, {"starting"}, {"starts"}, {"beginning"}, {"begins"}, {"effective"},
		{"takes", "effect"}, {"take", "effect"}, {"into", "force"}, {"into", "effect"}, {"from"}}
)

func (r *reader) english(list []token) {
	for i := 0; i < len(list); {
		next, was, ends := i+1, r.Period, r.ends
		for _, words := range endings {
			if is(list, i, words...) {
				next = r.ending(list, i, i+len(words))
			}
		}
		for _, words := range beginnings {
			if is(list, i, words...) {
				next = r.beginning(list, i, i+len(words))
			}
		}
		switch {
		case is(list, i, "ab"), is(list, i, "bis"):
			r.german(list, i)
		case theRest(list, i) > 0:
			next = r.rest(list, i, theRest(list, i))
		case is(list, i, "this"):
			r.spell(list, i)
		case is(list, i, "between"):
			next = r.fromTo(list, i+1, "and")
		case is(list, i, "for", "the", "next"):
			next = r.forNext(list, i+3)
		case is(list, i, "before"), is(list, i, "after"), is(list, i, "on"), is(list, i, "come"), is(list, i, "in"):
			next = r.around(list, i)
		case next == i+1 && list[i].number >= 0, next == i+1 && month(list[i].text) > 0:
			if !list[i].gap && i > 0 {
				break
			}
			next = r.fromTo(list, i, "to", "-", "–", "—", "till", "until", "through")
			if next == 0 {
				if _, end, ok := r.day(list, i); ok {
					next = end
				}
			}
		}
		next = max(next, i+1)
		if !r.Until.Equal(was.Until) && !ofTheWhole(list, i, next) {
			r.Period = was
			r.unclear(r.said(list, i, next))
		}
		switch {
		case r.ends > ends:
			r.unclear(r.said(list, i, next))
		case !r.Until.Equal(was.Until) || !r.Since.Equal(was.Since):
			r.when = append(r.when, [2]int{list[i].from, list[min(next, len(list))-1].to})
		}
		i = next
	}
}

// forNext reads how long something holds from now on: the next two weeks.
func (r *reader) forNext(list []token, i int) int {
	start, n := i-3, 1
	if i < len(list) && list[i].number > 0 && list[i].digits <= 2 {
		n, i = list[i].number, i+1
	} else if k := slices.Index([]string{"", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"}, word(list, i)); k > 0 {
		n, i = k, i+1
	} else if is(list, i, "few") || is(list, i, "couple") {
		r.unclear(r.said(list, start, i+2))
		return i
	}
	switch words := sentence(list, i-1); {
	case past(words):
		return i
	case !any([]string{strings.TrimSuffix(word(list, i), "s")}, "day", "week", "month", "year"), any([]string{word(list, i+1)}, "'", "’"): // next week's rota
		return i
	case recurs(words, r.dayFromNow(n)), !now(list, start, i+1, false):
		r.unclear(r.said(list, start, i+1))
		return i + 1
	}
	switch word(list, i) {
	case "day", "days":
		r.until(r.today.AddDate(0, 0, n+1))
	case "week", "weeks":
		r.until(r.today.AddDate(0, 0, 7*n+1))
	case "month", "months":
		r.until(r.today.AddDate(0, n, 1))
	case "year", "years":
		r.until(r.today.AddDate(n, 0, 1))
	}
	return i + 1
}

// around reads what is said of the time before or after a day, or of a day itself, where a
// sentence begins with it: before 1 May, on 1 January. Nothing may happen before a day that is
// said with a no.
func (r *reader) around(list []token, i int) int {
	s, next, ok := r.day(list, i+1)
	words := sentence(list, i)
	if is(list, i, "in") {
		r.onlyIn(list, i)
	}
	first := i == 0 || any([]string{list[i-1].text}, ".", ";", "\n")
	if !ok || s.bad || s.weekday || s.monthly || again(words, s) || past(words) || !s.tells() && happened(words) {
		return i + 1
	}
	switch no := any(words, "no", "not", "nothing", "nobody", "never", "none", "don"); {
	case is(list, i, "before") && any(words, "must", "should") && any(words, "done", "ready", "finished", "completed", "been"): // by then
	case is(list, i, "before") && no && any(words, "never") && s.each:
		r.unclear(r.said(list, i, next))
	case is(list, i, "before") && is(list, i-1, "not"):
		r.since(r.next(s).start)
	case is(list, i, "before") && (first || no):
		r.until(r.next(s).start)
	case is(list, i, "after") && first:
		r.since(r.next(s).end)
	case (is(list, i, "on") || is(list, i, "come")) && first && !s.month, is(list, i, "in") && first && future(words):
		if s = r.nearest(s); s.start.After(r.today) {
			r.since(s.start)
		}
	}
	return next
}

// happened reports whether a word may be a verb of what was.
func happened(words []string) bool {
	for i, w := range words {
		if strings.HasSuffix(w, "ed") && !strings.HasSuffix(w, "eed") && len(w) > 4 && (i == 0 || !any(words[i-1:i], "is", "are", "be", "been", "being", "get", "gets", "have", "has", "must", "not")) {
			return true
		}
	}
	return false
}

// again reports whether words are about what comes back: with a weekday or a day of any month every
// week or month, with another day every year.
func again(words []string, s span) bool {
	often := s.weekday || s.monthly
	for i, w := range words {
		switch w {
		case "yearly", "annually", "annual", "always", "usually", "normally", "fiscal", "financial", "recurring", "regularly":
			return true
		case "daily", "weekly", "monthly", "quarterly", "per":
			if often {
				return true
			}
		case "every", "each":
			if often || i+1 < len(words) && (any(words[i+1:i+2], "year", "spring", "summer", "autumn", "fall", "winter", "season") || month(words[i+1]) > 0) {
				return true
			}
		}
	}
	return false
}

// future are words of what is to come, past those of what was or would be.
func future(words []string) bool {
	return any(words, "will", "shall", "going", "must", "upcoming", "planned") || strings.Contains(strings.Join(words, " "), "' ll ")
}

func past(words []string) bool {
	if future(words) {
		return false
	}
	for i, w := range words {
		if any([]string{w}, "would", "was", "were", "had", "did", "didn", "wasn", "weren", "ran", "took", "learnt", "got", "went", "saw") ||
			any([]string{w}, "learned", "kept") && wasDone(words, i) ||
			i > 0 && strings.HasSuffix(w, "ed") && any([]string{words[i-1]}, "we", "i", "they", "it", "he", "she", "you", "who", "nobody", "everybody") ||
			w == "used" && i+1 < len(words) && words[i+1] == "to" && (i == 0 || !any([]string{words[i-1]}, "is", "are", "be", "being")) {
			return true
		}
	}
	return false
}

// ending reads the last day after a word for it, at from; the word is at i.
func (r *reader) ending(list []token, i, from int) (next int) {
	words := sentence(list, i)
	least := is(list, from, "at", "least")
	if least {
		from += 2
	}
	if is(list, from, "after") || is(list, from, "in") && !is(list, i, "until") && !is(list, i, "through") {
		from++
	}
	s, next, ok := r.day(list, from)
	s.bad = s.bad || least
	waits := list[i].text == "until" || list[i].text == "till" || list[i].text == "til"
	switch {
	case ok && s.bad:
		r.unclear(r.said(list, i, next))
	case ok && is(list, i, "throughout") && (!s.tells() || s.relative), ok && any([]string{word(list, i-1)}, "go", "goes", "going", "look", "looks", "read", "walk", "sort", "work"): // what is gone through is no time
	case any([]string{word(list, i-1)}, "nothing", "never", "not") && !waits: // nothing ends in June
	case ok && waits && is(list, from, "next") && !s.weekday: // until it begins, or until it ends
		r.unclear(r.said(list, i, next))
	case ok && waits && s.weekday && clock(list, from) > from && any(words, "open", "opens", "lunch", "breakfast", "dinner", "served", "hours"): // of each week
	case ok && rule(list, i, next, s), ok && waits && s.weekday && fromWeekday(list, i):
		r.unclear(r.said(list, i, next))
	case ok && s.tells():
		if waits && is(list, from, "today") {
			return next // up to now
		}
		r.until(s.end)
	case ok && s.weekday && is(list, i, "up") && !begins(list, i) && !is(list, from, "and"): // reservations are taken up to Thursday
	case ok && !again(words, s) && !past(words) && !r.passed(s, words) && (s.each || !r.ofEachYear(list, i, words)):
		r.until(r.next(s).end)
	case !ok && r.unread(list, i, from, waits):
		r.unclear(r.said(list, i, from+3))
	}
	if !ok {
		return from
	}
	return next
}

// ofEachYear reports whether words such as "ends on 31 March" are about what comes back.
func (r *reader) ofEachYear(list []token, i int, words []string) bool {
	return any([]string{list[i].text}, "ends", "starts", "begins") && any(words, "year", "season", "semester", "term", "quarter", "week", "month", "day", "sprint")
}

// unread reports whether the words after "until" name a day or a time that is not understood.
func (r *reader) unread(list []token, i, from int, waits bool) bool {
	if ends(list, from) {
		return false
	}
	var words []string
	for k := from; k < len(list) && k < from+4 && !ends(list, k); k++ {
		words = append(words, list[k].text)
	}
	if !waits && !any([]string{list[i].text}, "valid", "expires", "ends") || past(sentence(list, i)) {
		return false
	}
	if list[from].number >= 0 { // until 5/12
		return waits && list[from].number <= 31 && from+2 < len(list) && any([]string{list[from+1].text}, ".", "/") && !list[from+2].gap && list[from+2].number >= 1 && list[from+2].number <= 31
	}
	if any(words[:1], "now", "then", "today", "recently", "lately", "further", "last", "when") || again(words, span{weekday: true}) {
		return false
	}
	if waits && words[0] != "it" && (i == 0 || any([]string{list[i-1].text}, ".", ";", "\n")) {
		return true
	}
	if !waits && !any(words[:1], "the", "next", "this", "after") {
		return false
	}
	return slices.ContainsFunc(words, func(w string) bool { return month(w) > 0 && w != "may" && w != "march" }) || any(words, "easter", "thanksgiving", "ramadan", "summer", "winter", "spring", "autumn", "fall", "weekend", "sprint", "quarter", "q1", "q2", "q3", "q4", "semester", "season",
		"holidays", "vacation", "launch", "go-live", "cutover", "migration", "release") || any(words[:1], "next") && any(words, "week", "month", "year")
}

// beginning reads the first day after a word for it, at from; the word is at i.
func (r *reader) beginning(list []token, i, from int) (next int) {
	for any([]string{word(list, from)}, "with", "from", "on", "as", "of") {
		from++
	}
	in := is(list, from, "in") && any([]string{list[i].text}, "starting", "beginning", "effective")
	if in {
		from++
	}
	alone := list[i].text == "from" && !is(list, i-1, "effect") && !is(list, i-1, "valid") && !is(list, i-1, "applies") && !is(list, i-1, "apply")
	if list[i].text == "from" {
		if next := r.fromTo(list, from, "to", "until", "till", "til", "through", "thru", "-", "–"); next > 0 {
			return next
		}
	}
	s, next, ok := r.day(list, from)
	if !ok {
		if (alone || is(list, i, "starting") || is(list, i, "as")) && is(list, from, "next") && any([]string{word(list, from+1)}, "sprint", "release", "semester", "season") {
			r.unclear(r.said(list, i, from+2))
		}
		return from
	}
	onward := any([]string{word(list, next)}, "on", "onward", "onwards", "forward") || is(list, next, "and", "onwards")
	words := sentence(list, i)
	switch {
	case in && !s.bad && !onward && !begins(list, i) && !ends(list, next): // the project starting in March is what is spoken of
	case alone && !onward && !begins(list, i) && !future(words) && !(s.tells() && !s.bad) && !r.starts(list, i, next, s):
		// The dump from 5 December is what is spoken of.
	case s.bad:
		r.unclear(r.said(list, i, next))
	case s.monthly && recurs(words, s):
	case list[i].text == "since":
		r.since(r.last(s).start)
	case s.tells():
		r.since(s.start)
	case again(words, s) || past(words) || r.ofEachYear(list, i, words):
	case is(list, i, "as", "of") && !future(words) && !onward:
		r.since(r.nearest(s).start)
	default:
		r.since(r.next(s).start)
	}
	return next
}

// fromTo reads a first and a last day with a word between them, and returns where they end; 0 if
// they are none.
func (r *reader) fromTo(list []token, from int, between ...string) int {
	start := from
	if is(list, from, "the") {
		from++
	}
	first, at, ok := r.day(list, from)
	only := 0 // the first day without its month: from 10 to 20 December
	if !ok && from < len(list) && list[from].number >= 1 && list[from].number <= 31 && list[from].digits <= 2 {
		only, at = list[from].number, from+1
		if any([]string{word(list, at)}, "st", "nd", "rd", "th") {
			at++
		}
	} else if !ok {
		return 0
	}
	if only == 0 {
		at = timeOfDay(list, at)
	}
	if !slices.Contains(between, word(list, at)) || only > 0 && any([]string{word(list, at)}, waiting...) && !any([]string{word(list, start-1)}, "from", "between") {
		return 0 // at 3 until 15 December: 3 is what it is until then
	}
	last, next, ok := r.day(list, at+1)
	switch {
	case !ok && only == 0 && !first.weekday && !first.month && at+1 < len(list) && list[at+1].number >= 1 && list[at+1].number <= 31 && list[at+1].digits <= 2:
		last, ok = r.sameMonth(first, list[at+1].number) // from December 10 to 20
		next = at + 2
		if is(list, next, ",") && year(list, next+1) {
			next++
		}
		if year(list, next) {
			last, ok = r.date(list[next].number, int(last.after(r.today).start.Month()), last.after(r.today).start.Day())
			next++
		}
	case ok && only > 0:
		if last.weekday || last.month || last.bad {
			return 0
		}
		first, ok = r.sameMonth(last, only)
	}
	if !ok {
		return 0
	}
	words := sentence(list, from)
	if any(words, "postponed", "moved", "shifted", "changed", "rescheduled", "delayed", "pushed", "extended", "switched") {
		return next // from one day to another, neither of which bounds what is said
	}
	if first.weekday && last.weekday {
		end := timeOfDay(list, next)
		if !r.habit(list, from) && !slices.Contains([]string{"to", "through", "thru", "-", "–", "and"}, word(list, at)) && !again(words, first) && !past(words) { // from Wednesday until Friday
			r.unclear(r.said(list, max(0, start-1), end)) // of this week, or of each
		}
		return end
	}
	back := again(words, first) || past(words)
	season := !back && first.yearless() && last.yearless() && any(words, "applies", "apply") // perhaps each year
	if r.between(first, last, back || season) || season {
		r.unclear(r.said(list, max(0, from-1), next))
	}
	return next
}

// sameMonth is another day of a day's month.
func (r *reader) sameMonth(s span, day int) (span, bool) {
	if s.in == nil {
		return r.date(s.start.Year(), int(s.start.Month()), day)
	}
	start, _ := s.in(2024)
	return r.eachYear(int(start.Month()), day)
}

// said are the words of the text from one token to another, at most to the end of the sentence's part.
func (r *reader) said(list []token, from, to int) string {
	to = min(to, len(list))
	for k := from + 1; k < to; k++ {
		if ends(list, k) && !((list[k].text == "." || list[k].text == ":") && k+1 < to && !list[k+1].gap) {
			to = k
		}
	}
	return r.text[list[from].from:list[to-1].to]
}
