package store

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// Delete hides, restore brings back, purge removes; lines and members of others stay
// byte for byte.
// BM-STO-10, BM-HND-05, BM-HND-06, BM-FND-08.
func TestDeleteRestorePurge(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	theirs := `{"id":"log-1","type":"fact","memory_type":"W","content":"zebra stripes","entities":[],"confidence":0.90,"timestamp":"2026-11-20T00:00:00Z","x":{"y":1.50}}` + "\n" +
		"not json at all\n" + `{"id":"log-2","type":"session_start","workspace":"/w"}` + "\n"
	f.write("daily/2026-11-20.jsonl", theirs)
	x := f.index()
	if got := f.find(x, "zebra"); !slices.Equal(got, []string{"log-1"}) {
		t.Fatalf("found %v", got)
	}
	if n, err := f.Delete([]string{"log-1"}); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	f.want()
	if got := f.find(x, "zebra"); len(got) > 0 {
		t.Errorf("deleted, and found: %v", got)
	}
	if now := f.read("daily/2026-11-20.jsonl"); !strings.Contains(now, "not json at all\n") || !strings.Contains(now, `"x": {"y":1.50}`) && !strings.Contains(now, `"x": {"y": 1.50}`) {
		t.Errorf("others' lines and members: %s", now)
	}
	if _, err := f.Restore([]string{"log-1"}); err != nil {
		t.Fatal(err)
	}
	f.want("zebra stripes")
	if got := f.find(x, "zebra"); !slices.Equal(got, []string{"log-1"}) {
		t.Errorf("restored, and found: %v", got)
	}
	for _, id := range []string{"nope", "log-2", ""} {
		if _, err := f.Delete([]string{id}); !errors.Is(err, ErrNoEntry) {
			t.Errorf("delete %q: %v", id, err)
		}
	}
	if _, err := f.Purge([]string{"log-1"}); err != nil {
		t.Fatal(err)
	}
	if text := f.read("daily/2026-11-20.jsonl"); strings.Contains(text, "zebra") || !strings.Contains(text, "log-2") {
		t.Errorf("purged: %s", text)
	}
	if got := f.find(x, "zebra"); len(got) > 0 {
		t.Errorf("purged, and found: %v", got)
	}
}

// BM-HND-07.
func TestEdit(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	id := f.save("zebra stripes", about("a")).ID
	text, kind, sure := "okapi stripes <private>x</private>", "O", 0.4
	must.Do(t, f.Edit(id, Edit{Content: &text, Type: &kind, Confidence: &sure, Entities: []string{"b"}}))
	all, err := f.Facts()
	if err != nil || len(all) != 1 || all[0].ID != id || all[0].Kind != "O" || all[0].Confidence != 0.4 || !strings.HasPrefix(all[0].Content, "okapi") || strings.Contains(all[0].Content, "x<") || all[0].Entities[0] != "b" {
		t.Errorf("%+v %v", all, err)
	}
	x := f.index()
	if got := f.find(x, "okapi"); !slices.Equal(got, []string{id}) || len(f.find(x, "zebra")) > 0 {
		t.Errorf("after the edit: %v, %v", got, f.find(x, "zebra"))
	}
	empty := " "
	if err := f.Edit(id, Edit{Content: &empty}); err == nil {
		t.Error("an empty content was taken")
	}
	if err := f.Edit("nope", Edit{Content: &text}); !errors.Is(err, ErrNoEntry) {
		t.Error(err)
	}
}

// BM-HND-08, BM-HND-11.
func TestCleanup(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	f.Now = now.AddDate(0, 0, -100)
	f.save("an old fact about ports")
	f.save("an old preference for tea", func(x *memory.Fact) { x.Kind = "O" })
	f.Now = now
	f.save("a new fact about trains")
	if ids, err := f.Cleanup(90, true); len(ids) != 1 || err != nil || len(f.living()) != 3 {
		t.Errorf("dry: %v %v", ids, err)
	}
	if ids, err := f.Cleanup(90, false); len(ids) != 1 || err != nil {
		t.Errorf("%v %v", ids, err)
	}
	f.want("an old preference for tea", "a new fact about trains")
	if copies, _ := filepath.Glob(f.place().Path("backups/*/daily/*.jsonl")); len(copies) == 0 {
		t.Error("no copy was kept")
	}
	f.Now = now.AddDate(0, 0, 31)
	must.Do(t, f.Backup())
	if copies, _ := filepath.Glob(f.place().Path("backups/*")); len(copies) != 1 {
		t.Errorf("old copies stay: %v", copies)
	}
}

// A line by hand without an id, or without a type, is a fact like others: found, and changed by the
// id that is shown of it, which it keeps then.
// BM-HND-25.
func TestALineByHandNeedsNeitherIDNorType(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	f.write("daily/2026-11-20.jsonl", `{"content": "The harbour closes at six"}`+"\n"+`{"type": "fact", "memory_type": "O", "content": "The person likes tea"}`+"\n"+
		`{"id": "x", "content": "The lighthouse is red"}`+"\n"+`{"content": "no fact", "topic": "a summary"}`+"\n"+`{"type": "note", "content": "of another program"}`+"\n")
	f.want("The harbour closes at six", "The person likes tea", "The lighthouse is red")
	x := f.index()
	id := func(query string) string {
		t.Helper()
		got := f.find(x, query)
		if len(got) == 0 || got[0] == "" {
			t.Fatalf("%s: found %q", query, got)
		}
		return got[0]
	}
	harbour, tea := id("harbour closes"), id("likes tea")
	if harbour == tea || id("lighthouse") != "x" {
		t.Errorf("ids %q and %q", harbour, tea)
	}
	text := "The harbour closes at nine"
	must.Do(t, f.Edit(harbour, Edit{Content: &text}))
	if id("harbour closes") != harbour {
		t.Error("another text made it another fact")
	}
	if _, err := f.Delete([]string{tea}); err != nil {
		t.Error(err)
	}
	f.want(text, "The lighthouse is red")
	if _, err := f.Restore([]string{tea}); err != nil {
		t.Error(err)
	}
	if _, err := f.Purge([]string{tea}); err != nil || strings.Contains(f.read("daily/2026-11-20.jsonl"), "tea") {
		t.Errorf("%v: %s", err, f.read("daily/2026-11-20.jsonl"))
	}
}
