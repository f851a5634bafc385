package period

import "time"

func month(word string) int {
	switch word {
	case "january", "jan":
		return 1
	case "february", "feb":
		return 2
	case "march", "mar":
		return 3
	case "april", "apr":
		return 4
	case "may":
		return 5
	case "june", "jun":
		return 6
	case "july", "jul":
		return 7
	case "august", "aug":
		return 8
	case "september", "sep", "sept":
		return 9
	case "october", "oct":
		return 10
	case "november", "nov":
		return 11
	case "december", "dec":
		return 12
	}
	return 0
}

func weekday(word string) (time.Weekday, bool) {
	switch word {
	case "monday", "mon":
		return time.Monday, true
	case "tuesday", "tue", "tues":
		return time.Tuesday, true
	case "wednesday", "wed":
		return time.Wednesday, true
	case "thursday", "thu", "thur", "thurs":
		return time.Thursday, true
	case "friday", "fri":
		return time.Friday, true
	case "saturday":
		return time.Saturday, true
	case "sunday":
		return time.Sunday, true
	}
	return 0, false
}

// day is what the tokens from i on name, and where it ends; ok is false if they name no day,
// month or year.
func (r *reader) day(list []token, i int) (s span, next int, ok bool) {
	for any([]string{word(list, i)}, "the", "on", "at", "and", "including", "inclusive", "midnight", "noon") {
		i++
	}
	the := is(list, i-1, "the")
	if any([]string{word(list, i)}, "morning", "afternoon", "evening", "night", "end") && is(list, i+1, "of") && !is(list, i, "end") {
		i += 2
	}
	if at := clock(list, i); at > i {
		i = at
		if is(list, i, "on") {
			i++
		}
	}
	for _, read := range [...]func([]token, int) (span, int, bool){r.edge, r.relative, r.numeric, r.named, r.ofMonth, r.quarterOfYear} {
		if s, next, ok = read(list, i); ok {
			break
		}
	}
	if !ok {
		return s, i, false
	}
	if (is(list, next, "'") || is(list, next, "’")) && is(list, next+1, "s") {
		return s, i, false // Friday's meeting
	}
	if s.weekday {
		s, next = r.weekdayOf(list, next, s)
	}
	if the && next == i+1 && (s.weekday || s.yearless() && s.month) {
		return s, i, false // the May terms, the Friday before
	}
	return s, next, true
}

// weekdayOf is a weekday with what follows it: Friday, 11 December; Friday of next week.
func (r *reader) weekdayOf(list []token, at int, s span) (span, int) {
	of := at
	if any([]string{word(list, of)}, ",", "of", "the") {
		of++
	}
	if is(list, of, "the") {
		of++
	}
	if date, next, ok := r.numeric(list, of); ok && !date.month {
		return date, next
	}
	if date, next, ok := r.named(list, of); ok && !date.month {
		if in := r.next(date); in.start.Weekday() == s.start.Weekday() {
			return in, next // the weekday says of which year it is
		}
		return date, next
	}
	weeks := 0
	switch {
	case is(list, of, "next", "week"):
		weeks = 1
	case is(list, of, "this", "week"):
	case is(list, at, "week"): // people mean the one after
		s.bad = true
		return s, at + 1
	default:
		return s, at
	}
	start := r.weekFromNow(weeks).start.AddDate(0, 0, (int(s.start.Weekday())+6)%7)
	return span{start: start, end: start.AddDate(0, 0, 1)}, of + 2
}

// clock is where a time of day ends: 5 pm, 17:30, end of business.
func clock(list []token, i int) int {
	at := i
	switch {
	case at < len(list) && list[at].number >= 0 && list[at].digits <= 2 && (is(list, at+1, "am") || is(list, at+1, "pm")):
		return at + 2
	case at+2 < len(list) && list[at].digits == 2 && is(list, at+1, ":") && list[at+2].digits == 2:
		at += 3
		if is(list, at, "am") || is(list, at, "pm") {
			at++
		}
		return at
	}
	return i
}

// edge is the end or the beginning of something: end of May, the start of next month.
func (r *reader) edge(list []token, i int) (s span, next int, ok bool) {
	switch word(list, i) {
	case "eod":
		return r.dayFromNow(0), i + 1, true
	case "eow":
		return lastDay(r.weekFromNow(0)), i + 1, true
	case "eom":
		return lastDay(r.monthFromNow(0)), i + 1, true
	case "eoy":
		return lastDay(r.yearOf(r.today.Year())), i + 1, true
	case "year", "month":
		at := i + 1
		if is(list, at, "'", "s") || is(list, at, "’", "s") {
			at += 2
		} else if is(list, at, "-") {
			at++
		}
		if !is(list, at, "end") {
			return s, i, false
		}
		if word(list, i) == "year" {
			return lastDay(r.yearOf(r.today.Year())), at + 1, true
		}
		return lastDay(r.monthFromNow(0)), at + 1, true
	}
	first := false
	at := i + 1
	switch word(list, i) {
	case "end":
	case "start", "beginning":
		first = true
	case "last", "first":
		if first = is(list, i, "first"); !is(list, at, "day") {
			return s, i, false
		}
		at++
	case "mid", "early", "late", "middle":
		if is(list, at, "-") || is(list, at, "of") {
			at++
		}
		s, next, ok = r.whole(list, at)
		s.bad = true
		return s, next, ok
	default:
		return s, i, false
	}
	if is(list, at, "of") {
		at++
	}
	s, next, ok = r.whole(list, at)
	if !ok || s.weekday {
		return s, i, false
	}
	return s.edge(first), next, true
}

// edge is the first or the last day of a span.
func (s span) edge(first bool) span {
	if s.in == nil {
		if first {
			s.end = s.start.AddDate(0, 0, 1)
			s.month = false
			return s
		}
		return lastDay(s)
	}
	in := s.in
	s.month = false
	s.in = func(year int) (time.Time, time.Time) {
		start, end := in(year)
		if first {
			return start, start.AddDate(0, 0, 1)
		}
		return end.AddDate(0, 0, -1), end
	}
	return s
}

func lastDay(s span) span {
	return span{start: s.end.AddDate(0, 0, -1), end: s.end, bad: s.bad, each: s.each, relative: s.relative}
}

// whole is a week, a month, a quarter or a year that is named: this month, next year, May, 2027.
func (r *reader) whole(list []token, i int) (s span, next int, ok bool) {
	this, the := false, false
	for any([]string{word(list, i)}, "the", "this", "current") {
		this, the = this || !is(list, i, "the"), the || is(list, i, "the")
		i++
	}
	n, each := 0, the && !this // the next month is this one's, or that after each
	if is(list, i, "next") {
		i, n = i+1, 1
	}
	switch word(list, i) {
	case "day":
		s = r.dayFromNow(n)
	case "week":
		s = r.weekFromNow(n)
	case "month":
		s = r.monthFromNow(n)
	case "quarter":
		s = r.quarterFromNow(n)
	case "year":
		s = r.yearOf(r.today.Year() + n)
	}
	if !s.start.IsZero() {
		s.each, s.relative = each, true
		return s, i + 1, true
	}
	if n > 0 {
		return s, i, false
	}
	if year(list, i) {
		return r.yearOf(list[i].number), i + 1, true
	}
	if s, next, ok = r.quarter(list, i); ok {
		return s, next, true
	}
	return r.named(list, i)
}

// quarter is one of a year: Q1, Q3 2027.
func (r *reader) quarter(list []token, i int) (s span, next int, ok bool) {
	if !is(list, i, "q") || i+1 >= len(list) || list[i+1].gap || list[i+1].number < 1 || list[i+1].number > 4 {
		return s, i, false
	}
	in := func(year int) (time.Time, time.Time) {
		start := r.monthOf(year, 3*list[i+1].number-2).start
		return start, start.AddDate(0, 3, 0)
	}
	if year(list, i+2) {
		s.start, s.end = in(list[i+2].number)
		return s, i + 3, true
	}
	return span{in: in}, i + 2, true
}

// quarterOfYear is a quarter with its year; one without may be that of each year.
func (r *reader) quarterOfYear(list []token, i int) (s span, next int, ok bool) {
	if s, next, ok = r.quarter(list, i); !ok || s.yearless() {
		return s, i, false
	}
	return s, next, true
}

// year reports whether a token is a year.
func year(list []token, i int) bool {
	return i < len(list) && list[i].digits == 4 && list[i].number >= firstYear && list[i].number <= lastYear
}

// relative is a day as it is called from today: tomorrow, Friday, next month.
func (r *reader) relative(list []token, i int) (s span, next int, ok bool) {
	switch w := word(list, i); w {
	case "today", "tonight":
		return r.dayFromNow(0), i + 1, true
	case "tomorrow":
		return r.dayFromNow(1), i + 1, true
	case "yesterday":
		return r.dayFromNow(-1), i + 1, true
	case "day":
		if is(list, i+1, "after", "tomorrow") {
			return r.dayFromNow(2), i + 3, true
		}
	case "this", "coming":
		at := i + 1
		if day, is := weekday(word(list, at)); is {
			return r.nextWeekday(day), at + 1, true
		}
		if s, next, ok = r.whole(list, i); ok && w == "this" && !s.month {
			return s, next, true
		}
		return s, i, false
	case "next":
		if day, is := weekday(word(list, i+1)); is {
			// Of this week or of the one after, as people say it; a day that is both is clear.
			s = r.nextWeekday(day)
			s.bad = s.start.Before(r.weekFromNow(1).start)
			return s, i + 2, true
		}
		if s, next, ok = r.whole(list, i); ok {
			return s, next, true
		}
	case "christmas", "xmas":
		if is(list, i+1, "eve") {
			s, ok = r.eachYear(12, 24)
			return s, i + 2, ok
		}
		s, ok = r.eachYear(12, 25)
		return s, i + 1, ok
	case "new":
		if !is(list, i+1, "year") {
			return s, i, false
		}
		at := i + 2
		if (is(list, at, "'", "s") || is(list, at, "’", "s")) && any([]string{word(list, at+2)}, "eve", "day") {
			at += 3
			if is(list, at-1, "eve") {
				s, ok = r.eachYear(12, 31)
				return s, at, ok
			}
		}
		s, ok = r.eachYear(1, 1)
		return s, at, ok
	default:
		if day, is := weekday(w); is {
			return r.nextWeekday(day), i + 1, true
		}
	}
	return s, i, false
}

// named is a day with the name of its month, or that month: 5 December, Dec. 5th, 2026, May.
func (r *reader) named(list []token, i int) (s span, next int, ok bool) {
	dayNumber := func(k int) (n, next int) {
		if k >= len(list) || list[k].number < 1 || list[k].number > 31 || list[k].digits > 2 {
			return 0, k
		}
		n, next = list[k].number, k+1
		if next < len(list) && !list[next].gap && any([]string{list[next].text}, "st", "nd", "rd", "th") {
			next++
		} else if next < len(list) && (list[next].text == ":" || list[next].text == "%" || list[next].text == "." && next+1 < len(list) && list[next+1].number >= 0 && !list[next+1].gap) {
			return 0, k // a time, a share, or a version
		}
		return n, next
	}
	d, at := dayNumber(i)
	if d > 0 && (is(list, at, "of") || is(list, at, "-") && !list[at].gap && month(word(list, at+1)) > 0) {
		at++
	}
	m := month(word(list, at))
	if m == 0 || d == 0 && somebody(list, at) || list[at].small && any([]string{list[at].text}, "may", "march") && !ends(list, at+1) && list[at+1].number < 0 {
		return s, i, false // as in: up to 5 may join
	}
	at++
	if is(list, at, ".") && (d == 0 || !ends(list, at+1)) {
		if n, _ := dayNumber(at + 1); n > 0 || year(list, at+1) {
			at++
		}
	}
	if d == 0 {
		if d, at = dayNumber(at); d == 0 && at < len(list) && list[at].number >= 0 && list[at].digits <= 2 {
			return s, i, false // 32 December
		}
	}
	if d > 0 && is(list, at, "-") && !list[at].gap && year(list, at+1) { // 5-Dec-2026
		at++
	}
	y := 0
	of := at
	if is(list, of, "of") || is(list, of, ",") {
		of++
	}
	switch {
	case is(list, of, "next", "year"):
		y, at = r.today.Year()+1, of+2
	case is(list, of, "this", "year"):
		y, at = r.today.Year(), of+2
	case year(list, at):
		y, at = list[at].number, at+1
	case is(list, at, ",") && year(list, at+1), is(list, at, "of") && year(list, at+1):
		y, at = list[at+1].number, at+2
	}
	switch {
	case y > 0 && d > 0:
		s, ok = r.date(y, m, d)
	case y > 0:
		s, ok = r.monthOf(y, m), true
	default:
		s, ok = r.eachYear(m, d)
	}
	return s, at, ok
}

// ofMonth is a day of a month that is not named: the 15th, the 1st of next month; or a year.
func (r *reader) ofMonth(list []token, i int) (s span, next int, ok bool) {
	if year(list, i) && !is(list, i, "2000") && (ends(list, i+1) || any([]string{word(list, i+1)}, "on", "onward", "onwards", "the", "we", "it", "all")) {
		return r.yearOf(list[i].number), i + 1, true
	}
	if i+1 >= len(list) || list[i].number < 1 || list[i].number > 31 || list[i+1].gap || !any([]string{list[i+1].text}, "st", "nd", "rd", "th") {
		return s, i, false
	}
	switch {
	case is(list, i+2, "of", "next", "month"):
		of := r.monthFromNow(1).start
		s, ok = r.date(of.Year(), int(of.Month()), list[i].number)
		s.relative = true
		return s, i + 5, ok
	case is(list, i+2, "of", "this", "month"):
		s, ok = r.date(r.today.Year(), int(r.today.Month()), list[i].number)
		return s, i + 5, ok
	case ends(list, i+2), is(list, i+2, "on"):
		s, ok = r.eachMonth(list[i].number)
		return s, i + 2, ok
	}
	return s, i, false
}
