package store

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/agents-hooks/agents-hooks/builtin-hooks/internal/locale"
	"github.com/agents-hooks/agents-hooks/builtin-hooks/memory"
	"github.com/agents-hooks/agents-hooks/internal/ledger"
	"github.com/agents-hooks/agents-hooks/internal/must"
)

// Somebody appends lines with their own program while facts of the same file are edited, deleted,
// restored and confirmed: each of their lines stands there once, and so does each change.
// BM-HND-31.
func TestALineAppendedWhileAFileIsRewrittenStays(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("a file that somebody has open is not replaced there, nor opened while it is")
	}
	f := newFolder(t)
	id := f.save("Anchor chain is 40 m").ID
	path := f.place().Path("daily/2026-11-21.jsonl")
	const lines = 300
	failed := make(chan error, 1)
	go func() {
		var err error
		for i := 0; i < lines && err == nil; i++ {
			var hand *os.File
			if hand, err = os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0); err == nil {
				_, err = fmt.Fprintf(hand, "{\"id\": \"hand-%d\", \"type\": \"fact\", \"content\": \"Hand line %d\"}\n", i, i)
				err = errors.Join(err, hand.Close())
			}
		}
		failed <- err
	}()
	edits := 0
	for going := true; going; edits++ {
		select {
		case err := <-failed:
			must.Do(t, err)
			going = false
		default:
		}
		said := fmt.Sprintf("Anchor chain is %d m", edits)
		must.Do(t, f.Edit(id, Edit{Content: &said}))
		must.Do(t, must.Err(f.Delete([]string{id})))
		must.Do(t, must.Err(f.Restore([]string{id})))
		must.Do(t, must.Err(f.Confirm([]string{id}, nil, nil)))
	}
	text := f.read("daily/2026-11-21.jsonl")
	for i := range lines {
		if n := strings.Count(text, fmt.Sprintf("\"Hand line %d\"", i)); n != 1 {
			t.Errorf("line %d stands there %d times", i, n)
		}
	}
	if !strings.Contains(text, fmt.Sprintf(`"content": "Anchor chain is %d m"`, edits-1)) || !strings.Contains(text, fmt.Sprintf(`"confirmed_count": %d`, edits)) {
		t.Errorf("a change is lost after %d: %.400s", edits, text)
	}
}

// Whoever names several entries of which one is unknown changes none, and is told which.
// BM-HND-32.
func TestNothingIsDoneIfOneOfSeveralIDsIsUnknown(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	a, b := f.save("The wiki is in Notion").ID, f.save("Lunch is at noon").ID
	gone := f.save("The lighthouse keeper is Odd").ID
	must.Do(t, must.Err(f.Delete([]string{gone})))
	for name, do := range map[string]func(ids []string) error{
		"delete":   func(ids []string) error { return must.Err(f.Delete(ids)) },
		"restore":  func(ids []string) error { return must.Err(f.Restore(append(ids, gone))) },
		"confirm":  func(ids []string) error { return must.Err(f.Confirm(ids, nil, nil)) },
		"purge":    func(ids []string) error { return must.Err(f.Purge(ids)) },
		"merge":    func(ids []string) error { return must.Err(f.Merge(ids, memory.Fact{Content: "x y"})) },
		"beside":   func(ids []string) error { return must.Err(f.Confirm([]string{b}, ids, nil)) },
		"replaces": func(ids []string) error { return must.Err(f.Confirm([]string{b}, nil, ids)) },
	} {
		for _, ids := range [][]string{{a, "nope", "never"}, {"nope", a, "never"}, {"nope", "never", a}} {
			before := f.read("daily/2026-11-21.jsonl")
			err := do(slices.Clone(ids))
			if !errors.Is(err, ErrNoEntry) || !strings.Contains(err.Error(), "nope") || strings.Contains(err.Error(), a) {
				t.Errorf("%s %q: %v", name, ids, err)
			}
			if f.read("daily/2026-11-21.jsonl") != before {
				t.Errorf("%s %q changed something", name, ids)
			}
		}
	}
}

// What nobody let in is neither edited, deleted, restored, confirmed nor replaced by a command: whoever does it is
// told that it waits, and nothing of it changes.
// BM-TRU-46.
func TestWhatWaitsIsNotChanged(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	f.Ledger = ledger.At(t.TempDir(), f.Dir)
	mine := f.save("Lunch is at noon").ID
	const line = `{"id": "theirs", "type": "fact", "content": "The wiki is in Notion", "timestamp": "2026-11-20T09:00:00Z"}` + "\n"
	f.write("daily/2026-11-20.jsonl", line)
	text := "The wiki is in Confluence"
	for _, person := range []bool{true, false} {
		f.Waiting = person
		for name, do := range map[string]func() error{
			"edit":     func() error { return f.Edit("theirs", Edit{Content: &text}) },
			"delete":   func() error { return must.Err(f.Delete([]string{mine, "theirs"})) },
			"restore":  func() error { return must.Err(f.Restore([]string{"theirs"})) },
			"confirm":  func() error { return must.Err(f.Confirm([]string{"theirs"}, nil, nil)) },
			"undo":     func() error { return must.Err(f.Undo("theirs", 1)) },
			"replaces": func() error { return must.Err(f.Confirm([]string{mine}, nil, []string{"theirs"})) },
			"save":     func() error { return must.Err(f.Save(memory.Fact{Content: text, Supersedes: []string{"theirs"}}, "")) },
			"merge":    func() error { return must.Err(f.Merge([]string{mine, "theirs"}, memory.Fact{Content: text})) },
			"promote":  func() error { return must.Err(f.Promote("theirs", "", locale.English)) },
			"decline":  func() error { return f.Decline("theirs") },
		} {
			var refused Refused
			if err := do(); !errors.As(err, &refused) || !strings.Contains(err.Error(), "theirs was not written on this machine and waits for you") {
				t.Errorf("%s, a person %v: %v", name, person, err)
			}
			if is := f.read("daily/2026-11-20.jsonl"); is != line {
				t.Errorf("%s changed it: %s", name, is)
			}
		}
	}
	f.want("Lunch is at noon")
}

// What another fact stands for already is not merged again, whoever comes second.
// BM-TRU-45.
func TestWhatIsReplacedIsNotMergedAgain(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	a, b := f.save("The lighthouse keeper is Odd").ID, f.save("Lunch is at noon").ID
	one, err := f.Merge([]string{a, b}, memory.Fact{Content: "Odd eats at noon"})
	must.Do(t, err)
	var refused Refused
	if _, err := f.Merge([]string{a, b}, memory.Fact{Content: "Odd eats at noon"}); !errors.As(err, &refused) || !strings.Contains(err.Error(), one.ID) {
		t.Error(err)
	}
	if _, err := f.Merge([]string{one.ID, a}, memory.Fact{Content: "Odd eats at one"}); !errors.As(err, &refused) {
		t.Error(err)
	}
	f.want("Odd eats at noon")
	must.Do(t, must.Err(f.Restore([]string{a, b})))
	if _, err := f.Merge([]string{a, b}, memory.Fact{Content: "Odd eats at one"}); err != nil {
		t.Error(err)
	}
}

// A line of MEMORY.md that is another one by now is not replaced by a fact that was proposed for the one
// that stood there.
// BM-HND-33.
func TestALineThatMovedIsNotReplaced(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	f.write("MEMORY.md", "# M\n\n- The wiki is in Confluence\n")
	id := f.save("The wiki is in Notion").ID
	list, _, err := f.Review(90, 20)
	must.Do(t, err)
	want := "agents-hooks memory promote " + id + " --line 3 --mark " + LineMark("The wiki is in Confluence")
	if len(list) != 1 || list[0].Page == nil || list[0].Page.Proposed[0] != want {
		t.Fatalf("%+v, want %q", list, want)
	}
	f.write("MEMORY.md", "# M\n\n- Above\n- The wiki is in Confluence\n")
	var refused Refused
	if _, err := f.PromoteOver(id, 3, LineMark("The wiki is in Confluence"), locale.English); !errors.As(err, &refused) || !strings.Contains(err.Error(), "Above") {
		t.Error(err)
	}
	if _, err := f.PromoteOver(id, 4, LineMark("The wiki is in Confluence"), locale.English); err != nil || !strings.Contains(f.read("MEMORY.md"), "- Above\n- The wiki is in Notion\n") {
		t.Errorf("%v\n%s", err, f.read("MEMORY.md"))
	}
	if err := f.Decline(id); !errors.As(err, &refused) || !strings.Contains(err.Error(), "--remove") {
		t.Errorf("what stands there is declined: %v", err)
	}
	must.Do(t, must.Err(f.Demote(id)))
	must.Do(t, f.Decline(id))
}

// A restore says how many it brought back, and the versions that are kept say whose they are.
// BM-HND-05, BM-HND-20.
func TestARestoreSaysWhatItDid(t *testing.T) {
	t.Parallel()
	f := newFolder(t)
	f.From = func() memory.Source { return memory.Source{Author: "Ann"} }
	old, other := f.save("The web port of the gateway is 8080").ID, f.save("Lunch is at noon").ID
	f.save("The web port of the gateway is 8081")
	must.Do(t, must.Err(f.Delete([]string{other})))
	for _, want := range []int{2, 0} {
		if n, err := f.Restore([]string{old, other}); n != want || err != nil {
			t.Errorf("%d, want %d: %v", n, want, err)
		}
	}
	said := "Lunch is at one"
	must.Do(t, f.Edit(other, Edit{Content: &said}))
	if _, err := f.Undo(other, 99); err == nil || !strings.Contains(err.Error(), `1: "Lunch is at noon" (Ann, `+memory.Stamp(now)+`)`) {
		t.Error(err)
	}
}
