package memory

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/locale"
)

// Around the border of the loaded days each fact is either told or counted, in whatever file of
// what day it stands, and a strong preference is told on either side of it.
// BM-LOD-08, BM-LOD-11, BM-LOD-12, BM-LOD-22.
func TestNothingIsLostAtTheBorderOfTheLoadedDays(t *testing.T) {
	t.Parallel()
	files := map[string]func(at time.Time) string{
		"its day's file":      func(at time.Time) string { return "daily/" + at.UTC().Format(time.DateOnly) + ".jsonl" },
		"that of a day later": func(at time.Time) string { return "daily/" + at.UTC().Add(day).Format(time.DateOnly) + ".jsonl" },
		"that of a day before": func(at time.Time) string {
			return "daily/" + at.UTC().Add(-day).Format(time.DateOnly) + ".jsonl"
		},
		"facts.jsonl":       func(time.Time) string { return "facts.jsonl" },
		"what others share": func(at time.Time) string { return SharedFile(at.UTC().Format(time.DateOnly)) },
	}
	for name, file := range files {
		for _, now := range []time.Time{noon, noon.Add(-12 * time.Hour), noon.Add(11*time.Hour + 59*time.Minute).In(time.FixedZone("", 13*3600)), noon.In(time.FixedZone("", -11*3600))} {
			for _, hours := range []int{144, 167, 168, 169, 175, 180, 191, 192, 193, 216} {
				at := now.Add(-time.Duration(hours) * time.Hour)
				for _, strong := range []bool{true, false} {
					l := project(t, nil)
					l.Lang, l.Now = locale.English, now
					line := fmt.Sprintf(`{"id":"f","type":"fact","memory_type":"W","content":"The build farm lives in Malmo","confidence":0.8,"timestamp":%q}`+"\n", at.Format(time.RFC3339))
					if strong {
						line = strings.NewReplacer(`"W"`, `"O"`, "0.8", "0.95").Replace(line)
					}
					put(t, l.Place.Dir, file(at), line)
					got := l.Load().Text
					told, counted := strings.Contains(got, "Malmo"), strings.Contains(got, "Not shown: 1 more fact")
					if told == counted || (strong || hours <= 168) != told {
						t.Errorf("%s, now %s, %d hours old, strong %v:\n%s", name, now.Format(time.RFC3339), hours, strong, got)
					}
				}
			}
		}
	}
}

// A strong preference is told however many facts the newest days have.
// BM-LOD-11, BM-LOD-20.
func TestAStrongPreferenceIsToldWhateverDayItIsOf(t *testing.T) {
	t.Parallel()
	for hours := 1; hours < 400; hours += 13 {
		l := project(t, nil)
		l.Lang = locale.English
		text := ""
		for i := range 60 {
			text += fact(fmt.Sprint("new", i), "W", fmt.Sprint("A day like others, number ", i), time.Duration(i)*time.Minute, "")
		}
		put(t, l.Place.Dir, "daily/2026-02-17.jsonl", text)
		age := time.Duration(hours) * time.Hour
		put(t, l.Place.Dir, "own/daily/"+noon.Add(-age).Format(time.DateOnly)+".jsonl", strings.Replace(fact("pref", "O", "Never use tabs", age, ""), "0.8", "0.95", 1))
		if got := l.Load().Text; !strings.Contains(got, "Never use tabs") || !strings.Contains(got, "Not shown: 46 more facts") && !strings.Contains(got, "Not shown: 45 more facts") {
			t.Errorf("%d hours old:\n%s", hours, got)
		}
	}
}
