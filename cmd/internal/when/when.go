// Package when parses a time from a command line, in local time:
//
//	2026-11-23  2026-11-23T14:05  "2026-11-23 14:05:06"  2026-11-23T13:05:06Z
//	14:05  14:05:06            today
//	today  yesterday  monday   the most recent such day; "yesterday 14:05" too
//	2h  90m  3d  1w  1h30m     so long ago; "2h ago" and "2 hours" are the same
//	now
//
// Each names a span: a day, a minute, a second, an instant. "From" begins with it and
// "to" ends with it, so that from yesterday to yesterday is the whole day, and a time
// that a list shows can be typed unchanged.
package when

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// A Span is what a word names: its first moment, and the first one after it.
type Span struct{ From, To time.Time }

// Forms are examples, for a message.
const Forms = "2026-11-23, 2026-11-23T14:05, 14:05, yesterday 14:05, 2h, 30m, 3d, today, monday"

// Parse reads a time. now says what today is, and where.
func Parse(word string, now time.Time) (Span, error) {
	s := strings.ToLower(strings.Join(strings.Fields(word), " "))
	if s == "" {
		return Span{}, errors.New("no time is given")
	}
	if span, ok := day(s, now); ok {
		return span, nil
	}
	if span, ok := clock(s, now); ok {
		return span, nil
	}
	if name, rest, ok := strings.Cut(s, " "); ok { // "yesterday 14:05", not "2 hours"
		if d, ok := day(name, now); ok && d.From != d.To {
			if span, ok := clock(rest, d.From); ok {
				return span, nil
			}
		}
	}
	if d, days, ok := ago(s); ok {
		at := now.AddDate(0, 0, -days).Add(-d)
		if at.Year() < 1970 {
			return Span{}, fmt.Errorf("%q is longer ago than any log", word)
		}
		return Span{at, at}, nil
	}
	return Span{}, fmt.Errorf("%q is not a time", word)
}

// day is a day by its name or date.
func day(s string, now time.Time) (Span, bool) {
	today := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location())
	whole := func(from time.Time) (Span, bool) { return Span{from, from.AddDate(0, 0, 1)}, true }
	switch s {
	case "now":
		return Span{now, now}, true
	case "today":
		return whole(today)
	case "yesterday":
		return whole(today.AddDate(0, 0, -1))
	}
	for i := range 7 {
		d := today.AddDate(0, 0, -i)
		name := strings.ToLower(d.Weekday().String())
		if s == name || s == name[:3] || s == "last "+name && i > 0 {
			return whole(d)
		}
	}
	if d, err := time.ParseInLocation(time.DateOnly, s, now.Location()); err == nil {
		return whole(d)
	}
	return Span{}, false
}

// Weekday reports whether a word names a day of the week, meaning the latest such
// day.
func Weekday(word string) bool {
	s := strings.ToLower(strings.TrimSpace(word))
	for i := range 7 {
		if name := strings.ToLower(time.Weekday(i).String()); s == name || s == name[:3] {
			return true
		}
	}
	return false
}

// clock is a time of day, today's if no day is named.
func clock(s string, now time.Time) (Span, bool) {
	s = strings.ToUpper(s)
	for _, form := range []struct {
		layout string
		unit   time.Duration
		today  bool
	}{
		{"15:04", time.Minute, true}, {"15:04:05", time.Second, true},
		{"2006-01-02T15:04", time.Minute, false}, {"2006-01-02 15:04", time.Minute, false},
		{"2006-01-02T15:04:05", time.Second, false}, {"2006-01-02 15:04:05", time.Second, false},
		{"2006-01-02T15:04Z07:00", time.Minute, false}, {time.RFC3339, time.Second, false},
	} {
		at, err := time.ParseInLocation(form.layout, s, now.Location())
		if err != nil {
			continue
		}
		if form.today {
			at = time.Date(now.Year(), now.Month(), now.Day(), at.Hour(), at.Minute(), at.Second(), 0, now.Location())
		}
		if at.Nanosecond() != 0 {
			return Span{at, at}, true
		}
		return Span{at, at.Add(form.unit)}, true
	}
	return Span{}, false
}

var piece = regexp.MustCompile(`^ ?(\d{1,6}) ?(seconds|second|secs|sec|s|minutes|minute|mins|min|m|hours|hour|hrs|hr|h|days|day|d|weeks|week|w)`)

// ago is so long before now: a time, and days, which are not all equally long.
func ago(s string) (d time.Duration, days int, ok bool) {
	s = strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(s, "-"), " ago"))
	for s != "" {
		m := piece.FindStringSubmatch(s)
		if m == nil {
			return 0, 0, false
		}
		n, _ := strconv.Atoi(m[1])
		switch m[2][0] {
		case 's':
			d += time.Duration(n) * time.Second
		case 'm':
			d += time.Duration(n) * time.Minute
		case 'h':
			d += time.Duration(n) * time.Hour
		case 'd':
			days += n
		case 'w':
			days += 7 * n
		}
		s, ok = s[len(m[0]):], true
	}
	return d, days, ok
}
