// Package period reads from a fact's text from when and until when it holds: "until Friday", "from
// 1 May on", "本周五之前". It reads what clearly bounds the fact, in English and Chinese, and names
// a bound of which it does not understand the day.
package period

import (
	"slices"
	"time"
)

// A Period is when a fact holds, by what its text says.
type Period struct {
	Since time.Time // it holds from then on; zero: nothing is said
	Until time.Time // the first moment after its last day; zero: nothing is said
	// Unclear are words that name a bound without a day that is understood, "" for none.
	Unclear string
	// Rest is the text without the words that say when: what holds then. It is all of the text where
	// these are not understood, or hardly anything would be left.
	Rest string
}

// Read is the period that a text names if it is said at a time. Its days are those of the time's
// location, and a day without a year is the next one, where the words are not about the past.
func Read(text string, said time.Time) Period {
	r := &reader{today: dayOf(said), text: text}
	r.english(tokens(text))
	r.chinese(text)
	if !r.Since.IsZero() && !r.Until.IsZero() && !r.Since.Before(r.Until) {
		return Period{Rest: text}
	}
	r.Rest = text
	if r.ends > 0 {
		return Period{Unclear: r.Unclear, Rest: text}
	}
	if !r.Until.After(r.today) { // who names a day that has passed tells what was
		r.Until = time.Time{}
	} else {
		r.Unclear = "" // the end is known, in whatever words it is said besides
	}
	if !r.Since.IsZero() || !r.Until.IsZero() {
		r.Rest = r.without()
	}
	return r.Period
}

// A reader has what was read so far: the first of each counts.
type reader struct {
	Period
	today time.Time
	text  string
	ends  int      // other ones than the first, each of another thing
	when  [][2]int // where in the text the words are that say when
}

func (r *reader) since(at time.Time) {
	if r.Since.IsZero() {
		r.Since = at
	}
}

func (r *reader) until(at time.Time) {
	switch {
	case r.Until.IsZero():
		r.Until = at
	case !r.Until.Equal(at) && at.After(r.today):
		r.ends++
	}
}

func (r *reader) unclear(words string) {
	if r.Unclear == "" {
		r.Unclear = words
	}
}

func dayOf(at time.Time) time.Time {
	return time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, at.Location())
}

// A span is a day, a month or a year that a text names: its first moment and the first one after
// it. Without a year it is known as what it is in each.
type span struct {
	start, end time.Time
	in         func(year int) (start, end time.Time) // nil: there is one alone
	weekday    bool
	monthly    bool // a day of a month that is not said
	month      bool // without a day
	each       bool // the month, of which it is not said whether it is this one or each
	bad        bool // it is one, of which the day is not understood
	relative   bool // called from today: next month, which in a rule is another one each time
}

func (s span) yearless() bool { return s.in != nil }

// tells reports whether a span says which day it means without the words around it: what comes
// back every year or week may be meant of each.
func (s span) tells() bool { return s.in == nil && !s.weekday && !s.monthly && !s.each }

func (r *reader) date(year, month, day int) (span, bool) {
	start := time.Date(year, time.Month(month), day, 0, 0, 0, 0, r.today.Location())
	return span{start: start, end: start.AddDate(0, 0, 1)}, month >= 1 && month <= 12 && start.Day() == day
}

func (r *reader) monthOf(year, month int) span {
	start := time.Date(year, time.Month(month), 1, 0, 0, 0, 0, r.today.Location())
	return span{start: start, end: start.AddDate(0, 1, 0), month: true}
}

func (r *reader) yearOf(year int) span {
	start := time.Date(year, 1, 1, 0, 0, 0, 0, r.today.Location())
	return span{start: start, end: start.AddDate(1, 0, 0)}
}

func (r *reader) dayFromNow(days int) span {
	start := r.today.AddDate(0, 0, days)
	return span{start: start, end: start.AddDate(0, 0, 1), relative: true}
}

func (r *reader) weekFromNow(weeks int) span {
	start := r.today.AddDate(0, 0, 7*weeks-(int(r.today.Weekday())+6)%7)
	return span{start: start, end: start.AddDate(0, 0, 7), relative: true}
}

func (r *reader) monthFromNow(months int) span {
	s := r.monthOf(r.today.Year(), int(r.today.Month())+months)
	s.relative = true
	return s
}

func (r *reader) quarterFromNow(quarters int) span {
	s := r.monthOf(r.today.Year(), (int(r.today.Month())-1)/3*3+1+3*quarters)
	return span{start: s.start, end: s.start.AddDate(0, 3, 0), relative: true}
}

// eachYear is a day of a month, or with day 0 a month, of a year that is not said.
func (r *reader) eachYear(month, day int) (span, bool) {
	at := func(year int) (time.Time, time.Time) {
		if day == 0 {
			s := r.monthOf(year, month)
			return s.start, s.end
		}
		s, is := r.date(year, month, day)
		for !is { // 29 February
			year++
			s, is = r.date(year, month, day)
		}
		return s.start, s.end
	}
	s := span{in: at, month: day == 0}
	_, is := r.date(2024, month, max(day, 1)) // a leap year
	return s, is
}

// eachMonth is a day of a month that is not said: the next one.
func (r *reader) eachMonth(day int) (span, bool) {
	for months := range 3 {
		of := r.monthFromNow(months)
		if s, is := r.date(of.start.Year(), int(of.start.Month()), day); is && s.end.After(r.today) {
			s.monthly = true
			return s, true
		}
	}
	return span{}, false
}

// nextWeekday is the next such day after today.
func (r *reader) nextWeekday(day time.Weekday) span {
	s := r.dayFromNow((int(day-r.today.Weekday())+6)%7 + 1)
	s.weekday = true
	return s
}

// next is the next one that is not over today, last the last one that has begun.
func (r *reader) next(s span) span {
	for year := r.today.Year() - 1; s.in != nil; year++ {
		if start, end := s.in(year); end.After(r.today) {
			return span{start: start, end: end, month: s.month}
		}
	}
	return s
}

func (r *reader) last(s span) span {
	if s.weekday {
		s.start, s.end = s.start.AddDate(0, 0, -7), s.end.AddDate(0, 0, -7)
	}
	return s.before(r.today)
}

// before is the last one that begins not after a time, after the first one that ends after it.
func (s span) before(at time.Time) span {
	for year := at.Year() + 1; s.in != nil; year-- {
		if start, end := s.in(year); !start.After(at) {
			return span{start: start, end: end, month: s.month}
		}
	}
	return s
}

func (s span) after(at time.Time) span {
	for year := at.Year() - 1; s.in != nil; year++ {
		if start, end := s.in(year); end.After(at) {
			return span{start: start, end: end, month: s.month}
		}
	}
	return s
}

// nearest is the next one or the last one, whichever is nearer.
func (r *reader) nearest(s span) span {
	if s.in == nil {
		return s
	}
	next, last := r.next(s), r.last(s)
	if next.start.Sub(r.today) > r.today.Sub(last.start) {
		return last
	}
	return next
}

// between takes the period from one span to another, if that is one: from Monday to Friday is
// every week, and from May to September may be every year.
func (r *reader) between(from, to span, again bool) (unclear bool) {
	switch {
	case from.bad || to.bad:
		return true
	case from.weekday && to.weekday:
		return false
	case from.yearless() && to.yearless():
		if again || from.month && to.month {
			return !again
		}
		to = r.next(to)
		from = from.before(to.start)
	case from.yearless():
		from = from.before(to.start)
	case to.yearless():
		to = to.after(from.start)
	}
	if from.start.Before(to.end) {
		r.since(from.start)
		r.until(to.end)
	}
	return false
}

func any(words []string, of ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(of, w) })
}
