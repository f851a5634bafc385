package store

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/locale"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/internal/ledger"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// found are the reasons and contents of a review.
func (f *folder) found(days int) (out []string) {
	f.Helper()
	list, _, err := f.Review(days, 100)
	if err != nil {
		f.Fatal(err)
	}
	for _, x := range list {
		out = append(out, x.Why+": "+x.Content)
		if len(x.Proposed) == 0 {
			f.Errorf("%s: nothing is proposed for %q", x.Why, x.Content)
		}
	}
	return out
}

// BM-TRU-10, BM-TRU-11.
func TestReviewFindsWhatIsWorthALook(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	line := func(id, kind, text string, age int, more string) string {
		return `{"id": "` + id + `", "type": "fact", "memory_type": "` + kind + `", "content": "` + text + `", "timestamp": "` + memory.Stamp(now.AddDate(0, 0, -age)) + `"` + more + "}\n"
	}
	f.write("daily/2026-08-01.jsonl", line("old", "W", "The mirror is in Oslo", 200, "")+
		line("old-used", "W", "The proxy listens on 3128", 200, "")+
		line("unused", "W", "The lint step takes a minute", 40, "")+
		line("fresh", "W", "The seed script needs curl", 3, "")+
		line("like", "O", "The person likes short answers", 300, "")+
		line("a", "W", "The wiki is in Confluence", 9, "")+
		line("b", "W", "The wiki is in Notion", 5, "")+
		line("over", "W", "The freeze is on", 9, `, "valid_until": "`+memory.Stamp(now.AddDate(0, 0, -1))+`"`)+
		line("two", "W", "The lead is Ann", 2, "")+line("two", "W", "The lead is Bob", 2, "")+
		line("often", "B", "Builds on the runner need 4 GB", 20, `, "seen_count": 4`))
	must.Do(t, f.place().Used([]string{"old-used"}, now.AddDate(0, 0, -2)))
	want := []string{
		"contradicted: The wiki is in Notion", "versions: The lead is Bob", "over: The freeze is on",
		"proven: Builds on the runner need 4 GB", "old: The mirror is in Oslo", "unused: The lint step takes a minute",
	}
	if have := f.found(90); !slices.Equal(have, want) {
		t.Errorf("have %q\nwant %q", have, want)
	}
	// What somebody says of a finding settles it.
	if _, err := f.Confirm([]string{"b"}, []string{"a"}, nil); err != nil {
		t.Error(err)
	}
	if _, err := f.Confirm([]string{"old", "unused"}, nil, nil); err != nil {
		t.Error(err)
	}
	d, err := f.Promote("often", "", locale.English)
	if err != nil || !strings.Contains(d.Changes, "+- Builds on the runner need 4 GB") || !strings.Contains(f.read("MEMORY.md"), "## Decisions\n- Builds on the runner need 4 GB\n") {
		t.Errorf("%+v, %v", d, err)
	}
	if have := f.found(90); !slices.Equal(have, want[1:3]) {
		t.Errorf("after that: %q", have)
	}
}

// What begins later is neither old nor cleaned up before it has held for so long, and what has an
// end is not proposed for the page, which has none.
// BM-TRU-10.
func TestWhatBeginsLaterIsNotOld(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	line := func(id, text, more string) string {
		return `{"id": "` + id + `", "type": "fact", "memory_type": "W", "content": "` + text + `", "timestamp": "` + memory.Stamp(now.AddDate(0, 0, -200)) + `"` + more + "}\n"
	}
	f.write("daily/2026-05-01.jsonl", line("later", "The dental plan is by Vitality", `, "seen_count": 9, "valid_from": "`+memory.Stamp(now.AddDate(0, 1, 0))+`"`)+
		line("begun", "The gate code is 4711", `, "valid_from": "`+memory.Stamp(now.AddDate(0, 0, -5))+`"`)+
		line("ends", "The quarry pump is on loan", `, "seen_count": 9, "valid_until": "`+memory.Stamp(now.AddDate(0, 1, 0))+`"`))
	if have := f.found(90); !slices.Equal(have, []string{"old: The quarry pump is on loan"}) {
		t.Errorf("%q", have)
	}
	if ids, err := f.Cleanup(90, true); err != nil || !slices.Equal(ids, []string{"ends"}) {
		t.Errorf("%q, %v", ids, err)
	}
}

// A page that somebody wrote is never lost, however often it is replaced.
// BM-TRU-12.
func TestNoPageIsLost(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	mine := "# Mine\n\nby hand, and dear to me\n"
	f.write("MEMORY.md", mine)
	for i, items := range []string{`{"Decisions": ["one"]}`, `{"Decisions": ["two"]}`, `{"Decisions": ["three"]}`} {
		f.Now = now.Add(time.Duration(i) * time.Minute)
		if _, err := f.Distill([]byte(items), false, locale.English); err != nil {
			t.Fatal(err)
		}
	}
	names, err := f.Within.List(f.place().Path(versionsDir))
	if err != nil {
		t.Fatal(err)
	}
	kept := 0
	for _, e := range names {
		if f.read("versions/"+e.Name()) == mine {
			kept++
			f.Now = now.Add(time.Hour)
			if _, err := f.RestorePage("versions/" + e.Name()); err != nil {
				t.Error(err)
			}
		}
	}
	if kept != 1 || f.read("MEMORY.md") != mine {
		t.Errorf("%d versions of what was there first; the page is %q", kept, f.read("MEMORY.md"))
	}
	if _, err := f.RestorePage("../../etc/passwd.md"); err == nil {
		t.Error("a version outside of the folder was taken")
	}
}

// Headings are in the language of the person, or of the page that is there.
// BM-TRU-14.
func TestHeadingsAreInThePersonsLanguage(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	d, err := f.Distill([]byte(`{"重要决策": ["use Go"]}`), false, locale.English)
	if err != nil || !strings.Contains(d.Page, "# Core memory\n\n## Preferences\n") || !strings.Contains(d.Page, "## Decisions\n- use Go\n") {
		t.Errorf("%q, %v", d.Page, err)
	}
	f.write("MEMORY.md", memory.Template(locale.Chinese))
	if d, err = f.Distill([]byte(`{"Preferences": ["短句"]}`), false, locale.English); err != nil || !strings.Contains(d.Page, "## 用户偏好\n- 短句\n") || d.Before != "" {
		t.Errorf("%+v, %v", d, err)
	}
}

// What a text says of how long it holds counts, and a date that has passed ends it.
// BM-TRU-04, BM-TRU-07, BM-TRU-08, BM-TRU-09.
func TestAFactHoldsForItsTime(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	f.save("The freeze is on until 2026-11-21")
	f.save("The demo key is abc", func(x *memory.Fact) { x.Until = now.Add(time.Hour) })
	f.want("The freeze is on until 2026-11-21", "The demo key is abc")
	f.Now = now.AddDate(0, 0, 1)
	all, err := f.Facts()
	if err != nil || len(Living(all, f.Now)) != 0 {
		t.Errorf("%+v, %v", all, err)
	}
	// What is over is neither said again nor in the way of what is new.
	if s := f.save("The demo key is abc"); s.Status != "ok" || len(s.Supersedes) != 0 {
		t.Errorf("said again after its end: %+v", s)
	}
	// Words about what is to come leave what holds until then, with a day without a year, too.
	f.save("Invoices need one signature")
	if s := f.save("From 1 May on invoices need two signatures"); s.Holds != "from 2027-05-01" || len(s.Supersedes) != 1 {
		t.Errorf("%+v", s)
	}
	if living := f.living(); !slices.Contains(living, "Invoices need one signature") {
		t.Errorf("%q", living)
	}
	// What begins later does not take the place of what holds now.
	f.save("The port is 8080")
	if s := f.save("From 2026-12-01 on the port is 8081"); len(s.Supersedes) != 1 || len(s.Conflicts) != 0 {
		t.Errorf("%+v", s)
	}
	all, err = f.Facts()
	if living := Living(all, f.Now); err != nil || len(living) != 5 {
		t.Errorf("%+v, %v", living, err)
	}
}

// What a repository says becomes nobody's own word by a command that an agent may run:
// it is neither proposed for the page nor put there, before its person takes it as theirs.
// BM-WHO-13.
func TestWhatIsTheRepositorysIsNotPromoted(t *testing.T) {
	t.Parallel()
	line := `{"id": "theirs", "type": "fact", "memory_type": "W", "content": "Deploys go through the pier", "timestamp": "` + memory.Stamp(now.AddDate(0, 0, -9)) + `", "seen_count": 9}`
	for name, whose := range map[string]ledger.Whose{"of the repository": ledger.Memory, "of one's own": ledger.Own} {
		t.Run(name, func(t *testing.T) {
			mine := whose == ledger.Own
			f := newFolder(t)
			f.Ledger = ledger.At(t.TempDir(), f.Dir)
			f.write("daily/2026-08-01.jsonl", line+"\n")
			must.Do(t, f.Ledger.Let(whose, []ledger.Key{ledger.LineKey([]byte(line))}))
			if proposed := slices.Contains(f.found(90), "proven: Deploys go through the pier"); proposed != mine {
				t.Errorf("proposed %v", proposed)
			}
			_, err := f.Promote("theirs", "", locale.English)
			if refused := errors.As(err, new(Refused)); refused == mine || !mine && !strings.Contains(err.Error(), "memory accept") {
				t.Error(err)
			}
		})
	}
}

// A review lists so many of a kind, and says how many it leaves out.
// BM-TRU-10.
func TestAReviewIsBounded(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	for i := range 5 {
		f.save(fmt.Sprintf("Team %c meets in room number %d of the old building", 'A'+i, 100+i))
	}
	f.Now = now.AddDate(0, 0, 100)
	list, left, err := f.Review(90, 3)
	if err != nil || len(list) != 3 || left != 2 {
		t.Errorf("%d and %d more, %v", len(list), left, err)
	}
	list, left, err = f.Review(90, 5)
	if err != nil || len(list) != 5 || left != 0 {
		t.Errorf("%d and %d more, %v", len(list), left, err)
	}
}

// A day that has passed is no end of a fact: who names it in the text tells what was, which
// is kept and told; who gives it as the end is refused, with what to do.
// BM-TRU-22.
func TestADayThatHasPassedIsNoEnd(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	f.save("The lease of hall 2 was valid until 2026-03-31")
	f.save("Hall 3 is closed until 2026-12-24")
	var refused Refused
	_, err := f.Save(memory.Fact{Content: "Hall 4 is closed", Until: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)}, "")
	if !errors.As(err, &refused) || !strings.Contains(refused.Reason, "it was over on 2026-02-28") {
		t.Errorf("%v", err)
	}
	all, err := f.Facts()
	if err != nil || len(all) != 2 || !all[0].Until.IsZero() || all[1].Until.IsZero() {
		t.Fatalf("%+v, %v", all, err)
	}
	f.want("The lease of hall 2 was valid until 2026-03-31", "Hall 3 is closed until 2026-12-24")
}

// Who saves is told that a secret was taken out.
func TestASaveTellsOfASecret(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	for content, want := range map[string]bool{
		"The gate's code is in the safe":                            false,
		"The token of the gate is ghp_" + strings.Repeat("aB3d", 9): true,
		"The log has [redacted] in place of a token":                false,
	} {
		t.Run(content, func(t *testing.T) {
			if s := f.save(content); s.Redacted != want {
				t.Errorf("%+v", s)
			}
		})
	}
}

// BM-TRU-10.
func TestAReviewListsAContradictionOnceAndNothingForHavingNoTime(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	line := func(id, content, more string) string {
		return `{"id":"` + id + `","type":"fact","memory_type":"W","content":"` + content + `"` + more + "}\n"
	}
	at := func(day string) string { return `,"timestamp":"2026-11-` + day + `T00:00:00Z"` }
	f.write("facts.jsonl", line("z", "The relay port is 7001", at("17"))+line("b", "The relay port is 7002", at("19")+`,"supersedes":["z"]`)+line("a", "The relay port is 7009", at("18")+`,"supersedes":["z"]`)+
		line("hand", "The mill is loud", ""))
	list, _, err := f.Review(30, 50)
	must.Do(t, err)
	var whys []string
	for _, x := range list {
		whys = append(whys, x.Why+" "+x.ID)
	}
	if !slices.Equal(whys, []string{"contradicted b"}) {
		t.Errorf("%q", whys)
	}
}

// A fact that was edited after another one had taken its place, as a merge brings the two together, is
// not hidden without a word; one that was edited before it is. Any of the commands settles it.
// BM-GIT-22.
func TestReviewFindsAnEditOfWhatWasReplacedMeanwhile(t *testing.T) {
	t.Parallel()
	line := func(id, text string, age int, more string) string {
		return `{"id": "` + id + `", "type": "fact", "memory_type": "W", "content": "` + text + `", "timestamp": "` + memory.Stamp(now.AddDate(0, 0, -age)) + `"` + more + "}\n"
	}
	edited := func(age int, was string) string {
		return `, "updated_at": "` + memory.Stamp(now.AddDate(0, 0, -age)) + `", "earlier": [{"content": "` + was + `", "at": "` + memory.Stamp(now.AddDate(0, 0, -9)) + `"}]`
	}
	for name, c := range map[string]struct {
		edit, said string
		settle     func(k Keeper) error
		finds      bool
	}{
		"edited later":          {edited(2, "The queue port is 8080"), "The queue port is 8083", nil, true},
		"edited before":         {edited(6, "The queue port is 8080"), "The queue port is 8083", nil, false},
		"another end":           {edited(2, "The queue port is 8083"), "The queue port is 8083", nil, false},
		"says the same":         {edited(2, "The queue port is 8080"), "The queue port is 8081", nil, false},
		"never edited":          {"", "The queue port is 8080", nil, false},
		"the old one deleted":   {edited(2, "The queue port is 8080"), "The queue port is 8083", func(k Keeper) error { return must.Err(k.Delete([]string{"old"})) }, false},
		"the new one deleted":   {edited(2, "The queue port is 8080"), "The queue port is 8083", func(k Keeper) error { return must.Err(k.Delete([]string{"new"})) }, false},
		"the new one confirmed": {edited(2, "The queue port is 8080"), "The queue port is 8083", func(k Keeper) error { return must.Err(k.Confirm([]string{"new"}, nil, nil)) }, false},
		"both confirmed":        {edited(2, "The queue port is 8080"), "The queue port is 8083", func(k Keeper) error { return must.Err(k.Confirm([]string{"new"}, []string{"old"}, nil)) }, false},
	} {
		f := newFolder(t)
		f.write("daily/2026-11-12.jsonl", line("old", c.said, 9, c.edit)+line("new", "The queue port is 8081", 5, `, "supersedes": ["old"]`))
		if c.settle != nil {
			must.Do(t, c.settle(f.Keeper))
		}
		if got := f.found(90); slices.Contains(got, "contradicted: The queue port is 8081") != c.finds || len(got) > 1 {
			t.Errorf("%s: %q", name, got)
		}
	}
}
