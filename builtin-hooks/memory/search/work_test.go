package search

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/locale"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/setting"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// The index finds what shares a rare word with the work, or several, whatever else its branch and
// files are called; not what was replaced, and not what is newer than asked for.
// BM-LOD-10, BM-LOD-20, BM-LOD-14.
func TestTheIndexFindsWhatSharesARareWordWithTheWork(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	l := memory.Loader{Place: memory.Place{Dir: filepath.Join(dir, "m")}, Settings: setting.Resolve(memory.Settings(), setting.Sources{}), Lang: locale.English, Now: day, Room: 8000}
	folders := []Folder{{Scope: "project", Dir: l.Place.Dir, Cache: filepath.Join(dir, "cache")}}
	old, at := day.AddDate(0, 0, -40), 0
	keep := func(id, content string, age time.Duration, replaces ...string) {
		at++
		must.Do(t, l.Place.KeepFact(memory.Fact{ID: id, Kind: "W", Content: content, Confidence: 0.8, Time: old.Add(-age + time.Duration(at)*time.Second), Supersedes: replaces}, ""))
	}
	keep("zeppelin", "Zeppelin retries are capped at three", 0)
	keep("was", "The Zeppelin has one mast", 0)
	keep("is", "It has two of them now", 0, "was")
	keep("calibration", "Calibration of the gauge refuses more than 5 cm", 0)
	keep("cache", "Caches are emptied at noon", 0)
	keep("export", "The refund export keeps the column order", 0)
	keep("stock", "盘点差异超过百分之二要复核", 0)
	keep("young", "A Zeppelin lands tomorrow", -35*24*time.Hour)
	for i := range 60 {
		keep(fmt.Sprint("room", i), fmt.Sprintf("Room %d of the depot has a refund desk, export gate %d", i, i*31), 0)
	}
	for _, c := range []struct {
		branch, want string
		files        []string
	}{
		{"zeppelin", "zeppelin", nil}, {"feature/zeppelin", "zeppelin", nil}, {"PROJ-42-zeppelin", "zeppelin", nil}, {"ann/room-of-zeppelins", "zeppelin", nil},
		{"feature/room-depot-gate", "", nil}, {"main", "", nil},
		{"fix/crash", "calibration", []string{"src/calibrate_all.go"}}, {"fix/cache", "cache", nil}, {"feature/盘点对账", "stock", nil},
		{"chore/tidy", "zeppelin", []string{"src/room.py", "src/desk.py", "zeppelin/init.py"}},
	} {
		l.Branch, l.Files = c.branch, c.files
		var got []string
		l.Find = func(_ *memory.Summary, about *memory.Focus) ([]memory.Fact, bool) {
			found, ok, err := About(folders, about, day.AddDate(0, 0, -7), day, 6)
			if !ok && err == nil {
				_, kept := folders[0].Keep(day, 0)
				must.Do(t, kept)
				found, ok, err = About(folders, about, day.AddDate(0, 0, -7), day, 6)
			}
			if !ok || err != nil {
				t.Error(ok, err)
			}
			for _, h := range found {
				got = append(got, h.ID)
			}
			return nil, true
		}
		l.Load()
		slices.Sort(got)
		if strings.Join(got, " ") != c.want {
			t.Errorf("branch %q, files %q: %q, want %q", c.branch, c.files, got, c.want)
		}
	}
}
