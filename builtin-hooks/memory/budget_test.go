package memory

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/locale"
	"github.com/agents-hooks/agents-hooks/internal/ledger"
)

// Over the budget each part is told by value: the last session always, pages by
// their sections, facts one by one; one line says what is not there.
// BM-LOD-05, BM-LOD-08.
func TestBudgetIsFilledByValue(t *testing.T) {
	t.Parallel()
	l := project(t, nil)
	l.Lang, l.Search = locale.English, "agents-hooks memory search WORDS"
	put(t, l.Place.Dir, "MEMORY.md", strings.Repeat("- core 记忆\n", 30))
	put(t, l.Place.Dir, "daily/2026-02-16.jsonl", fact("f", "W", "fact "+strings.Repeat("x", 300), day, ""))
	put(t, l.Place.Dir, "sessions.jsonl", `{"id":"sum-2","topic":"last one","summary":"`+strings.Repeat("y", 100)+`","timestamp":"2026-02-17T11:00:00Z"}`+"\n")
	for _, c := range []struct {
		name                   string
		room                   int
		core, last, fact, left bool
	}{
		{"all of it", 8000, true, true, true, false},
		{"the fact is left out", 800, true, true, false, true},
		{"so it is in less", 500, true, true, false, true},
		{"nothing fits", 20, false, false, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			l.Room = c.room
			got := l.Load().Text
			if n := utf8.RuneCountInString(got); n > c.room {
				t.Errorf("%d characters in %d", n, c.room)
			}
			if strings.Contains(got, "core 记忆") != c.core || strings.Contains(got, "last one") != c.last || strings.Contains(got, "fact x") != c.fact {
				t.Errorf("room %d:\n%s", c.room, got)
			}
			if left := strings.Contains(got, "Not shown: ") && strings.Contains(got, "memory search WORDS"); left != c.left || left && !strings.HasSuffix(got, "</project-memory>") {
				t.Errorf("room %d: left out %v:\n%s", c.room, left, got)
			}
		})
	}
}

// Nothing is all or nothing: 15 long facts, a page of 6.7 kB beside them, a page of
// 18 kB, one long paragraph; the last session stands beside each.
// BM-LOD-05, BM-LOD-06, BM-LOD-07.
func TestBudgetOfLongMemories(t *testing.T) {
	t.Parallel()
	facts := ""
	for i := range 15 {
		facts += fact(fmt.Sprint("long-", i), "W", fmt.Sprintf("%s %s %d %s", word(i*3), word(i*3+1), i, strings.Repeat(word(i*3+2)+" ", 540/(len(word(i*3+2))+1))), time.Duration(i)*time.Hour, "")
	}
	page := func(sections, size int) (text string) {
		for i := range sections {
			text += fmt.Sprintf("## Part %d\n\n", i)
			for range size / 50 {
				text += "- " + strings.Repeat(word(i), 47/len(word(i))) + "\n"
			}
		}
		return text
	}
	for _, c := range []struct {
		name, page string
		facts      int // at least
		parts      int
	}{
		{"15 facts of 550", "", 12, 0},
		{"and a page of 6.7 kB", page(10, 670), 4, 8},
		{"and a page of 18 kB", page(30, 600), 4, 6},
		{"and one paragraph of 18 kB", "## Part 0\n\n" + strings.Repeat("long story ", 1700), 4, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := project(t, nil)
			l.Lang, l.Search = locale.English, "agents-hooks memory search WORDS"
			put(t, l.Place.Dir, "MEMORY.md", c.page)
			put(t, l.Place.Dir, "daily/2026-02-17.jsonl", facts)
			put(t, l.Place.Dir, "sessions.jsonl", `{"id":"sum-2","topic":"the last topic","summary":"`+strings.Repeat("long ", 500)+`","decisions":["chose UTC"],"todos":["write the docs"],"timestamp":"2026-02-17T11:00:00Z"}`+"\n")
			got := l.Load().Text
			if n := utf8.RuneCountInString(got); n > 8000 || n < 7000 {
				t.Errorf("%s: %d characters of 8000", c.name, n)
			}
			if n := strings.Count(got, "- [W]"); n < c.facts {
				t.Errorf("%s: %d facts", c.name, n)
			}
			if n := strings.Count(got, "## Part "); n < c.parts {
				t.Errorf("%s: %d sections", c.name, n)
			}
			for _, want := range []string{"the last topic", "decided: chose UTC", "to do: write the docs", "Not shown: ", "memory search WORDS"} {
				if !strings.Contains(got, want) {
					t.Errorf("%s: %q is missing in\n%s", c.name, want, got)
				}
			}
		})
	}
}

// word is one of many words.
func word(i int) string {
	return strings.Fields("amber birch cedar delta ember fjord grove haven ivory jolly knoll lemon mango nylon ocean pearl quartz river sable tulip umber velvet willow xenon yeast zebra basil cocoa daisy eagle flint gecko hazel igloo jumbo karma lilac maple nexus onion piano quail raven salsa topaz")[i%45]
}

// What is told first: what is about the present work, however old; strong
// preferences, however old; the newest.
// BM-LOD-10, BM-LOD-11.
func TestBudgetPrefersWhatCounts(t *testing.T) {
	t.Parallel()
	l := project(t, nil)
	l.Lang, l.Room = locale.English, 1900
	l.Branch, l.Files = "feature/invoice-export", []string{"billing/vat_rates.go"}
	text := ""
	for i := range 14 {
		text += fact(fmt.Sprint("n", i), "W", fmt.Sprintf("%s %s %s and nothing else of note, which goes on for a while to take room", word(i*3), word(i*3+1), word(i*3+2)), time.Duration(i)*time.Hour, "")
	}
	put(t, l.Place.Dir, "daily/2026-02-17.jsonl", text)
	put(t, l.Place.Dir, "daily/2026-02-12.jsonl", fact("vat", "W", "VAT of an invoice is rounded per line", 5*day, ""))
	put(t, l.Place.Dir, "daily/2025-12-02.jsonl", strings.Replace(fact("pref", "O", "answers in short sentences", 77*day, ""), `"confidence":0.8`, `"confidence":0.95`, 1)+fact("weak", "O", "liked that once", 77*day, "")+fact("oldw", "W", "an old fact", 77*day, ""))
	l.Related = []Fact{{ID: "rel", Kind: "W", Content: "exports are written in windows of a month", Confidence: 0.9, Time: noon.Add(-60 * day), Whose: ledger.Own}}
	got := l.Load()
	for id, want := range map[string]bool{"vat": true, "pref": true, "rel": true, "n0": true, "n13": false, "weak": false, "oldw": false} {
		t.Run(id, func(t *testing.T) {
			if strings.Contains(got.Text, ", "+id+")") != want {
				t.Errorf("told %v in\n%s", !want, got.Text)
			}
		})
	}
	if !strings.Contains(got.Text, "Not shown: ") {
		t.Errorf("%s", got.Text)
	}
}

// A fact that was put on a page is told there, and not once more; where the page's part
// with it is cut, by itself. Either way it was told, and is not recalled to a prompt.
// BM-LOD-15.
func TestAPageSaysAFactOnce(t *testing.T) {
	t.Parallel()
	l := project(t, nil)
	l.Lang = locale.English
	put(t, l.Place.Dir, "daily/2026-02-17.jsonl", fact("crane", "W", "The crane is inspected in May.", time.Hour, "")+fact("other", "W", "The gate is red", time.Hour, ""))
	page := "# Core memory\n\n## Background\n%s- the crane is inspected in May\n"
	for _, c := range []struct {
		name, filler string
		byItself     bool
	}{
		{"the page tells it", "", false},
		{"the page is cut before it", strings.Repeat("- the harbour has berths and moorings for many boats of all kinds\n", 60), true},
	} {
		t.Run(c.name, func(t *testing.T) {
			l.Room = 1500
			put(t, l.Place.Dir, "MEMORY.md", fmt.Sprintf(page, c.filler))
			got := l.Load()
			if strings.Contains(got.Text, ", crane)") != c.byItself || strings.Count(strings.ToLower(got.Text), "crane is inspected") != 1 || strings.Contains(got.Text, "more fact") || !slices.Contains(got.Told, "crane") {
				t.Errorf("%v\n%s", got.Told, got.Text)
			}
		})
	}
}

// What nobody wrote takes the place of nothing that the agent wrote.
// BM-LOD-06, BM-LOD-16.
func TestBudgetOwnSummaryStays(t *testing.T) {
	t.Parallel()
	l := project(t, nil)
	l.Lang = locale.English
	own := `{"id":"sum-1","session_id":"a","topic":"moved to JWT","summary":"all routes","decisions":["JWT lives 24 hours"],"todos":["rotate the keys"],"timestamp":"2026-02-15T12:00:00Z"}` + "\n"
	auto := func(id, session, at string) string {
		return `{"id":"` + id + `","session_id":"` + session + `","topic":"x","summary":"changed ` + id + `.go","auto_generated":true,"timestamp":"` + at + `"}` + "\n"
	}
	put(t, l.Place.Dir, "sessions.jsonl", own+auto("same", "a", "2026-02-15T13:00:00Z")+auto("later", "b", "2026-02-17T11:00:00Z"))
	got := l.Load().Text
	for _, want := range []string{"topic: moved to JWT", "decided: JWT lives 24 hours", "to do: rotate the keys", "then, noted automatically: changed later.go"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
	if strings.Contains(got, "same.go") {
		t.Errorf("%s", got)
	}
	put(t, l.Place.Dir, "sessions.jsonl", auto("alone", "b", "2026-02-17T11:00:00Z"))
	if got := l.Load().Text; !strings.Contains(got, "\n- noted automatically: changed alone.go") || strings.Contains(got, "topic: ") {
		t.Errorf("%s", got)
	}
}

// How many facts are not shown is said as it is, where all files were read: without what was
// deleted, replaced or said twice. Where files were left unread, there are at least so many.
// BM-LOD-08, BM-LOD-09.
func TestWhatIsNotShownIsCounted(t *testing.T) {
	t.Parallel()
	long := func(i int) string {
		return fmt.Sprintf("%s %s %d %s", word(i*3), word(i*3+1), i, strings.Repeat(word(i*3+2)+" ", 60))
	}
	recent := ""
	for i := range 6 {
		recent += fact(fmt.Sprint("new-", i), "W", long(i), time.Duration(i)*time.Hour, "")
	}
	old := ""
	for i := range 4 {
		old += fact(fmt.Sprint("old-", i), "W", fmt.Sprint("an old fact ", i), 77*day, "")
	}
	var many strings.Builder
	for i := range 9_000 {
		many.WriteString(fact(fmt.Sprint("m-", i), "W", long(i), 90*day, ""))
	}
	deleted := strings.Replace(fact("old-x", "W", "an old fact that is hidden", 77*day, ""), `"type"`, `"deleted_at":"2026-01-01T00:00:00Z","type"`, 1)
	replaces := strings.Replace(fact("new-r", "W", long(40), time.Hour, ""), `"type"`, `"supersedes":["old-1"],"type"`, 1)
	for _, c := range []struct {
		name, recent, old, older, want string
	}{
		{"what there is no room for", recent, "", "", "Not shown: 4 more facts"},
		{"and older ones", recent, old, "", "Not shown: 8 more facts"},
		{"and a deleted one", recent, old + deleted, "", "Not shown: 8 more facts"},
		{"one may be replaced in a file whose lines were only counted", recent + replaces, old, "", "Not shown: at least 8 more facts"},
		{"and files that nobody read", recent, old, many.String(), "Not shown: at least 8 more facts"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := project(t, nil)
			l.Lang, l.Search, l.Room = locale.English, "agents-hooks memory search WORDS", 1400
			put(t, l.Place.Dir, "daily/2026-02-17.jsonl", c.recent)
			put(t, l.Place.Dir, "daily/2025-12-02.jsonl", c.old)
			for i, part := range []string{c.older, c.older} {
				put(t, l.Place.Dir, fmt.Sprintf("daily/2025-11-%02d.jsonl", 19-i), part)
			}
			got := l.Load().Text
			if _, line, _ := strings.Cut(got, "Not shown"); !strings.HasPrefix("Not shown"+line, c.want) && !(c.older != "" && strings.HasPrefix(line, ": at least ")) {
				t.Errorf("want %q in\n%s", c.want, got)
			}
		})
	}
}

// A last session that does not fit is told in fewer words, with how many items are missing, and
// never left out: however small the budget is, and however much an agent wrote. With room for
// all of it all of it is told.
// BM-LOD-05, BM-LOD-06.
func TestTheLastSessionIsShortenedAndNotLeftOut(t *testing.T) {
	t.Parallel()
	items := func(n int, what string) (list []string) {
		for i := range n {
			list = append(list, fmt.Sprintf("%q", fmt.Sprintf("%s %d of the region with all its attachments and notes", what, i)))
		}
		return list
	}
	for _, lang := range []locale.Language{locale.English, locale.Chinese} {
		for _, c := range []struct{ decisions, todos int }{{0, 1}, {1, 1}, {4, 8}, {4, 12}, {30, 30}} {
			for _, room := range []int{350, 400, 500, 700, 1050, 1600, 4000, 8000} {
				t.Run(fmt.Sprint(lang, c, room), func(t *testing.T) {
					l := project(t, nil)
					l.Lang, l.Room, l.Search = lang, room, "/usr/local/bin/agents-hooks memory search -- WORDS"
					put(t, l.Place.Dir, "daily/2026-02-17.jsonl", fact("f", "W", "The pump is red", time.Hour, ""))
					put(t, l.Place.Dir, "sessions.jsonl", fmt.Sprintf(`{"id":"sum-20260217110000000-abcdef","session_id":"x","topic":"Move the invoices to the new ledger","summary":"The invoices are in the new ledger except those of 2019.","decisions":[%s],"todos":[%s],"timestamp":"2026-02-17T11:00:00Z"}`+"\n",
						strings.Join(items(c.decisions, "decision"), ","), strings.Join(items(c.todos, "todo"), ",")))
					got := l.Load().Text
					if n := utf8.RuneCountInString(got); n > room || !strings.Contains(got, "Move the invoices to the new ledger") {
						t.Fatalf("%d characters:\n%s", n, got)
					}
					for _, list := range []struct {
						name string
						n    int
					}{{"decision", c.decisions}, {"todo", c.todos}} {
						told := strings.Count(got, list.name+" ")
						if room == 8000 && told < list.n {
							t.Errorf("%d of %d %ss in %d characters of 8000", told, list.n, list.name, utf8.RuneCountInString(got))
						}
						if more := l.more(list.n - told); told < list.n && !strings.Contains(got, more) {
							t.Errorf("%d of %d, and nothing says %q:\n%s", told, list.n, more, got)
						}
					}
				})
			}
		}
	}
}

// What nobody wrote gets the room that is left: never that of a fact, or of a page. If there is
// none, it is counted. BM-LOD-08, BM-LOD-16.
func TestNothingNotedAutomaticallyDisplacesWhatSomebodyWrote(t *testing.T) {
	t.Parallel()
	facts, rules := "", "## Rules\n\n"
	for i := range 15 {
		facts += fact(fmt.Sprint("turbine-", i), "W", fmt.Sprintf("Turbine %d of hall %d was serviced by crew %d and must be oiled weekly", i, i*3, i+40), time.Duration(i)*time.Minute, "")
	}
	for i := range 40 {
		rules += fmt.Sprintf("- rule %d: crew %d checks valve %d before each flight\n", i, i*3, i*7)
	}
	own := `{"id":"sum-1","session_id":"a","topic":"T","summary":"S","todos":["D"],"timestamp":"2026-02-17T10:00:00Z"}` + "\n"
	auto := func(i int) string {
		return fmt.Sprintf(`{"id":"auto-%d","session_id":"u%d","topic":"x","summary":"Please refactor module number %d so that the widget loader is lazy and cached","auto_generated":true,"timestamp":"2026-02-17T11:0%d:00Z"}`+"\n", i, i, i, i)
	}
	for _, c := range []struct{ name, facts, page, own string }{
		{"facts", facts, "", own}, {"a page", "", rules, own}, {"facts, and no summary", facts, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			hidden := false
			for room := 450; room <= 3200; room += 50 {
				with, without := project(t, nil), project(t, nil)
				for _, l := range []*Loader{&with, &without} {
					l.Lang, l.Room, l.Search = locale.English, room, "memory search WORDS"
					put(t, l.Place.Dir, "daily/2026-02-17.jsonl", c.facts)
					put(t, l.Place.Dir, "MEMORY.md", c.page)
					put(t, l.Place.Dir, "sessions.jsonl", c.own)
				}
				put(t, with.Place.Dir, "local/sessions.jsonl", auto(1)+auto(2))
				got, alone := with.Load().Text, without.Load().Text
				lines := func(text string) int { return strings.Count(text, "- [W]") + strings.Count(text, "- rule ") }
				if lines(got) < lines(alone) {
					t.Errorf("%d: %d lines, and %d without what was noted:\n%s", room, lines(got), lines(alone), got)
				}
				if !strings.Contains(got, "noted automatically: ") {
					hidden = hidden || strings.Contains(got, "noted automatically")
				}
			}
			if !hidden {
				t.Error("nothing says that a session is not shown")
			}
		})
	}
}
