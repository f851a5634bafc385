package internal_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/cmd/internal/when"
)

// A user's words name the span that they mean, in local time, even if a day has 23
// hours.
func TestTimesAreParsed(t *testing.T) {
	t.Parallel()
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Skip("no time zones on this system")
	}
	// A Monday, one day after the clocks went forward.
	now := time.Date(2026, 3, 30, 10, 20, 30, 0, zone)
	at := func(day, hour, minute, second int) time.Time {
		return time.Date(2026, 3, day, hour, minute, second, 0, zone)
	}
	span := func(from, to time.Time) when.Span { return when.Span{From: from, To: to} }
	for word, want := range map[string]when.Span{
		"now":                  span(now, now),
		"today":                span(at(30, 0, 0, 0), at(31, 0, 0, 0)),
		"Yesterday":            span(at(29, 0, 0, 0), at(30, 0, 0, 0)), // of 23 hours
		"monday":               span(at(30, 0, 0, 0), at(31, 0, 0, 0)),
		"tue":                  span(at(24, 0, 0, 0), at(25, 0, 0, 0)),
		"last sunday":          span(at(29, 0, 0, 0), at(30, 0, 0, 0)),
		"2026-03-01":           span(at(1, 0, 0, 0), at(2, 0, 0, 0)),
		"2026-03-01 14:05":     span(at(1, 14, 5, 0), at(1, 14, 6, 0)),
		"2026-03-01t14:05:06":  span(at(1, 14, 5, 6), at(1, 14, 5, 7)),
		"2026-03-01T13:05:06Z": span(at(1, 14, 5, 6), at(1, 14, 5, 7)),
		"09:15":                span(at(30, 9, 15, 0), at(30, 9, 16, 0)),
		"09:15:20":             span(at(30, 9, 15, 20), at(30, 9, 15, 21)),
		"yesterday 14:05":      span(at(29, 14, 5, 0), at(29, 14, 6, 0)),
		"sun 14:05:06":         span(at(29, 14, 5, 6), at(29, 14, 5, 7)),
		"2h":                   span(at(30, 8, 20, 30), at(30, 8, 20, 30)),
		"1h30m":                span(at(30, 8, 50, 30), at(30, 8, 50, 30)),
		"90m ago":              span(at(30, 8, 50, 30), at(30, 8, 50, 30)),
		"2 hours ago":          span(at(30, 8, 20, 30), at(30, 8, 20, 30)),
		"1 day":                span(at(29, 10, 20, 30), at(29, 10, 20, 30)), // the same time of day, 23 hours ago
		"2w":                   span(at(16, 10, 20, 30), at(16, 10, 20, 30)),
	} {
		t.Run(fmt.Sprintf("word %q", word), func(t *testing.T) {
			got, err := when.Parse(word, now)
			if err != nil || !got.From.Equal(want.From) || !got.To.Equal(want.To) {
				t.Errorf("%q: %v to %v, %v; want %v to %v", word, got.From, got.To, err, want.From, want.To)
			}
		})
	}
	for _, word := range []string{"", "  ", "soon", "2", "h", "2x", "2026-13-01", "2026-02-30", "25:00", "2h yesterday", "yesterday soon", "now 14:05", "999999w", "99999999999999999999h", "2026-11-23T", "last week\x1b[2J", "last monday"} {
		t.Run(fmt.Sprintf("word %q", word), func(t *testing.T) {
			if got, err := when.Parse(word, now); err == nil {
				t.Errorf("%q: %v", word, got)
			}
		})
	}
}
