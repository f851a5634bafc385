package memory

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/locale"
)

// A group is a memory of a few hundred facts, with the work at hand.
type group struct {
	branch string
	files  []string
	topic  string
	todos  []string
	about  []string // facts about that, the oldest
	prefer []string // strong preferences, older than most
	filler func(i int) string
}

// Of hundreds of facts of the last days those about the branch, the changed files and the last
// session are told first, then strong preferences: facts that only share a name, or an everyday
// word, with what is to be done come after these.
// BM-LOD-10, BM-LOD-20.
func TestWhatOnlySharesAWordDoesNotCrowdOutPreferences(t *testing.T) {
	t.Parallel()
	for name, g := range groups() {
		t.Run(name, func(t *testing.T) {
			l := project(t, nil)
			l.Lang, l.Branch, l.Files, l.Room = locale.English, g.branch, g.files, 8000
			var day strings.Builder
			age := 300 * time.Minute
			line := func(id, kind, text string) {
				day.WriteString(strings.Replace(fact(id, kind, text, age, ""), `"confidence":0.8`, `"confidence":0.9`, 1))
				age -= time.Minute
			}
			for i, text := range g.about {
				line(fmt.Sprint("about", i), "W", text)
			}
			for i, text := range g.prefer {
				line(fmt.Sprint("prefer", i), "O", text)
			}
			for i := range 280 {
				line(fmt.Sprint("other", i), "W", g.filler(i))
			}
			put(t, l.Place.Dir, "daily/2026-02-17.jsonl", day.String())
			quoted := make([]string, len(g.todos))
			for i, todo := range g.todos {
				quoted[i] = fmt.Sprintf("%q", todo)
			}
			put(t, l.Place.Dir, "sessions.jsonl", fmt.Sprintf(`{"id":"sum-1","session_id":"x","topic":%q,"summary":"S","todos":[%s],"timestamp":"2026-02-17T11:00:00Z"}`+"\n", g.topic, strings.Join(quoted, ",")))
			got := l.Load().Text
			for kind, list := range map[string][]string{"about": g.about, "prefer": g.prefer} {
				for i, text := range list {
					if !strings.Contains(got, fmt.Sprintf(", %s%d)", kind, i)) {
						t.Errorf("not told: %s", text)
					}
				}
			}
		})
	}
}

func groups() map[string]group {
	people := []string{"Bram", "Noor", "Ilse", "Tomasz", "Lieve"}
	of := func(list []string, i int) string { return list[i%len(list)] }
	return map[string]group{
		"a museum": {
			"feature/wallet-certificate", []string{"tessera/src/WalletPass.kt"}, "Renewal of the Wallet certificate", []string{"Ask Bram for the pass type id", "Test on an iPhone with iOS 16"},
			[]string{"Apple Wallet passes are signed with a certificate that Bram renews", "Passes are tested on iOS 16 and 18"},
			[]string{"Bram wants Result types", "Noor wants migrations in a pull request of their own", "Ilse wants plain language", "Tomasz prefers small commits", "Mails never say unfortunately", "The desk keeps its keyboard shortcuts"},
			func(i int) string {
				return of([]string{
					fmt.Sprintf("The alarm for service%d goes to %s after %d minutes", i, of(append(people, "the desk phone"), i/4), i),
					fmt.Sprintf("The %s%d page is owned by %s, who reviews changes of it", word(i), i, of(people, i/4)),
					fmt.Sprintf("Hall %d has the layer zaal-%d, type %d", i, i, i%7),
					fmt.Sprintf("Tests of the %s%d are tagged @%d", word(i+3), i, i),
				}, i)
			},
		},
		"a ferry": {
			"fix/tide-gauge-drift", []string{"gauge/drift.go", "gauge/calibrate.go"}, "The tide gauge drifts by two centimetres a week", []string{"Call Marek about the spare sensor", "Compare with the gauge of the harbour office"},
			[]string{"Drift is corrected with the level at the lock, read each Monday", "The tide gauge reports centimetres above chart datum", "calibrate refuses a change of more than 5 cm"},
			[]string{"Marek wants logs in UTC", "No abbreviations in messages for captains", "Ana prefers table tests", "Errors name the ship"},
			func(i int) string {
				return of([]string{
					fmt.Sprintf("Berth %d is booked through the harbour office, call %d", i, 7000+i),
					fmt.Sprintf("%s%d signs off timetable %d", of([]string{"Marek and Ana ", "Ana ", "Olek "}, i/4), i, i),
					fmt.Sprintf("Ship %s%d has a spare anchor of %d kg", word(i), i, i*10),
					fmt.Sprintf("Sensor %d of the %s%d deck is read each %d minutes", i, word(i+5), i, i),
				}, i)
			},
		},
		"一个仓库": {
			"feature/库存盘点", []string{"stock/count.py"}, "盘点差异的自动对账", []string{"问老周差异阈值", "写文档"},
			[]string{"盘点差异超过百分之二要复核", "自动对账每晚两点运行"},
			[]string{"老周要求报表用中文", "不要缩写", "接口变更提前两周通知"},
			func(i int) string {
				return of([]string{
					fmt.Sprintf("货架%d由老周负责，电话%d", i, 8000+i), fmt.Sprintf("叉车%d每月保养，编号%d", i, i), fmt.Sprintf("供应商%d的账期是%d天", i, i), fmt.Sprintf("%d号门的文档在柜子%d", i, i),
				}, i)
			},
		},
	}
}

// Where there is no index, old facts about the work are found in the files, however many lines have
// one of its more common words: by a rare one, or by several.
// BM-LOD-10, BM-LOD-20.
func TestOldFactsAboutTheWorkAreFoundAmongManyThatShareAWord(t *testing.T) {
	t.Parallel()
	about := map[string]string{
		"rare": "Zeppelin retries are capped at three", "two": "The refund export keeps the column order of finance", "file": "rounding.py rounds as the auditors demanded",
		"open": "Vault tokens of the Zagreb cluster expire after 40 minutes", "escaped": "\\u9000\\u6b3e exports of the depot are checked twice",
	}
	for _, recent := range []int{0, 40} {
		for _, c := range []struct {
			branch, topic string
			todos         string
			files         []string
			want          string
		}{
			{"zeppelin", "T", "", nil, "rare"}, {"feature/zeppelin", "T", "", nil, "rare"}, {"fix/zeppelin-service-crash", "T", "", nil, "rare"}, {"PROJ-42-service-zeppelin", "T", "", nil, "rare"},
			{"feature/refund-export", "Service cutover", "Move the last six services", nil, "two"}, {"refundExport", "T", "", nil, "two"},
			{"feature/service-unit", "T", "", []string{"src/rounding.py"}, "file"}, {"main", "T", "", []string{"src/service.py", "src/unit.py", "lib/rounding.py"}, "file"},
			{"main", "Service cutover", "Renew the Zagreb tokens of each service unit before the team meets", nil, "open"},
			{"feature/退款", "T", "", nil, "escaped"},
		} {
			l := project(t, nil)
			l.Lang, l.Branch, l.Files = locale.English, c.branch, c.files
			l.Find = func(*Summary, *Focus) ([]Fact, bool) { return nil, false }
			text := ""
			for id, said := range about {
				text += strings.ReplaceAll(fact(id, "W", said, 90*day, ""), `\\u`, `\u`)
			}
			put(t, l.Place.Dir, "daily/2025-11-19.jsonl", text)
			text = ""
			for i := range 900 {
				text += fact(fmt.Sprint("old", i), "W", fmt.Sprintf("Service %s%d is owned by the team's unit u%d, see the %s export", word(i), i, i, word(i/2)), 30*day, "")
			}
			put(t, l.Place.Dir, "daily/2026-01-18.jsonl", text)
			text = ""
			for i := range recent {
				text += fact(fmt.Sprint("new", i), "W", fmt.Sprintf("Service %s%d is deployed by unit u%d", word(i), i, i), time.Duration(i)*time.Minute, "")
			}
			put(t, l.Place.Dir, "daily/2026-02-17.jsonl", text)
			put(t, l.Place.Dir, "sessions.jsonl", fmt.Sprintf(`{"id":"sum-1","session_id":"x","topic":%q,"summary":"S","todos":[%q],"timestamp":"2026-02-17T11:00:00Z"}`+"\n", c.topic, c.todos))
			got := l.Load().Text
			if !strings.Contains(got, ", "+c.want+")") {
				t.Errorf("%d recent facts, branch %q, files %q: %q is not told:\n%s", recent, c.branch, c.files, about[c.want], got)
			}
			if n := strings.Count(got, ", old"); n > 0 {
				t.Errorf("%d recent facts, branch %q, files %q: %d that only share a common word are told", recent, c.branch, c.files, n)
			}
		}
	}
}
