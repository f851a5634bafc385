package memory_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
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
				if at := strings.Index(found, old); now && at > strings.Index(found, new) {
					t.Errorf("%s what holds comes after what does not yet: %s", when, found)
				}
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

// Days are those where the person is: the last day of a fact is over when theirs is, in the
// evening of which it is another day in UTC; by an argument and by the text.
// BM-TRU-32.
func TestADayIsOverWhereThePersonIs(t *testing.T) {
	t.Parallel()
	for name, hours := range map[string]int{"west": -8, "east": 9} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			there := time.FixedZone(name, hours*3600)
			today := time.Now().In(there)
			evening := time.Date(today.Year(), today.Month(), today.Day(), 23, 30, 0, 0, there)
			morning := evening.Add(-23 * time.Hour)
			for _, now := range []time.Time{evening, morning} {
				d := newTrial(t)
				d.world.Now = func() time.Time { return now }
				last := `"valid_until":"` + memory.Stamp(evening.Add(30*time.Minute)) + `"`
				holds := `"holds":"until ` + today.Format(time.DateOnly) + `"`
				d.says("memory_save", `{"content": "The quarry pump is on loan", "until": "`+today.Format(time.DateOnly)+`"}`, last, holds)
				d.says("memory_save", `{"content": "The crane is rented until `+today.Format(time.DateOnly)+`"}`, last, holds)
				now = evening.Add(29 * time.Minute)
				if !d.finds("quarry pump", "on loan") || !d.finds("crane", "rented") {
					t.Error("it is not found on its last day")
				}
				now = evening.Add(30 * time.Minute)
				if d.finds("quarry pump", "on loan") || d.finds("crane", "rented") {
					t.Error("it is found after its last day")
				}
			}
		})
	}
}

// A bound of which no day is understood is said, with how to give it; what is done then gives it.
// BM-TRU-33, BM-TRU-34.
func TestASaveSaysThatItUnderstandsNoDay(t *testing.T) {
	t.Parallel()
	d := newTrial(t)
	answer := d.says("memory_save", `{"content": "Until Easter the door code is 4711"}`, `"unclear":"Until Easter`, "with the same content and until: YYYY-MM-DD")
	id := d.idOf(answer)
	again := d.says("memory_save", `{"content": "Until Easter the door code is 4711", "until": "`+d.day(9)+`"}`, `"status":"duplicate"`, `"holds":"until `+d.day(9)+`"`)
	if d.idOf(again) != id || strings.Contains(again, "unclear") {
		t.Errorf("%s", again)
	}
	d.says("memory_search", `{"query": "door code"}`, `"holds":"until `+d.day(9)+`"`)
	if plain := d.says("memory_save", `{"content": "Until now nobody complained about the gate"}`); strings.Contains(plain, "unclear") || strings.Contains(plain, "valid_") {
		t.Errorf("%s", plain)
	}
}

// A bound that is over can be given another day, and what is said to stand beside a fact is one.
// BM-TRU-10, BM-TRU-21.
func TestWhatIsOverCanGetAnotherEnd(t *testing.T) {
	t.Parallel()
	d := newTrial(t)
	now := time.Now()
	d.world.Now = func() time.Time { return now }
	id := d.idOf(d.says("memory_save", `{"content": "The quarry pump is on loan", "until": "`+d.day(2)+`"}`))
	now = now.AddDate(0, 0, 5)
	d.says("memory_review", `{}`, "memory edit "+id+" --until DATE", "memory edit "+id+" --until always", "memory delete "+id)
	for name, args := range map[string]string{"memory_save": `{"content": "The gate is red", "beside": ["nope"]}`, "memory_confirm": `{"ids": ["` + id + `"], "beside": ["nope"]}`} {
		if _, err := d.do(name, args); err == nil || !strings.Contains(err.Error(), "nope") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if d.finds("gate red", "The gate is red") {
		t.Error("it was saved")
	}
}

// The words for when a fact holds count for nothing in whether it takes the place of another: one for a
// time does so as one for always does, and is replaced as easily. What differs in these words alone is no
// repeat.
// BM-TRU-02, BM-TRU-37, BM-TRU-42.
func TestTheWordsForWhenDoNotCountAgainstLikeness(t *testing.T) {
	t.Parallel()
	for name, texts := range map[string][3]string{
		"english":       {"The lock master is Abel", "The lock master is Bram until ", "The lock master is Cor now"},
		"at its start":  {"The lock master is Abel", "Until %s, the lock master is Bram", "The lock master is Cor now"},
		"chinese":       {"锁管员是阿伯", "锁管员是布朗，直到 ", "锁管员是科尔"},
		"with a number": {"The gate code is 4411", "The gate code is 5522 until ", "The gate code is 6633 now"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newTrial(t)
			until := texts[1] + d.day(60)
			if before, after, ok := strings.Cut(texts[1], "%s"); ok {
				until = before + d.day(60) + after
			}
			first := d.idOf(d.says("memory_save", `{"content": "`+texts[0]+`"}`))
			second := d.idOf(d.says("memory_save", `{"content": "`+until+`"}`, `"supersedes":["`+first+`"]`, `"holds":"until `+d.day(60)+`"`))
			d.says("memory_save", `{"content": "`+texts[2]+`"}`, `"supersedes":["`+second+`"]`)
			if list, _, err := ops.At(d.world, d.call).Review(90, 20); err != nil || len(list) > 0 {
				t.Errorf("a review finds %+v, %v", list, err)
			}
		})
	}
	d := newTrial(t)
	always := d.idOf(d.says("memory_save", `{"content": "The lock master is Abel"}`))
	d.says("memory_save", `{"content": "The lock master is Abel until `+d.day(60)+`"}`, `"status":"ok"`, `"supersedes":["`+always+`"]`)
}

// What a fact that begins later takes the place of holds until then, and the answer says until which day.
// BM-TRU-40.
func TestASaveSaysUntilWhenWhatItReplacesHolds(t *testing.T) {
	t.Parallel()
	d := newTrial(t)
	d.says("memory_save", `{"content": "Parking costs 4 EUR"}`)
	d.says("memory_save", `{"content": "From `+d.day(30)+` parking costs 5 EUR"}`, `"holds":"from `+d.day(30)+`"`, `If what is in before, which holds until `+d.day(29)+`, holds after that, too, call memory_save`)
	d.says("memory_save", `{"content": "From `+d.day(30)+` parking costs 6 EUR"}`, `"supersedes":["`, "If what is in before still holds, call memory_save") // that had not begun
	d.says("memory_save", `{"content": "The port of the gateway is 8080"}`)
	d.says("memory_save", `{"content": "The port of the gateway is 9090"}`, "If what is in before still holds, call memory_save")
}

// A tool that is given an unknown id beside a known one does nothing, and names the unknown one alone; what is
// said to be the answer to a save's question settles it.
// BM-HND-32, BM-TRU-43.
func TestAToolDoesNothingForAnUnknownID(t *testing.T) {
	t.Parallel()
	d := newTrial(t)
	id := d.idOf(d.says("memory_save", `{"content": "The quarry pump is on loan"}`))
	for name, args := range map[string]string{
		"memory_forget":  `{"ids": ["` + id + `", "nope"]}`,
		"memory_confirm": `{"ids": ["nope", "` + id + `"]}`,
	} {
		if _, err := d.do(name, args); err == nil || !strings.Contains(err.Error(), "no such entry: nope") || strings.Contains(err.Error(), id) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := d.do("memory_forget", `{"ids": ["`+id+`", "nope"], "purge": true, "confirm": true}`); err == nil || !strings.Contains(err.Error(), "no such entry: nope") {
		t.Error(err)
	}
	if !d.finds("quarry pump", "The quarry pump is on loan") {
		t.Error("it is gone")
	}
	d.says("memory_save", `{"content": "unlock works offline"}`)
	asked := d.says("memory_save", `{"content": "unlock needs a network connection"}`, `"near"`, "Otherwise call memory_save again with the same content and beside: [log-")
	d.says("memory_review", `{}`, `"undecided"`, " --beside ")
	_, beside, _ := strings.Cut(asked, "beside: [")
	beside, _, _ = strings.Cut(beside, "]")
	d.says("memory_save", `{"content": "unlock needs a network connection", "beside": ["`+beside+`"]}`)
	if again := d.says("memory_review", `{}`); strings.Contains(again, "undecided") {
		t.Errorf("it is asked again: %s", again)
	}
}
