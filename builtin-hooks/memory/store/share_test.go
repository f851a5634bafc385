package store

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
)

// What was exported is taken in elsewhere, once, marked with where it is from.
// BM-HND-09.
func TestADocumentHidesNothingNewerAndLosesNoLine(t *testing.T) {
	t.Parallel()
	b := newFolder(t)
	mine := b.save("The fire exit code is on the wall")
	b.write("MEMORY.md", "# Memory\n\n- Never deploy on Fridays.\n")
	doc := `{"schema":1,"exported_at":"2020-11-05T09:00:00Z","core":"# Core memory\n\n- Never deploy on Fridays.\n- Ask Mia before touching the router.\n","facts":[
		{"id":"log-x","type":"W","content":"Lunch is at noon","timestamp":"2020-11-05T09:00:00Z","supersedes":["` + mine.ID + `"]}],"summaries":[]}`
	for _, want := range []Imported{{Added: 2}, {Skipped: 2}} {
		if n, err := b.Import([]byte(doc), Merge, "bob"); err != nil || n != want {
			t.Errorf("%+v %v, want %+v", n, err, want)
		}
	}
	got := b.living()
	for _, want := range []string{"The fire exit code is on the wall", "Ask Mia before touching the router.", "Lunch is at noon"} {
		if !slices.Contains(got, want) {
			t.Errorf("%q is not among %q", want, got)
		}
	}
	if len(got) != 3 {
		t.Errorf("%q", got)
	}
}

func TestExportImport(t *testing.T) {
	t.Parallel()
	a, b := newFolder(t), newFolder(t)
	a.save("zebra stripes", about("zebra"))
	a.save("okapi legs")
	if _, err := a.Summarize(memory.Summary{Topic: "animals", Session: "s1"}, false); err != nil {
		t.Fatal(err)
	}
	doc, err := a.Export()
	if err != nil || len(doc.Facts) != 2 || len(doc.Summaries) != 1 {
		t.Fatal(doc, err)
	}
	data := marshal(t, doc)
	b.save("okapi legs")
	n, err := b.Import(data, Merge, "ana")
	if err != nil || n != (Imported{Added: 2, Skipped: 1}) {
		t.Errorf("%+v %v", n, err)
	}
	if n, err := b.Import(data, Merge, "ana"); err != nil || n.Added+n.Replaced != 0 {
		t.Errorf("again: %+v %v", n, err)
	}
	all, err := b.Facts()
	if err != nil || all[1].Origin != "ana" || all[1].Content != "zebra stripes" {
		t.Errorf("%+v %v", all, err)
	}
	doc.Facts[0].Content, doc.Facts[0].Timestamp = "zebra stripes are unique", "2026-11-22T00:00:00Z"
	if n, err := b.Import(marshal(t, doc), Merge, "ana"); err != nil || n.Replaced != 1 {
		t.Errorf("a newer one: %+v %v", n, err)
	}
	if got := b.living(); slices.Contains(got, "zebra stripes") || !slices.Contains(got, "zebra stripes are unique") {
		t.Errorf("%q", got)
	}
	if n, err := b.Import(data, Replace, "ana"); err != nil || n.Replaced == 0 {
		t.Errorf("replace: %+v %v", n, err)
	}
	for _, bad := range []string{"", "{}", `{"schema": 9}`, "[]"} {
		t.Run(fmt.Sprintf("%q", bad), func(t *testing.T) {
			if _, err := b.Import([]byte(bad), Merge, ""); err == nil {
				t.Errorf("%q was taken", bad)
			}
		})
	}
}

func marshal(t *testing.T, doc Document) []byte {
	t.Helper()
	b, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// When a fact holds goes with it: what ends there ends here, and what begins later takes the
// place of the same fact then.
// BM-HND-09, BM-TRU-08, BM-TRU-09.
func TestWhenAFactHoldsIsExported(t *testing.T) {
	t.Parallel()
	a, b := newFolder(t), newFolder(t)
	a.save("VAT is 19 percent")
	a.save("VAT is 21 percent", func(f *memory.Fact) { f.Since = now.AddDate(0, 1, 0) })
	a.save("The quarry pump is on loan", func(f *memory.Fact) { f.Until = now.AddDate(0, 0, 3) })
	doc, err := a.Export()
	if err != nil {
		t.Fatal(err)
	}
	if n, err := b.Import(marshal(t, doc), Merge, "ana"); err != nil || n.Added != 3 {
		t.Fatalf("%+v, %v", n, err)
	}
	all, err := b.Facts()
	if err != nil {
		t.Fatal(err)
	}
	for days, want := range map[int][]string{0: {"VAT is 19 percent", "VAT is 21 percent", "The quarry pump is on loan"}, 5: {"VAT is 19 percent", "VAT is 21 percent"}, 40: {"VAT is 21 percent"}} {
		var have []string
		for _, e := range Living(all, now.AddDate(0, 0, days)) {
			have = append(have, e.Content)
		}
		if !slices.Equal(have, want) {
			t.Errorf("after %d days: %q", days, have)
		}
	}
	c := newFolder(t)
	c.Now = now.AddDate(0, 0, 5)
	if n, err := c.Import(marshal(t, doc), Merge, "ana"); err != nil || n.Added != 2 || n.Skipped != 1 {
		t.Errorf("what is over was taken in: %+v, %v", n, err)
	}
}
