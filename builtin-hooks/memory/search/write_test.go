package search

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/agents-hooks/agents-hooks/internal/must"
)

// A writer that was killed leaves one file at most, which the next one clears away;
// one that is at it is left alone.
func TestAKilledWriterLeavesNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "snapshot")
	left := path + ".tmp-next"
	names := func() (list []string) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			list = append(list, e.Name())
		}
		return list
	}
	must.Write(t, left, "half")
	if err := New(path, nil).Write(); err != nil || len(names()) != 1 || names()[0] != "snapshot.tmp-next" {
		t.Errorf("beside one that writes: %v, %q", err, names())
	}
	old := time.Now().Add(-2 * abandoned)
	must.Do(t, os.Chtimes(left, old, old))
	if err := New(path, nil).Write(); err != nil || len(names()) != 1 || names()[0] != "snapshot" {
		t.Errorf("after one that was killed: %v, %q", err, names())
	}
}

// A snapshot that is written over another one holds what it does when it is made of the
// folder at once, whether the entries before are taken over as they lie or one by one.
// BM-HND-04.
func TestASnapshotIsTheSameWrittenOverAnother(t *testing.T) {
	t.Parallel()
	at := folder(t, 300)
	more := func(from, to int) (text string) {
		for i := from; i < to; i++ {
			text += fact(fmt.Sprint("log-more-", i), fmt.Sprintf("Crane %d lifts 港口 %d tons", i, i*3), `, "supersedes": ["log-`+fmt.Sprint(i)+`"], "valid_until": "2027-01-01T00:00:00Z"`)
		}
		return text
	}
	add := func(name, text string) {
		t.Helper()
		path := filepath.Join(at.Dir, "daily", name)
		b, _ := os.ReadFile(path)
		must.Write(t, path, append(b, text...))
		old := time.Now().Add(-time.Hour)
		must.Do(t, os.Chtimes(path, old, old))
	}
	for _, c := range []struct {
		name  string
		apply func()
		taken bool
	}{
		{"lines of a file", func() { add("2026-11-20.jsonl", more(0, 5)) }, true},
		{"another file", func() { add("2026-11-21.jsonl", more(5, 20)) }, true},
		{"both", func() { add("2026-11-20.jsonl", more(20, 21)); add("2026-11-21.jsonl", more(21, 60)) }, true},
		{"a file that comes first", func() { add("2026-11-19.jsonl", more(60, 70)) }, true},
		{"a line in the place of one", func() { add("2026-11-21.jsonl", fact("log-more-5", "Crane 5 was sold", "")) }, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.apply()
			s := opened(t, at)
			now := time.Now()
			must.Do(t, s.Refresh(at.Sources(), now, 0))
			if taken := (&writing{of: s.files, stride: s.base.stride}).takeOver(s) > 0; taken != c.taken {
				t.Errorf("the entries are taken over: %t", taken)
			}
			over := s.parts()
			var written table
			if _, err := written.read(bytes.Join(over, nil)); err != nil {
				t.Fatal(err)
			}
			must.Do(t, written.check())
			anew := New("", s.lexicon)
			must.Do(t, anew.Refresh(at.Sources(), now, 0))
			must.Do(t, s.Write())
			again := opened(t, at)
			if again.count != anew.count || again.words != anew.words {
				t.Fatalf("%d entries of %d words, want %d of %d", again.count, again.words, anew.count, anew.words)
			}
			for n := range again.base.docs {
				d := again.Entry(n)
				i := slices.IndexFunc(anew.fresh, func(e entry) bool { return e.doc.ID == d.ID && e.doc.File == d.File })
				if i < 0 || d.Content != anew.fresh[i].doc.Content || !slices.Equal(d.Replaces, anew.fresh[i].doc.Replaces) || again.key(n) != anew.fresh[i].key || !bytes.Equal(again.vector(n), anew.packed(i)) || again.sketch(n)[0] != anew.sketch(i)[0] {
					t.Fatalf("entry %d is %+v", n, d)
				}
			}
			for _, word := range []string{"crane", "港口", "ton", "connection", overOn(time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)), standsFor("log-3")} {
				if a, b := again.use(word), anew.use(word); len(a) != len(b) || again.base.many(word) != len(a) {
					t.Errorf("%q is in %d entries, counted %d, want %d", word, len(a), again.base.many(word), len(b))
				}
			}
			for i, f := range again.base.files {
				first, end := again.base.of(i)
				for n := range again.base.docs {
					if again.base.file(n) == i && (n < first || n >= end) {
						t.Errorf("entry %d of %s lies outside of %d to %d", n, f.name, first, end)
					}
				}
			}
		})
	}
}
