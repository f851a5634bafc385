package find

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// day is in the past, so that clocks of file systems do not matter.
var day = time.Date(2026, 11, 18, 9, 0, 0, 0, time.UTC)

// snapped is a snapshot of some memories, each a line: id, a tab, the content.
func snapped(t *testing.T, lines ...string) *Snapshot {
	t.Helper()
	file := filepath.Join(t.TempDir(), "all")
	if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := New(filepath.Join(t.TempDir(), SnapshotFile))
	err := s.Refresh([]Source{{Name: "all", Path: file, Read: func([]byte) (out []Doc) {
		for i, l := range lines {
			id, content, _ := strings.Cut(l, "\t")
			out = append(out, Doc{ID: id, Kind: "fact", Type: "W", Content: content, Time: day.AddDate(0, 0, -i)})
		}
		return out
	}}}, day, 0)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func ask(t *testing.T, s Store, q Query) []Hit {
	t.Helper()
	hits, err := Search(context.Background(), s, Hash{}, q)
	if err != nil {
		t.Fatal(err)
	}
	return hits
}

// MEM-28: a hit's score is the sum of what its ranks in the two legs count,
// 1/(60+rank) with 1.0 for text and 0.6 for vectors, in parts of the most there
// is; a half-life of age halves it.
func TestMEM28Fusion(t *testing.T) {
	t.Parallel()
	s := snapped(t,
		"a\tThe connection pool of the orders service holds 40 connections",
		"b\tA connection is closed after five idle minutes",
		"c\tConnections to the replica are read only, the pool of it holds 10",
		"d\tThe office plants are watered on Fridays",
	)
	q := Query{Text: "connection pool", Max: 10, Now: day}
	rank := func(m Method, id string) float64 {
		q := q
		q.Method = m
		return float64(1 + slices.IndexFunc(ask(t, s, q), func(h Hit) bool { return h.ID == id }))
	}
	q.Method = Hybrid
	hits := ask(t, s, q)
	if len(hits) < 3 || hits[0].ID != "a" {
		t.Fatalf("%+v", hits)
	}
	for _, h := range hits {
		text, vector := rank(Text, h.ID), rank(Vector, h.ID)
		want := (1.0/(60+text) + 0.6/(60+vector)) / (1.6 / 61)
		if vector == 0 { // not found by that leg
			want = (1.0 / (60 + text)) / (1.6 / 61)
		}
		if math.Abs(h.Score-want) > 1e-9 {
			t.Errorf("%s has score %v, want %v: it is %v in the text and %v of the vectors", h.ID, h.Score, want, text, vector)
		}
		aged := q
		aged.HalfLife, aged.Now = 24*time.Hour, h.Time.Add(24*time.Hour)
		for _, o := range ask(t, s, aged) {
			if o.ID == h.ID && math.Abs(o.Score-h.Score/2) > 1e-9 {
				t.Errorf("%s a half-life later: %v, want the half of %v", h.ID, o.Score, h.Score)
			}
		}
	}
}

// A snapshot is read as it was written, over what was written before, and one
// that is damaged is none.
func TestSnapshotFile(t *testing.T) {
	t.Parallel()
	at := folder(t, 50)
	path, _ := at.Derived(SnapshotFile)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	find := func() (out []string) {
		t.Helper()
		found, ok, err := Quick(context.Background(), []Shelf{at}, Hash{}, Query{Text: "zeppelin hangar", Max: 3, Method: Hybrid}, time.Now())
		if err != nil || !ok {
			t.Fatal(ok, err)
		}
		for _, f := range found {
			out = append(out, f.ID)
		}
		return out
	}
	daily := filepath.Join(at.Dir, "daily", "2026-11-20.jsonl")
	if got := find(); got != nil {
		t.Errorf("found %q before it was there", got)
	}
	text, err := os.ReadFile(daily)
	if err != nil {
		t.Fatal(err)
	}
	line := `{"id": "log-z", "type": "fact", "memory_type": "W", "content": "The zeppelin stands in the hangar", "timestamp": "2026-11-20T00:00:00Z"}` + "\n"
	for name, change := range map[string]string{"appended": string(text) + line, "in front": line + string(text), "alone": line} {
		if err := os.WriteFile(daily, []byte(change), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := find(); !slices.Equal(got, []string{"log-z"}) {
			t.Errorf("%s: found %q", name, got)
		}
		if err := at.Keep(time.Now(), 0); err != nil {
			t.Fatal(err)
		}
		if got := find(); !slices.Equal(got, []string{"log-z"}) {
			t.Errorf("%s, and written: found %q", name, got)
		}
	}
	if err := os.Remove(daily); err != nil {
		t.Fatal(err)
	}
	if got := find(); got != nil {
		t.Errorf("the file is gone, and found is %q", got)
	}
	for name, b := range map[string][]byte{
		"empty": {}, "cut": whole[:len(whole)/2], "a byte": append(append(slices.Clone(whole[:200]), whole[200]+1), whole[201:]...),
		"another": []byte("garbage" + strings.Repeat(" garbage", 50)), "longer": append(slices.Clone(whole), 'x'),
	} {
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(path); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v, want that there is none", name, err)
		}
		if _, ok, err := Quick(context.Background(), []Shelf{at}, Hash{}, Query{Text: "x", Max: 1, Method: Hybrid}, time.Now()); ok || err != nil {
			t.Errorf("%s: %v, %v; want that the index is asked", name, ok, err)
		}
	}
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
	if rest, _ := filepath.Glob(path + ".tmp-*"); len(rest) > 0 {
		t.Errorf("left behind: %q", rest)
	}
}

// More than a search should read is left to the index; a folder that cannot be
// written has its snapshot in the cache.
func TestSnapshotLimits(t *testing.T) {
	t.Parallel()
	at := folder(t, 10)
	big := strings.Repeat(`{"id": "log-big", "type": "fact", "content": "`+strings.Repeat("many words ", 80)+`"}`+"\n", 2_000)
	if err := os.WriteFile(filepath.Join(at.Dir, "facts.jsonl"), []byte(big), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, ok, err := Quick(context.Background(), []Shelf{at}, Hash{}, Query{Text: "words", Max: 1, Method: Hybrid}, time.Now()); ok || err != nil {
		t.Errorf("read all of it: %v, %v", ok, err)
	}
	path, beside := at.Derived(SnapshotFile)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := at.Keep(time.Now(), 1<<20); !errors.Is(err, ErrTooMuch) {
		t.Errorf("made in a search: %v", err)
	}
	if err := os.Mkdir(path, 0o700); err != nil { // nothing can be written there
		t.Fatal(err)
	}
	if err := at.Keep(time.Now(), 0); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(beside); err != nil {
		t.Error(err)
	}
	if found, ok, err := Quick(context.Background(), []Shelf{at}, Hash{}, Query{Text: "many words", Max: 1, Method: Hybrid}, time.Now()); !ok || err != nil || len(found) != 1 {
		t.Errorf("from the cache: %v, %v, %v", found, ok, err)
	}
}
