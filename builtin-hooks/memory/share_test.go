package memory

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/locale"
)

// Of what fits in any budget, strong preferences are at most two thirds if there are others, and
// facts about the present work come before both.
// BM-LOD-20, BM-LOD-24.
func TestPreferencesAreTwoThirdsOfWhatFits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		prefer, other, work int
		age, others         time.Duration // of the preferences, and of the others
	}{{25, 5, 0, time.Hour, 0}, {18, 7, 0, 0, time.Hour}, {25, 25, 0, 3 * day, 0}, {12, 9, 3, 2 * day, 0}, {8, 20, 0, 60 * day, 0}, {30, 1, 0, time.Hour, 0}, {20, 0, 0, time.Hour, 0}} {
		for room := 450; room <= 2600; room += 150 {
			l := project(t, nil)
			l.Lang, l.Room, l.Branch, l.Search = locale.English, room, "feature/zeppelin", "agents-hooks memory search -- WORDS"
			prefer, others := "", ""
			for i := range c.prefer {
				prefer += strings.Replace(fact(fmt.Sprint("p", i), "O", fmt.Sprintf("Habit number %d concerns editor pane %d", i, i*3), c.age+time.Duration(i)*time.Minute, ""), "0.8", "0.95", 1)
			}
			for i := range c.other {
				others += fact(fmt.Sprint("o", i), "W", fmt.Sprintf("Wiring %d: relay %d feeds panel %d", i, i*7, i), c.others+time.Duration(i)*time.Minute, "")
			}
			for i := range c.work {
				others += fact(fmt.Sprint("w", i), "W", fmt.Sprintf("Zeppelin %d lands on mast %d", i, i), 4*day, "")
			}
			put(t, l.Place.User, "daily/"+noon.Add(-c.age).Format(time.DateOnly)+".jsonl", prefer)
			put(t, l.Place.Dir, "daily/2026-02-17.jsonl", others)
			got := l.Load().Text
			habits, wires, masts := strings.Count(got, "Habit number"), strings.Count(got, "Wiring"), strings.Count(got, "Zeppelin")
			all := habits + wires + masts
			if all > 1 && wires < min(c.other, 5) && 3*habits > 2*all && wires < c.other || c.other == 0 && room >= 1000 && habits < 5 {
				t.Errorf("%+v, %d characters: %d preferences and %d others", c, room, habits, wires+masts)
			}
			if habits+wires > 0 && masts < c.work {
				t.Errorf("%+v, %d characters: %d of %d about the work:\n%s", c, room, masts, c.work, got)
			}
			if n := utf8.RuneCountInString(got); n > room {
				t.Errorf("%d characters of %d", n, room)
			}
		}
	}
}

// A section that needs no more than its even share of the room is told in whole, wherever it stands
// among long ones.
// BM-LOD-07.
func TestAShortSectionIsToldBesideLongOnes(t *testing.T) {
	t.Parallel()
	long := func(name string, n int) string {
		text := "## " + name + "\n\n"
		for i := range n {
			text += fmt.Sprintf("- %s %d looks after area %d and is reached in channel c%d\n", name, i, i, i)
		}
		return text + "\n"
	}
	rules, glossary := "## Rules\n\n- Money is in minor units\n\n", "## Glossary\n\n- PSP: payment service provider\n\n"
	for name, page := range map[string]string{
		"at the end": rules + long("People", 60) + long("Contacts", 80) + glossary, "at the begin": glossary + rules + long("People", 60) + long("Contacts", 80),
		"between": long("People", 60) + rules + long("Contacts", 80) + glossary + long("Servers", 40), "after one": long("People", 90) + rules + glossary,
	} {
		for room := 800; room <= 4000; room += 200 {
			l := project(t, nil)
			l.Lang, l.Room, l.Search = locale.English, room, "agents-hooks memory search -- WORDS"
			put(t, l.Place.Dir, "MEMORY.md", page)
			put(t, l.Place.Dir, "sessions.jsonl", `{"id":"sum-1","session_id":"x","topic":"T","summary":"S","timestamp":"2026-02-17T11:00:00Z"}`+"\n")
			facts := ""
			for i := range 15 {
				facts += fact(fmt.Sprint("o", i), "W", fmt.Sprintf("Wiring %d: relay %d feeds panel %d", i, i*7, i), time.Duration(i)*time.Minute, "")
			}
			put(t, l.Place.Dir, "daily/2026-02-17.jsonl", facts)
			got := l.Load().Text
			if !strings.Contains(got, "minor units") || !strings.Contains(got, "PSP: payment") {
				t.Errorf("%s, %d characters:\n%s", name, room, got)
			}
			for _, list := range []string{"People", "Contacts", "Servers"} {
				if n := strings.Count(got, "- "+list); n == 1 && room >= 1200 {
					t.Errorf("%s, %d characters: one line of %s:\n%s", name, room, list, got)
				}
			}
		}
	}
}

// What was decided and what is to do is told before how to search, and before how much else there
// is: all of it where it fits in any words, and otherwise as many as fit.
// BM-LOD-06, BM-LOD-08.
func TestItemsComeBeforeTheWordsAroundThem(t *testing.T) {
	t.Parallel()
	for _, lang := range []locale.Language{locale.English, locale.Chinese} {
		for _, n := range []int{1, 2, 3, 5, 12, 40} {
			for room := 450; room <= 2400; room += 130 {
				l := project(t, nil)
				l.Lang, l.Room, l.Search, l.Below = lang, room, "/home/ann/.local/share/agents-hooks/bin/agents-hooks memory search -- WORDS", true
				var decided, todo []string
				for i := range n {
					decided, todo = append(decided, fmt.Sprintf(`"Decision %d: thing %d is done"`, i, i*7)), append(todo, fmt.Sprintf(`"Todo %d: do thing %d"`, i, i*3))
				}
				put(t, l.Place.Dir, "sessions.jsonl", fmt.Sprintf(`{"id":"sum-1","session_id":"x","topic":"Huge","summary":%q,"decisions":[%s],"todos":[%s],"timestamp":"2026-02-17T11:00:00Z"}`+"\n",
					strings.Repeat("Long text. ", 60), strings.Join(decided, ","), strings.Join(todo, ",")))
				put(t, l.Place.Dir, "daily/2026-02-17.jsonl", fact("f", "W", strings.Repeat("The pump is red ", 40), time.Hour, ""))
				loaded := l.Load()
				got := loaded.Text
				told := strings.Count(got, "Decision ") + strings.Count(got, "Todo ")
				left := room - utf8.RuneCountInString(got)
				if left < 0 || told < 2*n && (left > 120 || !strings.Contains(got, "memory search") || !loaded.Crowded) || 80*n+200 < room && told < 2*n {
					t.Errorf("%v, %d items of each, %d characters, %d left, crowded %v: %d told\n%s", lang, n, room, left, loaded.Crowded, told, got)
				}
			}
		}
	}
}
