package search

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// fact is a line of a daily file.
func fact(id, content, more string) string {
	return fmt.Sprintf(`{"id": %q, "type": "fact", "memory_type": "W", "content": %q, "timestamp": "2026-11-20T00:00:00Z"%s}`+"\n", id, content, more)
}

// saved adds lines to the day's file as saves do, each of which looks for what is near.
func saved(t *testing.T, at Folder, from, many int) {
	t.Helper()
	savedIn(t, at, "2026-11-20.jsonl", from, many)
}

func savedIn(t *testing.T, at Folder, day string, from, many int) {
	t.Helper()
	path := filepath.Join(at.Dir, "daily", day)
	for i := from; i < from+many; i++ {
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = f.WriteString(fact(fmt.Sprint("log-new-", i), fmt.Sprintf("The zeppelin %d stands in hangar %d", i, i*7), `, "entities": ["hangar"], "topic_key": "t`+fmt.Sprint(i)+`"`)); err != nil {
			t.Fatal(err)
		}
		if err = f.Close(); err != nil {
			t.Fatal(err)
		}
		if _, _, err := at.Near(fmt.Sprintf("The zeppelin %d", i), "", time.Now()); err != nil {
			t.Fatal(err)
		}
	}
}

func opened(t *testing.T, at Folder) *Snapshot {
	t.Helper()
	s, err := at.open(lexiconOf(t, at.Cache))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// What was saved since the snapshot's file was written is kept beside it, as it would be
// read in the folder, and neither is written anew at each save: how many entries a save has to
// read there does not grow with what there is.
// BM-FND-11.
func TestWhatIsRecentIsKeptBeside(t *testing.T) {
	t.Parallel()
	at := folder(t, 500)
	path, _ := at.Derived(SnapshotFile)
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 30 {
		saved(t, at, i, 1)
		if s := opened(t, at); i+1-s.new > unkeptMost {
			t.Fatalf("after %d saves %d entries have to be read in the folder", i+1, i+1-s.new)
		}
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the snapshot was written anew: %v", err)
	}
	s := opened(t, at)
	kept := len(s.fresh)
	must.Do(t, s.Refresh(at.Sources(), time.Now(), 0))
	alone := New("", s.lexicon)
	must.Do(t, alone.Refresh(at.Sources(), time.Now(), 0))
	if kept < 20 || s.count != alone.count || s.words != alone.words {
		t.Errorf("%d kept; %d entries of %d words, want %d of %d", kept, s.count, s.words, alone.count, alone.words)
	}
	for i := range s.fresh {
		n := slices.IndexFunc(alone.fresh, func(e entry) bool { return e.doc.ID == s.fresh[i].doc.ID })
		a, b := &s.fresh[i], &alone.fresh[n]
		if a.doc.Entities == nil {
			a.doc.Entities = b.doc.Entities
		}
		if !reflect.DeepEqual(a.doc, b.doc) || a.key != b.key || a.size != b.size || !bytes.Equal(s.packed(i), alone.packed(n)) {
			t.Errorf("kept is\n%+v, want\n%+v", a.doc, b.doc)
		}
		if x, y := s.named(a.words), alone.named(b.words); !reflect.DeepEqual(x, y) {
			t.Errorf("kept are the words %v, want %v", x, y)
		}
	}
	if near, _, err := at.Near("The zeppelin 3 stands in hangar 21", "", time.Now()); err != nil || len(near) == 0 || near[0].ID != "log-new-3" {
		t.Errorf("%v, %v", near, err)
	}
	if c, err := at.Keep(time.Now(), 0); err != nil || c.Entries != 530 {
		t.Errorf("%+v, %v", c, err)
	}
	if _, err := os.Stat(s.recentPath()); !os.IsNotExist(err) {
		t.Errorf("a file of what is in the snapshot now: %v", err)
	}
}

// What is in a file that the snapshot has not seen is kept beside it with that file, also beside a
// snapshot of one entry: the next search neither reads it again nor has it twice.
// BM-FND-11.
func TestTheRecentOfANewFileIsKeptBeside(t *testing.T) {
	t.Parallel()
	for _, before := range []int{1, 200} {
		at := folder(t, before)
		savedIn(t, at, "2026-11-21.jsonl", 0, unkeptMost)
		s := opened(t, at)
		if len(s.fresh) != unkeptMost || s.new != unkeptMost || s.unkept != 0 {
			t.Fatalf("beside %d: %d entries, %d new", before, len(s.fresh), s.new)
		}
		for _, e := range s.fresh {
			if e.doc.File != "daily/2026-11-21.jsonl" {
				t.Errorf("%s is of the file %q", e.doc.ID, e.doc.File)
			}
		}
		must.Do(t, s.Refresh(at.Sources(), time.Now(), 0))
		if s.count != before+unkeptMost || s.unkept != 0 {
			t.Errorf("beside %d: %d entries, of which %d were read again", before, s.count, s.unkept)
		}
	}
}

func (s *Snapshot) named(list []count) map[string]int32 {
	out := map[string]int32{}
	for _, c := range list {
		out[s.spelt[c.word]] = c.times
	}
	return out
}

// What was taken out or changed is so in the file beside, too, and a file of another snapshot,
// or one that is damaged in any place, is passed over: the folder is read.
// BM-HND-04.
func TestWhatIsRecentFollowsTheFolder(t *testing.T) {
	t.Parallel()
	at := folder(t, 200)
	saved(t, at, 0, 12)
	path := filepath.Join(at.Dir, "daily", "2026-11-20.jsonl")
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := slices.DeleteFunc(strings.SplitAfter(string(b), "\n"), func(l string) bool {
		return strings.Contains(l, `"log-7"`) || strings.Contains(l, `"log-new-2"`)
	})
	must.Write(t, path, strings.ReplaceAll(strings.Join(lines, ""), "zeppelin 5 ", "airship 5 "))
	want := 210
	check := func(what string) {
		t.Helper()
		s := opened(t, at)
		must.Do(t, s.Refresh(at.Sources(), time.Now(), 0))
		var ids []string
		for n := range s.base.docs + len(s.fresh) {
			if s.there(n) {
				ids = append(ids, s.Entry(n).ID)
			}
		}
		if len(ids) != want || s.count != want || slices.Contains(ids, "log-7") || slices.Contains(ids, "log-new-2") {
			t.Errorf("%s: %d entries, counted %d", what, len(ids), s.count)
		}
		if hits := Search(s, Query{Text: "airship", Max: 1}); len(hits) != 1 || hits[0].ID != "log-new-5" {
			t.Errorf("%s: found %v", what, hits)
		}
	}
	check("changed")
	saved(t, at, 12, 15) // the first of them writes the snapshot anew
	want += 15
	check("kept")
	recent := opened(t, at).recentPath()
	whole, err := os.ReadFile(recent)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 60 {
		i := random.IntN(len(whole))
		bad := slices.Clone(whole)
		bad[i] ^= byte(1 + random.IntN(255))
		must.Write(t, recent, bad[:len(bad)-random.IntN(2)*random.IntN(len(bad))])
		check(fmt.Sprint("byte ", i))
	}
	other := folder(t, 150)
	saved(t, other, 0, 12)
	if b, err = os.ReadFile(opened(t, other).recentPath()); err != nil {
		t.Fatal(err)
	}
	must.Write(t, recent, b)
	check("another's")
}

// A snapshot that is damaged where no search looks at once is harmless, is found by who asks, and
// is not carried into the next: that is made of the folder.
func TestDamageIsNotCarriedOver(t *testing.T) {
	t.Parallel()
	at := folder(t, 300)
	path, _ := at.Derived(SnapshotFile)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		bad := slices.Clone(whole)
		i := random.IntN(len(bad))
		bad[i] ^= byte(1 + random.IntN(255))
		must.Write(t, path, bad)
		if _, _, err := Quick([]Folder{at}, Query{Text: "connection pool of the orders service", Max: 3}, time.Now()); err != nil {
			t.Fatalf("byte %d: %v", i, err)
		}
		if _, err := at.About(); err == nil {
			t.Fatalf("byte %d: nobody sees the damage", i)
		}
		if s, err := at.open(nil); err == nil {
			s.new = 1
			if err := s.Write(); !errors.Is(err, errDamaged) {
				t.Fatalf("byte %d: written: %v", i, err)
			}
			s.Close()
			if _, err := os.Stat(path); !os.IsNotExist(err) {
				t.Fatalf("byte %d: the damaged file stays: %v", i, err)
			}
		}
	}
}

// A list of entries that a damaged snapshot says to be of gigabytes asks for no more room than
// there are entries.
func TestADamagedListAsksForNoRoom(t *testing.T) {
	t.Parallel()
	at := folder(t, 60)
	s := opened(t, at)
	words := slices.Clone(s.base.words) // the file itself cannot be written through
	for i := range s.base.wordCount {
		for _, end := range []uint32{1<<32 - 1, 1 << 31, uint32(len(s.base.lists)) + 1, 0} {
			s.base.words, s.uses = slices.Clone(words), nil
			binary.LittleEndian.PutUint32(s.base.words[wordSize*(i+1)+4:], end)
			if in := s.use(s.base.word(i)); cap(in) > s.base.docs {
				t.Fatalf("the list of %q, which ends at %d: room for %d entries of %d", s.base.word(i), end, cap(in), s.base.docs)
			}
		}
	}
}
