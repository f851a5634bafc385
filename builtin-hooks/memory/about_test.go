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
