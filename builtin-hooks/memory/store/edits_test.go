package store

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory/search"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// as lets somebody work in the folder, some minutes later.
func (f *folder) as(name string, minutes int) {
	f.From = func() memory.Source { return memory.Source{Author: name} }
	f.Now = now.Add(time.Duration(minutes) * time.Minute)
}

// line is the only line of the only file of facts.
func (f *folder) line() string {
	f.Helper()
	return strings.TrimSpace(f.read("daily/2026-11-21.jsonl"))
}

// An edit keeps what the fact said, and who changed it; it is undone, and that as well.
// BM-HND-19, BM-HND-20.
func TestAnEditIsKeptAndUndone(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	f.as("Ann", 0)
	id := f.save("The lead is Ann until 2027-03-01", about("lead")).ID
	f.as("Bob", 5)
	text, kind := "The lead is Bob", "B"
	must.Do(t, f.Edit(id, Edit{Content: &text, Type: &kind, Entities: []string{"boss"}}))
	must.Do(t, f.Edit(id, Edit{Content: &text})) // says the same: it is no edit
	all, err := f.Facts()
	if err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	want := Earlier{"The lead is Ann until 2027-03-01", "Ann", memory.Stamp(now)}
	if e := all[0]; e.Edited != "Bob" || !e.Updated.Equal(f.Now.Truncate(time.Second)) || e.From.Author != "Ann" || !slices.Equal(e.Earlier, []Earlier{want}) || e.before().Author != "Bob" {
		t.Errorf("%+v", e)
	}
	f.as("Cyd", 9)
	said, err := f.Undo(id, 1)
	all, _ = f.Facts()
	if e := all[0]; err != nil || said.Content != text || said.Author != "Bob" || e.Content != want.Content || e.Kind != "W" || e.Entities[0] != "lead" || e.Until.IsZero() || e.Edited != "Cyd" {
		t.Errorf("%+v, %+v, %v", said, e, err)
	}
	if _, err := f.Undo(id, 1); err != nil || f.living()[0] != text {
		t.Errorf("undone twice: %q, %v", f.living(), err)
	}
	must.Do(t, f.Edit(id, Edit{NoUndo: true}))
	if strings.Contains(f.line(), "2027-03-01") {
		t.Errorf("kept all the same: %s", f.line())
	}
	var refused Refused
	if _, err := f.Undo(id, 1); !errors.As(err, &refused) || refused.Fix == "" {
		t.Error(err)
	}
	if _, err := f.Undo("nope", 1); !errors.Is(err, ErrNoEntry) {
		t.Error(err)
	}
}

// Each version that is kept is brought back by how many edits back it is, and a number of none is
// refused with what there is.
// BM-HND-20.
func TestAVersionFurtherBackIsBroughtBack(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	id := f.save("The lead is one").ID
	for _, n := range []string{"two", "three", "four"} {
		text := "The lead is " + n
		must.Do(t, f.Edit(id, Edit{Content: &text}))
	}
	for _, step := range []struct {
		back int
		want string
	}{{3, "one"}, {1, "four"}, {4, "two"}, {1, "four"}} {
		if _, err := f.Undo(id, step.back); err != nil || f.living()[0] != "The lead is "+step.want {
			t.Errorf("%d back: %q, %v, want %s", step.back, f.living(), err, step.want)
		}
	}
	for _, back := range []int{0, -1, 99} {
		var refused Refused
		if _, err := f.Undo(id, back); !errors.As(err, &refused) || !strings.Contains(refused.Fix, `1: "The lead is two"`) || !strings.Contains(refused.Fix, `"The lead is three"`) {
			t.Errorf("%d back: %v", back, err)
		}
	}
}

// BM-HND-19.
func TestADeletionKeepsWhoDidIt(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	f.as("Ann", 0)
	id := f.save("The lead is Ann").ID
	f.as("Bob", 5)
	if _, err := f.Delete([]string{id}); err != nil {
		t.Fatal(err)
	}
	if all, err := f.Facts(); err != nil || all[0].Remover != "Bob" || all[0].Tidied {
		t.Errorf("%+v, %v", all, err)
	}
	f.as("cleanup", 6) // a name that says something else in the files
	if _, err := f.Restore([]string{id}); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Delete([]string{id}); err != nil {
		t.Fatal(err)
	}
	if all, err := f.Facts(); err != nil || all[0].Tidied {
		t.Errorf("%+v, %v", all, err)
	}
}

// What a union merge makes of what two did: it is listed where both changed something, and until
// somebody decides, what was done last counts.
// BM-HND-21, BM-HND-22, BM-GIT-11.
func TestTwoVersionsAreThoseOfTwoWhoChangedSomething(t *testing.T) {
	t.Parallel()
	edit := func(by string, minutes int, text string) func(f *folder, id string) {
		return func(f *folder, id string) { f.as(by, minutes); must.Do(f.T, f.Edit(id, Edit{Content: &text})) }
	}
	remove := func(by string, minutes int) func(f *folder, id string) {
		return func(f *folder, id string) {
			f.as(by, minutes)
			_, err := f.Delete([]string{id})
			must.Do(f.T, err)
		}
	}
	undo := func(by string, minutes int) func(f *folder, id string) {
		return func(f *folder, id string) { f.as(by, minutes); _, err := f.Undo(id, 1); must.Do(f.T, err) }
	}
	const base, bob, cyd = "The lead is Ann", "The lead is Bob", "The lead is Cyd"
	for _, c := range []struct {
		name      string
		one, two  []func(f *folder, id string)
		holds     string
		versions  bool
		byOf      string // who wrote what is listed
		proposals string
	}{
		{"one edited", []func(*folder, string){edit("Bob", 5, bob)}, nil, bob, false, "", ""},
		{"one edited twice", []func(*folder, string){edit("Bob", 5, bob), edit("Bob", 6, cyd)}, nil, cyd, false, "", ""},
		{"one edited and undid it", []func(*folder, string){edit("Bob", 5, bob), undo("Bob", 6)}, nil, base, false, "", ""},
		{"both edited", []func(*folder, string){edit("Bob", 7, bob)}, []func(*folder, string){edit("Cyd", 6, cyd)}, bob, true, "Bob Cyd", "separate"},
		{"one deleted", []func(*folder, string){remove("Bob", 5)}, nil, "", false, "", ""},
		{"edited, then deleted by the same", []func(*folder, string){edit("Bob", 5, bob), remove("Bob", 6)}, nil, "", false, "", ""},
		{"deleted, and edited later", []func(*folder, string){remove("Bob", 5)}, []func(*folder, string){edit("Cyd", 6, cyd)}, cyd, true, "Ann Cyd", "restore"},
		{"edited, and deleted later", []func(*folder, string){remove("Bob", 7)}, []func(*folder, string){edit("Cyd", 6, cyd)}, "", true, "Ann Cyd", "restore"},
	} {
		for _, turned := range []bool{false, true} {
			t.Run(c.name+map[bool]string{true: ", turned"}[turned], func(t *testing.T) {
				t.Parallel()
				f := newFolder(t)
				f.as("Ann", 0)
				id := f.save(base).ID
				start := f.line()
				var lines []string
				for _, side := range [][]func(*folder, string){c.one, c.two} {
					f.write("daily/2026-11-21.jsonl", start+"\n")
					for _, do := range side {
						do(f, id)
					}
					lines = append(lines, f.line())
				}
				if turned {
					slices.Reverse(lines)
				}
				f.write("daily/2026-11-21.jsonl", strings.Join(lines, "\n")+"\n")
				f.as("Ann", 60)
				holds := []string{}
				if c.holds != "" {
					holds = append(holds, c.holds)
				}
				if have := f.living(); !slices.Equal(have, holds) && len(have)+len(holds) > 0 {
					t.Errorf("holds %q, want %q", have, c.holds)
				}
				found, err := search.Thorough([]search.Folder{{Scope: "user", Dir: f.Dir}}, search.Query{Text: "who is the lead", Max: 5, Method: search.Text, Now: f.Now}, f.Now)
				if err != nil || len(found) != len(holds) || len(found) > 0 && found[0].Content != c.holds {
					t.Errorf("found %+v, %v", found, err)
				}
				f.wantVersions(c.versions, c.byOf, c.proposals, id)
			})
		}
	}
}

// wantVersions is what a review says of two versions; each proposal settles it.
func (f *folder) wantVersions(want bool, by, proposed, id string) {
	f.Helper()
	list, _, err := f.Review(90, 100)
	if err != nil || len(list) > 0 != want {
		f.Fatalf("review: %+v, %v", list, err)
	}
	if !want {
		return
	}
	authors := []string{list[0].Author, list[0].Other.Author}
	slices.Sort(authors)
	if list[0].Why != Versions || strings.Join(authors, " ") != by || !slices.ContainsFunc(list[0].Proposed, func(p string) bool { return strings.Contains(p, " "+proposed+" ") }) {
		f.Errorf("%+v", list[0])
	}
	if proposed != "restore" {
		return
	}
	before := f.read("daily/2026-11-21.jsonl")
	for _, settle := range []func([]string) (int, error){f.Restore, f.Delete} {
		f.write("daily/2026-11-21.jsonl", before)
		_, err := settle([]string{id})
		must.Do(f.T, err)
		if list, _, err := f.Review(90, 100); err != nil || len(list) > 0 {
			f.Errorf("settled, and still: %+v, %v", list, err)
		}
	}
}

// A fact that is said again with an end is edited by that: it keeps who did so, and is undone.
// BM-HND-19, BM-HND-20.
func TestAnEndThatASaveGivesIsUndone(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	id := f.save("The canteen opens at eight").ID
	f.From = func() memory.Source { return memory.Source{Author: "Ann"} }
	again := f.save("The canteen opens at eight", func(x *memory.Fact) { x.Until = now.AddDate(0, 1, 0) })
	all, err := f.Facts()
	if err != nil || again.ID != id || len(all) != 1 || all[0].Until.IsZero() || all[0].Edited != "Ann" || len(all[0].Earlier) != 1 {
		t.Fatalf("%+v, %v", all, err)
	}
	if _, err := f.Undo(id, 1); err != nil {
		t.Fatal(err)
	}
	if all, err := f.Facts(); err != nil || !all[0].Until.IsZero() {
		t.Errorf("%+v, %v", all, err)
	}
}
