package memory

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/locale"
)

// Sessions that nobody summarised are told from old to new, as many as fit and at most eight, the
// newest at most length; the others are counted. Less room takes words before it takes sessions.
// BM-LOD-08, BM-LOD-16.
func TestEachSessionThatNobodySummarisedIsTold(t *testing.T) {
	t.Parallel()
	own := `{"id":"sum-1","session_id":"a","topic":"Base","summary":"Base work","timestamp":"2026-02-17T09:00:00Z"}` + "\n"
	for _, c := range []struct {
		name, own            string
		sessions, room, told int
	}{
		{"three, and nobody's before", "", 3, 8000, 3},
		{"three after an agent's", own, 3, 8000, 3},
		{"one", "", 1, 8000, 1},
		{"twelve", "", 12, 8000, 8},
		{"twelve after an agent's", own, 12, 8000, 8},
		{"five in little room", "", 5, 1000, 5},
		{"twelve in hardly any", "", 12, 500, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := project(t, nil)
			l.Lang, l.Room, l.Search = locale.English, c.room, "memory search WORDS"
			put(t, l.Place.Dir, "sessions.jsonl", c.own)
			lines := ""
			for i := range c.sessions {
				lines += fmt.Sprintf(`{"id":"auto-%02d","session_id":"u%d","topic":"x","summary":"Job %d of the harbour — %s end %d","auto_generated":true,"timestamp":"2026-02-17T10:%02d:00Z"}`+"\n",
					i, i, i, strings.Repeat("more ", 20), i, i)
			}
			put(t, l.Place.Dir, "local/sessions.jsonl", lines)
			loaded := l.Load()
			got := loaded.Text
			if n := utf8.RuneCountInString(got); n > c.room {
				t.Errorf("%d characters", n)
			}
			if told := len(loaded.Auto); told < c.told || c.room == 8000 && told != c.told {
				t.Errorf("%d are told, want %d:\n%s", told, c.told, got)
			}
			at := -1
			for _, s := range loaded.Auto {
				next := strings.Index(got, s.Text[:len("Job 1 of")])
				if next <= at || !slices.Contains(loaded.Told, s.ID) {
					t.Errorf("%s is missing, or not in its place:\n%s", s.ID, got)
				}
				at = next
			}
			if newest := fmt.Sprintf("end %d", c.sessions-1); !strings.Contains(got, newest) {
				t.Errorf("the newest is cut, before others are:\n%s", got)
			}
			left := c.sessions - len(loaded.Auto)
			if says := strings.Contains(got, fmt.Sprintf("%d sessions noted automatically", left)); says != (left > 1) {
				t.Errorf("%d are left out:\n%s", left, got)
			}
		})
	}
}
