package memory_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/ops"
)

// idOf is the id in the answer to a save.
func (d *trial) idOf(answer string) string {
	d.Helper()
	var saved struct{ ID string }
	if err := json.Unmarshal([]byte(answer), &saved); err != nil || saved.ID == "" {
		d.Fatalf("%s: %v", answer, err)
	}
	return saved.ID
}

// day is a day from now, as an argument has it.
func (d *trial) day(days int) string { return d.world.Now().AddDate(0, 0, days).Format(time.DateOnly) }

// What begins later is found with its day and not as sure, what holds until then is found, and
// the two contradict each other nowhere; from that day on it is the other way round, whether or
// not the index was made anew.
// BM-TRU-08, BM-TRU-09, BM-TRU-28, BM-TRU-29.
func TestWhatBeginsLaterHidesNothingUntilThen(t *testing.T) {
	t.Parallel()
	for name, replaces := range map[string]bool{"by what the text says": false, "by what is told": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newTrial(t)
			now := time.Now()
			d.world.Now = func() time.Time { return now }
			old := d.idOf(d.says("memory_save", `{"content": "VAT is 19 percent"}`))
			args := `{"content": "VAT is 21 percent", "since": "` + d.day(30) + `"`
			if replaces {
				args += `, "replaces": ["` + old + `"]`
			}
			new := d.idOf(d.says("memory_save", args+"}", `"holds":"from `+d.day(30)+`"`, `"supersedes":["`+old+`"]`))
			m := ops.At(d.world, d.call)
			check := func(when string, now, later bool) {
				t.Helper()
				found := d.says("memory_search", `{"query": "VAT percent"}`)
				if got := strings.Contains(found, old); got != now {
					t.Errorf("%s the older one is found: %v", when, got)
				}
				if got := strings.Contains(found, `"holds":"from `); got != later || !strings.Contains(found, new) {
					t.Errorf("%s the newer one is found in %s", when, found)
				}
				if list, _, err := m.Review(90, 20); err != nil || len(list) > 0 {
					t.Errorf("%s a review finds %+v, %v", when, list, err)
				}
				d.says("memory_get", `{"ids": ["`+new+`"]}`, "21 percent")
			}
			check("before", true, true)
			if _, err := m.Rebuild(t.Context()); err != nil {
				t.Fatal(err)
			}
			check("before, with another index,", true, true)
			now = now.AddDate(0, 0, 31)
			m = ops.At(d.world, d.call)
			check("after", false, false)
		})
	}
}

// A replacement for a time gives the place back to what it replaced, in lists and in searches,
// with and without a new index; and so in a chain to what the last one replaced.
// BM-TRU-08, BM-TRU-27, BM-TRU-30.
func TestAfterATemporaryReplacementTheOlderIsFound(t *testing.T) {
	t.Parallel()
	for name, key := range map[string]string{"by what it says": "", "by its topic": `, "topic_key": "build"`} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newTrial(t)
			now := time.Now()
			d.world.Now = func() time.Time { return now }
			save := func(content, more string) string {
				t.Helper()
				return d.idOf(d.says("memory_save", `{"content": "`+content+`"`+key+more+`}`))
			}
			found := func(want ...bool) {
				t.Helper()
				for range 2 {
					for i, server := range []string{"atlas", "borealis", "corvus"} {
						if got := d.finds("build server", server); got != want[i] {
							t.Errorf("%s is found: %v", server, got)
						}
					}
					if _, err := ops.At(d.world, d.call).Rebuild(t.Context()); err != nil {
						t.Fatal(err)
					}
				}
			}
			save("The build server is called atlas", "")
			save("The build server is called borealis", `, "until": "`+d.day(3)+`"`)
			found(false, true, false)
			last := save("The build server is called corvus", `, "until": "`+d.day(9)+`"`)
			found(false, false, true)
			now = now.AddDate(0, 0, 5)
			found(false, false, true) // and not what borealis had replaced
			d.says("memory_forget", `{"ids": ["`+last+`"]}`)
			found(true, false, false)
		})
	}
}

// What a purged fact had replaced does not come back beside what replaced it.
// BM-TRU-27.
func TestWhatIsPurgedFromAChainBringsNothingBack(t *testing.T) {
	t.Parallel()
	d := newTrial(t)
	d.says("memory_save", `{"content": "Gateway timeout is 10 seconds"}`)
	second := d.idOf(d.says("memory_save", `{"content": "Gateway timeout is 20 seconds"}`))
	third := d.idOf(d.says("memory_save", `{"content": "Gateway timeout is 30 seconds"}`))
	m := ops.At(d.world, d.call)
	told := func(want string) {
		t.Helper()
		rows, err := m.Rows(ops.Filter{})
		if err != nil || len(rows) != 1 || !strings.Contains(rows[0].Content, want) || !d.finds("gateway timeout", want) {
			t.Errorf("%+v, %v: want the one with %s", rows, err, want)
		}
	}
	if _, err := m.Purge([]string{second}); err != nil {
		t.Fatal(err)
	}
	told("30")
	if _, err := m.Delete([]string{third}); err != nil {
		t.Fatal(err)
	}
	told("10")
}
